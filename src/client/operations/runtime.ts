// Routes and methods of the Runtime API, generated from src/protocol/operations/runtime by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Configuration } from '../../protocol/page-api/config.ts';
import type { Event } from '../../protocol/event.ts';
import type { Message, Payload } from '../../protocol/message.ts';
import type { PageMeta } from '../../protocol/page.ts';
import type { RuntimeConversation, RuntimeStream, RuntimeUser, StreamPosition } from '../../protocol/runtime.ts';
import type { Arguments, ListArguments } from '../platform/api-client.ts';
import type { Items } from '../core/pages.ts';

export const runtimeApi = {
  needs: 'botId',
  tokenOnly: [],
  routes: {
    getConversation: 'GET /v1/chat/conversations/{id}',
    listConversations: 'GET /v1/chat/conversations',
    getUser: 'GET /v1/chat/users/{id}',
    listUsers: 'GET /v1/chat/users',
    setTyping: 'POST /v1/chat/conversations/{id}/typing',
    setVisibility: 'POST /v1/chat/conversations/{id}/visibility',
    configureWebchat: 'POST /v1/chat/conversations/{id}/configuration',
    listParticipants: 'GET /v1/chat/conversations/{id}/participants',
    addParticipant: 'POST /v1/chat/conversations/{id}/participants',
    getParticipant: 'GET /v1/chat/conversations/{id}/participants/{userId}',
    removeParticipant: 'DELETE /v1/chat/conversations/{id}/participants/{userId}',
    createMessage: 'POST /v1/chat/messages',
    listMessages: 'GET /v1/chat/messages',
    getMessage: 'GET /v1/chat/messages/{id}',
    deleteMessage: 'DELETE /v1/chat/messages/{id}',
    createEvent: 'POST /v1/chat/events',
    getEvent: 'GET /v1/chat/events/{id}',
    createStream: 'POST /v1/chat/streams',
    writeStream: 'POST /v1/chat/streams/{id}/deltas',
    endStream: 'POST /v1/chat/streams/{id}/end',
    abortStream: 'POST /v1/chat/streams/{id}/abort',
    callAction: 'POST /v1/chat/actions',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
    listConversations: 'conversations',
    listUsers: 'users',
    listParticipants: 'participants',
    listMessages: 'messages',
  },
} as const;

