// The record of the visitor after a login, made from what the record is at that moment: other tabs change it too.
import type { UnsentMessage } from '../../../protocol/message.ts';
import type { SessionStorage, StoredSession } from '../../launcher-chat-interface.ts';

/** Fields to write; undefined ones are removed from the record. */
type Changes = Parameters<SessionStorage['write']>[0];

export interface Login {
  /** The user who logs in, and the key. */
  userId: string;
  userKey: string;
  /** The user of the record before the login. */
  previousId: string | undefined;
  /** The previous user was merged into this one. */
  isMerged: boolean;
  /** Whether a message that the previous user has not sent belongs to this one. */
  isTyped(message: UnsentMessage): boolean;
}

/** Returns what a login changes in the record. */
export function recordAfterLogin(present: StoredSession, login: Login): Changes {
  const { userId, userKey, previousId, isMerged, isTyped } = login;
  const { named, ...before } = present;
  const earlier: StoredSession = named?.userId === userId ? named : {};
  // The same user with a new key, and an anonymous one who was merged, keep the session; another user starts a new one.
  // Another tab may have logged in a third user meanwhile, whose record is not that of this user. Without an id, another
  // tab has forgotten the merged user, or has logged out (see isLoggedOut).
  const isOwn = !previousId || before.userId === previousId;
  const isSame = before.userId === userId || (isMerged && (isOwn || !before.userId));
  const session = isSame ? before : earlier;
  const typed = !isSame && isOwn ? messages(before).filter(isTyped) : [];
  const late = isSame && isMerged ? messages(earlier) : [];
  // Messages of this user from before the login are now like their other messages.
  const unsent = [...late, ...messages(session), ...typed].map((message) =>
    isTyped(message) ? { ...message, userKey: undefined } : message,
  );
  const others = messages(before).filter((message) => !typed.includes(message));
  const aside = typed[0] ? { ...before, unsent: others } : before;
  return {
    ...(!isSame && blank(before)),
    ...session,
    named: !isSame && before.isNamed ? aside : named?.userId === userId ? undefined : named,
    userKey,
    userId,
    isNamed: true,
    unsent: unsent[0] && unsent,
  };
}

/**
 * Whether the visitor has logged out during the login. Another tab whose user was merged forgets that user, too, and
 * remembers the conversation that it has lost.
 */
export const isLoggedOut = (present: StoredSession, { previousId, isMerged }: Login): boolean =>
  !!previousId && !present.userId && !(isMerged && present.lostConversationId);

/** A record that removes each field of this one. */
export const blank = (stored: StoredSession): Changes =>
  Object.fromEntries(Object.keys(stored).map((field) => [field, undefined]));

/** The unsent messages of a record. Earlier versions stored one. */
export const messages = ({ unsent }: StoredSession): UnsentMessage[] => [unsent ?? []].flat();
