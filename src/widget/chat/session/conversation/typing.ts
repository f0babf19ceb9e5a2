// Sends transient signals of the visitor: typing, and stopping the bot's answer. They are not stored and not retried.
import { setTyping, stopStream } from '../../../../client/operations/chat.ts';
import type { SessionInternals } from '../context.ts';

export interface Typing {
  /** Sends whether the visitor is typing. Sending a message ends typing by itself. */
  setTyping(isTyping: boolean): void;
  /** Stops the answer that the bot is writing; the received part stays. */
  stop(): void;
}

/** Milliseconds between two typing signals, which expire after 10 s. */
const typingRepeatMs = 5_000;

export function createTyping(internals: SessionInternals): Typing {
  const { store, getSignal, report, getConversation } = internals;
  const client = internals.client.with({ setTyping, stopStream });
  /** Time of the last typing signal, milliseconds since 1970; 0 after typing has stopped. */
  let sentAt = 0;
  /** The number of rows at that time: a message sent since then has ended the indicator. */
  let sentRows = 0;
  return {
    setTyping(isTyping) {
      const id = getConversation()?.id;
      const { length } = store.state.rows;
      const isRecent = Date.now() - sentAt < typingRepeatMs && sentRows === length;
      const isReported = isTyping ? isRecent : sentAt === 0;
      if (isReported || !id || !store.has('typing')) return;
      sentAt = isTyping ? Date.now() : 0;
      sentRows = length;
      client.setTyping({ id, typing: isTyping }, { signal: getSignal() }).catch(() => {});
    },
    stop() {
      const id = getConversation()?.id;
      for (const { key, status } of store.state.rows) {
        if (!id || status !== 'streaming') continue;
        client.stopStream({ id, streamId: key }, { signal: getSignal() }).catch(report);
      }
    },
  };
}
