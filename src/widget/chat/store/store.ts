// The state of the chat window in signals: the rows of the transcript, the connection, the window. Only its named,
// synchronous actions write them. A component or an effect that reads a field subscribes to it.
import { batch, effect, type Signal, signal } from '@preact/signals';
import {
  type Feedback,
  type Message,
  type Payload,
  preview,
  type UnsentMessage,
} from '../../../protocol/message.ts';
import type { ResolvedConfiguration } from '../../../protocol/page-api/config.ts';
import type { Feature, Webchat } from '../../../protocol/webchat.ts';
import { createSuperseding, inOrder, keyOf, localRow, type Row, type Side, toRow } from './rows.ts';
import type {
  Attachment,
  ConnectionStatus,
  HistoryStatus,
  Participant,
  ShownHandling,
  State,
  View,
} from './state.ts';

export type { Row, Side } from './rows.ts';
export type { Attachment, ConnectionStatus, HistoryStatus, Participant, State } from './state.ts';

export interface Store {
  readonly state: State;
  /** Returns one row. Reading it subscribes only to this row. */
  row(key: string): Row | undefined;
  /** Returns who wrote a row, if it is a person or another participant; undefined for the visitor and for the bot. */
  personOf(row: Partial<Pick<Row, 'author' | 'userId'>>): Partial<Participant> | undefined;
  /** Calls `listener` now and after each change of the fields that it has read. Returns the function that ends it. */
  observe(listener: () => void): () => void;
  /** Returns whether the server supports an addition to the Chat API. */
  has(feature: Feature): boolean;
  /** Returns whether files may be sent: the site allows it, and the server accepts them. */
  canAttach(): boolean;

  setConfiguration(configuration: ResolvedConfiguration): void;
  setOpen(isOpen: boolean): void;
  setConnection(status: ConnectionStatus): void;
  setOffline(isOffline: boolean): void;
  setHistory(status: HistoryStatus): void;
  /** @param userId undefined: nobody types. */
  setTyping(userId?: string): void;
  /** The previous conversation is no longer available, and this is a new one. */
  setRenewed(isRenewed: boolean): void;
  setView(view: View): void;
  setWebchat(webchat: Webchat | undefined): void;
  /** A new number resets the composer to the stored draft. */
  setVisitor(visitor: number): void;
  setParticipants(participants: ReadonlyMap<string, Participant>): void;
  setHandling(handling: ShownHandling): void;
  /** Adds messages of the server, in any order, any number of times. Returns those whose id was not known. */
  receive(messages: readonly Message[], sideOf: (message: Message) => Side): Message[];
  /** Marks a bot's message, or the part of it that was received, as arrived live. A stopped answer may have left none. */
  announce(keyOrId: string): void;
  /** Adds a message of the visitor that the server does not have yet. */
  addOutgoing(message: UnsentMessage, status: 'sending' | 'queued'): void;
  setStatus(key: string, status: Row['status']): void;
  setFeedback(key: string, feedback: Feedback | undefined): void;
  /** Adds a file, or changes one. */
  setAttachment(attachment: Attachment): void;
  removeAttachment(key: string): void;
  /** Shows the text and the parts of a bot's stream so far. */
  setStream(streamId: string, text: string, createdAt: string, parts?: Row['parts']): void;
  /**
   * Marks the active streams, or one of them, as aborted, and removes those without a text: after an interruption, those that
   * continue send another delta.
   */
  abortStreams(streamId?: string): void;
  remove(keyOrId: string): void;
  /** Empties the transcript for another conversation. Unsent messages can be kept, to be sent there. */
  reset(options?: { keepUnsent?: boolean; isOtherVisitor?: boolean }): void;
}

