// Users, bots, conversations, messages, events, signals, deliveries and requests: the first version of the schema.

export const firstSchema = `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    foreign_id TEXT UNIQUE,
    is_bot INTEGER NOT NULL DEFAULT 0,
    name TEXT,
    picture_url TEXT,
    profile TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );

  -- The bots of this server, each with the user it speaks as and its dashboard configuration (JSON).
  CREATE TABLE bots (
    webhook_id TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    configuration TEXT NOT NULL DEFAULT '{}'
  );

  -- seq counts everything that happened in the conversation: it is its one order. updated_at never stands still.
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    foreign_id TEXT UNIQUE,
    owner_id TEXT NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX conversations_owner ON conversations (owner_id, id);

  CREATE TABLE participants (
    conversation_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (conversation_id, user_id)
  ) WITHOUT ROWID;
  CREATE INDEX participants_user ON participants (user_id, conversation_id);

  -- origin: which reply to which bot event this is, so that an event delivered twice does not answer twice.
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    is_bot INTEGER NOT NULL,
    payload TEXT NOT NULL,
    metadata TEXT,
    origin TEXT UNIQUE,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX messages_order ON messages (conversation_id, seq);

  CREATE TABLE events (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    is_bot INTEGER NOT NULL,
    payload TEXT NOT NULL,
    origin TEXT UNIQUE,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX events_order ON events (conversation_id, seq);

  -- What listeners were told, for replay. Messages and events stand here by reference (ref), the rest by data.
  CREATE TABLE signals (
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    ref TEXT,
    data TEXT,
    PRIMARY KEY (conversation_id, seq)
  ) WITHOUT ROWID;

  -- Bot events that wait for their bot. event_id is the id that bot code sees.
  CREATE TABLE deliveries (
    event_id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX deliveries_order ON deliveries (conversation_id, seq);

  -- Answers to requests with an Idempotency-Key. resource: what the request made; response is blanked with it.
  CREATE TABLE requests (
    caller TEXT NOT NULL,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource TEXT,
    response TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (caller, operation, key)
  ) WITHOUT ROWID;
  CREATE INDEX requests_resource ON requests (resource);
  CREATE INDEX requests_age ON requests (created_at);

  -- Deleted conversations whose rows wait to be deleted, in small steps.
  CREATE TABLE graves (conversation_id TEXT PRIMARY KEY) WITHOUT ROWID;
`;
