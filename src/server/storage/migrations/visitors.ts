// Steps of the data of visitors: addresses, notifications, and answers to the pre-chat form.

/** The e-mail addresses that visitors leave, so that answers reach them when they have gone. */
export const contacts = `
  -- The address of a visitor. address_hash: of bot and address (mailed_addresses). locale: the language of mails. confirmed_at:
  -- when somebody opened a link that was sent to it.
  CREATE TABLE contacts (
    user_id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    email TEXT NOT NULL,
    address_hash TEXT NOT NULL,
    locale TEXT NOT NULL,
    confirmed_at INTEGER,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX contacts_bot ON contacts (bot_id);

  -- What holds for an address, whoever has left it. unconfirmed: mails to it since somebody last opened a link of them. day: since
  -- 1970; sent: mails of this day. It outlives the visitor, as a hash, so that nobody is mailed who does not want to be.
  CREATE TABLE mailed_addresses (
    address_hash TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    unconfirmed INTEGER NOT NULL DEFAULT 0,
    day INTEGER NOT NULL DEFAULT 0,
    sent INTEGER NOT NULL DEFAULT 0,
    undeliverable_at INTEGER,
    unsubscribed_at INTEGER,
    unsubscribe_token TEXT
  ) WITHOUT ROWID;
  CREATE INDEX mailed_addresses_bot ON mailed_addresses (bot_id);
  -- unsubscribe_token: can do nothing but end mails to the address.
  CREATE UNIQUE INDEX mailed_addresses_token ON mailed_addresses (unsubscribe_token);

  -- Answers that a visitor is to hear of. target: the user; channel: mail; from_seq: the first message. state: waiting, or sent.
  -- first_at: the first attempt. attempts: also a fence; a process that comes back with another number writes nothing.
  CREATE TABLE notifications (
    conversation_id TEXT NOT NULL,
    target TEXT NOT NULL,
    channel TEXT NOT NULL,
    from_seq INTEGER NOT NULL,
    due_at INTEGER,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_at INTEGER,
    sent_at INTEGER,
    PRIMARY KEY (conversation_id, target, channel, from_seq)
  ) WITHOUT ROWID;
  CREATE INDEX notifications_due ON notifications (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_target ON notifications (target);

  -- Links in mails that open one conversation. hash: SHA-256 of the token, in hex. own_keys: the number of the secret of the bot.
  CREATE TABLE return_links (
    hash TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    address_hash TEXT NOT NULL,
    own_keys INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX return_links_conversation ON return_links (conversation_id, hash);
  CREATE INDEX return_links_user ON return_links (user_id);
  CREATE INDEX return_links_expiry ON return_links (expires_at);

  -- return_url: the page of the site to which links lead visitors whom the site identifies.
  ALTER TABLE bots ADD COLUMN return_url TEXT;
  `;

/** Web Push: the keys of the server, and the browsers that visitors have switched it on in. */
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

/** The answers to the form before a conversation. */
export const preChatForms = `
  -- pre_chat_form: topic, consent and fields of the site (JSON); null without a form. Name and e-mail address are the visitor's.
  ALTER TABLE conversations ADD COLUMN pre_chat_form TEXT;
  `;
