// The tables of files, their passages and vectors, and those of tables with rows.
export const fileTables = `
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    owner_type TEXT NOT NULL,
    owner_id TEXT,
    owner_name TEXT,
    space TEXT,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    content_id TEXT NOT NULL,
    declared_type TEXT NOT NULL,
    content_type TEXT NOT NULL,
    status TEXT NOT NULL,
    failed_reason TEXT,
    tags TEXT NOT NULL DEFAULT '{}',
    metadata TEXT NOT NULL DEFAULT '{}',
    is_public INTEGER NOT NULL DEFAULT 0,
    for_integrations INTEGER NOT NULL DEFAULT 0,
    is_indexed INTEGER NOT NULL DEFAULT 0,
    index_version TEXT,
    pending_version TEXT,
    index_attempts INTEGER NOT NULL DEFAULT 0,
    indexed_bytes INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    announced_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX files_key ON files (bot_id, space, key);
  CREATE INDEX files_content ON files (content_id);
  CREATE INDEX files_owner ON files (owner_id);
  CREATE INDEX files_status ON files (status, announced_at);
  CREATE INDEX files_expiry ON files (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX files_by_key ON files (bot_id, key, id);
  CREATE INDEX files_by_size ON files (bot_id, size, id);
  CREATE INDEX files_by_creation ON files (bot_id, created_at, id);
  CREATE INDEX files_by_update ON files (bot_id, updated_at, id);
  CREATE INDEX files_by_status ON files (bot_id, status, id);
  CREATE INDEX files_edition ON files (index_version);
  CREATE INDEX files_waiting ON files (status, bot_id, announced_at);

  -- Without the value in the index: with the name it can have 3,900 bytes, and an entry at most 2,704.
  CREATE TABLE file_tags (
    file_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file_id, name)
  );
  CREATE INDEX file_tags_name ON file_tags (bot_id, name);

  CREATE TABLE passages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    index_version TEXT NOT NULL,
    position INTEGER NOT NULL,
    subtype TEXT NOT NULL,
    page INTEGER,
    breadcrumb TEXT NOT NULL,
    content TEXT NOT NULL
  );
  CREATE UNIQUE INDEX passages_place ON passages (index_version, position);

  -- The full-text index: the tokens of each passage, among them one that identifies the bot.
  CREATE TABLE passage_words (
    seq INTEGER PRIMARY KEY,
    words tsvector NOT NULL
  );
  CREATE INDEX passage_words_words ON passage_words USING gin (words);

  CREATE TABLE knowledge_bases (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX knowledge_bases_bot ON knowledge_bases (bot_id, id);

  CREATE TABLE embedding_models (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    completed_at INTEGER
  );

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
