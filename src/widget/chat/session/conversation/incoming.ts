// Processes incoming messages and signals: updates the store, emits page events, counts unread messages and announces
// new ones.
import { isMessage, type Message } from '../../../../protocol/message.ts';
import type { Signal, Signals } from '../../../../protocol/signal.ts';
import type { Widget } from '../../../launcher-chat-interface.ts';
import type { Side, Store } from '../../store/store.ts';
import { pause } from '../retry.ts';
import { type AnswerStreams, createAnswerStreams } from './answer-streams.ts';

export interface Incoming {
  /** The answers that the bot is writing. */
  readonly streams: AnswerStreams;
  /** Processes the signals of each type. The people bundle adds its own. */
  readonly handlers: Partial<Record<Signal['type'], unknown>>;
  /** Reads what else may have changed while signals were missed. It is repeated if it rejects. The people bundle sets it. */
  listMore?: (() => Promise<void>) | undefined;
  /** Processes messages, oldest first. @param isLive they are new, so they are reported and announced. */
  handleMessages(messages: readonly Message[], isLive: boolean): void;
  /** Shows a list of known messages, newest first: a few in each task, so that none blocks the page for long. */
  handleList(messages: readonly Message[], scope: AbortSignal): Promise<void>;
  /** Processes a signal of the stream. */
  handleSignal(signal: Signal): void;
  /** Counts the bot's messages that the visitor has not seen in any tab. */
  countUnread(): void;
  /** Records that the visitor has seen the newest message. */
  markRead(): void;
  /** Emits the pending page events in order. Later ones are emitted at once. */
  flushPending(): void;
  /** The stream was opened again: bot streams resume with their whole text, or are marked as aborted. */
  reconnect(): void;
  /** Resets unread count, typing and bot streams before another conversation. */
  reset(): void;
}

/** Milliseconds between two drawings of a growing text: every second frame of 60 Hz. Reading needs no more. */
const drawIntervalMs = 25;
/** The number of listed messages that are drawn in one task. */
const listed = 6;
/** Milliseconds of a typing indicator whose signal does not contain a timeout. */
const typingMs = 5_000;

/** @param getUserId returns the visitor's id, which identifies the visitor's own messages. */
export function createIncoming(widget: Widget, store: Store, getUserId: () => string | undefined): Incoming {
  const { storage, emit } = widget;
  const streams = createAnswerStreams();
  /** Streamed text that is shown in one of the next frames, because rendering every delta would be too expensive. */
  const pendingDraws = new Map<string, () => void>();
  let frame = 0;
  let drawnAt = 0;
  /** Page events that are held until the page knows that the chat is ready; undefined from then on. */
  let pendingNotifications: (() => void)[] | undefined = [];
  let unread = 0;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;

  const sideOf = ({ userId }: Message): Side => (userId === getUserId() ? 'visitor' : 'bot');
  const notifyPage = (notify: () => void) =>
    void (pendingNotifications ? pendingNotifications.push(notify) : notify());

  const addUnread = (count: number) => {
    unread += count;
    if (count) widget.onUnread(count);
  };
  const setTyping = (id?: string, timeout = typingMs) => {
    clearTimeout(typingTimer);
    store.setTyping(id);
    if (id) typingTimer = setTimeout(() => store.setTyping(), timeout);
  };
  const markRead = () => {
    unread = 0;
    const newest = store.state.rows.filter((row) => row.id !== undefined).at(-1);
    if (newest && newest.createdAt !== storage.read().readAt) storage.write({ readAt: newest.createdAt });
  };

  const handleMessages: Incoming['handleMessages'] = (messages, isLive) => {
    for (const message of store.receive(messages.filter(isMessage), sideOf)) {
      if (!isLive) continue;
      const isOthers = sideOf(message) === 'bot';
      notifyPage(() => emit('message', { isBot: isOthers, ...message }));
      if (!isOthers) continue;
      setTyping();
      store.announce(message.id);
      if (widget.isOpen) markRead();
      else addUnread(1);
    }
  };

  const handleList: Incoming['handleList'] = async (messages, scope) => {
    for (let i = 0; i < messages.length; i += listed) {
      if (i) await pause(0, scope);
      handleMessages(messages.slice(i, i + listed).reverse(), false);
    }
  };

  const draw = () => {
    cancelAnimationFrame(frame);
    for (const drawText of pendingDraws.values()) drawText();
    pendingDraws.clear();
    frame = 0;
    drawnAt = performance.now();
  };
  const drawPaced = () => {
    if (performance.now() - drawnAt < drawIntervalMs) frame = requestAnimationFrame(drawPaced);
    else draw();
  };

  const handlers: { [T in Signal['type']]?: (data: Signals[T]) => void } = {
    message_created: (message) => handleMessages([message], true),
    // An undefined id would match rows that are not on the server yet.
    message_deleted: ({ id = '' }) => store.remove(id),
    event_created: ({ isBot, payload }) => isBot && notifyPage(() => emit('customEvent', payload)),
    // Messages that are not listed yet will be listed in their updated form.
    message_updated: (message) =>
      store.receive(
        [message].filter((each) => isMessage(each) && store.state.rows.some((row) => row.id === each.id)),
        sideOf,
      ),
    webchat_visibility: ({ visibility }) => {
      const isToggled = visibility === 'toggle';
      if (visibility === 'hide' || (isToggled && widget.isOpen)) widget.close();
      else if (visibility === 'show' || isToggled) widget.open(null);
    },
    webchat_config: ({ config }) => widget.config({ configuration: config }),
    typing_started: ({ userId, timeout }) => userId !== getUserId() && setTyping(userId, timeout),
    typing_stopped: ({ userId }) => userId === store.state.typing && setTyping(),
    message_stream_delta(delta) {
      // It is shown as a message, so it must be a valid one.
      const text = isMessage({ ...delta, id: delta.streamId, payload: delta }) && streams.add(delta);
      if (typeof text !== 'string') return;
      setTyping();
      const parts = streams.parts(delta.streamId);
      pendingDraws.set(delta.streamId, () => store.setStream(delta.streamId, text, delta.createdAt, parts));
      frame ||= requestAnimationFrame(drawPaced);
    },
    message_stream_complete({ streamId, message }) {
      streams.end(streamId);
      pendingDraws.delete(streamId);
      handleMessages([message], true);
    },
    message_stream_abort({ streamId }) {
      streams.end(streamId);
      draw();
      store.abortStreams(streamId);
      store.announce(streamId);
    },
  };

  widget.signal.addEventListener('abort', () => {
    clearTimeout(typingTimer);
    cancelAnimationFrame(frame);
  });

  return {
    streams,
    handlers,
    handleMessages,
    handleList,
    handleSignal({ type, data }) {
      // The type is from the wire and may be any string, such as `constructor`.
      if (Object.hasOwn(handlers, type)) (handlers[type] as (data: unknown) => void)(data);
    },
    countUnread() {
      const { readAt = '' } = storage.read();
      if (widget.isOpen) markRead();
      else
        addUnread(
          store.state.rows.filter((row) => row.side === 'bot' && row.createdAt > readAt).length - unread,
        );
    },
    markRead,
    flushPending() {
      const waiting = pendingNotifications ?? [];
      pendingNotifications = undefined;
      for (const notify of waiting) notify();
    },
    reconnect() {
      draw();
      streams.restart();
      store.abortStreams();
    },
    reset() {
      setTyping();
      pendingDraws.clear();
      streams.restart();
      addUnread(-unread);
    },
  };
}
