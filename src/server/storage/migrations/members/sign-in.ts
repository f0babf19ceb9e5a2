// How members sign in to the pages of the server: sessions, passwords, one-time links, and failed attempts.

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
