// Says to the server what the visitor thinks of a message. Shown at once, taken back when the server refuses.

import { deleteFeedback, setFeedback } from '../../client/operations/chat.ts';
import type { Feedback } from '../../protocol/message.ts';
import type { Hands } from '../chat/hands.ts';
import type { Row } from '../chat/store.ts';

/** An opinion that is on its way, with those that wait behind it. */
interface Opinion {
  /** What the visitor said last. */
  newest: Feedback | undefined;
  /** What the server has. */
  confirmed: Feedback | undefined;
  /** What is under way and what waits: one after the other, or the server might hear them in another order. */
  last: Promise<void>;
  waiting: number;
}
/** By the key of their row. */
const opinions = new Map<string, Opinion>();

/** @param feedback undefined takes an opinion back. */
export function giveFeedback(
  hands: Hands,
  { key, id = '', feedback: confirmed }: Row,
  feedback?: Feedback,
): void {
  const { store, getSignal, report } = hands;
  const client = hands.client.with({ setFeedback, deleteFeedback });
  const signal = getSignal();
  const opinion = opinions.get(key) ?? { newest: feedback, confirmed, last: Promise.resolve(), waiting: 0 };
  opinions.set(key, opinion);
  opinion.newest = feedback;
  opinion.waiting++;
  store.setFeedback(key, feedback);
  opinion.last = opinion.last.then(async () => {
    try {
      if (feedback) await client.setFeedback({ id, ...feedback }, { signal });
      else await client.deleteFeedback({ id }, { signal });
      opinion.confirmed = feedback;
    } catch (error) {
      if (!signal.aborted) report(error);
    } finally {
      opinion.waiting--;
      if (opinion.waiting === 0) {
        opinions.delete(key);
        if (!signal.aborted) store.setFeedback(key, opinion.confirmed);
      }
    }
  });
}

/** What the visitor thinks of a message: what they said last, and not what the server still tells of before that. */
export function opinionOf({ key, feedback }: Row): Feedback | undefined {
  return opinions.has(key) ? opinions.get(key)?.newest : feedback;
}
