// User keys that are limited to one conversation: those of links in mails, which can be passed on.
import type { User } from '../../protocol/user.ts';
import type { KeyClaims } from '../api/caller.ts';
import type { ChatEndpoint } from '../api/chat-endpoint-interface.ts';
import { ApiError } from '../api/errors.ts';

const forbidden = () => new ApiError('Forbidden', 'The user key is limited to one conversation.');

type Limits = Pick<KeyClaims, 'conversationIds'>;

/** Throws Forbidden for another conversation than that of a key with limits. `id`: the server id or the foreign id. */
export function assertConversation({ conversationIds }: Limits, id: string): void {
  if (conversationIds && !conversationIds.includes(id)) throw forbidden();
}

/**
 * Throws Forbidden for a request that concerns the user, and not the conversation of a key with limits. Of an operation, its
 * declaration says so (`limitedKeys`).
 */
export function assertUnlimited({ conversationIds }: Limits): void {
  if (conversationIds) throw forbidden();
}

/**
 * Throws Forbidden for a key with limits in a field of the request: it proves nothing of its user but this conversation. `fields`:
 * those that the declaration marks (`schemas.userKey`).
 */
export function assertUnlimitedInput(chat: ChatEndpoint, input: unknown, fields: readonly string[]): void {
  for (const name of fields) {
    const key = (input as Record<string, unknown> | undefined)?.[name];
    const claims = typeof key === 'string' ? chat.keys.inspect(key) : undefined;
    if (claims) assertUnlimited(claims);
  }
}

/** A user as a key sees them: what an application has stored of a user is not a part of the conversation. */
export function userFor({ conversationIds }: Limits, user: User): User {
  if (!conversationIds) return user;
  const { profile: _, ...visible } = user;
  return visible;
}
