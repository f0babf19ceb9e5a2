// SQL of bots: their identity, their workspace, their deployment, and what programs declare about them.
import { randomUUID } from 'node:crypto';
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';
import { forDialect, jsonText } from '../dialect.ts';
import {
  type Column,
  columnOf,
  defineTable,
  insert,
  integer,
  orNull,
  type RowOf,
  text,
  withDefault,
} from '../table.ts';
import { deleteAgent } from './agents.ts';
import { deleteConfiguration, storeConfiguration } from './configurations.ts';

const bots = defineTable(
  'bots',
  {
    id: text,
    webhookId: text,
    /** Null only in a database of an earlier version, until the start. */
    workspaceId: orNull(text) as Column<string>,
    /** The user that is the author of the bot's messages. */
    userId: text,
    name: withDefault(text),
    /** The name of a module in the folder of bots. */
    code: orNull(text),
    /** The address that receives the events instead. */
    webhookUrl: orNull(text),
    /** 1: an agent at an address receives them (agents.ts). */
    hasAgent: withDefault(integer),
    /** Signs the requests to `webhookUrl`. */
    signingSecret: orNull(text),
    /** 0: the secret of the server signs user keys; n: the n-th secret of this bot does. */
    ownKeys: withDefault(integer),
    createdAt: withDefault(integer),
    updatedAt: withDefault(integer),
    /** 0 while there is nothing to run. */
    deployedAt: withDefault(integer),
  },
  {
    deletedAt: orNull(integer),
    outgoingEvents: withDefault(integer),
    knowledgeResults: withDefault(integer),
    webhookFormat: withDefault(text),
    visitorHandoff: withDefault(integer),
    ratings: withDefault(integer),
    readReceipts: withDefault(integer),
    returnUrl: orNull(text),
    retentionMessages: orNull(integer),
    retentionFiles: orNull(integer),
    retentionLogs: orNull(integer),
    retentionContacts: orNull(integer),
  },
);
export type BotRow = RowOf<typeof bots>;

const fields = Object.keys(bots.read);

/** The columns of a BotRow. */
const columns = bots.columns();

/** The columns of the bots `b` in a join with another table. `botIn` reads them. */
export const botColumns = fields.map((field) => `b.${columnOf(field)} AS "bot.${field}"`).join(', ');

/** The bot in a row with `botColumns`. */
export const botIn = (row: Readonly<Record<string, unknown>>): BotRow =>
  // The type of Object.fromEntries does not contain the keys; `fields` has all of a BotRow.
  Object.fromEntries(fields.map((field) => [field, row[`bot.${field}`]])) as unknown as BotRow;

/** The bot of a chat address. */
export async function botOfWebhook(tx: Tx, webhookId: string): Promise<BotRow | undefined> {
  return tx.get(`SELECT ${columns} FROM bots WHERE webhook_id = ? AND deleted_at IS NULL`, webhookId);
}

/** True when a bot has or had this address. An address is never reused. */
export async function webhookTaken(tx: Tx, webhookId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM bots WHERE webhook_id = ?', webhookId)) !== undefined;
}

/** A bot by its id, in any workspace. */
export async function botById(tx: Tx, id: string): Promise<BotRow | undefined> {
  return tx.get(`SELECT ${columns} FROM bots WHERE id = ? AND deleted_at IS NULL`, id);
}

/** True when some bot has its own secret for user keys, which its application knows. */
export async function anyOwnKeys(tx: Tx): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM bots WHERE own_keys > 0 AND deleted_at IS NULL LIMIT 1')) !== undefined;
}

/** A bot of this workspace. */
export async function findBot(tx: Tx, workspaceId: string, id: string): Promise<BotRow | undefined> {
  return tx.get(
    `SELECT ${columns} FROM bots WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL`,
    workspaceId,
    id,
  );
}

/** The ids of all bots of a workspace. */
export async function botsOfWorkspace(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT id FROM bots WHERE workspace_id = ? AND deleted_at IS NULL',
    workspaceId,
  );
  return rows.map(({ id }) => id);
}

/** The sort order of a list of bots; equal bots are sorted by id. */
export interface BotOrder {
  by: 'createdAt' | 'updatedAt';
  descending: boolean;
}

/** All fields must match. */
export interface BotFilter {
  isDev?: boolean | undefined;
  /** The bot has all of these tags, with these values. */
  tags?: Record<string, string> | undefined;
}

/** A bot in a list. */
export type ListedBot = BotRow & Pick<DefinitionRow, 'tags' | 'type'>;

