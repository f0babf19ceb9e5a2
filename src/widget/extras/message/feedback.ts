// Sends the visitor's feedback on messages. It is shown at once, and reverted when the server refuses.
import { deleteFeedback, setFeedback } from '../../../client/operations/chat.ts';
import type { Feedback } from '../../../protocol/message.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Row } from '../../chat/store/store.ts';

/** Feedback on one message that is being sent, with later changes that are still to be sent. */
interface PendingFeedback {
  /** The last value that the visitor chose. */
  newest: Feedback | undefined;
  /** The value that the server has. */
  confirmed: Feedback | undefined;
  /** Requests are sent one after the other, so that the server receives them in order. */
  last: Promise<void>;
  waiting: number;
}
/** By the key of their row. */
const pending = new Map<string, PendingFeedback>();

/** @param feedback undefined removes the feedback. */
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

/** The feedback on a message: the visitor's last value, not an older one that the server still reports. */
export function currentFeedback({ key, feedback }: Row): Feedback | undefined {
  return pending.has(key) ? pending.get(key)?.newest : feedback;
}
