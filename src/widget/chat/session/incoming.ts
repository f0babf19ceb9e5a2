// What happens in the conversation: takes messages and signals into the store, and tells page, badge and screen
// reader what is news. It asks the server for nothing.
import { isMessage, type Message } from '../../../protocol/message.ts';
import type { Signal, Signals } from '../../../protocol/signal.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { Side, Store } from '../store/store.ts';
import { createStreams } from './streams.ts';

export interface Incoming {
  /** Takes messages in, oldest first. `isLive`: they have just happened, so all hear of them. */
  handleMessages(messages: readonly Message[], isLive: boolean): void;
  /** Takes a signal of the stream. */
  handleSignal(signal: Signal): void;
  /** Counts the bot's messages that nobody has seen, here or in another tab. */
  countUnread(): void;
  /** The visitor has the newest message before their eyes. */
  markRead(): void;
  /** From now on the page is told at once; what came before is told now, in order. */
  flushPending(): void;
  /** The stream was opened anew: what was streaming goes on with its whole text, or was cut off. */
  reconnect(): void;
  /** Another conversation: nothing of this one is unread or typed any more. */
  reset(): void;
}

/** Milliseconds a typing indicator lives without a word on how long. */
const typingMs = 5_000;

/** @param getUserId the visitor's id: what it has not written, others have. */
export function createIncoming(widget: Widget, store: Store, getUserId: () => string | undefined): Incoming {
  const { storage, emit } = widget;
  const streams = createStreams();
  /** Streamed text that waits for the next frame: drawing every delta would cost more than all else. */
  const pendingDraws = new Map<string, () => void>();
  let frame = 0;
  /** What the page is not told before it knows that the chat is ready. */
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
  const setTyping = (isTyping: boolean, timeout = typingMs) => {
    clearTimeout(typingTimer);
    // Every delta says so: each would have the window drawn.
    if (isTyping !== store.state.isTyping) store.setTyping(isTyping);
    if (isTyping) typingTimer = setTimeout(() => store.setTyping(false), timeout);
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
      setTyping(false);
      store.announce(message.id);
      if (widget.isOpen) markRead();
      else addUnread(1);
    }
  };

  const draw = () => {
    cancelAnimationFrame(frame);
    for (const drawText of pendingDraws.values()) drawText();
    pendingDraws.clear();
    frame = 0;
  };

  const handlers: { [T in Signal['type']]?: (data: Signals[T]) => void } = {
    message_created: (message) => handleMessages([message], true),
    // Rows without an id are not on the server yet: nobody there can mean them.
    message_deleted: ({ id = '' }) => store.remove(id),
    event_created: ({ isBot, payload }) => isBot && notifyPage(() => emit('customEvent', payload)),
    // What is not listed yet will be listed as it is by then.
    message_updated: (message) =>
      store.receive(
        [message].filter((one) => isMessage(one) && store.state.rows.some((row) => row.id === one.id)),
        sideOf,
      ),
    webchat_visibility: ({ visibility }) => {
      const isToggled = visibility === 'toggle';
      if (visibility === 'hide' || (isToggled && widget.isOpen)) widget.close();
      else if (visibility === 'show' || isToggled) widget.open(null);
    },
    webchat_config: ({ config }) => widget.config({ configuration: config }),
    typing_started: ({ userId, timeout }) => userId !== getUserId() && setTyping(true, timeout),
    typing_stopped: ({ userId }) => userId !== getUserId() && setTyping(false),
    message_stream_delta(delta) {
      // It is shown like a message, so its time must be one.
      const text = isMessage({ ...delta, id: delta.streamId, payload: delta }) && streams.add(delta);
      if (typeof text !== 'string') return;
      setTyping(false);
      pendingDraws.set(delta.streamId, () => store.setStream(delta.streamId, text, delta.createdAt));
      frame ||= requestAnimationFrame(draw);
    },
    message_stream_complete({ streamId, message }) {
      streams.end(streamId);
      pendingDraws.delete(streamId);
      handleMessages([message], true);
    },
    message_stream_abort({ streamId }) {
      streams.end(streamId);
      draw();
      store.setStatus(streamId, 'aborted');
      store.announce(streamId);
    },
  };

  widget.signal.addEventListener('abort', () => {
    clearTimeout(typingTimer);
    cancelAnimationFrame(frame);
  });

  return {
    handleMessages,
    handleSignal({ type, data }) {
      // The type comes from the wire and may be any word, `constructor` too.
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
      setTyping(false);
      pendingDraws.clear();
      streams.restart();
      addUnread(-unread);
    },
  };
}
