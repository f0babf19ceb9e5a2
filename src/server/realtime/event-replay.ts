// Rebuilds the signals that a subscriber missed from the signal log. A large gap is not replayed: the client then lists
// the messages.
import { limits } from '../../protocol/limits.ts';
import type { Signal, SignalType } from '../../protocol/signal.ts';
import { serializeEvent, serializeMessage, withoutLongValues } from '../api/serializers.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { type EventRow, findEvents } from '../storage/chat/events.ts';
import { findMessages, type MessageRow } from '../storage/chat/messages.ts';
import {
  maxStoredSignals,
  type SignalRow,
  signalsAfter,
  sizeOfSignalsAfter,
} from '../storage/chat/signals.ts';
import { type UserRow, usersById } from '../storage/chat/users.ts';
import type { Tx } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import { type Frame, signalFrame, skipFrame } from './sse-frames.ts';

/** The largest replay in bytes: half of the queue of a stream. */
const replayBytes = 2 * limits.payloadBytes;
/** Signals whose content is read at once: a few statements for what is usually missed, and a megabyte of parts. */
const replayPortion = 16;

/** The sequence number from which a stream continues, and the frames that are sent first. */
export interface Resumption {
  position: number;
  missed: Frame[];
}

/**
 * Finds where a subscriber continues that received everything up to `after`. `position === after` means that `missed`
 * is complete. Otherwise (unknown number, too old, too large) the stream begins at the last sequence number of the
 * conversation, and the client has to list the messages.
 */
export async function resume(
  tx: Tx,
  conversation: ConversationRow,
  after: number | undefined,
): Promise<Resumption> {
  const present: Resumption = { position: conversation.seq, missed: [] };
  if (after === undefined || after > conversation.seq) return present;
  if (after === conversation.seq) return { position: after, missed: [] };
  const missed = await framesAfter(tx, conversation, after);
  return missed ? { position: after, missed } : present;
}

/**
 * Returns the frames of a conversation after a sequence number up to `conversation.seq`, without holes; undefined if they are
 * not kept any more, or too large. Later ones are left to the live stream: another process can write between the statements,
 * and then some would be missing.
 */
export async function framesAfter(
  tx: Tx,
  conversation: ConversationRow,
  after: number,
): Promise<Frame[] | undefined> {
  if (after < conversation.seq - maxStoredSignals) return undefined;
  // Asked first, because what is too large is not read.
  if ((await sizeOfSignalsAfter(tx, conversation.id, after)) > replayBytes) return undefined;
  const rows = await signalsAfter(tx, conversation.id, after);
  const frames: Frame[] = [];
  let bytes = 0;
  let next = after + 1;
  const add = (seq: number, signal: Signal | undefined) => {
    // Nothing is there of a deleted message.
    for (; next < seq; next += 1) frames.push(skipFrame(next));
    const frame = signal ? signalFrame(signal, seq) : skipFrame(seq);
    bytes += frame.bytes.length;
    frames.push(frame);
    next = seq + 1;
  };
  for (let begin = 0; begin < rows.length; begin += replayPortion) {
    const portion = rows.slice(begin, begin + replayPortion).filter(({ seq }) => seq <= conversation.seq);
    const content = await readContent(tx, portion);
    for (const row of portion) {
      add(row.seq, rebuild(conversation, row, content));
      if (bytes > replayBytes) return undefined;
    }
  }
  for (; next <= conversation.seq; next += 1) frames.push(skipFrame(next));
  return frames;
}

/** The sequence number in a `Last-Event-ID` header; undefined for any other text. */
export function readLastEventId(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

export function messageCreatedSignal(row: MessageRow, conversation: ConversationRow): Signal {
  const message = withoutLongValues(serializeMessage(row, publicId(conversation)));
  return { type: 'message_created', data: { ...message, isBot: row.isBot === 1 } };
}

export function messageUpdatedSignal(row: MessageRow, conversation: ConversationRow): Signal {
  const message = withoutLongValues(serializeMessage(row, publicId(conversation)));
  return { type: 'message_updated', data: { ...message, isBot: row.isBot === 1 } };
}

export function eventCreatedSignal(row: EventRow, conversation: ConversationRow): Signal {
  const event = serializeEvent(row, publicId(conversation));
  return { type: 'event_created', data: { ...event, isBot: row.isBot === 1 } };
}

/** The resources of the rows of the log, by id. */
interface Content {
  messages: ReadonlyMap<string, MessageRow>;
  events: ReadonlyMap<string, EventRow>;
  users: ReadonlyMap<string, UserRow>;
}

/**
 * Reads what signals refer to, with at most three statements: after a restart of a server, thousands of streams resume at the
 * same time.
 */
async function readContent(tx: Tx, rows: readonly SignalRow[]): Promise<Content> {
  const refs = (matches: (type: SignalType) => boolean) =>
    rows.flatMap(({ type, ref }) => (ref && matches(type) ? [ref] : []));
  const read = async <Row extends { id: string }>(ids: string[], find: (ids: string[]) => Promise<Row[]>) =>
    new Map((ids.length === 0 ? [] : await find(ids)).map((row) => [row.id, row]));
  return {
    messages: await read(
      refs((type) => type === 'message_created' || type === 'message_updated'),
      (ids) => findMessages(tx, ids),
    ),
    events: await read(
      refs((type) => type === 'event_created'),
      (ids) => findEvents(tx, ids),
    ),
    users: await read(rows.flatMap(userIdsOf), (ids) => usersById(tx, ids)),
  };
}

/** The signal of a row of the log; undefined for a message that has been deleted. */
function rebuild(
  conversation: ConversationRow,
  row: SignalRow,
  { messages, events, users }: Content,
): Signal | undefined {
  if (row.type === 'message_created' && row.ref) {
    const message = messages.get(row.ref);
    return message && messageCreatedSignal(message, conversation);
  }
  if (row.type === 'message_updated' && row.ref) {
    const message = messages.get(row.ref);
    return message && messageUpdatedSignal(message, conversation);
  }
  if (row.type === 'event_created' && row.ref) {
    const event = events.get(row.ref);
    return event && eventCreatedSignal(event, conversation);
  }
  if (row.data === null) return undefined;
  const data = JSON.parse(row.data) as Record<string, unknown>;
  const field = userFields[row.type];
  const user = field && users.get(String(data[field]));
  return { type: row.type, data: user ? { ...data, [field]: publicId(user) } : data } as Signal;
}

/** The field of a signal that contains a user id, for signals whose data is in the log. */
const userFields: Partial<Record<SignalType, string>> = {
  participant_added: 'participantId',
  participant_removed: 'participantId',
  message_deleted: 'userId',
};

/** The server id of the user in the data of a signal; none for other signals. */
function userIdsOf({ type, data }: SignalRow): string[] {
  const field = userFields[type];
  return field && data !== null ? [String((JSON.parse(data) as Record<string, unknown>)[field])] : [];
}

/**
 * The data of a signal as the log stores it: with the server id of its user, because a foreign id in the log would
 * remain after the deletion of the user. The replay translates it back.
 */
export function loggedData({ type, data }: Signal, userId: string | undefined): object {
  const field = userFields[type];
  return field && userId !== undefined ? { ...data, [field]: userId } : data;
}
