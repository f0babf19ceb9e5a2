// Says to the server what the visitor thinks of a message. Shown at once, taken back when the server refuses.

import { deleteFeedback, setFeedback } from '../../../client/operations/chat.ts';
import type { Feedback } from '../../../protocol/message.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Row } from '../../chat/store/store.ts';

/** An opinion that is on its way, with those that wait behind it. */
interface PendingFeedback {
  /** What the visitor said last. */
  newest: Feedback | undefined;
  /** What the server has. */
  confirmed: Feedback | undefined;
  /** What is under way and what waits: one after the other, or the server might hear them in another order. */
  last: Promise<void>;
  waiting: number;
}
/** By the key of their row. */
const pending = new Map<string, PendingFeedback>();

/** @param feedback undefined takes an opinion back. */
export function sendFeedback(
  context: SessionContext,
  { key, id = '', feedback: confirmed }: Row,
  feedback?: Feedback,
): void {
  const { store, getSignal, report } = context;
  const client = context.client.with({ setFeedback, deleteFeedback });
  const signal = getSignal();
  const entry = pending.get(key) ?? { newest: feedback, confirmed, last: Promise.resolve(), waiting: 0 };
  pending.set(key, entry);
  entry.newest = feedback;
  entry.waiting++;
  store.setFeedback(key, feedback);
  entry.last = entry.last.then(async () => {
    try {
      if (feedback) await client.setFeedback({ id, ...feedback }, { signal });
      else await client.deleteFeedback({ id }, { signal });
      entry.confirmed = feedback;
    } catch (error) {
      if (!signal.aborted) report(error);
    } finally {
      entry.waiting--;
      if (entry.waiting === 0) {
        pending.delete(key);
        if (!signal.aborted) store.setFeedback(key, entry.confirmed);
      }
    }
  });
}

/** What the visitor thinks of a message: what they said last, and not what the server still tells of before that. */
export function currentFeedback({ key, feedback }: Row): Feedback | undefined {
  return pending.has(key) ? pending.get(key)?.newest : feedback;
}
