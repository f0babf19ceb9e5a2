// The states of a session and the transitions between them.
//
//                 ┌──────────────────────┐    (what it resumes was deleted)
//                 │                      ▼
//   idle ──▶ connecting ──▶ ready ──▶ recovering ──▶ ready
//    ▲           │            │           │
//    └───────────┴────────────┴───────────┘   (refused, logged out, or another conversation starts)
//   every state ──▶ ended                     (the widget was removed)
//
// Three facts of session.ts are beside the states, because each is independent of them:
// - `isRequested`: whether the visitor or the page wants a conversation. It lasts across conversations: a session that was
//   refused, or has left a conversation, is idle and still requested. As a part of the state, it would double `idle`.
// - `replacing`: a promise while another conversation is being created. The session stays `ready` meanwhile, so that the present
//   conversation goes on if this fails.
// - `scope`: what belongs to one conversation. It is replaced whole in every state, also in `idle`: its abort signal is read
//   before something connects.
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
  /**
   * Enters a state. Ignores what the table does not allow: a session that recovers does not connect, and a response that
   * comes after the widget was removed, or after another conversation has started, changes nothing.
   */
  enter(next: SessionState): void;
}

export function createStateMachine(): StateMachine {
  let current: SessionState = 'idle';
  return {
    get current() {
      return current;
    },
    enter(next) {
      if (transitions[current].includes(next)) current = next;
    },
  };
}
