// Computed columns of tables: the states of cells, the rows that wait, the tables with work, and what bots have used.

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
