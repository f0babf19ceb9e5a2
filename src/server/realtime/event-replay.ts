// Rebuilds the signals that a subscriber missed from the signal log. A large gap is not replayed: the client then lists
// the messages.
import { limits } from '../../protocol/limits.ts';
import type { Signal, SignalType } from '../../protocol/signal.ts';
import { serializeEvent, serializeMessage, withoutLongValues } from '../api/serializers.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { type EventRow, findEvent } from '../storage/chat/events.ts';
import { findMessage, type MessageRow } from '../storage/chat/messages.ts';
import { type SignalRow, signalsAfter, signalsKept } from '../storage/chat/signals.ts';
import { userById } from '../storage/chat/users.ts';
import type { Tx } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import { type Frame, signalFrame, skipFrame } from './sse-frames.ts';

/** The largest replay in bytes: half of the queue of a stream. */
const replayBytes = 2 * limits.payloadBytes;

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
  if (after < conversation.seq - signalsKept) return undefined;
  const rows = new Map((await signalsAfter(tx, conversation.id, after)).map((row) => [row.seq, row]));
  const frames: Frame[] = [];
  let bytes = 0;
  for (let seq = after + 1; seq <= conversation.seq; seq += 1) {
    const row = rows.get(seq);
    const signal = row && (await rebuild(tx, conversation, row));
    // Nothing is there of a deleted message.
    const frame = signal ? signalFrame(signal, seq) : skipFrame(seq);
    bytes += frame.bytes.length;
    if (bytes > replayBytes) return undefined;
    frames.push(frame);
  }
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

/** The signal of a row of the log; undefined for a message that has been deleted. */
async function rebuild(tx: Tx, conversation: ConversationRow, row: SignalRow): Promise<Signal | undefined> {
  if (row.type === 'message_created' && row.ref) {
    const message = await findMessage(tx, row.ref);
    return message && messageCreatedSignal(message, conversation);
  }
  if (row.type === 'message_updated' && row.ref) {
    const message = await findMessage(tx, row.ref);
    return message && messageUpdatedSignal(message, conversation);
  }
  if (row.type === 'event_created' && row.ref) {
    const event = await findEvent(tx, row.ref);
    return event && eventCreatedSignal(event, conversation);
  }
  if (row.data === null) return undefined;
  const data = JSON.parse(row.data) as Record<string, unknown>;
  const field = userFields[row.type];
  const user = field && (await userById(tx, String(data[field])));
  return { type: row.type, data: user ? { ...data, [field]: publicId(user) } : data } as Signal;
}

/** The field of a signal that contains a user id, for signals whose data is in the log. */
const userFields: Partial<Record<SignalType, string>> = {
  participant_added: 'participantId',
  participant_removed: 'participantId',
  message_deleted: 'userId',
};

/**
 * The data of a signal as the log stores it: with the server id of its user, because a foreign id in the log would
 * remain after the deletion of the user. The replay translates it back.
 */
export function loggedData({ type, data }: Signal, userId: string | undefined): object {
  const field = userFields[type];
  return field && userId !== undefined ? { ...data, [field]: userId } : data;
}
