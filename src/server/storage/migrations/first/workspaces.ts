// Workspaces, the tokens of administrators, and the columns that administrators set on bots.

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
