// The first schema, and the steps that added workspaces, members and several bots to it.

/** Users, bots, conversations, messages, events, signals, deliveries and requests: the first version of the schema. */
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

/** Feedback on messages, and files that visitors send. */
export const feedbackAndFiles = `
  -- What the visitor thinks of a bot's message: JSON {value, comment}, or null.
  ALTER TABLE messages ADD COLUMN feedback TEXT;

  -- origin: which act of a bot this signal is, so that an event delivered twice does not act twice.
  ALTER TABLE signals ADD COLUMN origin TEXT;
  CREATE UNIQUE INDEX signals_origin ON signals (origin);

  -- data: what the event tells where ref alone does not say it (JSON).
  ALTER TABLE deliveries ADD COLUMN data TEXT;

  -- Files that visitors send. Their bytes lie in the folder of files under the id. status: upload_pending,
  -- upload_completed, or deleted (out of sight, waits to be deleted). content_type is what was declared until
  -- the bytes are there.
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    declared_type TEXT NOT NULL,
    content_type TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX files_user ON files (user_id);
  CREATE INDEX files_status ON files (status, created_at);
`;

/** Workspaces, the tokens of administrators, and the columns that administrators set on bots. */
export const workspaces = `
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL
  );

  -- What lets administrators in: hash is the SHA-256 of a token, in hex. The token itself is nowhere.
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX tokens_workspace ON tokens (workspace_id);

  -- configuration: what an administrator stored. workspace_id is null until the next start gives the bot its place.
  ALTER TABLE bots ADD COLUMN workspace_id TEXT;
  ALTER TABLE bots ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE bots ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE bots ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE bots ADD COLUMN deployed_at INTEGER NOT NULL DEFAULT 0;
  UPDATE bots SET name = webhook_id,
    created_at = COALESCE((SELECT created_at FROM users WHERE users.id = bots.user_id), 0);
  UPDATE bots SET updated_at = created_at, deployed_at = created_at;
  CREATE INDEX bots_workspace ON bots (workspace_id, id);
`;

/** Several bots in one server, each with its own users and conversations; members of workspaces, and their tokens. */
export const severalBots = `
  -- code: a file in the folder of bots; webhook_url: where events go instead. Neither: the default bot, or
  -- none yet. own_keys: 1 where user keys are signed with a secret of the bot, 0 with that of the server.
  -- deployed_at: 0 until there is something to run. deleted_at: the row stays, so that nobody else gets its address.
  ALTER TABLE bots ADD COLUMN code TEXT;
  ALTER TABLE bots ADD COLUMN webhook_url TEXT;
  ALTER TABLE bots ADD COLUMN signing_secret TEXT;
  ALTER TABLE bots ADD COLUMN own_keys INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE bots ADD COLUMN deleted_at INTEGER;

  -- What is there already is of the bot that ran last.
  CREATE TABLE new_users (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    foreign_id TEXT,
    is_bot INTEGER NOT NULL DEFAULT 0,
    name TEXT,
    picture_url TEXT,
    profile TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  INSERT INTO new_users
    SELECT id, COALESCE(
        (SELECT bots.id FROM bots WHERE bots.user_id = users.id),
        (SELECT bots.id FROM bots ORDER BY deployed_at DESC, bots.id DESC LIMIT 1), ''),
      foreign_id, is_bot, name, picture_url, profile, created_at, updated_at FROM users;
  DROP TABLE users;
  ALTER TABLE new_users RENAME TO users;
  CREATE UNIQUE INDEX users_foreign ON users (bot_id, foreign_id);

  CREATE TABLE new_conversations (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    foreign_id TEXT,
    owner_id TEXT NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  INSERT INTO new_conversations
    SELECT id, COALESCE((SELECT bots.id FROM bots ORDER BY deployed_at DESC, bots.id DESC LIMIT 1), ''),
      foreign_id, owner_id, seq, created_at, updated_at FROM conversations;
  DROP TABLE conversations;
  ALTER TABLE new_conversations RENAME TO conversations;
  CREATE UNIQUE INDEX conversations_foreign ON conversations (bot_id, foreign_id);
  CREATE INDEX conversations_owner ON conversations (owner_id, id);
  CREATE INDEX conversations_bot ON conversations (bot_id, id);

  ALTER TABLE workspaces ADD COLUMN name TEXT NOT NULL DEFAULT 'Workspace';
  ALTER TABLE workspaces ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
  UPDATE workspaces SET updated_at = created_at;

  CREATE TABLE members (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    email TEXT NOT NULL,
    display_name TEXT,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX members_email ON members (workspace_id, email);
  CREATE INDEX members_workspace ON members (workspace_id, id);
  INSERT INTO members (id, workspace_id, email, role, created_at)
    SELECT 'member_' || substr(id, 4), id, 'owner@localhost', 'owner', created_at FROM workspaces;

  -- kind: personal (member_id), bot or integration (bot_id; integration: its name). is_first: the one that the start
  -- makes, or ADMIN_TOKEN sets. hash: SHA-256, hex; the token itself is nowhere.
  CREATE TABLE new_tokens (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    member_id TEXT,
    bot_id TEXT,
    integration TEXT,
    name TEXT NOT NULL,
    is_first INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
  );
  INSERT INTO new_tokens (id, workspace_id, kind, member_id, name, is_first, hash, created_at)
    SELECT MAX(id), workspace_id, 'personal', 'member_' || substr(workspace_id, 4), 'First token', 1, hash, created_at
    FROM tokens GROUP BY hash;
  DROP TABLE tokens;
  ALTER TABLE new_tokens RENAME TO tokens;
  CREATE INDEX tokens_workspace ON tokens (workspace_id, id);
  CREATE INDEX tokens_member ON tokens (member_id);
  CREATE INDEX tokens_bot ON tokens (bot_id);
  `;
