// The e-mail addresses that visitors leave, so that answers reach them when they have gone.

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
    unsubscribed_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX mailed_addresses_bot ON mailed_addresses (bot_id);
  `;
