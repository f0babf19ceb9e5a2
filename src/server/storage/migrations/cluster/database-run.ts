// What PostgreSQL forgets when it crashes, so that what belongs to the time before can be told from the time after.

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
