// SQL of the lists of the Runtime API, and of the search for a resource by its tags.
import { type ConversationRow, conversationColumns } from '../chat/conversations.ts';
import { type MessageRow, selectMessages } from '../chat/messages.ts';
import type { UserRow } from '../chat/users.ts';
import type { Tx, Value } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { type Condition, forDialect } from '../dialect.ts';
import { seesConversation, seesUser, type Viewer } from '../inbox/visibility.ts';
import { periodMs } from '../migrations/cluster.ts';
import { bytesSql, firstWithin } from '../read-bytes.ts';
import { taggedWith } from './tags.ts';

type Tags = Readonly<Record<string, string>>;
/** The sort key and the id of the last row of the previous page. */
export type After = readonly [key: number, id: string];

interface SortedBy {
  sortField: 'createdAt' | 'updatedAt';
  isAscending: boolean;
  from?: After | undefined;
}

const columnOf = (field: string): string => (field === 'updatedAt' ? 'updated_at' : 'created_at');

/**
 * The beginning and the end of a page that is sorted by a time, and by the id for equal times. Ids sort by the time of
 * creation: `idColumn`, if it is given, is a column with the id whose index has the rows in this order. `period`: a column with
 * the period of the last change, which an index has instead of its time.
 */
function sorted(
  table: string,
  idColumn: string | undefined,
  { sortField, isAscending, from }: SortedBy,
  period?: string,
): { start: [condition: string, ...values: (Value | undefined)[]]; order: string } {
  const [time, id] = from ?? [];
  const direction = isAscending ? 'ASC' : 'DESC';
  const sign = isAscending ? '>' : '<';
  if (idColumn !== undefined && sortField === 'createdAt') {
    return {
      start: [`${idColumn} ${sign} ?`, id],
      order: `ORDER BY ${idColumn} ${direction} LIMIT ?`,
    };
  }
  const column = `${table}.${columnOf(sortField)}`;
  if (period !== undefined && sortField === 'updatedAt') {
    const start = time === undefined ? undefined : Math.floor(time / periodMs);
    return {
      start: [`(${period}, ${column}, ${table}.id) ${sign} (?, ?, ?)`, start, time, id],
      order: `ORDER BY ${period} ${direction}, ${column} ${direction}, ${table}.id ${direction} LIMIT ?`,
    };
  }
  return {
    start: [`(${column}, ${table}.id) ${sign} (?, ?)`, time, id],
    order: `ORDER BY ${column} ${direction}, ${table}.id ${direction} LIMIT ?`,
  };
}

const periodOf = { sqlite: undefined, postgres: 'c.updated_period' };

/** The beginning and the end of a page of conversations `c` of one bot (`sorted`), of all by the index of that time. */
export const sortedByTime = (tx: Tx, by: SortedBy, idColumn?: string): ReturnType<typeof sorted> =>
  sorted('c', idColumn, by, forDialect(tx, periodOf));

export interface ConversationFilter extends SortedBy {
  viewer: Viewer;
  tags: Tags;
  fid?: string | undefined;
  owner?: string | undefined;
  /** Users who all participate. */
  participantIds: readonly string[];
  channel?: string | undefined;
  after?: number | undefined;
  before?: number | undefined;
  minMessageCount?: number | undefined;
  maxMessageCount?: number | undefined;
}

