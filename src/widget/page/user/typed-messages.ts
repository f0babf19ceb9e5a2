// The owner of the messages that the visitor types before the server was reached as the user of the page.
import type { UnsentMessage } from '../../../protocol/message.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { messages } from './login-record.ts';

export interface TypedMessages {
  /** Whether a message was typed in this page view, after the page has named its user last. */
  includes(message: UnsentMessage): boolean;
  /** The page names another user: messages that were typed before are not of that one. */
  excludeEarlier(): void;
  /** Sets a named user aside, without these messages: they are of nobody. */
  stashNamedUser(): void;
  /** Removes unsent messages that are shown and not in the record: they are of another user, whose record has them. */
  removeOthers(): void;
}

export function createTypedMessages({
  widget: { storage },
  store,
  identity,
}: Pick<SessionInternals, 'widget' | 'store' | 'identity'>): TypedMessages {
  let earlier: string[] = [];
  const includes = ({ id }: UnsentMessage) =>
    !earlier.includes(id) && store.state.rows.some(({ key }) => key === id);
  return {
    includes,
    excludeEarlier() {
      earlier = store.state.rows.map(({ key }) => key);
    },
    stashNamedUser() {
      const record = storage.read();
      const typed = messages(record).filter(includes);
      if (!record.isNamed || typed.length === 0) return identity.stashNamedUser();
      storage.write({ unsent: messages(record).filter((message) => !includes(message)) });
      identity.stashNamedUser();
      storage.write({ unsent: typed });
    },
    removeOthers() {
      const ids = messages(storage.read()).map(({ id }) => id);
      for (const { key, id } of store.state.rows) if (!id && !ids.includes(key)) store.remove(key);
    },
  };
}
