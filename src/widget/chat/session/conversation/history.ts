// Older messages: loads the earlier pages of the conversation.
import type { Message } from '../../../../protocol/message.ts';
import type { SessionInternals } from '../context.ts';
import { pause, retryWithBackoff } from '../retry.ts';

export interface History {
  /** Lists the page before the oldest loaded message. */
  loadOlder(): Promise<void>;
  /** Lists messages that are newer than the known ones, and older ones back to `since` (ISO 8601). */
  findStored(since: string): Promise<void>;
}

/** The messages of a page that are drawn in the first task, and at least in each. A slow phone needs 50 ms for them. */
const fewest = 6;
/** Milliseconds of drawing in one task, with its layout: the next one draws as many messages as that allows. */
const drawingMs = 30;
/** Milliseconds to wait for a frame: the page may be hidden meanwhile, and has none then. */
const maxFrameMs = 100;

export function createHistory({ store, incoming, getConversation }: SessionInternals): History {
  let count = fewest;

  /** Shows a page, newest first, in several tasks: those next to the messages that are being read come first. */
  const show = async (messages: readonly Message[], signal: AbortSignal) => {
    for (let i = 0; i < messages.length; ) {
      const start = performance.now();
      incoming.handleMessages(messages.slice(i, i + count).reverse(), false);
      i += count;
      // Nothing waits for a hidden page, and its timers are slow.
      if (document.hidden) continue;
      await Promise.race([new Promise(requestAnimationFrame), pause(maxFrameMs, signal)]);
      await pause(0, signal);
      // Until the task after the frame, with the layout; less the time for which the frame itself may be waited.
      const took = Math.max(1, performance.now() - start - 16);
      count = Math.max(fewest, Math.min(messages.length, Math.floor((count * drawingMs) / took)));
    }
  };

  const loadOlder = async () => {
    const conversation = getConversation();
    if (!conversation?.olderToken || store.state.history !== 'more') return;
    const { signal } = conversation;
    store.setHistory('loading');
    try {
      const page = await retryWithBackoff(() => conversation.listPage(conversation.olderToken), { signal });
      signal.throwIfAborted();
      await show(page.messages, signal);
      conversation.olderToken = page.meta.nextToken;
    } finally {
      if (!signal.aborted) store.setHistory(conversation.olderToken ? 'more' : 'complete');
    }
  };
  return {
    loadOlder,
    async findStored(since) {
      await getConversation()?.refresh();
      const isAfter = () => (store.state.rows[0]?.createdAt ?? '') > since;
      while (isAfter() && store.state.history === 'more') await loadOlder();
    },
  };
}
