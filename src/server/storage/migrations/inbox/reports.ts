// Narrow rows that reports read: answers of persons, and messages that the bot did not answer.

export const reportRows = `
  -- The answers of persons. member_id: null at another desk. waiting_since: of the oldest message or request that the answer was
  -- for; null if the visitor did not wait.
  CREATE TABLE person_replies (
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    handoff_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    member_id TEXT,
    replied_at INTEGER NOT NULL,
    waiting_since INTEGER,
    PRIMARY KEY (conversation_id, seq)
  ) WITHOUT ROWID;
  CREATE INDEX person_replies_at ON person_replies (bot_id, replied_at);

  -- Messages of visitors that the bot did not answer well, besides those before a handoff. cause_id: the answer of the bot that
  -- was rated as bad, or the message itself, for which the knowledge of the agent had no passage.
  CREATE TABLE unanswered_messages (
    conversation_id TEXT NOT NULL,
    cause_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, cause_id)
  ) WITHOUT ROWID;
  CREATE INDEX unanswered_messages_at ON unanswered_messages (bot_id, noted_at);

  ALTER TABLE assignments ADD COLUMN bot_id TEXT NOT NULL DEFAULT '';
  UPDATE assignments SET bot_id =
    COALESCE((SELECT o.bot_id FROM handoffs o WHERE o.id = assignments.handoff_id), '');
  CREATE INDEX assignments_begun ON assignments (bot_id, from_at);
  `;
