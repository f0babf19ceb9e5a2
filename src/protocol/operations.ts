// The words of the Chat API: every operation with its method, path, input and output. No behaviour.
import type { Conversation } from './conversation.ts';
import type { Event } from './event.ts';
import type { FileFields, NewFile } from './file.ts';
import type { Invitation } from './invitation.ts';
import type { Feedback, Message, Metadata, Payload } from './message.ts';
import type { Page } from './page.ts';
import type { User, UserFields } from './user.ts';

type Empty = Record<never, never>;
type Id = { id: string };
type InConversation = { conversationId: string };
type Paged = { nextToken?: string };

/** Input (path parameters, then body or query) and output of every operation. */
export interface ChatOperations {
  /** Makes a user, and the key that speaks for them. Refused where apps sign the keys themselves. */
  createUser: [UserFields & { id?: string }, { user: User; key: string }];
  /** Gives the caller. */
  getUser: [Empty, { user: User }];
  /** Changes the caller; fields that are left out stay as they are. */
  updateUser: [UserFields, { user: User }];
  /** Deletes the caller, their files and the conversations they own. What they said in others stays. */
  deleteUser: [Empty, Empty];
  /** Gives the user of the key, made if need be; fields that are given overwrite the stored ones. */
  getOrCreateUser: [UserFields, { user: User }];
  /** Makes a conversation; the caller becomes its owner and participant. */
  createConversation: [{ id?: string }, { conversation: Conversation }];
  /** Lists the conversations that the caller owns, newest first. */
  listConversations: [Paged, Page<'conversations', Conversation>];
  /** Gives a conversation that the caller takes part in. */
  getConversation: [Id, { conversation: Conversation }];
  /** Deletes a conversation with all it holds; open streams of it are closed. */
  deleteConversation: [Id, Empty];
  /** Gives the conversation with this id, made if need be; refused when another user owns it. */
  getOrCreateConversation: [Id, { conversation: Conversation }];
  /** Lists the messages of a conversation, newest first. */
  listMessages: [InConversation & Paged, Page<'messages', Message>];
  /**
   * Invites a user to a conversation of the caller; the answer has the id alone, whether or not there is such a user. One
   * who takes part is given with their profile. Servers that add participants directly add the user at once.
   */
  addParticipant: [InConversation & { userId: string }, { participant: User }];
  /** Lists the users who take part in a conversation. */
  listParticipants: [InConversation & Paged, Page<'participants', User>];
  /** Returns one user who takes part in a conversation of the caller. */
  getParticipant: [InConversation & { userId: string }, { participant: User }];
  /**
   * Removes a participant from a conversation of the caller, or withdraws an invitation. Who takes part may remove
   * themselves. Open streams of that user in this conversation are closed.
   */
  removeParticipant: [InConversation & { userId: string }, Empty];
  /** Addition. Lists the open invitations of the caller, newest conversation first. */
  listInvitations: [Paged, Page<'invitations', Invitation>];
  /** Addition. Accepts an invitation: the caller takes part from now on. Accepting twice changes nothing. */
  acceptInvitation: [InConversation, { conversation: Conversation }];
  /** Addition. Declines an invitation. The owner of the conversation is not told. */
  declineInvitation: [InConversation, Empty];
  /** Says something in a conversation. All listeners hear it, the sender too, perhaps before this answer. */
  createMessage: [InConversation & { payload: Payload; metadata?: Metadata }, { message: Message }];
  /** Gives a message of a conversation that the caller takes part in. */
  getMessage: [Id, { message: Message }];
  /** Deletes a message that the caller said. */
  deleteMessage: [Id, Empty];
  /** Sends a custom event to the bot and to all listeners of a conversation. */
  createEvent: [InConversation & { payload: Record<string, unknown> }, { event: Event }];
  /** Gives a custom event of a conversation that the caller takes part in. */
  getEvent: [Id, { event: Event }];
  /** Addition. Issues a new key to the holder of an issued key; refused for keys that an application signed. */
  renewKey: [Empty, { key: string }];
  /** Addition. Revokes the key of the request. Open streams of the user are closed. */
  revokeKey: [Empty, Empty];
  /** Addition. Revokes all keys of the caller that were signed up to now. Open streams of the user are closed. */
  revokeKeys: [Empty, Empty];
  /** Addition. Announces a file; its bytes go to `file.uploadUrl`. */
  createFile: [FileFields, { file: NewFile }];
  /** Addition. Says what the visitor thinks of a bot's message, in place of what they said before. */
  setFeedback: [Id & Feedback, { message: Message }];
  /** Addition. Takes the opinion back. */
  deleteFeedback: [Id, { message: Message }];
  /** Addition. Tells the other participants that the caller writes, or no longer does. */
  setTyping: [Id & { typing: boolean }, Empty];
  /** Addition. Ends an answer that is being written; what there is of it stays as a message. */
  stopStream: [Id & { streamId: string }, Empty];
}

export type ChatOperation = keyof ChatOperations;

export type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
export type Routes = Partial<Record<ChatOperation, Route>>;

/** Method and path of the operations that a visit begins with: the widget's first chunk carries no others. */
export const firstOperations = {
  createUser: 'POST /users',
  createConversation: 'POST /conversations',
  listMessages: 'GET /conversations/{conversationId}/messages',
  createMessage: 'POST /messages',
} as const satisfies Routes;

/** The stream of a conversation, server-sent events. */
export const listenPath = '/conversations/{id}/listen';
