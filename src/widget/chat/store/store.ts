// What is true now: the rows of the transcript, the connection, the window. Changes only through named synchronous
// actions; it never waits, and it knows neither the session nor a component.
import type { ResolvedConfiguration } from '../../../protocol/config.ts';
import type { File as StoredFile } from '../../../protocol/file.ts';
import type { Feedback, Message, Payload, UnsentMessage } from '../../../protocol/message.ts';
import type { Feature, Webchat } from '../../../protocol/webchat.ts';
import { inOrder, keyOf, localRow, type Row, type Side, toRow } from './rows.ts';

export type { Row, Side } from './rows.ts';

/** A file on its way: chosen by the visitor, not yet part of a message. */
export interface Attachment {
  key: string;
  name: string;
  content: Blob;
  status: 'uploading' | 'uploaded' | 'failed';
  /** Bytes the server has. */
  sent: number;
  /** Says why it failed, in the language of the moment. */
  problem?: () => string;
  /** Whether trying again can help. */
  canRetry?: boolean;
  /** What the server made of it. */
  file?: StoredFile;
}

/** `connecting` before the first success; `busy` while the server asks to wait; `interrupted` after a cut that did not heal at once; `refused` for good. */
export type ConnectionStatus = 'connecting' | 'unreachable' | 'busy' | 'online' | 'interrupted' | 'refused';

/** Whether older messages are on the server: `more` until somebody scrolls up. */
export type HistoryStatus = 'unknown' | 'more' | 'loading' | 'complete';

/** What is true now. Replaced at each change, never changed in place. */
export interface State {
  readonly configuration: ResolvedConfiguration;
  readonly isOpen: boolean;
  readonly rows: readonly Row[];
  readonly connection: ConnectionStatus;
  readonly isOffline: boolean;
  readonly history: HistoryStatus;
  readonly isTyping: boolean;
  /** A new conversation had to take the place of the visitor's last one. */
  readonly isRenewed: boolean;
  readonly isRestarting: boolean;
  /** What the server can do; undefined for a plain one. */
  readonly webchat: Webchat | undefined;
  readonly attachments: readonly Attachment[];
  /** Counts the visitors: what one has typed is not for the next. */
  readonly visitor: number;
  /** The newest row of the bot that arrived live: what a screen reader is told. */
  readonly heard: Row | undefined;
}

export interface Store {
  readonly state: State;
  /** Calls `listener` after each change, in the same task. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Whether the server has an addition to the Chat API. */
  has(feature: Feature): boolean;
  /** Whether files may be sent: the site wants it, and the server takes them. */
  canAttach(): boolean;

  setConfiguration(configuration: ResolvedConfiguration): void;
  setOpen(isOpen: boolean): void;
  setConnection(status: ConnectionStatus): void;
  setOffline(isOffline: boolean): void;
  setHistory(status: HistoryStatus): void;
  setTyping(isTyping: boolean): void;
  /** The conversation that was here is no longer available, and this is a new one. */
  setRenewed(isRenewed: boolean): void;
  setRestarting(isRestarting: boolean): void;
  setWebchat(webchat: Webchat | undefined): void;
  /** Another number has the composer begin anew, from the draft that is kept. */
  setVisitor(visitor: number): void;
  /** Takes messages of the server, in any order, any number of times. Gives those that were not known by id. */
  receive(messages: readonly Message[], sideOf: (message: Message) => Side): Message[];
  /** Says that a bot's message, or what there is of one, arrived live. */
  hear(keyOrId: string): void;
  /** Adds a message of the visitor that the server does not have yet. */
  addOutgoing(message: UnsentMessage, status: 'sending' | 'queued'): void;
  setStatus(key: string, status: Row['status']): void;
  setFeedback(key: string, feedback: Feedback | undefined): void;
  /** Adds a file, or changes what is known of it. */
  setAttachment(attachment: Attachment): void;
  removeAttachment(key: string): void;
  /** Shows the text of a bot's stream so far. */
  setStream(streamId: string, text: string, createdAt: string): void;
  /** Marks the streams under way as aborted: after a cut, only those that go on are heard of again. */
  abortStreams(): void;
  remove(keyOrId: string): void;
  /** Empties the transcript for another conversation. Unsent messages may stay, to be sent there. */
  reset(options?: { keepUnsent?: boolean; isOtherVisitor?: boolean }): void;
}

