// The states of a session and the transitions between them.
//
//   idle ──▶ connecting ──▶ ready ──▶ recovering ──▶ ready
//    ▲           │            │           │
//    └───────────┴────────────┴───────────┘   (refused, logged out, or another conversation starts)
//   every state ──▶ ended                     (the widget was removed)

export type SessionState =
  /** No conversation was requested, or the server has refused it: `start` connects. */
  | 'idle'
  /** User and conversation are being created or resumed. */
  | 'connecting'
  /** Messages can be sent and received. */
  | 'ready'
  /** The server refuses a conversation that was ready: another one replaces it. */
  | 'recovering'
  /** The widget was removed. */
  | 'ended';

const transitions: Record<SessionState, readonly SessionState[]> = {
  idle: ['connecting', 'ended'],
  connecting: ['ready', 'recovering', 'idle', 'ended'],
  ready: ['recovering', 'idle', 'ended'],
  recovering: ['ready', 'idle', 'ended'],
  ended: [],
};

export interface StateMachine {
  readonly current: SessionState;
  /** Enters a state if the table allows it. Returns whether it was entered. */
  enter(next: SessionState): boolean;
}

export function createStateMachine(): StateMachine {
  let current: SessionState = 'idle';
  return {
    get current() {
      return current;
    },
    enter(next) {
      const isAllowed = transitions[current].includes(next);
      if (isAllowed) current = next;
      return isAllowed;
    },
  };
}
