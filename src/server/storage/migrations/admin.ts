// Deleted bots whose data is queued for removal, and the sort orders of bots.

export const admin = `
  -- Bots that were deleted, while there is anything left of them. Their own rows stay for ever (deleted_at).
  CREATE TABLE bot_graves (bot_id TEXT PRIMARY KEY);

  CREATE INDEX bots_created ON bots (workspace_id, created_at, id);
  CREATE INDEX bots_updated ON bots (workspace_id, updated_at, id);
  CREATE INDEX users_bot ON users (bot_id, id);
  `;
