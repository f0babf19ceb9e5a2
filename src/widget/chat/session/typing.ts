// What the visitor tells of the present moment: that they are writing, and that the answer shall stop. Nothing of it is
// kept, and what does not arrive is not said again.
import { setTyping, stopStream } from '../../../client/operations/chat.ts';
import type { SessionInternals } from './context.ts';

export interface Typing {
  /** Tells the other side that the visitor writes, or no longer does. Sending the message says the latter by itself. */
  setTyping(isTyping: boolean): void;
  /** Ends the answer that the bot is writing; what there is of it stays. */
  stop(): void;
}

/** Milliseconds between two words that the visitor still writes; the other side forgets after 10 s. */
const typingRepeatMs = 5_000;

export function createTyping(internals: SessionInternals): Typing {
  const { store, getSignal, report, getConversation } = internals;
  const client = internals.client.with({ setTyping, stopStream });
  /** Milliseconds since 1970 when the other side was last told that the visitor writes; 0: that they do not. */
  let sentAt = 0;
  /** How many rows there were then: a message that was sent since has ended the indicator. */
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
