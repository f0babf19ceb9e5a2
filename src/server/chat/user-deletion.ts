// Deletes a user: at once out of reach, and then, in steps of bounded size, everything that was theirs.

import { endKeysOfDeletedUser } from '../auth/revocation.ts';
import type { KeyClaims } from '../auth/user-keys.ts';
import type { Services } from '../operations/operation.ts';
import { deleteDeliveriesOfUser } from '../storage/bots/deliveries.ts';
import { conversationById, listOwned } from '../storage/chat/conversations.ts';
import { closeInvitationsOf } from '../storage/chat/invitations.ts';
import { conversationsOf, deleteParticipant } from '../storage/chat/participants.ts';
import { renameInSignals } from '../storage/chat/signals.ts';
import {
  deleteUserDeletion,
  insertUserDeletion,
  nextUserDeletion,
  type UserDeletion,
} from '../storage/chat/user-deletions.ts';
import { deleteUser, type UserRow, userIdTaken } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { markFilesDeleted } from '../storage/files/files.ts';
import { blankSomeRequests, deleteSomeRequestsNaming, deleteSomeRequestsOf } from '../storage/idempotency.ts';
import type { Transcript } from './transcript.ts';

/** Things (conversations, participations, files, answers, events) that one step removes at most. */
const step = 100;

/**
 * Everything that ends a user, in the transaction of the request: their row and profile are gone, their keys open
 * nothing, their foreign id is free, their conversations and files are hidden. The sweeper removes the rest. `key`: that of the request, where it has one.
 */
export async function deleteUserNow(
  tx: WriteTx,
  user: UserRow,
  { now, onUserRemoved }: Pick<Services, 'now' | 'onUserRemoved'>,
  key?: KeyClaims,
): Promise<void> {
  await endKeysOfDeletedUser(tx, user, now(), key);
  await insertUserDeletion(tx, user, now());
  await closeInvitationsOf(tx, user);
  await deleteUser(tx, user.id);
  tx.afterCommit(() => onUserRemoved(user.id));
}

/**
 * Removes a part of what deleted users left, with `botId` those of one bot. Gives how much that was; 0 when nothing
 * is left. Each call is a transaction of its own, so a stop in between loses nothing.
 */
export async function sweepUserDeletions(
  tx: WriteTx,
  transcript: Transcript,
  botId?: string,
): Promise<number> {
  const user = await nextUserDeletion(tx, botId);
  if (!user) return 0;
  for (const remove of [
    removeConversations,
    // Before participations: their removal adds signals, which nobody has to tell a bot of.
    (tx: WriteTx) => deleteDeliveriesOfUser(tx, user.id, step),
    removeParticipations,
    (tx: WriteTx) => markFilesDeleted(tx, user.id, step),
    (tx: WriteTx) => deleteSomeRequestsOf(tx, user.id, step),
    // Asked before the user was there, so remembered by the foreign id; the others by no name.
    async (tx: WriteTx) =>
      user.foreignId === null
        ? 0
        : deleteSomeRequestsNaming(tx, `${user.botId} ${user.foreignId}`, user.id, step),
    (tx: WriteTx) => blankSomeRequests(tx, user.id, step),
  ]) {
    const removed = await remove(tx, user, transcript);
    if (removed > 0) return removed;
  }
  await deleteUserDeletion(tx, user.id);
  return 1;
}

async function removeConversations(tx: WriteTx, user: UserDeletion, transcript: Transcript): Promise<number> {
  const found = await listOwned(tx, user.id, undefined, step);
  for (const conversation of found) await transcript.removeConversation(tx, conversation);
  return found.length;
}

async function removeParticipations(
  tx: WriteTx,
  user: UserDeletion,
  transcript: Transcript,
): Promise<number> {
  const ids = await conversationsOf(tx, user.id, step);
  // Somebody else may have the foreign id by now: the others must not hear that this one left.
  const isTaken = user.foreignId !== null && (await userIdTaken(tx, user.botId, user.foreignId));
  for (const id of ids) {
    const conversation = await conversationById(tx, id);
    if (conversation) {
      await transcript.removeParticipant(tx, conversation, isTaken ? { ...user, foreignId: null } : user);
      if (user.foreignId !== null) await renameInSignals(tx, id, user.foreignId, user.id);
    } else await deleteParticipant(tx, id, user.id);
  }
  return ids.length;
}