/** Every operation of the Runtime API as a method. */
export interface RuntimeMethods {
  /** Returns a conversation of the bot. */
  getConversation(...given: Arguments<{ id: string }>): Promise<{ conversation: RuntimeConversation }>;
  /**
   * Lists conversations of the bot, newest first; with `userId`, those in which this user is a
   * participant.
   */
  listConversations(...given: Arguments<{ nextToken?: string; pageSize?: number; userId?: string }>): Promise<{ conversations: RuntimeConversation[]; meta: PageMeta }>;
  /** Returns a user of the bot. */
  getUser(...given: Arguments<{ id: string }>): Promise<{ user: RuntimeUser }>;
  /**
   * Lists users of the bot, newest first: by conversation, by tags (`fid`, `profile`), or by time. The
   * boundary times are excluded.
   */
  listUsers(...given: Arguments<{ nextToken?: string; pageSize?: number; conversationId?: string; tags?: Record<string, string>; afterDate?: string; beforeDate?: string; rangeField?: 'createdAt' | 'updatedAt'; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc' }>): Promise<{ users: RuntimeUser[]; meta: PageMeta }>;
  /** Shows the typing indicator of the bot for 30000 ms, or ends it. It also ends with a message. */
  setTyping(...given: Arguments<{ id: string; typing: boolean }>): Promise<Record<never, never>>;
  /** Opens or closes the window on the visitor’s page. */
  setVisibility(...given: Arguments<{ id: string; visibility: 'show' | 'hide' | 'toggle' }>): Promise<Record<never, never>>;
  /** Changes the configuration of the visitor’s widget until the page is reloaded. */
  configureWebchat(...given: Arguments<{ id: string; configuration: Configuration }>): Promise<Record<never, never>>;
  /** Lists the participants of a conversation, newest user first. */
  listParticipants(...given: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ participants: RuntimeUser[]; meta: PageMeta }>;
  /**
   * Adds a user of the bot to a conversation immediately, without an invitation. Adding a participant
   * again changes nothing.
   */
  addParticipant(...given: Arguments<{ id: string; userId: string }>): Promise<{ participant: RuntimeUser }>;
  /** Returns one participant of a conversation. */
  getParticipant(...given: Arguments<{ id: string; userId: string }>): Promise<{ participant: RuntimeUser }>;
  /**
   * Removes a participant who is not the owner of the conversation; their open streams of this
   * conversation are closed.
   */
  removeParticipant(...given: Arguments<{ id: string; userId: string }>): Promise<Record<never, never>>;
  /**
   * Sends a message of the bot. With an `Idempotency-Key` it is sent once, however often it is
   * requested.
   */
  createMessage(...given: Arguments<{ payload: Payload; conversationId: string; metadata?: Record<string, unknown> }>): Promise<{ message: Message }>;
  /** Lists the messages of a conversation, newest first. */
  listMessages(...given: Arguments<{ nextToken?: string; pageSize?: number; conversationId: string }>): Promise<{ messages: Message[]; meta: PageMeta }>;
  /** Returns a message of a conversation of the bot. */
  getMessage(...given: Arguments<{ id: string }>): Promise<{ message: Message }>;
  /** Deletes a message that the bot sent. */
  deleteMessage(...given: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /** Sends a custom event of the bot to the page. With an `Idempotency-Key` it is sent once. */
  createEvent(...given: Arguments<{ payload: Record<string, unknown>; conversationId: string }>): Promise<{ event: Event }>;
  /** Returns a custom event of a conversation of the bot. */
  getEvent(...given: Arguments<{ id: string }>): Promise<{ event: Event }>;
  /** Starts a streamed answer. It is removed after 60 s without a piece. */
  createStream(...given: Arguments<{ conversationId: string }>): Promise<{ stream: RuntimeStream }>;
  /**
   * Appends a piece to a streamed answer; send one piece after the other. `position` is the number of
   * characters before this piece, so that a piece that is sent twice is appended once. `stopped` reports
   * that the visitor stopped the answer.
   */
  writeStream(...given: Arguments<{ id: string; delta: string; position?: number }>): Promise<StreamPosition>;
  /**
   * Ends a streamed answer with a message: the given payload, or Markdown of all pieces. A repeated call
   * returns the same message. If the visitor stopped the answer, the stopped message is returned.
   */
  endStream(...given: Arguments<{ id: string; payload?: Payload; metadata?: Record<string, unknown> }>): Promise<{ message: Message }>;
  /** Ends a streamed answer without a message; the visitor no longer sees its pieces. */
  abortStream(...given: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Runs an action by name, for compatibility with bots of other platforms. Nothing is cached: `cached`
   * is false.
   */
  callAction(...given: Arguments<{ type: 'webchat:getUserData' | 'webchat:getOrCreateUser' | 'webchat:showWebchat' | 'webchat:hideWebchat' | 'webchat:toggleWebchat' | 'webchat:configWebchat' | 'webchat:customEvent'; input: Record<string, unknown> }>): Promise<{ output: Record<string, unknown>; meta: { cached: boolean } }>;
}

/** Every list of the Runtime API as an async iterable over all pages. */
export interface RuntimeLists {
  /**
   * Lists conversations of the bot, newest first; with `userId`, those in which this user is a
   * participant.
   */
  conversations(...given: ListArguments<{ nextToken?: string; pageSize?: number; userId?: string }>): Items<RuntimeConversation>;
  /**
   * Lists users of the bot, newest first: by conversation, by tags (`fid`, `profile`), or by time. The
   * boundary times are excluded.
   */
  users(...given: ListArguments<{ nextToken?: string; pageSize?: number; conversationId?: string; tags?: Record<string, string>; afterDate?: string; beforeDate?: string; rangeField?: 'createdAt' | 'updatedAt'; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc' }>): Items<RuntimeUser>;
  /** Lists the participants of a conversation, newest user first. */
  participants(...given: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<RuntimeUser>;
  /** Lists the messages of a conversation, newest first. */
  messages(...given: ListArguments<{ nextToken?: string; pageSize?: number; conversationId: string }>): Items<Message>;
}
