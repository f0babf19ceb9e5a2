// The rows of the transcript: converts messages to rows, assigns them to existing rows, and sorts them. Pure.
import type { MessageAuthor } from '../../../protocol/handling.ts';
import { clientMessageId, type Feedback, type Message, type Payload } from '../../../protocol/message.ts';
import type { PartChange } from '../../../protocol/parts.ts';

/** `bot`: everybody else, also people. `activity`: no message, but a line about who answers. */
export type Side = 'visitor' | 'bot' | 'activity';

/** One message as the transcript shows it. Rows are replaced and never mutated. */
export interface Row {
  /** Stays the same until the message is confirmed, so that the DOM node stays the same. */
  key: string;
  /** The server's id; undefined until the server has the message. */
  id: string | undefined;
  side: Side;
  /** The author; undefined until the server has the message. */
  userId: string | undefined;
  /** The kind of author, if the server says so. */
  author: MessageAuthor | undefined;
  payload: Payload;
  /** ISO 8601 UTC: the server's time, or this device's time until the server has responded. */
  createdAt: string;
  /**
   * `streaming` and `aborted` are states of a bot's message, the others of a visitor's message: `queued` waits for its
   * next attempt, `failed` was refused.
   */
  status: 'sending' | 'queued' | 'sent' | 'failed' | 'streaming' | 'aborted';
  /** Why the server or an agent has failed to answer, as a code; of any type, because it comes from the wire. */
  error: unknown;
  /** The id of the question that this message answers: its button was pressed. */
  answers: string | undefined;
  feedback: Feedback | undefined;
  /** The id of the message whose place it takes. */
  supersedes?: string | undefined;
  /** The parts of an answer, or their changes in order while it is written. From the wire: of any shape. */
  parts: readonly PartChange[] | undefined;
}

/** The key in the `metadata` of a bot message that contains the id of the stream it ends. */
const streamIdKey = 'streamId';
/** The key in the `metadata` of a visitor's message that contains the id of the question it answers. */
export const answersKey = 'answers';

/**
 * The key of the row of a message: that of the typed message, that of the bot stream, or its own. If a bot returns the
 * visitor's metadata, its message does not replace the visitor's row.
 */
export function keyOf(message: Message, side: Side): string {
  if (side === 'visitor') return clientMessageId(message) ?? message.id;
  const streamId = message.metadata?.[streamIdKey];
  return typeof streamId === 'string' ? streamId : message.id;
}

/** Creates a row for a message that the server has not confirmed. */
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
    author: undefined,
    payload,
    createdAt,
    status,
    error: undefined,
    answers: undefined,
    feedback: undefined,
    parts: undefined,
  };
}

export function toRow(key: string, message: Message, side: Side): Row {
  const { id, userId, author, payload, createdAt, metadata, feedback, parts } = message;
  const answers = metadata?.[answersKey];
  return {
    key,
    id,
    side,
    // From the wire: of any type. Names are made of it.
    userId: typeof userId === 'string' ? userId : undefined,
    author,
    // An object as type would throw wherever it is used as a string.
    payload:
      typeof payload.type === 'string'
        ? payload
        : ({ ...(payload as object), type: '' } as unknown as Payload),
    createdAt,
    status: metadata?.stopped === true ? 'aborted' : 'sent',
    error: metadata?.error,
    answers: typeof answers === 'string' ? answers : undefined,
    feedback,
    parts: parts as readonly object[] as readonly PartChange[] | undefined,
  };
}

/** The messages of a conversation that others have superseded, by their times: each message there has a later time than the one before. */
type Turn = Pick<Message, 'conversationId'> & { from: string; to: string };

/**
 * Returns a function that removes the rows whose place a message takes, from `first` on. What the visitor has written meanwhile
 * stays: the server does not have it. The function returns true for a message that is superseded itself, as a list or an earlier
 * message has shown: its own signal, the response to it, or a list that is older than an edit may be processed later.
 */
export function createSuperseding(): (
  rows: Map<string, Row>,
  message: Message,
  first: Row | undefined,
) => boolean {
  const ids = new Set<string>();
  const turns: Turn[] = [];
  return (rows, { id, conversationId, createdAt, supersededBy }, first) => {
    const isIn = (turn: Turn, at: string) => at >= turn.from && at < turn.to;
    if (supersededBy) ids.add(id);
    if (ids.has(id) || turns.some((turn) => turn.conversationId === conversationId && isIn(turn, createdAt)))
      return true;
    if (first) {
      const turn = { conversationId, from: first.createdAt, to: createdAt };
      turns.push(turn);
      for (const row of rows.values())
        if (isIn(turn, row.createdAt) && (row.id || row.side !== 'visitor')) rows.delete(row.key);
    }
    return false;
  };
}

/**
 * Sorts in the server's order: by time, and within a millisecond by id (ULIDs; lists are newest first, streams oldest
 * first). Messages that are still being sent are last, in the order they were written; one that failed is at its time.
 */
export function inOrder(rows: Row[]): Row[] {
  const isWaiting = ({ status }: Row) => status === 'sending' || status === 'queued';
  const rank = (row: Row) => (isWaiting(row) ? '~' : `${row.createdAt} ${row.id ?? '~'}`);
  // Sorting is stable (ES2019), and fast for nearly sorted input.
  return rows.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}
