// Merges an anonymous user into a user whom an application has identified: one transaction moves everything, and the
// anonymous user ends.
import type { VisitorLocale } from '../../protocol/headers.ts';
import { limits } from '../../protocol/limits.ts';
import type { KeyClaims } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import { endKeysOfDeletedUser } from '../auth/revocation.ts';
import { conversationById } from '../storage/chat/conversations.ts';
import { moveUserData, sharesConversations } from '../storage/chat/merge.ts';
import { conversationsOf } from '../storage/chat/participants.ts';
import { deleteUsers, type UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { hasMoreRequests } from '../storage/idempotency.ts';
import type { LockName } from '../storage/locks.ts';
import { usageOf } from '../storage/usage.ts';
import type { ChatServices } from './operations/services.ts';

/**
 * Moves everything of `anonymous` to `user`, and deletes `anonymous` with the profile. `key`: the key of the anonymous
 * user; `locale`: for the bot. The caller has checked both keys, and holds the locks of both users. Throws QuotaExceeded for more than one transaction
 * should move, and Forbidden for conversations with other participants.
 */
export async function mergeUserNow(
  tx: WriteTx,
  anonymous: UserRow,
  key: KeyClaims,
  user: UserRow,
  { now, transcript, onUserMerged }: Pick<ChatServices, 'now' | 'transcript' | 'onUserMerged'>,
  locale: VisitorLocale | undefined,
): Promise<void> {
  const ids = await conversationsOf(tx, anonymous.id, limits.mergedConversations + 1);
  await tx.lock(...ids.map((id): LockName => `conversation:${id}`));
  const { messages = 0, files = 0, bytes = 0 } = (await usageOf(tx, anonymous.id)) ?? {};
  if (
    ids.length > limits.mergedConversations ||
    messages + files > limits.mergedItems ||
    bytes > limits.mergedBytes ||
    (await hasMoreRequests(tx, anonymous.id, limits.mergedItems))
  ) {
    throw new ApiError(
      'QuotaExceeded',
      `An anonymous user with more than ${limits.mergedConversations} conversations, ${limits.mergedItems} messages ` +
        `and files, or ${limits.mergedBytes} bytes cannot be merged.`,
    );
  }
  // Whoever used the browser before may have let another account into the conversation, which would read on.
  if (await sharesConversations(tx, anonymous, user)) {
    throw new ApiError(
      'Forbidden',
      'An anonymous user whose conversations have other participants cannot be merged.',
    );
  }
  await moveUserData(tx, anonymous, user);
  // Newest first: ids of conversations sort by their time.
  let isUnreported = true;
  for (const id of ids.sort().reverse()) {
    const conversation = await conversationById(tx, id);
    if (!conversation) continue;
    const isOwn = conversation.ownerId === anonymous.id;
    await transcript.replaceParticipant(tx, conversation, anonymous, user, isOwn && isUnreported, locale);
    if (isOwn) isUnreported = false;
  }
  await transcript.handlings.publishVisitor(tx, ids);
  await endKeysOfDeletedUser(tx, anonymous, now(), key);
  await deleteUsers(tx, [anonymous.id]);
  tx.afterCommit(() => onUserMerged(anonymous.id, user.id));
}
