// Deliveries to webhooks: the due times of retries, the dead letters, and the log of failures.

export const webhooks = `
  -- state: waiting (holds its place in the conversation), parked (later events pass it), dead (given up, kept for
  -- administrators). due_at: not before this time; 0 is at once. reason: a word for why the last attempt failed, or
  -- the status that came. failed_at: when it was given up.
  ALTER TABLE deliveries ADD COLUMN bot_id TEXT NOT NULL DEFAULT '';
  UPDATE deliveries SET bot_id = COALESCE(
    (SELECT conversations.bot_id FROM conversations WHERE conversations.id = deliveries.conversation_id), '');
  ALTER TABLE deliveries ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
  ALTER TABLE deliveries ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN reason TEXT;
  ALTER TABLE deliveries ADD COLUMN failed_at INTEGER;
  DROP INDEX deliveries_order;
  CREATE UNIQUE INDEX deliveries_line ON deliveries (conversation_id, state, seq);
  CREATE INDEX deliveries_due ON deliveries (state, due_at, conversation_id);
  CREATE INDEX deliveries_bot ON deliveries (bot_id, state, event_id);

  -- What went wrong with a bot: ids, numbers and words of ours. Never what somebody wrote.
  CREATE TABLE bot_logs (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    event_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status INTEGER,
    reason TEXT,
    error TEXT,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX bot_logs_bot ON bot_logs (bot_id, id);
  CREATE INDEX bot_logs_age ON bot_logs (created_at);

  -- Lists of a bot's users, by either time.
  CREATE INDEX users_created ON users (bot_id, created_at, id);
  CREATE INDEX users_updated ON users (bot_id, updated_at, id);
  `;
