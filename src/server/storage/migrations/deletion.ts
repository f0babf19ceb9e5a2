// Deleted users whose data is to be removed in steps, and the indexes that these steps use.

export const deletion = `
  -- Users that were deleted, while anything of theirs is left. Their conversations are hidden as long as a row is here.
  -- foreign_id: how other participants know the user.
  CREATE TABLE user_deletions (
    user_id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    foreign_id TEXT,
    requested_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX deliveries_user ON deliveries (user_id);

  -- What a visitor sent, in whichever conversation.
  CREATE INDEX messages_visitor ON messages (user_id, id) WHERE is_bot = 0;
  CREATE INDEX events_visitor ON events (user_id, id) WHERE is_bot = 0;
  `;
