// The Chat API: users, conversations, participants, messages, events and attachments. Other folders import this file only.
import { assignSnoozeEnds } from './handling/snoozing.ts';
import { assignInterruptExpiry } from './interrupts/expiry.ts';

export { stale } from './handling/changes.ts';
export type { Answerer } from './handling/handlings-interface.ts';
export { shownOf } from './handling/message-rules.ts';
export { serializeRating } from './handling/ratings.ts';
export { serializeRead } from './handling/reads.ts';
export { alreadyTaken } from './handling/transitions.ts';
export {
  activitiesOf,
  handlingOf,
  isPublicName,
  membersIn,
  personIn,
  personOfMember,
  readHandlingById,
  serializeHandoff,
} from './handling/visible.ts';
export type { AskedInterrupt, AskedInterrupts } from './interrupts/interrupts.ts';
export { updatePart } from './message-changes.ts';
export type { Author } from './new-message.ts';
export { canonicalPayload, clientOf } from './new-message.ts';
export { heldUser } from './operations/access.ts';
export { chatHandlers } from './operations/index.ts';
export { assertNotOwner, notParticipant } from './operations/participants.ts';
export type { ChatServices } from './operations/services.ts';
export { changeUser, createUser, lockOfUserId } from './operations/users.ts';
export { serializeConversation, serializeFile, serializeUser } from './serializers.ts';
export { chatSettings } from './settings.ts';
export type { Reply, WrittenEvent } from './store-messages.ts';
export { createTranscript } from './transcript.ts';
export type { Transcript } from './transcript-interface.ts';
export { type Archives, archivePath, createArchiveHandler, createArchives } from './user-archive/archive.ts';
export { type ExportPosition, exportPage } from './user-archive/user-export.ts';
export { deleteAnonymousUsers, deleteUserNow, removeUserData } from './user-deletion.ts';

/** Begins to cancel interrupts and to end snoozing with the start of the background work. */
export function assignChatWorkers(
  options: Parameters<typeof assignInterruptExpiry>[0] & Parameters<typeof assignSnoozeEnds>[0],
): void {
  assignInterruptExpiry(options);
  assignSnoozeEnds(options);
}
