// What bots store through the Runtime API: tags and states, and the fields of conversations, messages and events that
// existing bots read.

export const runtime = `
  -- kind: tag, property or attribute. resource_id: a conversation, a message or a user; ids have different prefixes.
  CREATE TABLE tags (
    resource_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    PRIMARY KEY (resource_id, kind, name)
  ) WITHOUT ROWID;
  CREATE INDEX tags_value ON tags (bot_id, kind, name, value, resource_id);

  -- owner_id: the conversation, the user or the bot that the state belongs to. expiry: milliseconds, null for never.
  CREATE TABLE states (
    owner_id TEXT NOT NULL,
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    expiry INTEGER,
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (owner_id, name)
  ) WITHOUT ROWID;
  CREATE INDEX states_bot ON states (bot_id);
  CREATE INDEX states_expiry ON states (expires_at) WHERE expires_at IS NOT NULL;

  CREATE INDEX conversations_updated ON conversations (bot_id, updated_at, id);

  -- outgoing: events about messages of the bot since the last event of a visitor.
  ALTER TABLE conversations ADD COLUMN channel TEXT NOT NULL DEFAULT 'channel';
  ALTER TABLE conversations ADD COLUMN message_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN outgoing INTEGER NOT NULL DEFAULT 0;
  UPDATE conversations SET
    message_count = (SELECT COUNT(*) FROM messages m WHERE m.conversation_id = conversations.id);

  -- updated_at: null for a message that was never changed.
  ALTER TABLE messages ADD COLUMN updated_at INTEGER;
  ALTER TABLE messages ADD COLUMN is_synthetic INTEGER NOT NULL DEFAULT 0;

  -- type: null for an event without a type of its own. message_id: the message that the event is about.
  ALTER TABLE events ADD COLUMN type TEXT;
  ALTER TABLE events ADD COLUMN message_id TEXT;

  -- outgoing_events: 1 for a bot that receives events about its own messages.
  ALTER TABLE bots ADD COLUMN outgoing_events INTEGER NOT NULL DEFAULT 0;
`;