/** Bots of a workspace after the position `after`; newest first by default. */
export async function listBots(
  tx: Tx,
  workspaceId: string,
  after: { time: number; id: string } | undefined,
  limit: number,
  { by, descending }: BotOrder = { by: 'createdAt', descending: true },
  { isDev, tags = {} }: BotFilter = {},
): Promise<ListedBot[]> {
  const time = by === 'createdAt' ? 'created_at' : 'updated_at';
  const direction = descending ? 'DESC' : 'ASC';
  const isTagged = forDialect(tx, {
    sqlite: `NOT EXISTS (SELECT 1 FROM json_each(?) wanted WHERE NOT EXISTS (
      SELECT 1 FROM json_each(d.tags) tag WHERE tag.key = wanted.key AND tag.value = wanted.value))`,
    postgres: `COALESCE(d.tags, '{}')::jsonb @> ?::jsonb`,
  });
  return tx.all(
    `SELECT ${columns}, COALESCE(d.tags, '${noDefinition.tags}') AS tags, COALESCE(d.type, '${noDefinition.type}') AS type
     FROM bots LEFT JOIN bot_definitions d ON d.bot_id = bots.id
     WHERE workspace_id = ? AND deleted_at IS NULL AND COALESCE(d.is_dev, 0) IN (?, ?) AND ${isTagged}
       ${after ? `AND (${time}, id) ${descending ? '<' : '>'} (?, ?)` : ''}
     ORDER BY ${time} ${direction}, id ${direction} LIMIT ?`,
    workspaceId,
    isDev === true ? 1 : 0,
    isDev === false ? 0 : 1,
    jsonText(tx, tags),
    ...(after ? [after.time, after.id] : []),
    limit,
  );
}

/** The id of a bot of the workspace with this name; of several any one. */
export async function botOfName(tx: Tx, workspaceId: string, name: string): Promise<string | undefined> {
  const row = await tx.get<{ id: string }>(
    'SELECT id FROM bots WHERE workspace_id = ? AND name = ? AND deleted_at IS NULL LIMIT 1',
    workspaceId,
    name,
  );
  return row?.id;
}

export async function insertBot(tx: WriteTx, bot: BotRow): Promise<void> {
  await insert(tx, bots, bot);
}

/** Assigns the bots without a workspace, from a database of an earlier version, to this one. */
export async function assignOrphanBots(tx: WriteTx, workspaceId: string): Promise<void> {
  await tx.run('UPDATE bots SET workspace_id = ? WHERE workspace_id IS NULL', workspaceId);
}

/** Stores that the server has started with the bot's code. */
export async function setDeployed(tx: WriteTx, id: string, now: number): Promise<void> {
  await tx.run('UPDATE bots SET deployed_at = ? WHERE id = ?', now, id);
}

/** Sets the time of the last change. */
export async function touchBot(tx: WriteTx, id: string, now: number): Promise<void> {
  await tx.run('UPDATE bots SET updated_at = ? WHERE id = ?', now, id);
}

/** Replaces the dashboard configuration (JSON). */
export async function setConfiguration(
  tx: WriteTx,
  id: string,
  configuration: string,
  now: number,
): Promise<void> {
  await storeConfiguration(tx, id, configuration);
  await touchBot(tx, id, now);
}

export async function renameBot(tx: WriteTx, id: string, name: string, now: number): Promise<void> {
  await tx.run('UPDATE bots SET name = ?, updated_at = ? WHERE id = ?', name, now, id);
}

/** Deletes a bot. Its row is kept, so that its address is never reused. The removal of its data is queued. */
export async function deleteBot(tx: WriteTx, id: string, now: number): Promise<void> {
  await tx.run(
    `UPDATE bots SET deleted_at = ?, name = '', code = NULL, webhook_url = NULL, has_agent = 0, signing_secret = NULL WHERE id = ?`,
    now,
    id,
  );
  await deleteAgent(tx, id);
  await deleteConfiguration(tx, id);
  await deleteDefinition(tx, id);
  await enqueueDeletion(tx, 'bot', id);
}

/** The declarations of a program about a bot. A bot without a row has declared nothing. */
export interface DefinitionRow {
  /** JSON. */
  tags: string;
  type: string;
  isDev: 0 | 1;
  /** JSON: the declared parts, without empty ones. */
  definition: string;
}

/** The values of a bot without a row. */
export const noDefinition: DefinitionRow = { tags: '{}', type: 'adk', isDev: 0, definition: '{}' };

export async function readDefinition(tx: Tx, botId: string): Promise<DefinitionRow> {
  const row = await tx.get<DefinitionRow>(
    'SELECT tags, type, is_dev, definition FROM bot_definitions WHERE bot_id = ?',
    botId,
  );
  return row ?? noDefinition;
}

export async function storeDefinition(tx: WriteTx, botId: string, row: DefinitionRow): Promise<void> {
  await tx.run(
    `INSERT INTO bot_definitions (bot_id, tags, type, is_dev, definition) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (bot_id) DO UPDATE SET tags = excluded.tags, type = excluded.type, is_dev = excluded.is_dev,
       definition = excluded.definition`,
    botId,
    row.tags,
    row.type,
    row.isDev,
    row.definition,
  );
}

export async function deleteDefinition(tx: WriteTx, botId: string): Promise<void> {
  await tx.run('DELETE FROM bot_definitions WHERE bot_id = ?', botId);
}

/** A name for a bot that was created without one. Names are unique in a workspace. */
export const generatedName = (): string => `Bot ${randomUUID().slice(0, 8)}`;

/** False for a generated name, and for that of the first bot, which is named after its address. */
export const hasChosenName = ({ name, webhookId }: Pick<BotRow, 'name' | 'webhookId'>): boolean =>
  name !== webhookId && !/^Bot [0-9a-f]{8}$/.test(name);
