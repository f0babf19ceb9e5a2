// Steps of the deletion of data, and of the usage that quotas limit.

/** Deleted users whose data is to be removed in steps, and the indexes that these steps use. */
export const deletion = `
  -- Users that were deleted, while anything of theirs is left. Their conversations are hidden as long as a row is here.
  -- foreign_id: how other participants know the user.
  CREATE TABLE user_deletions (
    user_id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    foreign_id TEXT,
    requested_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX deliveries_user ON deliveries (user_id);

  -- What a visitor sent, in whichever conversation.
  CREATE INDEX messages_visitor ON messages (user_id, id) WHERE is_bot = 0;
  CREATE INDEX events_visitor ON events (user_id, id) WHERE is_bot = 0;
  `;

/** The usage of users, conversations and bots, counted for quotas; initialized from the stored data. */
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

/** One queue for all data that is to be removed, instead of a table for each kind. */
export const deletionQueue = `
  -- kind and id: what is to be removed (DeletionKind in storage/deletions.ts). data: JSON, what the removal needs beyond
  -- that; of a user {botId, foreignId}. Users' conversations and files are hidden as long as their row is here.
  CREATE TABLE deletions (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    data TEXT,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  INSERT INTO deletions (kind, id) SELECT 'conversation', conversation_id FROM graves;
  INSERT INTO deletions (kind, id) SELECT 'table_rows', store_id FROM table_graves;
  INSERT INTO deletions (kind, id, data)
    SELECT 'user', user_id, json_object('botId', bot_id, 'foreignId', foreign_id) FROM user_deletions;
  INSERT INTO deletions (kind, id) SELECT 'bot', bot_id FROM bot_graves;
  -- Bots that were deleted by a version which did not remove their tables.
  INSERT INTO deletions (kind, id)
    SELECT 'bot', id FROM bots WHERE deleted_at IS NOT NULL AND id IN (SELECT bot_id FROM tables)
      AND id NOT IN (SELECT bot_id FROM bot_graves);
  INSERT INTO deletions (kind, id) SELECT 'file_content', id FROM file_graves WHERE kind = 'content';
  INSERT INTO deletions (kind, id) SELECT 'index_version', id FROM file_graves WHERE kind = 'passages';
  INSERT INTO deletions (kind, id, data)
    SELECT 'search_index', 'passages', CASE MAX(id) WHEN 'begun' THEN '"started"' ELSE '"requested"' END
    FROM file_graves WHERE kind = 'index' GROUP BY kind;

  -- Deleted files had a status; now their rows go at once.
  INSERT INTO deletions (kind, id)
    SELECT DISTINCT 'file_content', content_id FROM files WHERE status = 'deleted' AND content_id <> ''
    ON CONFLICT DO NOTHING;
  INSERT INTO deletions (kind, id)
    SELECT DISTINCT 'index_version', version FROM (
      SELECT edition AS version FROM files WHERE status = 'deleted'
      UNION SELECT building FROM files WHERE status = 'deleted') AS versions
    WHERE version IS NOT NULL
    ON CONFLICT DO NOTHING;
  UPDATE usage SET
      files = files - (SELECT COUNT(*) FROM files f
        WHERE f.status = 'deleted' AND f.owner_type = 'visitor' AND usage.id IN (f.owner_id, f.bot_id)),
      bytes = bytes - (SELECT COALESCE(SUM(f.size), 0) FROM files f
        WHERE f.status = 'deleted' AND f.owner_type = 'visitor' AND usage.id IN (f.owner_id, f.bot_id))
    WHERE id IN (SELECT owner_id FROM files WHERE status = 'deleted' AND owner_type = 'visitor'
      UNION SELECT bot_id FROM files WHERE status = 'deleted' AND owner_type = 'visitor');
  DELETE FROM file_tags WHERE file_id IN (SELECT id FROM files WHERE status = 'deleted');
  DELETE FROM files WHERE status = 'deleted';

  DROP TABLE graves;
  DROP TABLE table_graves;
  DROP TABLE user_deletions;
  DROP TABLE bot_graves;
  DROP TABLE file_graves;
`;
