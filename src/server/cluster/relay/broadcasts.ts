// Actions that run at every process of a server, such as the end of the streams of a deleted user; and the latency
// of messages between processes.
import type { Logger } from 'pino';
import type { Argument, Broadcasts } from '../../jobs/processes.ts';
import { publish } from '../../startup/events.ts';
import type { Relay } from './relay.ts';

const topic = 'broadcasts';

export interface SharedBroadcasts extends Broadcasts {
  /** The same as `everywhere` without this process. */
  elsewhere: Broadcasts['everywhere'];
  /** Stops listening. */
  close(): void;
}

export function createBroadcasts(relay: Relay, logger: Logger): SharedBroadcasts {
  const actions = new Map<string, (...args: Argument[]) => void>();
  const subscription = relay.subscribe(topic, (message) => {
    try {
      const { name, args } = JSON.parse(message) as { name: string; args: Argument[] };
      // A newer version may have actions that this one does not know.
      actions.get(name)?.(...args);
    } catch (error) {
      logger.error({ err: error }, 'a message of another process failed');
    }
  });
  const stopGaps = relay.onGap(() =>
    logger.warn('messages between processes were interrupted: missed ones are read from the database'),
  );

  function elsewhere<Args extends Argument[]>(name: string, action: (...args: Args) => void) {
    if (actions.has(name)) throw new Error(`The broadcast ${name} exists.`);
    actions.set(name, (...args) => action(...(args as Args)));
    return (...args: Args) => relay.publish(topic, JSON.stringify({ name, args }));
  }

  return {
    elsewhere,
    everywhere<Args extends Argument[]>(name: string, action: (...args: Args) => void) {
      const publishElsewhere = elsewhere(name, action);
      return (...args: Args) => {
        action(...args);
        publishElsewhere(...args);
      };
    },
    close() {
      subscription.end();
      stopGaps();
    },
  };
}

/** Milliseconds between two messages. */
const defaultIntervalMs = 5_000;

/**
 * Measures the latency of messages between processes: each process sends a message every few seconds. Frames contain no
 * timestamp, so that they stay small. Starts sending; the result stops it. The measured time includes the difference between
 * the clocks of two machines.
 */
export function startRelayProbe(
  broadcasts: Pick<SharedBroadcasts, 'elsewhere'>,
  interval = defaultIntervalMs,
): () => void {
  // An earlier version told who sends it.
  const sendProbe = broadcasts.elsewhere('measure the relay', (_: string, sentAt: number) =>
    publish('relayed', { ms: Math.max(0, Date.now() - sentAt) }),
  );
  const timer = setInterval(() => sendProbe('', Date.now()), interval).unref();
  return () => clearInterval(timer);
}