/** Conversations of a bot. */
export async function listConversationsOf(
  tx: Tx,
  botId: string,
  filter: ConversationFilter,
  limit: number,
): Promise<ConversationRow[]> {
  const tagged = await taggedWith(tx, botId, 'c.id', filter.tags);
  const [participantId, ...others] = filter.participantIds;
  const isByParticipant = tagged.from === '' && participantId !== undefined;
  const { where, values, add, addCondition } = createConditions(tagged.where, tagged.values);
  // The table that has fewer rows is read first.
  const source = isByParticipant
    ? 'participants p CROSS JOIN conversations c ON c.id = p.conversation_id'
    : `${tagged.from}conversations c ${tagged.from && 'ON c.id = t.resource_id'}`;
  if (isByParticipant) add('p.user_id = ?', participantId);
  add('c.bot_id = ?', botId);
  for (const id of isByParticipant ? others : filter.participantIds)
    add('EXISTS (SELECT 1 FROM participants o WHERE o.conversation_id = c.id AND o.user_id = ?)', id);
  add('c.foreign_id = ?', filter.fid);
  add('c.owner_id = ?', filter.owner);
  add('c.channel = ?', filter.channel);
  add('c.created_at > ?', filter.after);
  add('c.created_at < ?', filter.before);
  add('c.message_count >= ?', filter.minMessageCount);
  add('c.message_count <= ?', filter.maxMessageCount);
  addCondition(seesConversation(filter.viewer, 'c.id'));
  const idColumn = tagged.from ? 't.resource_id' : isByParticipant ? 'p.conversation_id' : 'c.id';
  const { start, order } = sortedByTime(tx, filter, idColumn);
  add(...start);
  return tx.all(
    `SELECT ${conversationColumns('c.')} FROM ${source}
     WHERE ${where.join(' AND ')} AND NOT ${isBeingDeleted('c.owner_id')} ${order}`,
    ...values,
    limit,
  );
}

export interface UserFilter extends SortedBy {
  viewer: Viewer;
  tags: Tags;
  conversationId?: string | undefined;
  fid?: string | undefined;
  profile?: string | undefined;
  after?: number | undefined;
  before?: number | undefined;
  rangeField: 'createdAt' | 'updatedAt';
}

/** The columns of a row `u`. */
export const userColumns = `u.id, u.bot_id, u.foreign_id, u.name, u.picture_url,
  u.profile, u.created_at, u.updated_at, u.keys_valid_after`;

/** Users of a bot, without the bot's own user. */
export async function listUsersOf(
  tx: Tx,
  botId: string,
  filter: UserFilter,
  limit: number,
): Promise<UserRow[]> {
  const tagged = await taggedWith(tx, botId, 'u.id', filter.tags);
  const { where, values, add, addCondition } = createConditions(tagged.where, tagged.values);
  add('u.bot_id = ?', botId);
  where.push('u.is_bot = 0');
  add('u.id IN (SELECT user_id FROM participants WHERE conversation_id = ?)', filter.conversationId);
  add('u.foreign_id = ?', filter.fid);
  add('u.profile = ?', filter.profile);
  const range = columnOf(filter.rangeField);
  add(`u.${range} > ?`, filter.after);
  add(`u.${range} < ?`, filter.before);
  addCondition(seesUser(filter.viewer, 'u.id'));
  const { start, order } = sorted('u', tagged.from ? 't.resource_id' : undefined, filter);
  add(...start);
  return tx.all(
    `SELECT ${userColumns} FROM ${tagged.from}users u ${tagged.from && 'ON u.id = t.resource_id'}
     WHERE ${where.join(' AND ')} ${order}`,
    ...values,
    limit,
  );
}

export interface MessageFilter {
  viewer: Viewer;
  /** Required without tags. */
  conversationId?: string | undefined;
  tags: Tags;
  after?: number | undefined;
  before?: number | undefined;
  /** The sequence number and the id of the last row of the previous page. */
  from?: After | undefined;
}

/**
 * Messages of a conversation, or of all conversations of a bot by their tags, newest first: at most `limit`, and none after
 * that with which they have more than `bytes` (../read-bytes.ts).
 */
