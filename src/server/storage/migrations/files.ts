// Steps of files: records, passages, vectors, and uploads.

/** The schema of files: one table with the files of the Files API and of visitors, and their tags and passages. */
export const platformFiles = `
  -- Every file: of visitors (owner_type visitor) and of the platform (bot, integration, user: a member).
  -- space: within it keys are unique ('bot', or the integration); null for visitors' files and deleted ones.
  -- content_id: under which name the bytes lie; a new one for each upload, the same one for copies.
  -- edition: the passages that are searched; building: those that are being made, at the nth attempt.
  CREATE TABLE platform_files (
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
    edition TEXT,
    building TEXT,
    index_attempts INTEGER NOT NULL DEFAULT 0,
    indexed_bytes INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    announced_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  INSERT INTO platform_files (id, bot_id, owner_type, owner_id, key, size, content_id, declared_type, content_type,
      status, announced_at, created_at, updated_at)
    SELECT id, COALESCE((SELECT users.bot_id FROM users WHERE users.id = files.user_id), ''), 'visitor', user_id, key, size, id, declared_type,
      content_type, status, created_at, created_at, updated_at FROM files;
  DROP TABLE files;
  ALTER TABLE platform_files RENAME TO files;
  CREATE UNIQUE INDEX files_key ON files (bot_id, space, key);
  CREATE INDEX files_content ON files (content_id);
  CREATE INDEX files_owner ON files (owner_id);
  CREATE INDEX files_status ON files (status, announced_at);
  CREATE INDEX files_expiry ON files (expires_at) WHERE expires_at IS NOT NULL;
  -- An index for each order of a list.
  CREATE INDEX files_by_key ON files (bot_id, key, id);
  CREATE INDEX files_by_size ON files (bot_id, size, id);
  CREATE INDEX files_by_creation ON files (bot_id, created_at, id);
  CREATE INDEX files_by_update ON files (bot_id, updated_at, id);
  CREATE INDEX files_by_status ON files (bot_id, status, id);

  -- The tags of files once more, to be searched by.
  CREATE TABLE file_tags (
    file_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file_id, name)
  );
  CREATE INDEX file_tags_name ON file_tags (bot_id, name, value);

  -- The words of files, in pieces. seq is what the full-text index knows a passage by.
  CREATE TABLE passages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    edition TEXT NOT NULL,
    position INTEGER NOT NULL,
    subtype TEXT NOT NULL,
    page INTEGER,
    breadcrumb TEXT NOT NULL,
    content TEXT NOT NULL
  );
  CREATE UNIQUE INDEX passages_place ON passages (edition, position);
  CREATE INDEX files_edition ON files (edition);

  -- What waits to be deleted: bytes (kind content) and editions of passages (kind passages).
  CREATE TABLE file_graves (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  );

  CREATE TABLE knowledge_bases (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX knowledge_bases_bot ON knowledge_bases (bot_id, id);
`;

/** An index of the files to index by bot, so that the next one is found without reading all others. */
export const indexingQueue = `
  CREATE INDEX files_waiting ON files (status, bot_id, announced_at);
  `;

/** The vectors of passages for semantic search, and the models that computed them. */
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

/** Passages of knowledge bases in the events of a bot. */
export const knowledgeResults = `
  -- knowledge_results: the number of passages with each message of a user.
  ALTER TABLE bots ADD COLUMN knowledge_results INTEGER NOT NULL DEFAULT 0;
`;

/** Files in an object store: where the bytes of a content id are, and how far its upload is. */
export const uploads = `
  -- fence: of the latest writer. object: the object with all bytes. parts: JSON [[number, etag, bytes]]; pieces: JSON
  -- [[object, bytes]], the bytes after the parts. garbage: JSON [[object] or [object, upload id]], what is to be removed.
  CREATE TABLE uploads (
    content_id TEXT PRIMARY KEY,
    fence TEXT NOT NULL,
    object TEXT,
    upload_id TEXT,
    next_part INTEGER NOT NULL,
    parts TEXT NOT NULL,
    pieces TEXT NOT NULL,
    garbage TEXT NOT NULL,
    size INTEGER NOT NULL,
    is_whole INTEGER NOT NULL
  );

  -- One row. id: which objects are those of this server. searched_at: the last search for orphaned objects.
  CREATE TABLE file_store (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    searched_at INTEGER NOT NULL
  );
  `;

/** The parts of the text of a file that could not be read. */
export const fileWarnings = `
  -- A JSON list of sentences; NULL for none.
  ALTER TABLE files ADD COLUMN warnings TEXT;
  `;

/** Which rows of the search indexes have words of an earlier rule. */
export const searchWords = `
  -- words_version: 0 for words of an earlier rule (protocol/locale/folding.ts), which are indexed again in the background.
  ALTER TABLE passages ADD COLUMN words_version INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX passages_earlier_words ON passages (seq) WHERE words_version = 0;
  ALTER TABLE handlings ADD COLUMN words_version INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX handlings_earlier_words ON handlings (conversation_id) WHERE words_version = 0;
  `;
