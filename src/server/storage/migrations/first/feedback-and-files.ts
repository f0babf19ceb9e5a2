// Feedback on messages, and files that visitors send.

export const feedbackAndFiles = `
  -- What the visitor thinks of a bot's message: JSON {value, comment}, or null.
  ALTER TABLE messages ADD COLUMN feedback TEXT;

  -- origin: which act of a bot this signal is, so that an event delivered twice does not act twice.
  ALTER TABLE signals ADD COLUMN origin TEXT;
  CREATE UNIQUE INDEX signals_origin ON signals (origin);

  -- data: what the event tells where ref alone does not say it (JSON).
  ALTER TABLE deliveries ADD COLUMN data TEXT;

  -- Files that visitors send. Their bytes lie in the folder of files under the id. status: upload_pending,
  -- upload_completed, or deleted (out of sight, waits to be deleted). content_type is what was declared until
  -- the bytes are there.
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    declared_type TEXT NOT NULL,
    content_type TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX files_user ON files (user_id);
  CREATE INDEX files_status ON files (status, created_at);
`;
