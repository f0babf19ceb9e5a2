// The usage of users, conversations and bots, counted for quotas; initialized from the stored data.

export const usage = `
  -- id: a user, a conversation or a bot. messages (with events), bytes and files are what is stored of visitors;
  -- hour_messages and hour_bytes are what was sent in the clock hour \`hour\`, counted since 1970.
  CREATE TABLE usage (
    id TEXT PRIMARY KEY,
    messages INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    files INTEGER NOT NULL DEFAULT 0,
    hour INTEGER NOT NULL DEFAULT 0,
    hour_messages INTEGER NOT NULL DEFAULT 0,
    hour_bytes INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO usage (id, messages, bytes, files)
    SELECT id, SUM(messages), SUM(bytes), SUM(files) FROM (
      SELECT user_id AS id, COUNT(*) AS messages, 0 AS files,
          SUM(octet_length(payload) + COALESCE(octet_length(metadata), 0)) AS bytes
        FROM messages WHERE is_bot = 0 GROUP BY user_id
      UNION ALL SELECT user_id, COUNT(*), 0, SUM(octet_length(payload))
        FROM events WHERE is_bot = 0 GROUP BY user_id
      UNION ALL SELECT owner_id, 0, COUNT(*), SUM(size)
        FROM files WHERE owner_type = 'visitor' GROUP BY owner_id
    ) AS counted WHERE id IN (SELECT id FROM users) GROUP BY id;
  INSERT INTO usage (id, messages, bytes)
    SELECT id, SUM(messages), SUM(bytes) FROM (
      SELECT conversation_id AS id, COUNT(*) AS messages,
          SUM(octet_length(payload) + COALESCE(octet_length(metadata), 0)) AS bytes
        FROM messages WHERE is_bot = 0 GROUP BY conversation_id
      UNION ALL SELECT conversation_id, COUNT(*), SUM(octet_length(payload))
        FROM events WHERE is_bot = 0 GROUP BY conversation_id
    ) AS counted WHERE id IN (SELECT id FROM conversations) GROUP BY id;
  INSERT INTO usage (id, messages, bytes, files)
    SELECT id, SUM(messages), SUM(bytes), SUM(files) FROM (
      SELECT conversations.bot_id AS id, SUM(messages) AS messages, SUM(bytes) AS bytes, 0 AS files
        FROM usage JOIN conversations ON conversations.id = usage.id GROUP BY conversations.bot_id
      UNION ALL SELECT bot_id, 0, SUM(size), COUNT(*)
        FROM files WHERE owner_type = 'visitor' GROUP BY bot_id
    ) AS counted WHERE id IN (SELECT id FROM bots) GROUP BY id;
`;
