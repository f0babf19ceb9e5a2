// The rarer half of the session: what page and visitor ask of it beyond the first message, and the visitor's other tabs.
// It is loaded when somebody asks, or a moment after the conversation was entered.

import { createEvent } from '../../client/operations/chat.ts';
import type { Inner } from '../chat/hands.ts';
import { type Account, createAccount } from './account.ts';
import { createOlder, type Older } from './older.ts';
import { createPresence, type Presence } from './presence.ts';
import { renewKeys } from './renewal.ts';
import { shareStream } from './tabs.ts';
import css from './visit.css?inline';

export { Unsent } from './Unsent.tsx';
export { css };

export interface Visit extends Account, Older, Presence {
  sendEvent(event: Record<string, unknown>): Promise<void>;
  /** Ends the conversation and begins another. What is unsent is not taken along. */
  restartConversation(): Promise<void>;
  /** The conversation was entered: its stream is shared with the other tabs, and the visitor's key renewed in time. */
  enter(): void;
}

export function createVisit(inner: Inner): Visit {
  const { getSignal, getConversation, start } = inner;
  const client = inner.client.with({ createEvent });
  const { storage } = inner.shell;
  let creationId = inner.newId();
  let restarting: Promise<void> | undefined;

  const restart = async () => {
    const before = [storage.read().unsent ?? []].flat();
    await start();
    // Created first: when that fails, the conversation there is goes on.
    const creating = inner.createConversation(getSignal(), creationId);
    inner.turn(creating);
    await creating;
    creationId = inner.newId();
    // What was typed since goes into the new one.
    for (const one of before) if (one) inner.discard(one.id);
    inner.leave({ keepUnsent: true });
    await start();
  };

  return {
    ...createAccount(inner),
    ...createPresence(inner),
    ...createOlder(inner),
    async sendEvent(payload) {
      const signal = getSignal();
      const conversationId = await getConversation();
      await client.createEvent({ conversationId, payload }, { signal, idempotencyKey: inner.newId() });
    },
    restartConversation() {
      restarting ??= restart().finally(() => {
        restarting = undefined;
      });
      return restarting;
    },
    enter() {
      const room = inner.getRoom();
      const signal = getSignal();
      if (!room) return;
      shareStream(inner, room, signal);
      renewKeys(inner, signal);
    },
  };
}
