// The vectors of rows for semantic search in tables, and the rows that wait for theirs.

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
