// One conversation of one visitor, with its requests, timers and listeners. Another conversation or visitor gets
// a new scope, so that nothing of the previous one can affect the next.
import type { ConversationConnection, Tabs } from './conversation/connection-interface.ts';

export interface SessionScope {
  /** Aborts when the scope ends: requests, timers and listeners of the conversation belong to it. */
  readonly signal: AbortSignal;
  /** The connection to the conversation, once it is joined. */
  connection: ConversationConnection | undefined;
  /** The visitor's other tabs with the conversation, once they are asked. */
  tabs: Tabs | undefined;
  /** Settles when the conversation is ready, or was refused. undefined before `start`. */
  ready: Promise<void> | undefined;
  end(reason?: unknown): void;
}

export function createSessionScope(): SessionScope {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    connection: undefined,
    tabs: undefined,
    ready: undefined,
    end: (reason = new DOMException('The conversation was left.', 'AbortError')) => controller.abort(reason),
  };
}