export function createStore(initial: ResolvedConfiguration): Store {
  const fields: { [Field in keyof State]: Signal<State[Field]> } = {
    configuration: signal(initial),
    isOpen: signal(false),
    rows: signal<readonly Row[]>([]),
    outline: signal<readonly Row[]>([]),
    connection: signal<ConnectionStatus>('connecting'),
    isOffline: signal(false),
    history: signal<HistoryStatus>('unknown'),
    typing: signal<string | undefined>(undefined),
    isRenewed: signal(false),
    view: signal<View>('home'),
    webchat: signal<Webchat | undefined>(undefined),
    attachments: signal<readonly Attachment[]>([]),
    visitor: signal(0),
    participants: signal<ReadonlyMap<string, Participant>>(new Map()),
    handling: signal<ShownHandling | undefined>(undefined),
    announced: signal<Row | undefined>(undefined),
  };
  const state = {} as State;
  for (const [name, field] of Object.entries(fields)) {
    // Without a prototype, to which the page may have added a `value`.
    const property = { __proto__: null, enumerable: true, get: () => field.value };
    Object.defineProperty(state, name, property as PropertyDescriptor);
  }
  /** One signal for each row that is drawn, by key, so that a delta renders one message. */
  const rowSignals = new Map<string, Signal<Row>>();
  const supersede = createSuperseding();

  /** Creates the action that replaces the value of one field. */
  const setter =
    <Field extends keyof State>(field: Field) =>
    (value: State[Field]) => {
      (fields[field] as Signal<State[Field]>).value = value;
    };
  const rows = () => fields.rows.peek();
  const find = (key: string) => rows().findLast((row) => row.key === key);
  const setRows = (next: readonly Row[]) =>
    batch(() => {
      for (const row of next) {
        const rowSignal = rowSignals.get(row.key);
        if (rowSignal) rowSignal.value = row;
      }
      fields.rows.value = fields.outline.value = next;
    });
  const changed = (key: string, change: Partial<Row>) =>
    rows().map((row) => (row.key === key ? { ...row, ...change } : row));
  // The shape is not guaranteed: another service may respond at the address of our additions.
  const has = (feature: Feature) => {
    const features: unknown = state.webchat?.features;
    return Array.isArray(features) && features.includes(feature);
  };

  return {
    state,
    row(key) {
      const row = find(key);
      if (!row) return undefined;
      const rowSignal = rowSignals.get(key) ?? signal(row, { unwatched: () => rowSignals.delete(key) });
      rowSignals.set(key, rowSignal);
      return rowSignal.value;
    },
    personOf: ({ author, userId = '' }) =>
      author?.kind === 'person' ? author : state.participants.get(userId),
    observe: effect,
    has,
    canAttach: () => state.configuration.allowFileUpload === true && has('files'),

    setConfiguration: setter('configuration'),
    setOpen: setter('isOpen'),
    setConnection: setter('connection'),
    setOffline: setter('isOffline'),
    setHistory: setter('history'),
    setTyping: setter('typing'),
    setRenewed: setter('isRenewed'),
    setView: setter('view'),
    setWebchat: setter('webchat'),
    setVisitor: setter('visitor'),
    setParticipants: setter('participants'),
    setHandling: setter('handling'),
    receive(messages, sideOf) {
      const next = new Map(rows().map((row) => [row.key, row]));
      const keyById = new Map(rows().flatMap((row) => (row.id ? [[row.id, row.key]] : [])));
      const fresh: Message[] = [];
      for (const message of messages) {
        const knownKey = keyById.get(message.id);
        const side = sideOf(message);
        const key = knownKey ?? keyOf(message, side);
        if (supersede(next, message, next.get(keyById.get(message.supersedes as string) as string))) {
          // The list contains the message that has taken its place, too.
          next.delete(key);
          continue;
        }
        next.set(key, toRow(key, message, side));
        keyById.set(message.id, key);
        if (!knownKey) fresh.push(message);
      }
      if (messages.length > 0) setRows(inOrder([...next.values()]));
      return fresh;
    },
    announce(keyOrId) {
      fields.announced.value = rows().find(({ id, key }) => (id ?? key) === keyOrId) ?? state.announced;
    },
    addOutgoing({ id, payload, createdAt, answers, supersedes }, status) {
      const row = localRow(id, 'visitor', payload, createdAt, status);
      batch(() => {
        setRows(inOrder([...rows(), { ...row, answers, supersedes }]));
        fields.isRenewed.value = false;
      });
    },
    setStatus(key, status) {
      // A row with an id is stored on the server: it can neither fail nor be sent again.
      if (rows().some((row) => row.key === key && !row.id)) setRows(inOrder(changed(key, { status })));
    },
    setFeedback: (key, feedback) => setRows(changed(key, { feedback })),
    setAttachment(attachment) {
      const { key } = attachment;
      const others = fields.attachments.peek();
      const isKnown = others.some((other) => other.key === key);
      fields.attachments.value = isKnown
        ? others.map((other) => (other.key === key ? attachment : other))
        : [...others, attachment];
    },
    removeAttachment(key) {
      fields.attachments.value = fields.attachments.peek().filter((other) => other.key !== key);
    },
    setStream(key, markdown, createdAt, parts) {
      const change = {
        payload: { type: 'markdown', markdown } as Payload,
        parts,
        status: 'streaming' as const,
      };
      const rowSignal = rowSignals.get(key);
      const row = find(key);
      if (!row) {
        const first = localRow(key, 'bot', change.payload, createdAt, 'streaming');
        setRows(inOrder([...rows(), { ...first, parts }]));
      } else if (row.status !== 'streaming') {
        // With an id the complete message has been received: a late delta contains only a part of it.
        if (!row.id) setRows(changed(key, change));
      } else {
        const next = { ...row, ...change };
        batch(() => {
          if (rowSignal) rowSignal.value = next;
          fields.rows.value = rows().map((other) => (other === row ? next : other));
        });
      }
    },
    abortStreams(streamId) {
      setRows(
        rows().flatMap((row) => {
          if (row.status !== 'streaming' || (streamId ?? row.key) !== row.key) return row;
          // Steps without an answer: the server does not store them either.
          return preview(row.payload) ? { ...row, status: 'aborted' } : [];
        }),
      );
    },
    remove(keyOrId) {
      setRows(rows().filter((row) => row.key !== keyOrId && row.id !== keyOrId));
    },
    reset({ keepUnsent = false, isOtherVisitor = false } = {}) {
      batch(() => {
        setRows(rows().filter((row) => keepUnsent && !row.id && row.side === 'visitor'));
        fields.history.value = 'unknown';
        fields.typing.value = fields.handling.value = fields.announced.value = undefined;
        fields.participants.value = new Map();
        fields.isRenewed.value = false;
        if (!isOtherVisitor) return;
        fields.visitor.value++;
        fields.attachments.value = [];
      });
    },
  };
}
