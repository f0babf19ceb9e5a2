// Steps of administration: members and their sign-in, tokens, user keys, and the audit trail.

/** Deleted bots whose data is queued for removal, and the sort orders of bots. */
export const admin = `
  -- Bots that were deleted, while there is anything left of them. Their own rows stay for ever (deleted_at).
  CREATE TABLE bot_graves (bot_id TEXT PRIMARY KEY);

  CREATE INDEX bots_created ON bots (workspace_id, created_at, id);
  CREATE INDEX bots_updated ON bots (workspace_id, updated_at, id);
  CREATE INDEX users_bot ON users (bot_id, id);
  `;

/** Marks the first workspace, whose owners are the operators of the server. */
export const operator = `
  -- is_first: 1 for the workspace that the first start made. Stored, because ids tell the order of making only while
  -- the clock of the machine never goes back.
  ALTER TABLE workspaces ADD COLUMN is_first INTEGER NOT NULL DEFAULT 0;
  UPDATE workspaces SET is_first = 1 WHERE id = (SELECT MIN(id) FROM workspaces);
  CREATE UNIQUE INDEX workspaces_first ON workspaces (is_first) WHERE is_first = 1;
  `;

/** The audit trail: the caller, action, time and network of recorded requests. */
export const audit = `
  -- Written with the work it tells of, or by itself for a refusal. Rows are never changed; the cleanup job deletes old ones.
  -- actor_kind: a kind of principal, or 'server'. actor_email: as it was then. home_id: the workspace of the actor's
  -- token, where that is another one. target: JSON, ids only. network: '' where it cannot be told.
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

/** Invalidated user keys: those of deleted users, and revoked ones. */
export const userKeys = `
  -- keys_valid_after: only user keys that were signed after it (milliseconds since 1970) open this user; null: all do.
  ALTER TABLE users ADD COLUMN keys_valid_after INTEGER;

  -- Ids of deleted users that an application had chosen, so that their old keys do not open a later user of the same
  -- id. id_hash: SHA-256 of bot id and foreign id, base64url.
  CREATE TABLE deleted_users (
    bot_id TEXT NOT NULL,
    id_hash TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (bot_id, id_hash)
  ) WITHOUT ROWID;

  -- Single user keys that were revoked. user_id: null where the key had no user yet. issued_at and expires_at:
  -- milliseconds since 1970; null where the key does not say.
  CREATE TABLE revoked_user_keys (
    bot_id TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    user_id TEXT,
    issued_at INTEGER,
    expires_at INTEGER,
    PRIMARY KEY (bot_id, key_hash)
  ) WITHOUT ROWID;
  CREATE INDEX revoked_user_keys_user ON revoked_user_keys (user_id);
  CREATE INDEX revoked_user_keys_end ON revoked_user_keys (expires_at);

  -- Whether any bot has keys of its own, for a warning at start.
  CREATE INDEX bots_own_keys ON bots (own_keys);
  `;

/** Declarations of bots by programs, profiles of workspaces, pictures of members, and an index of the names of bots. */
export const adminFields = `
  -- Not in the row of the bot, which is read for every request of a chat. tags and definition are JSON objects.
  CREATE TABLE bot_definitions (
    bot_id TEXT PRIMARY KEY,
    tags TEXT NOT NULL,
    type TEXT NOT NULL,
    is_dev INTEGER NOT NULL,
    definition TEXT NOT NULL
  );
  -- Not unique: earlier versions accepted the same name twice.
  CREATE INDEX bots_name ON bots (workspace_id, name);

  -- A JSON object: about, picture, contact address, website, accounts.
  ALTER TABLE workspaces ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE members ADD COLUMN profile_picture TEXT;
  `;

/** How members sign in to the pages of the server: sessions, passwords, one-time links, and failed attempts. */
export const signIn = `
  -- A signed-in browser of a member. hash: SHA-256 of the value of its cookie, in hex. previous_hash: that of the value before
  -- the last rotation. role: the role of the member at that time. method: password, link or oidc.
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    previous_hash TEXT,
    workspace_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    role TEXT NOT NULL,
    method TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    rotated_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    user_agent TEXT NOT NULL,
    network TEXT NOT NULL
  );
  CREATE UNIQUE INDEX sessions_hash ON sessions (hash);
  CREATE UNIQUE INDEX sessions_previous_hash ON sessions (previous_hash);
  CREATE INDEX sessions_member ON sessions (member_id, id);
  CREATE INDEX sessions_seen ON sessions (seen_at);

  -- kind: password (hash, in the PHC string format) or oidc (issuer and subject, which name one member of a workspace).
  CREATE TABLE credentials (
    member_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    hash TEXT,
    issuer TEXT,
    subject TEXT,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (member_id, kind)
  );
  CREATE UNIQUE INDEX credentials_subject ON credentials (issuer, subject, workspace_id);

  -- hash: SHA-256 of the token of the link, in hex. purpose: invitation, sign-in or reset. A used link has no row.
  CREATE TABLE one_time_links (
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX one_time_links_member ON one_time_links (member_id);
  CREATE INDEX one_time_links_expiry ON one_time_links (expires_at);

  -- Attempts to sign in and requested mails. id: a keyed hash of who or what is limited.
  CREATE TABLE sign_in_attempts (
    id TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    blocked_until INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX sign_in_attempts_expiry ON sign_in_attempts (expires_at);

  -- A member is found by their address alone when they sign in.
  CREATE INDEX members_by_email ON members (email, id);

  -- The session that did it, instead of a token.
  ALTER TABLE audit_log ADD COLUMN session_id TEXT;
  `;

/** Which revoked user keys were limited to one conversation. */
export const limitedKeys = `
  -- is_limited: 1 for keys of links in mails. They are counted by themselves: many of them must not end the other keys.
  ALTER TABLE revoked_user_keys ADD COLUMN is_limited INTEGER NOT NULL DEFAULT 0;
  `;
