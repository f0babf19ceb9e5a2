// Steps of bots: their deployment, configuration and agents, their events, and the Runtime API.

/** Deliveries to webhooks: the due times of retries, the dead letters, and the log of failures. */
export const webhooks = `
  -- state: waiting (holds its place in the conversation), parked (later events pass it), dead (given up, kept for
  -- administrators). due_at: not before this time; 0 is at once. reason: a word for why the last attempt failed, or
  -- the status that came. failed_at: when it was given up.
  ALTER TABLE deliveries ADD COLUMN bot_id TEXT NOT NULL DEFAULT '';
  UPDATE deliveries SET bot_id = COALESCE(
    (SELECT conversations.bot_id FROM conversations WHERE conversations.id = deliveries.conversation_id), '');
  ALTER TABLE deliveries ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
  ALTER TABLE deliveries ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN reason TEXT;
  ALTER TABLE deliveries ADD COLUMN failed_at INTEGER;
  DROP INDEX deliveries_order;
  CREATE UNIQUE INDEX deliveries_line ON deliveries (conversation_id, state, seq);
  CREATE INDEX deliveries_due ON deliveries (state, due_at, conversation_id);
  CREATE INDEX deliveries_bot ON deliveries (bot_id, state, event_id);

  -- What went wrong with a bot: ids, numbers and words of ours. Never what somebody wrote.
  CREATE TABLE bot_logs (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    event_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status INTEGER,
    reason TEXT,
    error TEXT,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX bot_logs_bot ON bot_logs (bot_id, id);
  CREATE INDEX bot_logs_age ON bot_logs (created_at);

  -- Lists of a bot's users, by either time.
  CREATE INDEX users_created ON users (bot_id, created_at, id);
  CREATE INDEX users_updated ON users (bot_id, updated_at, id);
  `;

/** Moves dashboard configurations to their own table: one can be large, and rows of bots are read for every request. */
export const configurations = `
  -- version: grows with every change. It stands before the configuration, so that it is read without it.
  CREATE TABLE bot_configurations (
    bot_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    configuration TEXT NOT NULL
  );
  INSERT INTO bot_configurations (bot_id, version, configuration)
    SELECT id, 1, configuration FROM bots WHERE configuration <> '{}' AND deleted_at IS NULL;
  ALTER TABLE bots DROP COLUMN configuration;
  `;

/** The languages and the time zone of the visitor, with each pending event of a bot. */
export const visitorLocale = `
  -- locale: those of the user when it happened (JSON); null if the client has not sent them.
  ALTER TABLE deliveries ADD COLUMN locale TEXT;
  `;

/**
 * Data that bots store through the Runtime API: tags and states, and the fields of conversations, messages and events that
 * existing bots read.
 */
export const runtime = `
  -- kind: tag, property or attribute. resource_id: a conversation, a message or a user; ids have different prefixes.
  CREATE TABLE tags (
    resource_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    PRIMARY KEY (resource_id, kind, name)
  ) WITHOUT ROWID;
  CREATE INDEX tags_value ON tags (bot_id, kind, name, value, resource_id);

  -- owner_id: the conversation, the user or the bot that the state belongs to. expiry: milliseconds, null for never.
  CREATE TABLE states (
    owner_id TEXT NOT NULL,
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    expiry INTEGER,
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (owner_id, name)
  ) WITHOUT ROWID;
  CREATE INDEX states_bot ON states (bot_id);
  CREATE INDEX states_expiry ON states (expires_at) WHERE expires_at IS NOT NULL;

  CREATE INDEX conversations_updated ON conversations (bot_id, updated_at, id);

  -- outgoing: events about messages of the bot since the last event of a visitor.
  ALTER TABLE conversations ADD COLUMN channel TEXT NOT NULL DEFAULT 'channel';
  ALTER TABLE conversations ADD COLUMN message_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN outgoing INTEGER NOT NULL DEFAULT 0;
  UPDATE conversations SET
    message_count = (SELECT COUNT(*) FROM messages m WHERE m.conversation_id = conversations.id);

  -- updated_at: null for a message that was never changed.
  ALTER TABLE messages ADD COLUMN updated_at INTEGER;
  ALTER TABLE messages ADD COLUMN is_synthetic INTEGER NOT NULL DEFAULT 0;

  -- type: null for an event without a type of its own. message_id: the message that the event is about.
  ALTER TABLE events ADD COLUMN type TEXT;
  ALTER TABLE events ADD COLUMN message_id TEXT;

  -- outgoing_events: 1 for a bot that receives events about its own messages.
  ALTER TABLE bots ADD COLUMN outgoing_events INTEGER NOT NULL DEFAULT 0;
`;