export async function listMessagesOf(
  tx: Tx,
  botId: string,
  filter: MessageFilter,
  limit: number,
  bytes: number,
): Promise<MessageRow[]> {
  const tagged = await taggedWith(tx, botId, 'm.id', filter.tags);
  const { where, values, add, addCondition } = createConditions(tagged.where, tagged.values);
  const [seq, id] = filter.from ?? [];
  const isInOne = filter.conversationId !== undefined;
  if (isInOne) {
    add('m.conversation_id = ?', filter.conversationId);
    add('m.seq < ?', seq);
  } else {
    add('t.resource_id < ?', id);
    add('c.bot_id = ?', botId);
    where.push(`NOT ${isBeingDeleted('c.owner_id')}`);
    addCondition(seesConversation(filter.viewer, 'c.id'));
  }
  add('m.created_at > ?', filter.after);
  add('m.created_at < ?', filter.before);
  const source = tagged.from
    ? `FROM ${tagged.from}messages m ON m.id = t.resource_id
       CROSS JOIN conversations c ON c.id = m.conversation_id`
    : 'FROM messages m';
  const column = isInOne ? 'seq' : 'id';
  // The tagged resource is the message; its index has the order.
  const rows = `SELECT ${isInOne ? 'm.id, m.seq' : 't.resource_id AS id'}, ${bytesSql.messages('m')} AS bytes
    ${source} WHERE ${where.join(' AND ')} ORDER BY ${isInOne ? 'm.seq' : 't.resource_id'} DESC LIMIT ?`;
  return tx.all(
    `${selectMessages} WHERE m.id IN (${firstWithin(rows, `w.${column} DESC`)}) ORDER BY m.${column} DESC`,
    ...values,
    limit,
    bytes,
  );
}

/** The conditions of one statement with their parameters. A condition with an undefined parameter is left out. */
export function createConditions(where: string[], values: Value[]) {
  return {
    where,
    values,
    add(condition: string, ...parameters: (Value | undefined)[]): void {
      if (parameters.some((value) => value === undefined)) return;
      where.push(condition);
      values.push(...(parameters as Value[]));
    },
    addCondition(condition: Condition): void {
      where.push(condition.sql);
      values.push(...condition.values);
    },
  };
}

/** A search by tags among what the viewer sees. `exactly`: no others. */
interface Search {
  tags: Tags;
  exactly: boolean;
  viewer: Viewer;
}

/** The oldest conversation of a bot with these tags. */
export async function conversationTagged(
  tx: Tx,
  botId: string,
  channel: string,
  { tags, exactly, viewer }: Search,
): Promise<ConversationRow | undefined> {
  const { from, where, values } = await taggedWith(tx, botId, 'c.id', tags, exactly);
  const visible = seesConversation(viewer, 'c.id');
  return tx.get(
    `SELECT ${conversationColumns('c.')} FROM ${from}conversations c ON c.id = t.resource_id
     WHERE ${where.join(' AND ')} AND c.channel = ? AND NOT ${isBeingDeleted('c.owner_id')} AND ${visible.sql}
     ORDER BY t.resource_id LIMIT 1`,
    ...values,
    channel,
    ...visible.values,
  );
}

/** The oldest user of a bot with these tags. */
export async function userTagged(
  tx: Tx,
  botId: string,
  { tags, exactly, viewer }: Search,
): Promise<UserRow | undefined> {
  const { from, where, values } = await taggedWith(tx, botId, 'u.id', tags, exactly);
  const visible = seesUser(viewer, 'u.id');
  return tx.get(
    `SELECT ${userColumns} FROM ${from}users u ON u.id = t.resource_id
     WHERE ${where.join(' AND ')} AND u.is_bot = 0 AND ${visible.sql} ORDER BY t.resource_id LIMIT 1`,
    ...values,
    ...visible.values,
  );
}

/** The oldest message of a conversation with these tags. */
export async function messageTagged(
  tx: Tx,
  botId: string,
  conversationId: string,
  tags: Tags,
  exactly: boolean,
): Promise<MessageRow | undefined> {
  const { from, where, values } = await taggedWith(tx, botId, 'm.id', tags, exactly);
  return tx.get(
    `${selectMessages.replace('FROM messages m', `FROM ${from}messages m ON m.id = t.resource_id`)}
     WHERE ${where.join(' AND ')} AND m.conversation_id = ? ORDER BY t.resource_id LIMIT 1`,
    ...values,
    conversationId,
  );
}
