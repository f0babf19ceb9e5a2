// Routes and methods of the Chat API, generated from src/protocol/operations/chat by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Conversation } from '../../protocol/conversation.ts';
import type { Event } from '../../protocol/event.ts';
import type { Feedback, Message, Payload } from '../../protocol/message.ts';
import type { FileFields, NewFile } from '../../protocol/attachment.ts';
import type { Invitation } from '../../protocol/invitation.ts';
import type { PageMeta } from '../../protocol/page.ts';
import type { User, UserFields } from '../../protocol/user.ts';
import type { CallOptions } from '../core/call-options.ts';

export const createUser = 'POST /users';
export const getOrCreateUser = 'POST /users/get-or-create';
export const getUser = 'GET /users/me';
export const updateUser = 'PUT /users/me';
export const deleteUser = 'DELETE /users/me';
export const renewKey = 'POST /users/me/key';
export const revokeKey = 'DELETE /users/me/key';
export const revokeKeys = 'DELETE /users/me/keys';
export const createConversation = 'POST /conversations';
export const listConversations = 'GET /conversations';
export const getOrCreateConversation = 'POST /conversations/get-or-create';
export const getConversation = 'GET /conversations/{id}';
export const deleteConversation = 'DELETE /conversations/{id}';
export const listenConversation = 'GET /conversations/{id}/listen';
export const addParticipant = 'POST /conversations/{conversationId}/participants';
export const listParticipants = 'GET /conversations/{conversationId}/participants';
export const getParticipant = 'GET /conversations/{conversationId}/participants/{userId}';
export const removeParticipant = 'DELETE /conversations/{conversationId}/participants/{userId}';
export const listInvitations = 'GET /invitations';
export const acceptInvitation = 'POST /invitations/{conversationId}';
export const declineInvitation = 'DELETE /invitations/{conversationId}';
export const createMessage = 'POST /messages';
export const listMessages = 'GET /conversations/{conversationId}/messages';
export const getMessage = 'GET /messages/{id}';
export const deleteMessage = 'DELETE /messages/{id}';
export const setFeedback = 'PUT /messages/{id}/feedback';
export const deleteFeedback = 'DELETE /messages/{id}/feedback';
export const createEvent = 'POST /events';
export const getEvent = 'GET /events/{id}';
export const setTyping = 'POST /conversations/{id}/typing';
export const stopStream = 'POST /conversations/{id}/stop';
export const createFile = 'POST /files';
export const getWebchat = 'GET /webchat';

/** Every route that is a method. */
export const chatRoutes = {
  createUser,
  getOrCreateUser,
  getUser,
  updateUser,
  deleteUser,
  renewKey,
  revokeKey,
  revokeKeys,
  createConversation,
  listConversations,
  getOrCreateConversation,
  getConversation,
  deleteConversation,
  addParticipant,
  listParticipants,
  getParticipant,
  removeParticipant,
  listInvitations,
  acceptInvitation,
  declineInvitation,
  createMessage,
  listMessages,
  getMessage,
  deleteMessage,
  setFeedback,
  deleteFeedback,
  createEvent,
  getEvent,
  setTyping,
  stopStream,
  createFile,
};

