// The tables of chats: users, conversations, messages, events, signals, deliveries, and what belongs to them.
export const chatTables = `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    foreign_id TEXT,
    is_bot INTEGER NOT NULL DEFAULT 0,
    name TEXT,
    picture_url TEXT,
    profile TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    keys_valid_after INTEGER
  );
  CREATE UNIQUE INDEX users_foreign ON users (bot_id, foreign_id);
  CREATE INDEX users_bot ON users (bot_id, id);
  CREATE INDEX users_created ON users (bot_id, created_at, id);
  CREATE INDEX users_updated ON users (bot_id, updated_at, id);

  -- Each row is updated with each message: free space in its page keeps the indexes unchanged (heap-only tuples), since the
  -- index of updated_at has periods only (migrations/cluster.ts).
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    foreign_id TEXT,
    owner_id TEXT NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    channel TEXT NOT NULL DEFAULT 'channel',
    message_count INTEGER NOT NULL DEFAULT 0,
    outgoing INTEGER NOT NULL DEFAULT 0
  ) WITH (fillfactor = 70);
  CREATE UNIQUE INDEX conversations_foreign ON conversations (bot_id, foreign_id);
  CREATE INDEX conversations_owner ON conversations (owner_id, id);
  CREATE INDEX conversations_bot ON conversations (bot_id, id);
  CREATE INDEX conversations_updated ON conversations (bot_id, updated_at, id);

  CREATE TABLE participants (
    conversation_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (conversation_id, user_id)
  );
  CREATE INDEX participants_user ON participants (user_id, conversation_id);

  CREATE TABLE invitations (
    conversation_id TEXT NOT NULL,
    invited_hash TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    invited_at INTEGER NOT NULL,
    is_open INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (conversation_id, invited_hash)
  );
  CREATE INDEX invitations_invited ON invitations (bot_id, invited_hash, is_open, conversation_id);
  CREATE INDEX invitations_age ON invitations (invited_at);

  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    is_bot INTEGER NOT NULL,
    payload TEXT NOT NULL,
    metadata TEXT,
    origin TEXT UNIQUE,
    created_at INTEGER NOT NULL,
    feedback TEXT,
    updated_at INTEGER,
    is_synthetic INTEGER NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX messages_order ON messages (conversation_id, seq);
  CREATE INDEX messages_visitor ON messages (user_id, id) WHERE is_bot = 0;

  CREATE TABLE events (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    is_bot INTEGER NOT NULL,
    payload TEXT NOT NULL,
    origin TEXT UNIQUE,
    created_at INTEGER NOT NULL,
    type TEXT,
    message_id TEXT
  );
  CREATE UNIQUE INDEX events_order ON events (conversation_id, seq);
  CREATE INDEX events_visitor ON events (user_id, id) WHERE is_bot = 0;

  CREATE TABLE signals (
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    ref TEXT,
    data TEXT,
    origin TEXT,
    PRIMARY KEY (conversation_id, seq)
  );
  CREATE UNIQUE INDEX signals_origin ON signals (origin);

  CREATE TABLE deliveries (
    event_id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    data TEXT,
    bot_id TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'waiting',
    due_at INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    failed_at INTEGER,
    locale TEXT
  ) WITH (fillfactor = 70);
  CREATE UNIQUE INDEX deliveries_line ON deliveries (conversation_id, state, seq);
  CREATE INDEX deliveries_due ON deliveries (state, due_at, conversation_id);
  CREATE INDEX deliveries_bot ON deliveries (bot_id, state, event_id);
  CREATE INDEX deliveries_user ON deliveries (user_id);

  CREATE TABLE tags (
    resource_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    PRIMARY KEY (resource_id, kind, name)
  );
  CREATE INDEX tags_value ON tags (bot_id, kind, name, value, resource_id);

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
  );
  CREATE INDEX states_bot ON states (bot_id);
  CREATE INDEX states_expiry ON states (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE requests (
    caller TEXT NOT NULL,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource TEXT,
    response TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (caller, operation, key)
  );
  CREATE INDEX requests_resource ON requests (resource);
  CREATE INDEX requests_age ON requests (created_at);
  CREATE INDEX requests_bot ON requests (substr(caller, strpos(caller, ' ') + 1));

  CREATE TABLE usage (
    id TEXT PRIMARY KEY,
    messages INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    files INTEGER NOT NULL DEFAULT 0,
    hour INTEGER NOT NULL DEFAULT 0,
    hour_messages INTEGER NOT NULL DEFAULT 0,
    hour_bytes INTEGER NOT NULL DEFAULT 0
  ) WITH (fillfactor = 70);

  CREATE TABLE deletions (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    data TEXT,
    PRIMARY KEY (kind, id)
  );

  CREATE TABLE deleted_users (
    bot_id TEXT NOT NULL,
    id_hash TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (bot_id, id_hash)
  );

  CREATE TABLE revoked_user_keys (
    bot_id TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    user_id TEXT,
    issued_at INTEGER,
    expires_at INTEGER,
    PRIMARY KEY (bot_id, key_hash)
  );
  CREATE INDEX revoked_user_keys_user ON revoked_user_keys (user_id);
  CREATE INDEX revoked_user_keys_end ON revoked_user_keys (expires_at);
  `;
