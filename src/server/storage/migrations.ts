// The schema as numbered steps. A released step must never be edited, because data folders of version 0.1 must open:
// add a new step.
// Why not `umzug`: the server migrates by itself, in one transaction for each step (decision 28).
import { admin } from './migrations/admin.ts';
import { adminFields } from './migrations/admin-fields.ts';
import { audit } from './migrations/audit.ts';
import { agents } from './migrations/bots/agents.ts';
import { botStreams } from './migrations/bots/bot-streams.ts';
import { deliveryLeases } from './migrations/bots/delivery-leases.ts';
import { interruptClaims } from './migrations/bots/interrupt-claims.ts';
import { interrupts } from './migrations/bots/interrupts.ts';
import { messageParts } from './migrations/bots/message-parts.ts';
import { supersededMessages } from './migrations/bots/superseded-messages.ts';
import { databaseRun } from './migrations/cluster/database-run.ts';
import { openStreams } from './migrations/cluster/open-streams.ts';
import { processes } from './migrations/cluster/processes.ts';
import { sharedLimits } from './migrations/cluster/shared-limits.ts';
import { computed } from './migrations/computed.ts';
import { configurationFiles } from './migrations/configuration-files.ts';
import { configurations } from './migrations/configurations.ts';
import { deletion } from './migrations/deletion.ts';
import { deletionQueue } from './migrations/deletion-queue.ts';
import { embeddings } from './migrations/files/embeddings.ts';
import { platformFiles } from './migrations/files/files.ts';
import { indexingQueue } from './migrations/files/indexing-queue.ts';
import { knowledgeResults } from './migrations/files/knowledge-results.ts';
import { uploads } from './migrations/files/uploads.ts';
import { contacts } from './migrations/inbox/contacts.ts';
import { handoffs } from './migrations/inbox/handoffs.ts';
import { inboxSettings } from './migrations/inbox/opening-hours.ts';
import { ratings } from './migrations/inbox/ratings.ts';
import { reads } from './migrations/inbox/reads.ts';
import { inboxSearch } from './migrations/inbox/search.ts';
import { inboxTeams } from './migrations/inbox/teams.ts';
import { invitations } from './migrations/invitations.ts';
import { jobQueue } from './migrations/job-queue.ts';
import { signIn } from './migrations/members/sign-in.ts';
import { operator } from './migrations/operator.ts';
import { requests } from './migrations/requests.ts';
import { runtime } from './migrations/runtime.ts';
import { severalBots } from './migrations/several-bots.ts';
import { rowVectors } from './migrations/tables/row-vectors.ts';
import { tablesSql } from './migrations/tables.ts';
import { usage } from './migrations/usage.ts';
import { userKeys } from './migrations/user-keys.ts';
import { visitorLocale } from './migrations/visitor-locale.ts';
import { webhookFormat } from './migrations/webhook-format.ts';
import { webhooks } from './migrations/webhooks.ts';

