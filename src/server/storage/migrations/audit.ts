// The audit trail: the caller, action, time and network of recorded requests.

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
