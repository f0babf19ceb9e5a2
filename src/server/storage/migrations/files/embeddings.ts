// The vectors of passages for semantic search, and the models that computed them.

export const embeddings = `
  -- completed_at: when every published index version had vectors of this model for the first time; null before.
  CREATE TABLE embedding_models (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    completed_at INTEGER
  );

  -- The vectors of consecutive passages of an index version, from position on, one byte per dimension. is_last: no
  -- passage follows.
  CREATE TABLE embeddings (
    index_version TEXT NOT NULL,
    model_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    count INTEGER NOT NULL,
    is_last INTEGER NOT NULL,
    vectors BLOB NOT NULL,
    PRIMARY KEY (index_version, model_id, position)
  );
  CREATE INDEX embeddings_model ON embeddings (model_id);
`;
