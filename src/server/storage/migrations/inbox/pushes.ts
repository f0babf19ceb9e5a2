// Web Push: the keys of the server, and the browsers that visitors have switched it on in.

export const pushes = `
  -- The key pair with which push services recognize the server (RFC 8292). One row: browsers are bound to its public key.
  CREATE TABLE vapid_keys (
    id INTEGER PRIMARY KEY,
    public_key TEXT NOT NULL,
    private_key TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );

  -- The browser of a visitor. id: the hash of bot and endpoint. page_url: the page with the chat. last_sent: the conversation and
  -- the message of the last push that was accepted, so that another attempt leaves it out.
  CREATE TABLE push_subscriptions (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    locale TEXT NOT NULL,
    page_url TEXT,
    expires_at INTEGER,
    last_sent TEXT,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);
  CREATE INDEX push_subscriptions_bot ON push_subscriptions (bot_id);
  `;
