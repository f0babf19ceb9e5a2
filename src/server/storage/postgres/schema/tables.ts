// The tables of tables: their records, rows, jobs, computed cells and vectors.
export const tableTables = `
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

  -- The hash of the key value in the index: a row has up to 120 KB, and an entry of an index at most 2,704 bytes.
  CREATE TABLE table_rows (
    store_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    data TEXT NOT NULL,
    key_value TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    computed TEXT,
    PRIMARY KEY (store_id, id)
  );
  CREATE UNIQUE INDEX table_rows_key ON table_rows (store_id, md5(key_value));

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
  CREATE INDEX table_jobs_open ON table_jobs (status, bot_id, id);

  CREATE TABLE stale_rows (
    store_id TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (store_id, row_id)
  );
  CREATE INDEX stale_rows_due ON stale_rows (store_id, kind, due_at, row_id);

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
  );
  CREATE INDEX computed_tables_due ON computed_tables (kind, bot_id, due_at, table_id);
  CREATE INDEX computed_tables_bot ON computed_tables (bot_id);
  CREATE INDEX computed_tables_next ON computed_tables (kind, due_at);

  CREATE TABLE computed_usage (
    bot_id TEXT PRIMARY KEY,
    minute INTEGER NOT NULL,
    minute_cells INTEGER NOT NULL,
    day INTEGER NOT NULL,
    day_cells INTEGER NOT NULL
  );

  CREATE TABLE row_vector_stores (
    store_id TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL,
    source TEXT NOT NULL,
    phase TEXT NOT NULL,
    after_row INTEGER NOT NULL
  );
  CREATE INDEX row_vector_stores_phase ON row_vector_stores (phase);

  CREATE TABLE unembedded_rows (
    store_id TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (store_id, row_id)
  );

  CREATE TABLE row_vectors (
    store_id TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    model_id INTEGER NOT NULL,
    text_hash INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (store_id, row_id)
  );
  `;
