// Deleted bots whose things wait to be deleted, and the orders in which bots are listed.

export const admin = `
  -- Bots that were deleted, while there is anything left of them. Their own rows stay for ever (deleted_at).
  CREATE TABLE bot_graves (bot_id TEXT PRIMARY KEY);

  CREATE INDEX bots_created ON bots (workspace_id, created_at, id);
  CREATE INDEX bots_updated ON bots (workspace_id, updated_at, id);
  CREATE INDEX users_bot ON users (bot_id, id);
  `;
