// The words of the Runtime API, for bot code outside of the server: every operation with its method, path, input and
// output. Ids are the server's own, as in events. No behaviour.
import type { Configuration } from './config.ts';
import type { Event } from './event.ts';
import type { Message, Metadata, Payload } from './message.ts';
import type { Route } from './operations.ts';
import type { Page } from './page.ts';
import type { RuntimeConversation, RuntimeStream, RuntimeUser, StreamPosition } from './runtime.ts';
import type { Visibility } from './signal.ts';

type Empty = Record<never, never>;
type Id = { id: string };
type InConversation = { conversationId: string };
type Paged = { nextToken?: string; pageSize?: number };

/** What `callAction` does. */
export type ActionType = `webchat:${
  | 'getUserData'
  | 'getOrCreateUser'
  | 'showWebchat'
  | 'hideWebchat'
  | 'toggleWebchat'
  | 'configWebchat'
  | 'customEvent'}`;

/** What users are listed by. Dates are ISO 8601. */
export interface UserQuery extends Paged {
  /** Those who take part in this conversation. */
  conversationId?: string;
  /** Those with these tags: `fid`, `profile`. */
  tags?: Record<string, string>;
  afterDate?: string;
  beforeDate?: string;
  /** What the dates are of; `createdAt` when left out. */
  rangeField?: 'createdAt' | 'updatedAt';
  /** `createdAt` when left out. */
  sortField?: 'createdAt' | 'updatedAt';
  /** `desc` when left out. */
  sortDirection?: 'asc' | 'desc';
}

/** Input (path parameters, then body or query) and output of every operation. */
export interface RuntimeOperations {
  /** Gives a conversation of the bot. */
  getConversation: [Id, { conversation: RuntimeConversation }];
  /** Lists conversations of the bot, newest first; with `userId` those that this user takes part in. */
  listConversations: [Paged & { userId?: string }, Page<'conversations', RuntimeConversation>];
  /** Lists the users who take part in a conversation, youngest account first. */
  listParticipants: [Id & Paged, Page<'participants', RuntimeUser>];
  /** Adds a user of the bot to a conversation at once, without an invitation; one who takes part already stays. */
  addParticipant: [Id & { userId: string }, { participant: RuntimeUser }];
  /** Returns one user who takes part in a conversation. */
  getParticipant: [Id & { userId: string }, { participant: RuntimeUser }];
  /** Removes a participant who is not the owner; their open streams of this conversation are closed. */
  removeParticipant: [Id & { userId: string }, Empty];
  /** Gives a user of the bot. */
  getUser: [Id, { user: RuntimeUser }];
  /** Lists users of the bot. */
  listUsers: [UserQuery, Page<'users', RuntimeUser>];
  /** Sends a message of the bot. */
  createMessage: [InConversation & { payload: Payload; metadata?: Metadata }, { message: Message }];
  /** Lists the messages of a conversation, newest first. */
  listMessages: [InConversation & Paged, Page<'messages', Message>];
  /** Gives a message of a conversation of the bot. */
  getMessage: [Id, { message: Message }];
  /** Deletes a message that the bot sent. */
  deleteMessage: [Id, Empty];
  /** Sends a custom event to the page. */
  createEvent: [InConversation & { payload: Record<string, unknown> }, { event: Event }];
  /** Gives a custom event of a conversation of the bot. */
  getEvent: [Id, { event: Event }];
  /** Shows the bot's typing indicator for 30 s, or ends it. */
  setTyping: [Id & { typing: boolean }, Empty];
  /** Opens or closes the window on the visitor's page. */
  setVisibility: [Id & { visibility: Visibility }, Empty];
  /** Changes the configuration of the visitor's widget until the page is loaded anew. */
  configureWebchat: [Id & { configuration: Configuration }, Empty];
  /** Begins an answer that is written piece by piece. */
  createStream: [InConversation, { stream: RuntimeStream }];
  /** Adds to it. With `position`, what was written before this piece, a piece that is sent twice is written once. */
  writeStream: [Id & { delta: string; position?: number }, StreamPosition];
  /** Ends it with the message that stays; without a payload: Markdown of all that was written. */
  endStream: [Id & { payload?: Payload; metadata?: Metadata }, { message: Message }];
  /** Ends it without a message. */
  abortStream: [Id, Empty];
  /** Does what bots written for other platforms ask for by name. */
  callAction: [
    { type: ActionType; input: Record<string, unknown> },
    { output: Record<string, unknown>; meta: { cached: boolean } },
  ];
}

/** Method and path of every operation. */
export const runtimeOperations = {
  getConversation: 'GET /v1/chat/conversations/{id}',
  listConversations: 'GET /v1/chat/conversations',
  listParticipants: 'GET /v1/chat/conversations/{id}/participants',
  addParticipant: 'POST /v1/chat/conversations/{id}/participants',
  getParticipant: 'GET /v1/chat/conversations/{id}/participants/{userId}',
  removeParticipant: 'DELETE /v1/chat/conversations/{id}/participants/{userId}',
  getUser: 'GET /v1/chat/users/{id}',
  listUsers: 'GET /v1/chat/users',
  createMessage: 'POST /v1/chat/messages',
  listMessages: 'GET /v1/chat/messages',
  getMessage: 'GET /v1/chat/messages/{id}',
  deleteMessage: 'DELETE /v1/chat/messages/{id}',
  createEvent: 'POST /v1/chat/events',
  getEvent: 'GET /v1/chat/events/{id}',
  setTyping: 'POST /v1/chat/conversations/{id}/typing',
  setVisibility: 'POST /v1/chat/conversations/{id}/visibility',
  configureWebchat: 'POST /v1/chat/conversations/{id}/configuration',
  createStream: 'POST /v1/chat/streams',
  writeStream: 'POST /v1/chat/streams/{id}/deltas',
  endStream: 'POST /v1/chat/streams/{id}/end',
  abortStream: 'POST /v1/chat/streams/{id}/abort',
  callAction: 'POST /v1/chat/actions',
} as const satisfies Record<keyof RuntimeOperations, Route>;
