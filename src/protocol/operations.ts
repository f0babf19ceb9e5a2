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
