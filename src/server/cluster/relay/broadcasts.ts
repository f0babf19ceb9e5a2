// Actions that run at every process of a server, such as the end of the streams of a deleted user.
import type { Logger } from 'pino';
import type { Relay } from './relay.ts';

/** What an argument of an action can be: it is sent as JSON. */
export type Argument = string | number | boolean | null;

export interface Broadcasts {
  /**
   * Returns a function that runs `action` immediately in this process, and in every other process when it receives the
   * broadcast. Another process can miss it (relay.ts), so the same effect must also happen later without it. `name`:
   * the same at all processes, also of an earlier version.
   */
  everywhere<Args extends Argument[]>(name: string, action: (...args: Args) => void): (...args: Args) => void;
  /** Stops listening. */
  close(): void;
}

const topic = 'broadcasts';

export function createBroadcasts(relay: Relay, logger: Logger): Broadcasts {
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
  return {
    everywhere<Args extends Argument[]>(name: string, action: (...args: Args) => void) {
      if (actions.has(name)) throw new Error(`The broadcast ${name} exists.`);
      actions.set(name, (...args) => action(...(args as Args)));
      return (...args: Args) => {
        action(...args);
        relay.publish(topic, JSON.stringify({ name, args }));
      };
    },
    close() {
      subscription.end();
      stopGaps();
    },
  };
}
