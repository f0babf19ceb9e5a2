// Deletes a user: access ends in the transaction of the request, and the user's data is then deleted in bounded batches.
import type { KeyClaims } from '../api/caller.ts';
import { endKeysOfDeletedUser } from '../auth/revocation.ts';
import { deleteRevokedKeysOf } from '../storage/admin/user-keys.ts';
import { deleteDeliveriesOfUser } from '../storage/bots/deliveries.ts';
import { conversationsById, listOwned } from '../storage/chat/conversations.ts';
import { forgetInterruptsOfUser } from '../storage/chat/interrupts.ts';
import { closeInvitationsOf, closeInvitationsOfAll } from '../storage/chat/invitations.ts';
import { conversationsOf, deleteParticipations } from '../storage/chat/participants.ts';
import { renameInSignals } from '../storage/chat/signals.ts';
import { anonymousUsers, deleteUsers, type UserRow, userIdTaken } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { type Deletion, enqueueDeletion, enqueueDeletionsWithData } from '../storage/deletions.ts';
import { deleteFilesOfVisitor } from '../storage/files/deletions.ts';
import {
  deleteSomeRequestsNaming,
  deleteSomeRequestsOf,
  redactSomeResponses,
} from '../storage/idempotency.ts';
import { deleteReadsOf } from '../storage/inbox/reads.ts';
import type { ChatServices } from './operations/services.ts';
import type { Transcript } from './transcript-interface.ts';

/**
 * Deletes the row and profile of a user in the transaction of the request, invalidates their keys, frees their foreign id
 * and hides their conversations and files. The remaining data is queued for deletion. `key`: the user key of the
 * request, if it has one.
 */
export async function deleteUserNow(
  tx: WriteTx,
  user: UserRow,
  { now, onUserRemoved }: Pick<ChatServices, 'now' | 'onUserRemoved'>,
  key?: KeyClaims,
): Promise<void> {
  await tx.lock(`owner:${user.id}`);
  await endKeysOfDeletedUser(tx, user, now(), key);
  const { botId, foreignId } = user;
  await enqueueDeletion(tx, 'user', user.id, { botId, foreignId });
  await closeInvitationsOf(tx, user);
  await deleteUsers(tx, [user.id]);
  tx.afterCommit(() => onUserRemoved(user.id));
}

/**
 * Deletes users without a foreign id who have no conversation, as `deleteUserNow` does, by statements whose number does not
 * depend on theirs. Their locks must be held. Nobody is notified, because they have no open streams.
 */
export async function deleteAnonymousUsers(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const users = await anonymousUsers(tx, ids);
  if (users.length === 0) return;
  const found = users.map(({ id }) => id);
  await deleteRevokedKeysOf(tx, found);
  await enqueueDeletionsWithData(
    tx,
    'user',
    users.map(({ id, botId, foreignId }) => ({ id, data: { botId, foreignId } })),
  );
  await closeInvitationsOfAll(tx, users);
  await deleteUsers(tx, found);
}

/** The columns of a user that the deletion of their data uses. */
type DeletedUser = Pick<UserRow, 'id' | 'botId' | 'foreignId'>;

/** Deletes up to `limit` items of a deleted user and returns their number; fewer than `limit` when nothing remains. */
export async function removeUserData(
  tx: WriteTx,
  { id, data }: Deletion,
  limit: number,
  transcript: Transcript,
): Promise<number> {
  const user: DeletedUser = { id, ...JSON.parse(data ?? '{"botId":"","foreignId":null}') };
  let removed = 0;
  for (const remove of [
    removeConversations,
    // Before participations, whose removal adds signals that the bot must not receive.
    byId(forgetInterruptsOfUser),
    byId(deleteDeliveriesOfUser),
    removeParticipations,
    byId(deleteReadsOf),
    byId(deleteFilesOfVisitor),
    byId(deleteSomeRequestsOf),
    deleteRequestsByForeignId,
    byId(redactSomeResponses),
  ]) {
    if (removed < limit) removed += await remove(tx, user, limit - removed, transcript);
  }
  return removed;
}

async function removeConversations(
  tx: WriteTx,
  user: DeletedUser,
  limit: number,
  transcript: Transcript,
): Promise<number> {
  const found = await listOwned(tx, user.id, undefined, limit);
  if (found.length > 0) await transcript.removeConversations(tx, found);
  return found.length;
}

const byId =
  (remove: (tx: WriteTx, id: string, limit: number) => Promise<number>) =>
  (tx: WriteTx, { id }: DeletedUser, limit: number): Promise<number> =>
    remove(tx, id, limit);

async function removeParticipations(
  tx: WriteTx,
  user: DeletedUser,
  limit: number,
  transcript: Transcript,
): Promise<number> {
  const ids = await conversationsOf(tx, user.id, limit);
  // Another user can have the foreign id by now: participants must not be notified that this one left.
  const isTaken = user.foreignId !== null && (await userIdTaken(tx, user.botId, user.foreignId));
  const conversations = ids.length > 0 ? await conversationsById(tx, ids) : [];
  for (const conversation of conversations) {
    await transcript.removeParticipant(tx, conversation, isTaken ? { ...user, foreignId: null } : user);
    if (user.foreignId !== null) await renameInSignals(tx, conversation.id, user.foreignId, user.id);
  }
  if (conversations.length < ids.length) await deleteParticipations(tx, user.id, ids);
  return ids.length;
}

/** Deletes requests that were stored by the foreign id because they arrived before the user existed. */
async function deleteRequestsByForeignId(
  tx: WriteTx,
  { id, botId, foreignId }: DeletedUser,
  limit: number,
): Promise<number> {
  if (foreignId === null) return 0;
  return deleteSomeRequestsNaming(tx, `${botId} ${foreignId}`, id, limit);
}