/** Step n upgrades a database from version n to n + 1. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    foreign_id TEXT UNIQUE,
    is_bot INTEGER NOT NULL DEFAULT 0,
    name TEXT,
    picture_url TEXT,
    profile TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );

  -- The bots of this server, each with the user it speaks as and its dashboard configuration (JSON).
  CREATE TABLE bots (
    webhook_id TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    configuration TEXT NOT NULL DEFAULT '{}'
  );

  -- seq counts everything that happened in the conversation: it is its one order. updated_at never stands still.
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    foreign_id TEXT UNIQUE,
    owner_id TEXT NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX conversations_owner ON conversations (owner_id, id);

  CREATE TABLE participants (
    conversation_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (conversation_id, user_id)
  ) WITHOUT ROWID;
  CREATE INDEX participants_user ON participants (user_id, conversation_id);

  -- origin: which reply to which bot event this is, so that an event delivered twice does not answer twice.
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    is_bot INTEGER NOT NULL,
    payload TEXT NOT NULL,
    metadata TEXT,
    origin TEXT UNIQUE,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX messages_order ON messages (conversation_id, seq);

  CREATE TABLE events (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    is_bot INTEGER NOT NULL,
    payload TEXT NOT NULL,
    origin TEXT UNIQUE,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX events_order ON events (conversation_id, seq);

  -- What listeners were told, for replay. Messages and events stand here by reference (ref), the rest by data.
  CREATE TABLE signals (
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    ref TEXT,
    data TEXT,
    PRIMARY KEY (conversation_id, seq)
  ) WITHOUT ROWID;

  -- Bot events that wait for their bot. event_id is the id that bot code sees.
  CREATE TABLE deliveries (
    event_id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX deliveries_order ON deliveries (conversation_id, seq);

  -- Answers to requests with an Idempotency-Key. resource: what the request made; response is blanked with it.
  CREATE TABLE requests (
    caller TEXT NOT NULL,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource TEXT,
    response TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (caller, operation, key)
  ) WITHOUT ROWID;
  CREATE INDEX requests_resource ON requests (resource);
  CREATE INDEX requests_age ON requests (created_at);

  -- Deleted conversations whose rows wait to be deleted, in small steps.
  CREATE TABLE graves (conversation_id TEXT PRIMARY KEY) WITHOUT ROWID;
  `,
  `
  -- What the visitor thinks of a bot's message: JSON {value, comment}, or null.
  ALTER TABLE messages ADD COLUMN feedback TEXT;

  -- origin: which act of a bot this signal is, so that an event delivered twice does not act twice.
  ALTER TABLE signals ADD COLUMN origin TEXT;
  CREATE UNIQUE INDEX signals_origin ON signals (origin);

  -- data: what the event tells where ref alone does not say it (JSON).
  ALTER TABLE deliveries ADD COLUMN data TEXT;

  -- Files that visitors send. Their bytes lie in the folder of files under the id. status: upload_pending,
  -- upload_completed, or deleted (out of sight, waits to be deleted). content_type is what was declared until
  -- the bytes are there.
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    declared_type TEXT NOT NULL,
    content_type TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX files_user ON files (user_id);
  CREATE INDEX files_status ON files (status, created_at);
  `,
  `
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL
  );

  -- What lets administrators in: hash is the SHA-256 of a token, in hex. The token itself is nowhere.
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX tokens_workspace ON tokens (workspace_id);

  -- configuration: what an administrator stored. workspace_id is null until the next start gives the bot its place.
  ALTER TABLE bots ADD COLUMN workspace_id TEXT;
  ALTER TABLE bots ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE bots ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE bots ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE bots ADD COLUMN deployed_at INTEGER NOT NULL DEFAULT 0;
  UPDATE bots SET name = webhook_id,
    created_at = COALESCE((SELECT created_at FROM users WHERE users.id = bots.user_id), 0);
  UPDATE bots SET updated_at = created_at, deployed_at = created_at;
  CREATE INDEX bots_workspace ON bots (workspace_id, id);
  `,
  severalBots,
  platformFiles,
  tablesSql,
  admin,
  webhooks,
  requests,
  operator,
  deletion,
  usage,
  audit,
  invitations,
  configurations,
  userKeys,
  indexingQueue,
  deletionQueue,
  jobQueue,
  visitorLocale,
  adminFields,
  runtime,
  embeddings,
  computed,
  configurationFiles,
  rowVectors,
  knowledgeResults,
  uploads,
  webhookFormat,
  processes,
  deliveryLeases,
  sharedLimits,
  botStreams,
  openStreams,
  messageParts,
  supersededMessages,
  agents,
  interrupts,
  databaseRun,
  interruptClaims,
  signIn,
  handoffs,
  ratings,
  reads,
  contacts,
  inboxSearch,
  inboxSettings,
  inboxTeams,
];
