// Actions that run at every process of a server, such as the end of the streams of a deleted user.
import type { Logger } from 'pino';
import type { Argument, Broadcasts } from '../../jobs/processes.ts';
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
      const tell = elsewhere(name, action);
      return (...args: Args) => {
        action(...args);
        tell(...args);
      };
    },
    close() {
      subscription.end();
      stopGaps();
    },
  };
}
