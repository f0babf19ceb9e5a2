// What is true now: the rows of the transcript, the connection, the window. Changes only through named synchronous
// actions; it never waits, and it knows neither the session nor a component.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ResolvedConfiguration } from '../../protocol/config.ts';
import { clientMessageId, type Message, type Payload } from '../../protocol/message.ts';

export type Side = 'visitor' | 'bot';

/** One message as the transcript shows it. Rows are replaced, never changed in place. */
export interface Row {
  /** Stays the same from typing to confirmation, so that the DOM node does too. */
  key: string;
  /** The server's id; undefined until the server has the message. */
  id: string | undefined;
  side: Side;
  payload: Payload;
  /** ISO 8601 UTC: the server's time, or this device's while the server has not answered. */
  createdAt: string;
  /** `streaming` and `aborted` are a bot's, the others tell how far a visitor's own message has come. */
  status: 'sending' | 'sent' | 'failed' | 'streaming' | 'aborted';
  /** The server could not get an answer from the bot, and this row says so. */
  isFailureNotice: boolean;
}

/** `connecting` before the first success; `interrupted` after a cut that did not heal at once; `refused` for good. */
export type ConnectionStatus = 'connecting' | 'unreachable' | 'online' | 'interrupted' | 'refused';

/** Whether older messages are on the server: `more` until somebody scrolls up. */
export type HistoryStatus = 'unknown' | 'more' | 'loading' | 'complete';

export interface Store {
  readonly configuration: ReadonlySignal<ResolvedConfiguration>;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly connection: ReadonlySignal<ConnectionStatus>;
  readonly isOffline: ReadonlySignal<boolean>;
  readonly history: ReadonlySignal<HistoryStatus>;
  readonly isTyping: ReadonlySignal<boolean>;
  readonly isRestarting: ReadonlySignal<boolean>;
  /** Counts the visitors: what one has typed is not for the next. */
  readonly visitor: ReadonlySignal<number>;
  /** The newest row of the bot that arrived live: what a screen reader is told. */
  readonly heard: ReadonlySignal<Row | undefined>;

  setConfiguration(configuration: ResolvedConfiguration): void;
  setOpen(isOpen: boolean): void;
  setConnection(status: ConnectionStatus): void;
  setOffline(isOffline: boolean): void;
  setHistory(status: HistoryStatus): void;
  setTyping(isTyping: boolean): void;
  setRestarting(isRestarting: boolean): void;
  /** Takes messages of the server, in any order, any number of times. Gives those that were not known by id. */
  receive(messages: readonly Message[], sideOf: (message: Message) => Side): Message[];
  /** Says that a bot's message arrived live. */
  hear(messageId: string): void;
  /** Adds a message the visitor has just written. */
  addOutgoing(key: string, payload: Payload): void;
  setStatus(key: string, status: Row['status']): void;
  /** Shows the text of a bot's stream so far. */
  setStream(streamId: string, text: string, createdAt: string): void;
  /** Marks the streams under way as aborted: after a cut, only those that go on are heard of again. */
  abortStreams(): void;
  remove(keyOrId: string): void;
  /** Empties the transcript for another conversation. Unsent messages may stay, to be sent there. */
  reset(options?: { keepUnsent?: boolean; isOtherVisitor?: boolean }): void;
}

/** The action that puts a value into a signal. */
const setter =
  <T>(target: Signal<T>) =>
  (next: T) => {
    target.value = next;
  };

/** The key in a bot message's `metadata` that names the stream it ends. */
const streamIdKey = 'streamId';

