// Ends streams whose user has lost access, in case the order to end them (stream-control.ts) did not arrive.
import type { Logger } from 'pino';
import type { PubSub, Subscriber } from '../../realtime/pub-sub.ts';
import { streamStates } from '../../storage/chat/participants.ts';
import type { Database } from '../../storage/database.ts';
import { startPeriodicCheck } from './periodic-check.ts';

/** Milliseconds in which all streams are checked once. */
const defaultIntervalMs = 30_000;
/** Groups into which the streams are divided, so that they are not all checked at once. */
const groups = 30;
/** Streams of one statement. */
const maxGroupSize = 1_000;

/** Starts to check the streams of this process; the result stops it. `interval`: in which each is checked once. */
export function startAccessChecks(
  { db, pubSub, logger }: { db: Database; pubSub: Pick<PubSub, 'unchecked'>; logger: Logger },
  interval = defaultIntervalMs,
): () => void {
  async function check(): Promise<void> {
    const due = pubSub.unchecked(performance.now() - interval, 2 / groups);
    for (let from = 0; from < due.length; from += maxGroupSize) {
      const group = due.slice(from, from + maxGroupSize);
      const states = await db.read((tx) => streamStates(tx, group));
      for (const [n, subscriber] of group.entries()) apply(subscriber, states[n]);
    }
  }

  return startPeriodicCheck(check, interval / groups, logger, 'the access of streams could not be checked')
    .stop;
}

function apply(subscriber: Subscriber, state: Awaited<ReturnType<typeof streamStates>>[number]): void {
  if (state && subscriber.accepts(state)) subscriber.ownerId = state.ownerId;
  else subscriber.close();
}
