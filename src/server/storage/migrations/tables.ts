// Steps of tables: rows, jobs, computed columns, and vectors of rows.

/** The schema of tables, which a step of the migrations executes. */
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

/** Standard names for the versions of a file's index, and an index of the open jobs of tables by bot. */
export const jobQueue = `
  -- index_version: the passages that are searched; pending_version: those that are being made, at the nth attempt.
  ALTER TABLE files RENAME COLUMN edition TO index_version;
  ALTER TABLE files RENAME COLUMN building TO pending_version;
  ALTER TABLE passages RENAME COLUMN edition TO index_version;

  -- Bots take turns: the next bot with an open job, and the oldest jobs of a bot, are found with one seek.
  DROP INDEX table_jobs_status;
  CREATE INDEX table_jobs_open ON table_jobs (status, bot_id, id);
`;

/** Computed columns of tables: the states of cells, the rows that wait, the tables with work, and what bots have used. */
export const computed = `
  -- JSON: the states of the computed cells by the keys of the layout.
  ALTER TABLE table_rows ADD COLUMN computed TEXT;

  -- Rows with cells to compute. kind: formula or model, which is what the next cell needs.
  CREATE TABLE stale_rows (
    store_id TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (store_id, row_id)
  ) WITHOUT ROWID;
  CREATE INDEX stale_rows_due ON stale_rows (store_id, kind, due_at, row_id);

  -- Tables with work of a kind; sweep: look for stale rows with an id above after, up to last.
  -- status and reason: why the work waits, for the cells of the table.
  CREATE TABLE computed_tables (
    table_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    status TEXT,
    reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    after_row INTEGER NOT NULL DEFAULT 0,
    last_row INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, kind)
  ) WITHOUT ROWID;
  CREATE INDEX computed_tables_due ON computed_tables (kind, bot_id, due_at, table_id);
  CREATE INDEX computed_tables_bot ON computed_tables (bot_id);
  CREATE INDEX computed_tables_next ON computed_tables (kind, due_at);

  -- Tables that were switched on before this version computed anything.
  INSERT INTO computed_tables (table_id, kind, bot_id, due_at, last_row)
    SELECT id, 'sweep', bot_id, 0, 2147483647 FROM tables WHERE compute_enabled = 1;

  -- Requests to the language model for each bot, in the minute and the day (UTC) of the last one.
  CREATE TABLE computed_usage (
    bot_id TEXT PRIMARY KEY,
    minute INTEGER NOT NULL,
    minute_cells INTEGER NOT NULL,
    day INTEGER NOT NULL,
    day_cells INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** The vectors of rows for semantic search in tables, and the rows that wait for theirs. */
export const rowVectors = `
  -- The row stores (tables.store_id) whose rows get vectors. source: the model and the columns from which they are
  -- computed. phase: 'queue' while the rows above after_row are put into unembedded_rows, then 'ready'; 'remove' when
  -- the vectors are to be deleted.
  CREATE TABLE row_vector_stores (
    store_id TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL,
    source TEXT NOT NULL,
    phase TEXT NOT NULL,
    after_row INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX row_vector_stores_phase ON row_vector_stores (phase);

  -- Rows that were written since their vectors were computed.
  CREATE TABLE unembedded_rows (
    store_id TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (store_id, row_id)
  ) WITHOUT ROWID;

  -- text_hash: of the text that the vector was computed from; the vector of another text counts for nothing.
  CREATE TABLE row_vectors (
    store_id TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    model_id INTEGER NOT NULL,
    text_hash INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (store_id, row_id)
  ) WITHOUT ROWID;
`;
