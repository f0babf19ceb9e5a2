// Several bots in one server, each with its own users and conversations; members of workspaces, and their tokens.

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
