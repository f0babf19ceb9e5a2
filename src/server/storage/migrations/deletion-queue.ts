// One queue for all data that is to be removed, instead of a table for each kind.

export const deletionQueue = `
  -- kind and id: what is to be removed (DeletionKind in storage/deletions.ts). data: JSON, what the removal needs beyond
  -- that; of a user {botId, foreignId}. Users' conversations and files are hidden as long as their row is here.
  CREATE TABLE deletions (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    data TEXT,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  INSERT INTO deletions (kind, id) SELECT 'conversation', conversation_id FROM graves;
  INSERT INTO deletions (kind, id) SELECT 'table_rows', store_id FROM table_graves;
  INSERT INTO deletions (kind, id, data)
    SELECT 'user', user_id, json_object('botId', bot_id, 'foreignId', foreign_id) FROM user_deletions;
  INSERT INTO deletions (kind, id) SELECT 'bot', bot_id FROM bot_graves;
  -- Bots that were deleted by a version which did not remove their tables.
  INSERT INTO deletions (kind, id)
    SELECT 'bot', id FROM bots WHERE deleted_at IS NOT NULL AND id IN (SELECT bot_id FROM tables)
      AND id NOT IN (SELECT bot_id FROM bot_graves);
  INSERT INTO deletions (kind, id) SELECT 'file_content', id FROM file_graves WHERE kind = 'content';
  INSERT INTO deletions (kind, id) SELECT 'index_version', id FROM file_graves WHERE kind = 'passages';
  INSERT INTO deletions (kind, id, data)
    SELECT 'search_index', 'passages', CASE MAX(id) WHEN 'begun' THEN '"started"' ELSE '"requested"' END
    FROM file_graves WHERE kind = 'index' GROUP BY kind;

  -- Deleted files had a status; now their rows go at once.
  INSERT INTO deletions (kind, id)
    SELECT DISTINCT 'file_content', content_id FROM files WHERE status = 'deleted' AND content_id <> ''
    ON CONFLICT DO NOTHING;
  INSERT INTO deletions (kind, id)
    SELECT DISTINCT 'index_version', version FROM (
      SELECT edition AS version FROM files WHERE status = 'deleted'
      UNION SELECT building FROM files WHERE status = 'deleted') AS versions
    WHERE version IS NOT NULL
    ON CONFLICT DO NOTHING;
  UPDATE usage SET
      files = files - (SELECT COUNT(*) FROM files f
        WHERE f.status = 'deleted' AND f.owner_type = 'visitor' AND usage.id IN (f.owner_id, f.bot_id)),
      bytes = bytes - (SELECT COALESCE(SUM(f.size), 0) FROM files f
        WHERE f.status = 'deleted' AND f.owner_type = 'visitor' AND usage.id IN (f.owner_id, f.bot_id))
    WHERE id IN (SELECT owner_id FROM files WHERE status = 'deleted' AND owner_type = 'visitor'
      UNION SELECT bot_id FROM files WHERE status = 'deleted' AND owner_type = 'visitor');
  DELETE FROM file_tags WHERE file_id IN (SELECT id FROM files WHERE status = 'deleted');
  DELETE FROM files WHERE status = 'deleted';

  DROP TABLE graves;
  DROP TABLE table_graves;
  DROP TABLE user_deletions;
  DROP TABLE bot_graves;
  DROP TABLE file_graves;
`;
