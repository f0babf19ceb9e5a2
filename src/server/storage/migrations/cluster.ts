// Steps of several processes on one database.

/** The processes on one database. */
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

/** Counts of several processes: used proofs of work, and the usage of limits. */
export const sharedLimits = `
  -- salt: of the challenge. until: the end of its validity; afterwards the row is deleted.
  CREATE TABLE used_proofs (
    salt TEXT PRIMARY KEY,
    until INTEGER NOT NULL
  );
  CREATE INDEX used_proofs_until ON used_proofs (until);

  -- used: thousandths of a unit at the time at. until: when it is deleted.
  CREATE TABLE shared_usage (
    id TEXT PRIMARY KEY,
    used INTEGER NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL
  );
  CREATE INDEX shared_usage_until ON shared_usage (until);
`;

/** After a crash of the database the counts begin again, as after a restart of a server that is one process. */
export const sharedLimitsOfPostgres = sharedLimits.replace(
  'CREATE TABLE shared_usage',
  'CREATE UNLOGGED TABLE shared_usage',
);

/** The open streams of each process, which all processes count together, and what code of bots each process runs. */
export const openStreams = `
  -- streams: those that a process has open of a user or of an address. They count while the process is alive. id: a keyed
  -- hash.
  CREATE TABLE open_streams (
    id TEXT NOT NULL,
    process_id TEXT NOT NULL,
    streams INTEGER NOT NULL,
    PRIMARY KEY (id, process_id)
  ) WITHOUT ROWID;
  CREATE INDEX open_streams_process ON open_streams (process_id);

  -- A digest of the code of bots; null of a process that does not tell.
  ALTER TABLE processes ADD COLUMN bot_code TEXT;
`;

/** A token that PostgreSQL loses when it crashes, so that rows from before the crash are recognized. */
export const databaseRun = `
  -- One row (name: 'run'). token: random, of the time from a start of the database, or its recovery from a crash, to the next
  -- crash. SQLite does not use it.
  CREATE TABLE database_run (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL
  );
`;

/** PostgreSQL empties UNLOGGED tables when it recovers from a crash. */
export const databaseRunOfPostgres = databaseRun.replace('CREATE TABLE', 'CREATE UNLOGGED TABLE');

// The order of conversations by their last change in PostgreSQL.
/** SQLite changes an index in place, and keeps its own one. A step needs a statement. */
export const conversationPeriods = 'DROP INDEX IF EXISTS conversations_period';

/** Milliseconds of a period. A conversation changes its index once in it, and the list of a bot sorts those of one period. */
export const periodMs = 600_000;

/**
 * A new version of a row is in no index (heap-only tuples) if no column of an index has changed. So the index of conversations
 * by their last change has the period of that time instead.
 */
export const conversationPeriodsOfPostgres = `
  ALTER TABLE conversations ADD COLUMN updated_period INTEGER GENERATED ALWAYS AS (updated_at / ${periodMs}) STORED;
  DROP INDEX conversations_updated;
  CREATE INDEX conversations_updated ON conversations (bot_id, updated_period);
  `;
