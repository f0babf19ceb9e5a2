// The rows of the transcript: how a message becomes one, which one it belongs to, in what order they stand. Pure.
import {
  clientMessageId,
  type Feedback,
  type Message,
  type Payload,
  type SidedMessage,
} from '../../../protocol/message.ts';

export type Side = 'visitor' | 'bot';

/** One message as the transcript shows it. Rows are replaced, never changed in place. */
export interface Row {
  /** Stays the same from typing to confirmation, so that the DOM node does too. */
  key: string;
  /** The server's id; undefined until the server has the message. */
  id: string | undefined;
  side: Side;
  /** Who wrote it; undefined until the server has the message. */
  userId: string | undefined;
  /** The server has said that a user wrote it, and not the bot. */
  isPerson: boolean;
  payload: Payload;
  /** ISO 8601 UTC: the server's time, or this device's while the server has not answered. */
  createdAt: string;
  /**
   * `streaming` and `aborted` are a bot's, the others tell how far a visitor's own message has come: `queued` waits for
   * its next attempt, `failed` was refused.
   */
  status: 'sending' | 'queued' | 'sent' | 'failed' | 'streaming' | 'aborted';
  /** The server could not get an answer from the bot, and this row says so. */
  isFailureNotice: boolean;
  /** The id of the question that this message answers: its button was pressed. */
  answers: string | undefined;
  feedback: Feedback | undefined;
}

/** The key in a bot message's `metadata` that names the stream it ends. */
const streamIdKey = 'streamId';
/** The key in a visitor's message's `metadata` that names the question it answers. */
export const answersKey = 'answers';

/**
 * The row a message belongs to: what the visitor typed, what the bot streamed, or its own. A bot that sends the
 * visitor's metadata back does not take the visitor's row.
 */
export function keyOf(message: Message, side: Side): string {
  if (side === 'visitor') return clientMessageId(message) ?? message.id;
  const streamId = message.metadata?.[streamIdKey];
  return typeof streamId === 'string' ? streamId : message.id;
}

/** A row that the server has not confirmed as a message. */
export function localRow(
  key: string,
  side: Side,
  payload: Payload,
  createdAt: string,
  status: Row['status'],
): Row {
  return {
    key,
    id: undefined,
    side,
    userId: undefined,
    isPerson: false,
    payload,
    createdAt,
    status,
    isFailureNotice: false,
    answers: undefined,
    feedback: undefined,
  };
}

export function toRow(key: string, message: Message, side: Side): Row {
  const { id, userId, payload, createdAt, metadata, feedback } = message;
  const answers = metadata?.[answersKey];
  return {
    key,
    id,
    side,
    userId,
    isPerson: (message as Partial<SidedMessage>).isBot === false,
    // A type that is an object would throw wherever it is read as a string.
    payload:
      typeof payload.type === 'string'
        ? payload
        : ({ ...(payload as object), type: '' } as unknown as Payload),
    createdAt,
    status: metadata?.stopped === true ? 'aborted' : 'sent',
    isFailureNotice: metadata?.error === 'bot_failed',
    answers: typeof answers === 'string' ? answers : undefined,
    feedback,
  };
}

/**
 * The server's order by time, within a millisecond by id (ULIDs; lists come newest first, streams oldest first);
 * what the server does not have yet comes last, in the order it was written.
 */
export function inOrder(rows: Row[]): Row[] {
  const isWaiting = ({ status }: Row) => ['sending', 'queued', 'failed'].includes(status);
  const rank = (row: Row) => (isWaiting(row) ? '~' : `${row.createdAt} ${row.id ?? '~'}`);
  // Sorting is stable (ES2019), and nearly sorted input costs next to nothing.
  return rows.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}
