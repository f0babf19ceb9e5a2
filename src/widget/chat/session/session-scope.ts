// One conversation of one visitor, with its requests, timers and listeners. Another conversation or visitor gets
// a new scope, so that nothing of the previous one can affect the next.
import type { Store } from '../store/store.ts';
import type { ConversationConnection, Tabs } from './conversation/connection-interface.ts';
import type { StateMachine } from './session-state.ts';

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

/** The scopes of a session, one after the other. */
export interface Scopes {
  readonly current: SessionScope;
  /** Whether the visitor or the page wants a conversation. */
  isRequested: boolean;
  /** Connects the present scope, unless it is connected or connecting. */
  start(): Promise<void>;
  /** Ends the present scope, and begins the next one. */
  end(options?: Parameters<Store['reset']>[0]): void;
  /** The server refuses user or conversation (deleted): starts another one, with the unsent messages. */
  recover(): void;
}

export interface ScopeOptions {
  store: Store;
  state: StateMachine;
  connect(scope: SessionScope): Promise<void>;
  /** Forgets what belongs to the scope that has ended. */
  onEnd(): void;
}

export function createScopes({ store, state, connect, onEnd }: ScopeOptions): Scopes {
  let current = createSessionScope();
  const scopes: Scopes = {
    get current() {
      return current;
    },
    isRequested: false,
    start() {
      scopes.isRequested = true;
      current.ready ??= connect(current);
      return current.ready;
    },
    end(options) {
      current.end();
      current = createSessionScope();
      if (state.current !== 'recovering') state.enter('idle');
      onEnd();
      store.reset(options);
    },
    recover() {
      state.enter('recovering');
      scopes.end({ keepUnsent: true });
      store.setConnection('connecting');
      scopes.start().catch(() => {});
    },
  };
  return scopes;
}