/** Every operation of the Chat API as a method. */
export interface ChatMethods {
  /** Creates a user and gives the key that speaks for them. Refused when apps sign the keys themselves. */
  createUser(input: { name?: string; pictureUrl?: string; profile?: string; id?: string }, options?: CallOptions): Promise<{ user: User; key: string }>;
  /**
   * Returns the user of the key, creating it if necessary; fields that are given overwrite the stored
   * ones.
   */
  getOrCreateUser(input: UserFields, options?: CallOptions): Promise<{ user: User }>;
  /** Returns the caller. */
  getUser(input: Record<never, never>, options?: CallOptions): Promise<{ user: User }>;
  /** Changes the caller; fields that are left out stay as they are. */
  updateUser(input: UserFields, options?: CallOptions): Promise<{ user: User }>;
  /** Deletes the caller, their files and the conversations they own. Their messages in others stay. */
  deleteUser(input: Record<never, never>, options?: CallOptions): Promise<Record<never, never>>;
  /** Issues a new key to the holder of an issued key. Refused for keys that an application signed. */
  renewKey(input: Record<never, never>, options?: CallOptions): Promise<{ key: string }>;
  /** Revokes the key of the request. Open streams of the user are closed. */
  revokeKey(input: Record<never, never>, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Revokes all keys of the caller that were signed up to now, and those without `iat` for good. Open
   * streams of the user are closed.
   */
  revokeKeys(input: Record<never, never>, options?: CallOptions): Promise<Record<never, never>>;
  /** Creates a conversation; the caller becomes its owner and participant. */
  createConversation(input: { id?: string }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /** Lists the conversations that the caller owns, newest first. */
  listConversations(input: { nextToken?: string }, options?: CallOptions): Promise<{ conversations: Conversation[]; meta: PageMeta }>;
  /** Returns the conversation with this id, creating it if necessary; refused when another user owns it. */
  getOrCreateConversation(input: { id: string }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /** Returns a conversation that the caller takes part in. */
  getConversation(input: { id: string }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /** Deletes a conversation with all it holds; open streams of it are closed. */
  deleteConversation(input: { id: string }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Invites a user to a conversation; they take part once they accept. The answer has the id and the
   * time of the invitation, whether or not there is such a user; one who takes part is returned with
   * their profile. Inviting twice changes nothing. Where the server adds participants directly, the user
   * takes part at once.
   */
  addParticipant(input: { conversationId: string; userId: string }, options?: CallOptions): Promise<{ participant: User }>;
  /** Lists the users who take part in a conversation. Who is invited does not yet take part. */
  listParticipants(input: { conversationId: string; nextToken?: string }, options?: CallOptions): Promise<{ participants: User[]; meta: PageMeta }>;
  /** Returns one user who takes part in a conversation of the caller. */
  getParticipant(input: { conversationId: string; userId: string }, options?: CallOptions): Promise<{ participant: User }>;
  /**
   * Removes a participant from a conversation of the caller, or withdraws an invitation. A participant
   * may remove themselves. Open streams of that user in this conversation are closed.
   */
  removeParticipant(input: { conversationId: string; userId: string }, options?: CallOptions): Promise<Record<never, never>>;
  /** Lists the open invitations of the caller, newest conversation first. */
  listInvitations(input: { nextToken?: string }, options?: CallOptions): Promise<{ invitations: Invitation[]; meta: PageMeta }>;
  /** Accepts an invitation: the caller takes part in the conversation. Accepting twice changes nothing. */
  acceptInvitation(input: { conversationId: string }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /** Declines an invitation. The owner of the conversation is not notified. */
  declineInvitation(input: { conversationId: string }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Sends a message in a conversation. All listeners receive it, the sender too, perhaps before this
   * response.
   */
  createMessage(input: { payload: Payload; conversationId: string; metadata?: Record<string, unknown> }, options?: CallOptions): Promise<{ message: Message }>;
  /** Lists the messages of a conversation, newest first. */
  listMessages(input: { conversationId: string; nextToken?: string }, options?: CallOptions): Promise<{ messages: Message[]; meta: PageMeta }>;
  /** Returns a message of a conversation that the caller takes part in. */
  getMessage(input: { id: string }, options?: CallOptions): Promise<{ message: Message }>;
  /** Deletes a message that the caller sent. */
  deleteMessage(input: { id: string }, options?: CallOptions): Promise<Record<never, never>>;
  /** Sets the feedback of the caller on a message of the bot, in place of the previous one. */
  setFeedback(input: { id: string } & Feedback, options?: CallOptions): Promise<{ message: Message }>;
  /** Deletes the feedback; also when there is none. */
  deleteFeedback(input: { id: string }, options?: CallOptions): Promise<{ message: Message }>;
  /** Sends a custom event to the bot and to all listeners of a conversation. */
  createEvent(input: { payload: Record<string, unknown>; conversationId: string }, options?: CallOptions): Promise<{ event: Event }>;
  /** Returns a custom event of a conversation that the caller takes part in. */
  getEvent(input: { id: string }, options?: CallOptions): Promise<{ event: Event }>;
  /** Notifies the other participants that the caller is typing, for 10000 ms, or has stopped. */
  setTyping(input: { id: string; typing: boolean }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Ends an answer that is being written; what there is of it stays as a message. Also 200 when none is
   * being written under this id (any more): whoever stops an answer that has just ended has what they
   * want.
   */
  stopStream(input: { id: string; streamId: string }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Announces a file. Its bytes go to `uploadUrl`, which needs no key: PUT all of them, or PATCH where
   * Upload-Offset says; HEAD tells the offset (a subset of tus 1.0.0).
   */
  createFile(input: FileFields, options?: CallOptions): Promise<{ file: NewFile }>;
}