/** Files with dashboard configurations of more than 1 MB, whose write would block all others. */
export const configurationFiles = `
  -- used_by: the bot; null while the file is written.
  CREATE TABLE configuration_files (
    content_id TEXT PRIMARY KEY,
    used_by TEXT UNIQUE
  ) WITHOUT ROWID;
  `;

/** The format of requests to the webhook of a bot. */
export const webhookFormat = `
  -- webhook_format: standard, or hosted for programs that read requests of the hosted product.
  ALTER TABLE bots ADD COLUMN webhook_format TEXT NOT NULL DEFAULT 'standard';
`;

/** Which process handles an event of a bot, where several use the same database. */
export const deliveryLeases = `
  -- One row for each process that handles events, while it is alive. leased_until: by the clock of the database.
  CREATE TABLE delivery_leases (
    id TEXT PRIMARY KEY,
    leased_until INTEGER NOT NULL
  );

  -- The lease of the process that handles the event. Null: nobody, or a server that is one process.
  ALTER TABLE deliveries ADD COLUMN owner TEXT;
  `;

/** Agents at an address that answer for bots, and what they have used. */
export const agents = `
  -- has_agent: 1 for a bot with a row in bot_agents.
  ALTER TABLE bots ADD COLUMN has_agent INTEGER NOT NULL DEFAULT 0;

  -- key and headers (JSON) are secrets. settings: the fields that are none (JSON).
  CREATE TABLE bot_agents (
    bot_id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    protocol TEXT NOT NULL,
    key TEXT,
    headers TEXT NOT NULL,
    settings TEXT NOT NULL
  );

  -- What was used in an hour or a day: runs of a user, tokens of a bot. id: the kind and the owner. until: milliseconds since
  -- 1970, after which it is of no use.
  CREATE TABLE agent_usage (
    id TEXT NOT NULL,
    period INTEGER NOT NULL,
    used INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (id, period)
  );
  CREATE INDEX agent_usage_until ON agent_usage (until);
`;

/** How long the data of a bot is kept. */
export const retention = `
  -- Days; 0 keeps the data; null: the period of the server.
  ALTER TABLE bots ADD COLUMN retention_messages INTEGER;
  ALTER TABLE bots ADD COLUMN retention_files INTEGER;
  ALTER TABLE bots ADD COLUMN retention_logs INTEGER;
  ALTER TABLE bots ADD COLUMN retention_contacts INTEGER;
  `;

/** Indexes of the events that no process handles, and of those that one does. */
export const freeDeliveries = `
  -- A poll reads the free events only, however many are handled at that time.
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (state, due_at, conversation_id, seq) WHERE owner IS NULL;
  CREATE INDEX deliveries_owned ON deliveries (state, owner, due_at, conversation_id, seq) WHERE owner IS NOT NULL;
  `;

// The plans of PostgreSQL for the queue of events.
/** SQLite needs no change. A step needs a statement. */
export const queuePages = 'DROP INDEX IF EXISTS deliveries_order';

/**
 * A vacuum that finds the queue empty would remove its pages. Statements that are planned at that time would read the whole queue for
 * each event, also after it has grown.
 */
export const queuePagesOfPostgres = 'ALTER TABLE deliveries SET (vacuum_truncate = false)';

/** The earlier dashboard configurations of bots. */
export const webchatVersions = `
  -- configuration: JSON, as it was stored. member_id: null if no member has stored it.
  CREATE TABLE webchat_versions (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    member_id TEXT,
    configuration TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX webchat_versions_bot ON webchat_versions (bot_id, id);
  `;

// The bot in every row of a conversation.
/** The tables whose rows belong to a conversation and had no bot. `inbox_words` is an index, which is made from other rows. */
const tables = [
  'activities',
  'deleted_handlings',
  'events',
  'inbox_tags',
  'interrupts',
  'messages',
  'note_files',
  'note_mentions',
  'notes',
  'notifications',
  'participants',
  'reads',
  'return_links',
  'signals',
];

/** A bot's rows are found without reading those of others. Null if the conversation did not exist any more. */
export const botIds = tables
  .map(
    (table) => `
  ALTER TABLE ${table} ADD COLUMN bot_id TEXT;
  UPDATE ${table} SET bot_id = c.bot_id FROM conversations c WHERE c.id = ${table}.conversation_id;
  CREATE INDEX ${table}_of_bot ON ${table} (bot_id);`,
  )
  .join('\n');
