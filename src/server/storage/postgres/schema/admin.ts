// The tables of administration: workspaces, members, tokens, bots, their configurations and logs, the audit trail.
export const adminTables = `
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    name TEXT NOT NULL DEFAULT 'Workspace',
    updated_at INTEGER NOT NULL DEFAULT 0,
    is_first INTEGER NOT NULL DEFAULT 0,
    profile TEXT NOT NULL DEFAULT '{}'
  );
  CREATE UNIQUE INDEX workspaces_first ON workspaces (is_first) WHERE is_first = 1;

  CREATE TABLE members (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    email TEXT NOT NULL,
    display_name TEXT,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    profile_picture TEXT
  );
  CREATE UNIQUE INDEX members_email ON members (workspace_id, email);
  CREATE INDEX members_workspace ON members (workspace_id, id);

  CREATE TABLE tokens (
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
  CREATE INDEX tokens_workspace ON tokens (workspace_id, id);
  CREATE INDEX tokens_member ON tokens (member_id);
  CREATE INDEX tokens_bot ON tokens (bot_id);

  CREATE TABLE bots (
    webhook_id TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    workspace_id TEXT,
    name TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    deployed_at INTEGER NOT NULL DEFAULT 0,
    code TEXT,
    webhook_url TEXT,
    signing_secret TEXT,
    own_keys INTEGER NOT NULL DEFAULT 0,
    deleted_at INTEGER,
    outgoing_events INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX bots_workspace ON bots (workspace_id, id);
  CREATE INDEX bots_created ON bots (workspace_id, created_at, id);
  CREATE INDEX bots_updated ON bots (workspace_id, updated_at, id);
  CREATE INDEX bots_own_keys ON bots (own_keys);
  CREATE INDEX bots_name ON bots (workspace_id, name);

  CREATE TABLE bot_definitions (
    bot_id TEXT PRIMARY KEY,
    tags TEXT NOT NULL,
    type TEXT NOT NULL,
    is_dev INTEGER NOT NULL,
    definition TEXT NOT NULL
  );

  CREATE TABLE bot_configurations (
    bot_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    configuration TEXT NOT NULL
  );

  CREATE TABLE configuration_files (
    content_id TEXT PRIMARY KEY,
    used_by TEXT UNIQUE
  );

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

  CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL,
    token_id TEXT,
    member_id TEXT,
    actor_email TEXT,
    home_id TEXT,
    operation TEXT NOT NULL,
    target TEXT NOT NULL,
    network TEXT NOT NULL,
    status INTEGER NOT NULL
  );
  CREATE INDEX audit_log_workspace ON audit_log (workspace_id, id);
  CREATE INDEX audit_log_at ON audit_log (at);
  `;
