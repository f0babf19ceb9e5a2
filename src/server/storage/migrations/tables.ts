// The schema of tables, which a step of the migrations executes.

export const tablesSql = `
  -- store_id: under which id its rows lie. A table that is emptied gets a new one, and the old rows are deleted.
  -- layout: JSON {next, keys}: under which key a row's JSON has each column. A new name is a new entry here and no
  -- change of rows; a new type is a new key.
  CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    store_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    factor INTEGER NOT NULL,
    frozen INTEGER NOT NULL,
    key_column TEXT,
    schema TEXT NOT NULL,
    layout TEXT NOT NULL,
    tags TEXT NOT NULL,
    compute_enabled INTEGER NOT NULL,
    next_row INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX tables_name ON tables (bot_id, name);
  CREATE INDEX tables_bot ON tables (bot_id, id);

  -- data: JSON by the keys of the layout. key_value: what the key column holds, where the table has one.
  CREATE TABLE table_rows (
    store_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    data TEXT NOT NULL,
    key_value TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (store_id, id)
  );
  CREATE UNIQUE INDEX table_rows_key ON table_rows (store_id, key_value);

  -- target_id: the table that it fills, when it is another one.
  -- input: JSON, what it was asked to do. done: JSON, how far it is, so that a restart goes on from there.
  CREATE TABLE table_jobs (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    table_id TEXT NOT NULL,
    target_id TEXT,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    progress INTEGER NOT NULL,
    input TEXT NOT NULL,
    done TEXT NOT NULL,
    input_file_id TEXT,
    output_file_id TEXT,
    reason TEXT,
    warnings TEXT NOT NULL DEFAULT '[]',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX table_jobs_table ON table_jobs (table_id, id);
  CREATE INDEX table_jobs_target ON table_jobs (target_id, id);
  CREATE INDEX table_jobs_status ON table_jobs (status, id);

  -- Rows of tables that were deleted or emptied, which wait to be deleted.
  CREATE TABLE table_graves (store_id TEXT PRIMARY KEY);
`;
