// The Chat API: users, conversations, participants, messages, events and attachments. Other folders import this file only.

export type { PostPush } from '../notifications/answer-pushes.ts';
export { type Answers, createAnswers } from '../notifications/answers.ts';
export { createUnsubscribe } from '../notifications/return-links.ts';
export { pushSettings, readPush } from '../notifications/settings.ts';
export { canonicalPayload } from './canonical-payload.ts';
export { clientOf } from './client-data.ts';
export { stale } from './handling/changes.ts';
export type { Answerer } from './handling/handlings-interface.ts';
export { isPublicName, personOfMember } from './handling/persons.ts';
export { serializeRating } from './handling/ratings.ts';
export { serializeRead } from './handling/reads.ts';
export { alreadyTaken } from './handling/transitions.ts';
export {
  activitiesOf,
  handlingOf,
  membersIn,
  personIn,
  readHandlingById,
  serializeHandoff,
} from './handling/visible.ts';
export type { AskedInterrupt, AskedInterrupts } from './interrupts/interrupts.ts';
export { updatePart } from './message-parts.ts';
export type { Author } from './new-message.ts';
export { heldUser } from './operations/access.ts';
export { chatHandlers } from './operations/index.ts';
export { assertNotOwner, notParticipant } from './operations/participants.ts';
export type { ChatServices } from './operations/services.ts';
export { changeUser, createUser, lockOfUserId } from './operations/users.ts';
export type { Reply } from './replies.ts';
export { serializeConversation, serializeFile, serializeUser } from './serializers.ts';
export { chatSettings } from './settings.ts';
export type { WrittenEvent } from './store-messages.ts';
export { createTranscript } from './transcript.ts';
export type { Transcript } from './transcript-interface.ts';
export { type Archives, archivePath, createArchiveHandler, createArchives } from './user-archive/download.ts';
export { type ExportPosition, exportPage } from './user-archive/user-export.ts';
export { deleteAnonymousUsers, deleteUserNow, removeUserData } from './user-deletion.ts';
export { assignChatWorkers } from './workers.ts';
