// Which revoked user keys were limited to one conversation.

export const limitedKeys = `
  -- is_limited: 1 for keys of links in mails. They are counted by themselves: many of them must not end the other keys.
  ALTER TABLE revoked_user_keys ADD COLUMN is_limited INTEGER NOT NULL DEFAULT 0;
  `;
