// What several processes on one database know of each other.

export const processes = `
  -- seen_at: by the clock of the database. version: of the program.
  CREATE TABLE processes (
    id TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    version TEXT NOT NULL
  );

  -- Work that one process does at a time. expires_at: by the clock of the database.
  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    process_id TEXT NOT NULL,
    fence TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX leases_process ON leases (process_id);

  -- Files of configurations that were being written by a process that was killed are forgotten after a while.
  ALTER TABLE configuration_files ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
`;
