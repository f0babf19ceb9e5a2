// What the visitor tells of the present moment: that they are writing, and that the answer shall stop. Nothing of it is
// kept, and what does not arrive is not said again.
import { setTyping, stopStream } from '../../client/operations/chat.ts';
import type { Inner } from '../chat/hands.ts';

export interface Presence {
  /** Tells the other side that the visitor writes, or no longer does. Sending the message says the latter by itself. */
  tellTyping(isTyping: boolean): void;
  /** Ends the answer that the bot is writing; what there is of it stays. */
  stop(): void;
}

/** Milliseconds between two words that the visitor still writes; the other side forgets after 10 s. */
const typingRepeatMs = 5_000;

export function createPresence(inner: Inner): Presence {
  const { store, getSignal, report, getRoom } = inner;
  const client = inner.client.with({ setTyping, stopStream });
  /** Milliseconds since 1970 when the other side was last told that the visitor writes; 0: that they do not. */
  let toldAt = 0;
  /** How many rows there were then: a message that was sent since has ended the indicator. */
  let toldRows = 0;
  return {
    tellTyping(isTyping) {
      const id = getRoom()?.id;
      const { length } = store.state.rows;
      const isRecent = Date.now() - toldAt < typingRepeatMs && toldRows === length;
      const isTold = isTyping ? isRecent : toldAt === 0;
      if (isTold || !id || !store.has('typing')) return;
      toldAt = isTyping ? Date.now() : 0;
      toldRows = length;
      client.setTyping({ id, typing: isTyping }, { signal: getSignal() }).catch(() => {});
    },
    stop() {
      const id = getRoom()?.id;
      for (const { key, status } of store.state.rows) {
        if (!id || status !== 'streaming') continue;
        client.stopStream({ id, streamId: key }, { signal: getSignal() }).catch(report);
      }
    },
  };
}
