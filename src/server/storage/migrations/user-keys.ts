// Invalidated user keys: those of deleted users, and revoked ones.

export const userKeys = `
  -- keys_valid_after: only user keys that were signed after it (milliseconds since 1970) open this user; null: all do.
  ALTER TABLE users ADD COLUMN keys_valid_after INTEGER;

  -- Ids of deleted users that an application had chosen, so that their old keys do not open a later user of the same
  -- id. id_hash: SHA-256 of bot id and foreign id, base64url.
  CREATE TABLE deleted_users (
    bot_id TEXT NOT NULL,
    id_hash TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (bot_id, id_hash)
  ) WITHOUT ROWID;

  -- Single user keys that were revoked. user_id: null where the key had no user yet. issued_at and expires_at:
  -- milliseconds since 1970; null where the key does not say.
  CREATE TABLE revoked_user_keys (
    bot_id TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    user_id TEXT,
    issued_at INTEGER,
    expires_at INTEGER,
    PRIMARY KEY (bot_id, key_hash)
  ) WITHOUT ROWID;
  CREATE INDEX revoked_user_keys_user ON revoked_user_keys (user_id);
  CREATE INDEX revoked_user_keys_end ON revoked_user_keys (expires_at);

  -- Whether any bot has keys of its own, for a warning at start.
  CREATE INDEX bots_own_keys ON bots (own_keys);
  `;
