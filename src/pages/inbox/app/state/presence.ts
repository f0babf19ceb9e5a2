// Reports to colleagues what the member does in a conversation, and renews the report while they do it.
import type { PresenceState } from '../../../../protocol/inbox.ts';
import type { InboxApi } from '../api/inbox-api.ts';

export interface Presence {
  /** The member looks at this conversation; undefined: at no conversation. */
  open(id: string | undefined): void;
  /** A key was pressed in the composer. */
  write(state: 'replying' | 'noting'): void;
  /** The member sent it, or has stopped. */
  stop(): void;
  dispose(): void;
}

/** Milliseconds between two reports of a state; the server forgets it after 40 s (`limits.inbox.presence`). */
export const heartbeatMs = 15_000;
/** Milliseconds without a key after which the member counts as not typing. */
const idleMs = 6_000;

/** Creates the presence of the member in this tab. Failures are ignored, because presence is not essential. */
export function createPresence({ inbox }: Pick<InboxApi, 'inbox'>): Presence {
  let current: string | undefined;
  let state: PresenceState = 'viewing';
  let idle: ReturnType<typeof setTimeout> | undefined;
  const send = (id: string, next: PresenceState) => {
    inbox.setInboxPresence({ id, state: next }, { retry: 0 }).catch(() => {});
  };
  const enter = (next: PresenceState) => {
    if (!current || next === state) return;
    state = next;
    send(current, next);
  };
  // At once: the server has forgotten who looked before.
  const onLook = () => {
    if (current && document.visibilityState === 'visible') send(current, state);
  };
  document.addEventListener('visibilitychange', onLook);
  const heartbeat = setInterval(onLook, heartbeatMs);
  const stop = () => {
    clearTimeout(idle);
    enter('viewing');
  };

  return {
    open(id) {
      if (id === current) return;
      if (current) send(current, 'gone');
      clearTimeout(idle);
      current = id;
      state = 'viewing';
      if (id) send(id, 'viewing');
    },
    write(next) {
      clearTimeout(idle);
      idle = setTimeout(stop, idleMs);
      enter(next);
    },
    stop,
    dispose() {
      clearInterval(heartbeat);
      document.removeEventListener('visibilitychange', onLook);
      clearTimeout(idle);
      if (current) send(current, 'gone');
    },
  };
}
