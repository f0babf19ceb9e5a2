// SQL of new messages of visitors, bots and people, with their conversations and their events: any number of them in each
// statement, which gets its rows as one parameter.
import {
  type DeliveryRow,
  deliveries,
  deliveryStates,
  type NewDelivery,
  newDeliveryFields,
} from '../bots/deliveries.ts';
import type { WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { inOneFlight, rowLock, type Statement } from '../dialect.ts';
import { rowsStatement } from '../json-rows.ts';
import { columnList, columnOf, insertOfRows, typedColumns } from '../table.ts';
import { type ConversationRow, conversationColumns, conversations } from './conversations.ts';
import { type MessageRow, messages } from './messages.ts';

/** A conversation whose lock is held, with all that a new message can change. */
export interface HeldConversation extends ConversationRow {
  /** The events about messages of the bot since the last event of a visitor. */
  outgoing: number;
  /** 1 if the bot receives such events. */
  outgoingEvents: number;
}

/** The columns of a HeldConversation, from `conversations c` and its bot in `bots b`. */
export const heldColumns = `${conversationColumns('c.')}, c.outgoing, b.outgoing_events`;

/** Locks a conversation, and returns it as it is stored; undefined when it was deleted. */
export async function holdConversation(tx: WriteTx, id: string): Promise<HeldConversation | undefined> {
  return tx.get(
    `SELECT ${heldColumns} FROM conversations c LEFT JOIN bots b ON b.id = c.bot_id
     WHERE c.id = ? AND NOT ${isBeingDeleted('c.owner_id')} ${rowLock(tx, 'FOR UPDATE OF c')}`,
    id,
  );
}

const changedFields = ['seq', 'messageCount', 'updatedAt', 'outgoing'] as const;
const changedConversations = rowsStatement(
  typedColumns(conversations, ['id', ...changedFields]),
  (rows) => `UPDATE conversations
    SET ${changedFields
      .map(columnOf)
      .map((name) => `${name} = given.${name}`)
      .join(', ')}
    FROM ${rows} given WHERE conversations.id = given.id`,
);

/** Stores how messages change their conversations, whose locks are held. */
export async function changeConversations(tx: WriteTx, rows: readonly HeldConversation[]): Promise<void> {
  const changed = rows.map((row) => [row.id, ...changedFields.map((field) => row[field])]);
  await tx.run(...changedConversations(tx, changed));
}

/** A message with its bot, and its deduplication key: null for that of a visitor or a person. */
export type NewMessageRow = MessageRow & { botId: string; origin: string | null };

/** Inserts messages. If one violates a unique key, none is stored. */
export const insertMessages: (tx: WriteTx, rows: readonly NewMessageRow[]) => Promise<number> =
  insertOfRows(messages);

/** The data that an event contains besides its message: of the conversation and the user, or of the bot. */
export interface EventExtras {
  states: boolean;
  tags: boolean;
  knowledgeBases: boolean;
}

/**
 * The first deliverer of the event of a message. `owner`: the lease of this process, null in a server that is one process.
 * `canFollow`: the process also claims an event that follows others of the conversation, if it has claimed all of these.
 * Undefined: this process has no room, and leaves the event to others.
 */
export type PostClaim = { owner: string | null; canFollow?: boolean } | undefined;

/** The event of a message, the bot that receives it, and who delivers it. */
export interface PostDelivery extends NewDelivery {
  botId: string;
  claim: PostClaim;
}

/** The event of a message as it was stored. */
export interface StoredEvent {
  /** With its owner, if this process claimed it, and with 1 attempt, if it also comes first. */
  delivery: DeliveryRow;
  /** Whether this process claimed it, and no other event of the conversation comes first. */
  isFirst: boolean;
  extras: EventExtras;
}

const { pending } = deliveryStates;

/**
 * Another event of the conversation comes first, or is claimed, unless the owner of this one has claimed all of these. The
 * lock of the conversation excludes other claims.
 */
const isTaken = `EXISTS (SELECT 1 FROM deliveries o WHERE o.conversation_id = given.conversation_id
  AND (o.state = '${pending}' OR (given.owner IS NOT NULL AND o.owner IS NOT NULL))
  AND NOT (given.can_follow = 1 AND o.owner IS NOT DISTINCT FROM given.owner))`;

const isPending = `EXISTS (SELECT 1 FROM deliveries o WHERE o.conversation_id = given.conversation_id AND o.state = '${pending}')`;

const flag = (condition: string, name: keyof EventExtras): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM ${condition}) THEN 1 ELSE 0 END AS ${columnOf(name)}`;

const storedFields = ['botId', ...newDeliveryFields] as const;
const storedColumns = columnList(storedFields);
const insertedDeliveries = rowsStatement(
  `${typedColumns(deliveries, [...storedFields, 'owner'])}, is_claimed bigint, is_first bigint, can_follow bigint`,
  (rows) => `INSERT INTO deliveries (${storedColumns}, attempts, owner)
    SELECT ${storedColumns},
      CASE WHEN given.is_claimed = 0 OR given.is_first = 0 OR ${isPending} OR ${isTaken} THEN 0 ELSE 1 END,
      CASE WHEN given.is_claimed = 0 OR ${isTaken} THEN NULL ELSE given.owner END
    FROM ${rows} given
    RETURNING event_id AS id, attempts, owner,
      ${flag('states s WHERE s.owner_id IN (conversation_id, user_id)', 'states')},
      ${flag('tags t WHERE t.resource_id IN (conversation_id, user_id)', 'tags')},
      ${flag('knowledge_bases k WHERE k.bot_id = deliveries.bot_id', 'knowledgeBases')}`,
);

/**
 * Queues the events of messages, in their order, and returns also the data that they contain, so that it need not be read. The
 * first attempt of a claimed event is counted at once, and its owner is stored, if no other event of the conversation comes first,
 * also none of these. If all that come first are those of the same process, which delivers them in their order, the owner is stored
 * without an attempt: that event begins later, or never if the process is killed before.
 */
export async function insertPostDeliveries(
  tx: WriteTx,
  rows: readonly PostDelivery[],
): Promise<StoredEvent[]> {
  /** Conversation -> whether its last event of these may be claimed. */
  const last = new Map<string, boolean>();
  const inserted = rows.map((row) => {
    const { claim } = row;
    const before = last.get(row.conversationId);
    const canFollow = claim?.canFollow === true && claim.owner !== null;
    const isClaimed = claim !== undefined && (before === undefined || (before && canFollow));
    last.set(row.conversationId, isClaimed);
    return [
      ...storedFields.map((field) => row[field]),
      claim?.owner ?? null,
      Number(isClaimed),
      Number(before === undefined),
      Number(canFollow),
    ];
  });
  const written = await tx.all<
    { id: string; attempts: number; owner: string | null } & Record<keyof EventExtras, number>
  >(...insertedDeliveries(tx, inserted));
  const byId = new Map(written.map((row) => [row.id, row]));
  return rows.map(({ claim: _, ...row }) => {
    const { attempts = 0, owner = null, states, tags, knowledgeBases } = byId.get(row.eventId) ?? {};
    return {
      delivery: { ...row, attempts, owner, state: pending, dueAt: 0, reason: null, failedAt: null },
      isFirst: attempts > 0,
      extras: { states: states === 1, tags: tags === 1, knowledgeBases: knowledgeBases === 1 },
    };
  });
}

/** New messages with their conversations, whose locks are held, and their events. */
export interface NewMessages {
  conversations: readonly HeldConversation[];
  messages: readonly NewMessageRow[];
  events: readonly PostDelivery[];
}

/** Stores new messages, and returns their events. `beside`: further statements, which are sent together with theirs. */
export async function insertNewMessages(
  tx: WriteTx,
  { conversations, messages, events }: NewMessages,
  beside: readonly Statement[],
): Promise<StoredEvent[]> {
  let stored: StoredEvent[] = [];
  const queue = async () => {
    stored = await insertPostDeliveries(tx, events);
  };
  await inOneFlight(tx, [
    () => changeConversations(tx, conversations),
    () => insertMessages(tx, messages),
    ...(events.length > 0 ? [queue] : []),
    ...beside,
  ]);
  return stored;
}