export function createStore(initial: ResolvedConfiguration): Store {
  let state: State = {
    configuration: initial,
    isOpen: false,
    rows: [],
    connection: 'connecting',
    isOffline: false,
    history: 'unknown',
    isTyping: false,
    isRenewed: false,
    isRestarting: false,
    webchat: undefined,
    attachments: [],
    visitor: 0,
    heard: undefined,
  };
  const listeners = new Set<() => void>();

  const set = (change: Partial<State>) => {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  };
  // Of any shape: some other service may answer the address of our additions.
  const has = (feature: Feature) => [state.webchat?.features].flat().includes(feature);
  /** The action that puts a value into one field. */
  const setter =
    <K extends keyof State>(field: K) =>
    (value: State[K]) =>
      set({ [field]: value });
  const replace = (key: string, change: Partial<Row>) =>
    set({ rows: state.rows.map((row) => (row.key === key ? { ...row, ...change } : row)) });

  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    has,
    canAttach: () => state.configuration.allowFileUpload === true && has('files'),

    setConfiguration: setter('configuration'),
    setOpen: setter('isOpen'),
    setConnection: setter('connection'),
    setOffline: setter('isOffline'),
    setHistory: setter('history'),
    setTyping: setter('isTyping'),
    setRenewed: setter('isRenewed'),
    setRestarting: setter('isRestarting'),
    setWebchat: setter('webchat'),
    setVisitor: setter('visitor'),
    receive(messages, sideOf) {
      const next = new Map(state.rows.map((row) => [row.key, row]));
      const keyById = new Map(state.rows.flatMap((row) => (row.id ? [[row.id, row.key]] : [])));
      const fresh: Message[] = [];
      for (const message of messages) {
        const known = keyById.get(message.id);
        const side = sideOf(message);
        const key = known ?? keyOf(message, side);
        next.set(key, toRow(key, message, side));
        keyById.set(message.id, key);
        if (!known) fresh.push(message);
      }
      if (messages.length > 0) set({ rows: inOrder([...next.values()]) });
      return fresh;
    },
    hear(keyOrId) {
      set({ heard: state.rows.find((row) => (row.id ?? row.key) === keyOrId) });
    },
    addOutgoing({ id, payload, createdAt, answers }, status) {
      const row = localRow(id, 'visitor', payload, createdAt, status);
      set({ rows: [...state.rows, { ...row, answers }], isRenewed: false });
    },
    setStatus(key, status) {
      // What has an id is on the server: it neither fails nor stops any more.
      if (state.rows.some((row) => row.key === key && !row.id)) replace(key, { status });
    },
    setFeedback(key, feedback) {
      replace(key, { feedback });
    },
    setAttachment(attachment) {
      const { key } = attachment;
      const others = state.attachments;
      const isKnown = others.some((other) => other.key === key);
      set({
        attachments: isKnown
          ? others.map((other) => (other.key === key ? attachment : other))
          : [...others, attachment],
      });
    },
    removeAttachment(key) {
      set({ attachments: state.attachments.filter((other) => other.key !== key) });
    },
    setStream(key, markdown, createdAt) {
      const payload: Payload = { type: 'markdown', markdown };
      const row = localRow(key, 'bot', payload, createdAt, 'streaming');
      const known = state.rows.find((other) => other.key === key);
      if (!known) set({ rows: inOrder([...state.rows, row]) });
      // With an id the whole message is there: what comes late is only a part of it.
      else if (!known.id) replace(key, { payload, status: 'streaming' });
    },
    abortStreams() {
      const abort = (row: Row): Row => (row.status === 'streaming' ? { ...row, status: 'aborted' } : row);
      set({ rows: state.rows.map(abort) });
    },
    remove(keyOrId) {
      set({ rows: state.rows.filter((row) => row.key !== keyOrId && row.id !== keyOrId) });
    },
    reset({ keepUnsent = false, isOtherVisitor = false } = {}) {
      const unsent = state.rows.filter((row) => keepUnsent && !row.id && row.side === 'visitor');
      set({
        rows: unsent,
        history: 'unknown',
        isTyping: false,
        heard: undefined,
        ...(isOtherVisitor && { visitor: state.visitor + 1, attachments: [] }),
      });
    },
  };
}