export function createStore(initial: ResolvedConfiguration): Store {
  const configuration = signal(initial);
  const isOpen = signal(false);
  const rows = signal<readonly Row[]>([]);
  const connection = signal<ConnectionStatus>('connecting');
  const isOffline = signal(false);
  const history = signal<HistoryStatus>('unknown');
  const isTyping = signal(false);
  const isRestarting = signal(false);
  const visitor = signal(0);
  const heard = signal<Row | undefined>();

  const replace = (key: string, change: Partial<Row>) => {
    rows.value = rows.value.map((row) => (row.key === key ? { ...row, ...change } : row));
  };

  return {
    configuration,
    isOpen,
    rows,
    connection,
    isOffline,
    history,
    isTyping,
    isRestarting,
    visitor,
    heard,

    setConfiguration: setter(configuration),
    setOpen: setter(isOpen),
    setConnection: setter(connection),
    setOffline: setter(isOffline),
    setHistory: setter(history),
    setTyping: setter(isTyping),
    setRestarting: setter(isRestarting),
    receive(messages, sideOf) {
      const next = new Map(rows.value.map((row) => [row.key, row]));
      const keyById = new Map(rows.value.flatMap((row) => (row.id ? [[row.id, row.key]] : [])));
      const fresh: Message[] = [];
      for (const message of messages) {
        const known = keyById.get(message.id);
        const side = sideOf(message);
        const key = known ?? keyOf(message, side);
        next.set(key, toRow(key, message, side));
        keyById.set(message.id, key);
        if (!known) fresh.push(message);
      }
      if (messages.length > 0) rows.value = inOrder([...next.values()]);
      return fresh;
    },
    hear(messageId) {
      heard.value = rows.value.find((row) => row.id === messageId);
    },
    addOutgoing(key, payload) {
      const row = localRow(key, 'visitor', payload, new Date().toISOString(), 'sending');
      rows.value = [...rows.value, row];
    },
    setStatus(key, status) {
      replace(key, { status });
    },
    setStream(key, markdown, createdAt) {
      const payload: Payload = { type: 'markdown', markdown };
      const row = localRow(key, 'bot', payload, createdAt, 'streaming');
      const known = rows.value.find((other) => other.key === key);
      if (!known) rows.value = inOrder([...rows.value, row]);
      // With an id the whole message is there: what comes late is only a part of it.
      else if (!known.id) replace(key, { payload, status: 'streaming' });
    },
    abortStreams() {
      rows.value = rows.value.map((row) =>
        row.status === 'streaming' ? { ...row, status: 'aborted' } : row,
      );
    },
    remove(keyOrId) {
      rows.value = rows.value.filter((row) => row.key !== keyOrId && row.id !== keyOrId);
    },
    reset({ keepUnsent = false, isOtherVisitor = false } = {}) {
      const unsent = rows.value.filter((row) => keepUnsent && !row.id && row.side === 'visitor');
      rows.value = unsent.map((row) => ({ ...row, status: 'failed' }));
      if (isOtherVisitor) visitor.value++;
      history.value = 'unknown';
      isTyping.value = false;
      heard.value = undefined;
    },
  };
}

/**
 * The row a message belongs to: what the visitor typed, what the bot streamed, or its own. A bot that sends the
 * visitor's metadata back does not take the visitor's row.
 */
function keyOf(message: Message, side: Side): string {
  if (side === 'visitor') return clientMessageId(message) ?? message.id;
  const streamId = message.metadata?.[streamIdKey];
  return typeof streamId === 'string' ? streamId : message.id;
}

/** A row that the server has not confirmed as a message. */
function localRow(key: string, side: Side, payload: Payload, createdAt: string, status: Row['status']): Row {
  return { key, id: undefined, side, payload, createdAt, status, isFailureNotice: false };
}

function toRow(key: string, message: Message, side: Side): Row {
  const { id, payload, createdAt, metadata } = message;
  return {
    key,
    id,
    side,
    payload,
    createdAt,
    status: 'sent',
    isFailureNotice: metadata?.error === 'bot_failed',
  };
}

/**
 * The server's order by time, within a millisecond by id (ULIDs; lists come newest first, streams oldest first);
 * what the server does not have yet comes last, in the order it was written.
 */
function inOrder(rows: Row[]): Row[] {
  const isWaiting = (row: Row) => row.status === 'sending' || row.status === 'failed';
  const rank = (row: Row) => (isWaiting(row) ? '~' : `${row.createdAt} ${row.id ?? '~'}`);
  // Sorting is stable (ES2019), and nearly sorted input costs next to nothing.
  return rows.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}
