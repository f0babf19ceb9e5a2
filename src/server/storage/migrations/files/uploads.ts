// Files in an object store: where the bytes of a content id are, and how far its upload is.

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
