// The words of the Chat API: every operation with its method, path, input and output. No behaviour.
import type { Conversation } from './conversation.ts';
import type { Event } from './event.ts';
import type { FileFields, NewFile } from './file.ts';
import type { Feedback, Message, Metadata, Payload } from './message.ts';
import type { Page } from './page.ts';
import type { User, UserFields } from './user.ts';

type Empty = Record<never, never>;
type Id = { id: string };
type InConversation = { conversationId: string };
type Paged = { nextToken?: string };

/** Input (path parameters, then body or query) and output of every operation. */
export interface ChatOperations {
  createUser: [UserFields & { id?: string }, { user: User; key: string }];
  getUser: [Empty, { user: User }];
  updateUser: [UserFields, { user: User }];
  deleteUser: [Empty, Empty];
  getOrCreateUser: [UserFields, { user: User }];
  createConversation: [{ id?: string }, { conversation: Conversation }];
  listConversations: [Paged, Page<'conversations', Conversation>];
  getConversation: [Id, { conversation: Conversation }];
  deleteConversation: [Id, Empty];
  getOrCreateConversation: [Id, { conversation: Conversation }];
  listMessages: [InConversation & Paged, Page<'messages', Message>];
  addParticipant: [InConversation & { userId: string }, { participant: User }];
  listParticipants: [InConversation & Paged, Page<'participants', User>];
  getParticipant: [InConversation & { userId: string }, { participant: User }];
  removeParticipant: [InConversation & { userId: string }, Empty];
  createMessage: [InConversation & { payload: Payload; metadata?: Metadata }, { message: Message }];
  getMessage: [Id, { message: Message }];
  deleteMessage: [Id, Empty];
  createEvent: [InConversation & { payload: Record<string, unknown> }, { event: Event }];
  getEvent: [Id, { event: Event }];
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

type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** Method and path of the operations that a visit needs; the widget carries no others. */
export const visitOperations = {
  createUser: 'POST /users',
  getUser: 'GET /users/me',
  updateUser: 'PUT /users/me',
  getOrCreateUser: 'POST /users/get-or-create',
  createConversation: 'POST /conversations',
  listMessages: 'GET /conversations/{conversationId}/messages',
  createMessage: 'POST /messages',
  createEvent: 'POST /events',
  createFile: 'POST /files',
  setFeedback: 'PUT /messages/{id}/feedback',
  deleteFeedback: 'DELETE /messages/{id}/feedback',
  setTyping: 'POST /conversations/{id}/typing',
  stopStream: 'POST /conversations/{id}/stop',
} as const satisfies Partial<Record<ChatOperation, Route>>;

export type VisitOperation = keyof typeof visitOperations;

/** Method and path of every operation but `listenConversation`, whose answer is a stream. */
export const chatOperations: Record<ChatOperation, Route> = {
  ...visitOperations,
  deleteUser: 'DELETE /users/me',
  listConversations: 'GET /conversations',
  getConversation: 'GET /conversations/{id}',
  deleteConversation: 'DELETE /conversations/{id}',
  getOrCreateConversation: 'POST /conversations/get-or-create',
  addParticipant: 'POST /conversations/{conversationId}/participants',
  listParticipants: 'GET /conversations/{conversationId}/participants',
  getParticipant: 'GET /conversations/{conversationId}/participants/{userId}',
  removeParticipant: 'DELETE /conversations/{conversationId}/participants/{userId}',
  getMessage: 'GET /messages/{id}',
  deleteMessage: 'DELETE /messages/{id}',
  getEvent: 'GET /events/{id}',
};

/** The stream of a conversation, server-sent events. */
export const listenPath = '/conversations/{id}/listen';
