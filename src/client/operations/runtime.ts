// Routes and methods of the Runtime API, generated from src/protocol/operations/runtime by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Configuration } from '../../protocol/page-api/config.ts';
import type { Handling, Handoff } from '../../protocol/types/handling.ts';
import type { Message } from '../../protocol/types/chat.ts';
import type { NewInterrupt } from '../../protocol/types/interrupts.ts';
import type { NewPart } from '../../protocol/types/parts.ts';
import type { PageMeta } from '../../protocol/types/query.ts';
import type { PartChange } from '../../protocol/parts.ts';
import type { Payload } from '../../protocol/payloads.ts';
import type { RuntimeConversation, RuntimeEvent, RuntimeMessage, RuntimeState, RuntimeStream, RuntimeUser, StreamPosition } from '../../protocol/types/runtime.ts';
import type { Arguments, ListArguments } from '../platform/api-client.ts';
import type { Items } from '../core/pages.ts';

export const runtimeApi = {
  needs: 'botId',
  tokenOnly: [],
  routes: {
    createConversation: 'POST /v1/chat/conversations',
    getOrCreateConversation: 'POST /v1/chat/conversations/get-or-create',
    getConversation: 'GET /v1/chat/conversations/{id}',
    listConversations: 'GET /v1/chat/conversations',
    updateConversation: 'PUT /v1/chat/conversations/{id}',
    deleteConversation: 'DELETE /v1/chat/conversations/{id}',
    listParticipants: 'GET /v1/chat/conversations/{id}/participants',
    addParticipant: 'POST /v1/chat/conversations/{id}/participants',
    getParticipant: 'GET /v1/chat/conversations/{id}/participants/{userId}',
    removeParticipant: 'DELETE /v1/chat/conversations/{id}/participants/{userId}',
    createUser: 'POST /v1/chat/users',
    getOrCreateUser: 'POST /v1/chat/users/get-or-create',
    getUser: 'GET /v1/chat/users/{id}',
    listUsers: 'GET /v1/chat/users',
    updateUser: 'PUT /v1/chat/users/{id}',
    deleteUser: 'DELETE /v1/chat/users/{id}',
    createMessage: 'POST /v1/chat/messages',
    getOrCreateMessage: 'POST /v1/chat/messages/get-or-create',
    listMessages: 'GET /v1/chat/messages',
    getMessage: 'GET /v1/chat/messages/{id}',
    updateMessage: 'PUT /v1/chat/messages/{id}',
    updateMessagePart: 'PUT /v1/chat/messages/{id}/parts/{partId}',
    deleteMessage: 'DELETE /v1/chat/messages/{id}',
    requestHandoff: 'POST /v1/chat/conversations/{id}/handoff',
    acceptHandoff: 'POST /v1/chat/conversations/{id}/handoff/accept',
    closeHandoff: 'DELETE /v1/chat/conversations/{id}/handoff',
    getHandling: 'GET /v1/chat/conversations/{id}/handling',
    createEvent: 'POST /v1/chat/events',
    getEvent: 'GET /v1/chat/events/{id}',
    listEvents: 'GET /v1/chat/events',
    setState: 'POST /v1/chat/states/{type}/{id}/{name}',
    getState: 'GET /v1/chat/states/{type}/{id}/{name}',
    getOrSetState: 'POST /v1/chat/states/{type}/{id}/{name}/get-or-set',
    patchState: 'PATCH /v1/chat/states/{type}/{id}/{name}',
    setStateExpiry: 'POST /v1/chat/states/{type}/{id}/{name}/expiry',
    createStream: 'POST /v1/chat/streams',
    writeStream: 'POST /v1/chat/streams/{id}/deltas',
    endStream: 'POST /v1/chat/streams/{id}/end',
    abortStream: 'POST /v1/chat/streams/{id}/abort',
    setTyping: 'POST /v1/chat/conversations/{id}/typing',
    setVisibility: 'POST /v1/chat/conversations/{id}/visibility',
    configureWebchat: 'POST /v1/chat/conversations/{id}/configuration',
    callAction: 'POST /v1/chat/actions',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
    listConversations: 'conversations',
    listParticipants: 'participants',
    listUsers: 'users',
    listMessages: 'messages',
    listEvents: 'events',
  },
} as const;

/** Every operation of the Runtime API as a method. */
export interface RuntimeMethods {
  /** Creates a conversation of the bot. The first user who is added as a participant becomes its owner. */
  createConversation(...args: Arguments<{ channel?: string; tags?: Record<string, string | null>; properties?: Record<string, string | null>; integrationName?: 'chat' | 'webchat' }>): Promise<{ conversation: RuntimeConversation }>;
  /**
   * Returns the conversation of this channel with exactly these tags, or creates it.
   * `discriminateByTags` names the tags that decide instead of all; the others are then set.
   */
  getOrCreateConversation(...args: Arguments<{ channel?: string; tags: Record<string, string | null>; properties?: Record<string, string | null>; integrationName?: 'chat' | 'webchat'; discriminateByTags?: string[] }>): Promise<{ conversation: RuntimeConversation; meta: { created: boolean } }>;
  /** Returns a conversation of the bot. */
  getConversation(...args: Arguments<{ id: string }>): Promise<{ conversation: RuntimeConversation }>;
  /**
   * Lists conversations of the bot, newest first: with all of these tags, with all of these participants
   * (`userId` is one more), of a channel, by the time of their creation, or by the number of messages.
   */
  listConversations(...args: Arguments<{ nextToken?: string; pageSize?: number; userId?: string; participantIds?: string[]; tags?: Record<string, string>; channel?: string; integrationName?: string; afterDate?: string; beforeDate?: string; minMessageCount?: number; maxMessageCount?: number; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc' }>): Promise<{ conversations: RuntimeConversation[]; meta: PageMeta }>;
  /** Sets tags and properties of a conversation; null or an empty text removes one. */
  updateConversation(...args: Arguments<{ id: string; tags?: Record<string, string | null>; properties?: Record<string, string | null>; currentTaskId?: never }>): Promise<{ conversation: RuntimeConversation }>;
  /** Deletes a conversation with its messages, events, tags and states, and closes its streams. */
  deleteConversation(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /** Lists the participants of a conversation, newest user first. */
  listParticipants(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ participants: RuntimeUser[]; meta: PageMeta }>;
  /**
   * Adds a user of the bot to a conversation immediately, without an invitation. Adding a participant
   * again changes nothing.
   */
  addParticipant(...args: Arguments<{ id: string; userId: string }>): Promise<{ participant: RuntimeUser }>;
  /** Returns one participant of a conversation. */
  getParticipant(...args: Arguments<{ id: string; userId: string }>): Promise<{ participant: RuntimeUser }>;
  /**
   * Removes a participant who is not the owner of the conversation; their open streams of this
   * conversation are closed.
   */
  removeParticipant(...args: Arguments<{ id: string; userId: string }>): Promise<Record<never, never>>;
  /** Creates a user of the bot, who has no user key. */
  createUser(...args: Arguments<{ tags?: Record<string, string | null>; name?: string; pictureUrl?: string; properties?: Record<string, string | null>; attributes?: Record<string, string | null>; integrationName?: 'chat' | 'webchat' }>): Promise<{ user: RuntimeUser }>;
  /**
   * Returns the user with exactly these tags, or creates one. `discriminateByTags` names the tags that
   * decide instead of all; the others are then set. Other fields of the request overwrite those of the
   * user.
   */
  getOrCreateUser(...args: Arguments<{ tags: Record<string, string | null>; name?: string; pictureUrl?: string; properties?: Record<string, string | null>; attributes?: Record<string, string | null>; integrationName?: 'chat' | 'webchat'; discriminateByTags?: string[] }>): Promise<{ user: RuntimeUser; meta: { created: boolean } }>;
  /** Returns a user of the bot. The id of the bot is that of its own user. */
  getUser(...args: Arguments<{ id: string }>): Promise<{ user: RuntimeUser }>;
  /**
   * Lists users of the bot, newest first: by conversation, by tags (also `fid` and `profile`), or by
   * time. The boundary times are excluded.
   */
  listUsers(...args: Arguments<{ nextToken?: string; pageSize?: number; conversationId?: string; tags?: Record<string, string>; afterDate?: string; beforeDate?: string; rangeField?: 'createdAt' | 'updatedAt'; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc' }>): Promise<{ users: RuntimeUser[]; meta: PageMeta }>;
  /**
   * Sets tags, properties, attributes, the name and the picture of a user; null removes one, and so does
   * an empty text for a tag.
   */
  updateUser(...args: Arguments<{ id: string; tags?: Record<string, string | null>; name?: string | null; pictureUrl?: string | null; properties?: Record<string, string | null>; attributes?: Record<string, string | null> }>): Promise<{ user: RuntimeUser }>;
  /** Deletes a user with everything that is stored for them, and ends their user keys. */
  deleteUser(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Sends a message of the bot. With an `Idempotency-Key` it is sent once, however often it is
   * requested. The `type` can be in the payload, next to it, or both. `userId` is the bot (the default)
   * or a participant, such as a human agent, in whose name the message is shown. `parts` are what is
   * shown with the text, such as sources; only messages of the bot have them. `as: person`: the message
   * is one of the person at another desk who has accepted the handoff. While a person answers, all other
   * messages are a `HandledByPerson`.
   */
  createMessage(...args: Arguments<{ conversationId: string; userId?: string; type?: 'text' | 'markdown' | 'image' | 'audio' | 'video' | 'file' | 'location' | 'card' | 'carousel' | 'choice' | 'dropdown' | 'bloc'; metadata?: Record<string, unknown>; origin?: 'synthetic'; schedule?: never; as?: 'person'; payload: Payload; tags?: Record<string, string | null>; parts?: NewPart[] }>): Promise<{ message: RuntimeMessage }>;
  /**
   * Returns the message of a conversation with exactly these tags, or sends it. `discriminateByTags`
   * names the tags that decide instead of all; the others are then set.
   */
  getOrCreateMessage(...args: Arguments<{ conversationId: string; userId?: string; type?: 'text' | 'markdown' | 'image' | 'audio' | 'video' | 'file' | 'location' | 'card' | 'carousel' | 'choice' | 'dropdown' | 'bloc'; metadata?: Record<string, unknown>; origin?: 'synthetic'; schedule?: never; payload?: Payload; tags: Record<string, string | null>; discriminateByTags?: string[] }>): Promise<{ message: RuntimeMessage; meta: { created: boolean } }>;
  /**
   * Lists messages, newest first: of a conversation, or with all of these tags, or both; by time. The
   * boundary times are excluded.
   */
  listMessages(...args: Arguments<{ nextToken?: string; pageSize?: number; conversationId?: string; tags?: Record<string, string>; afterDate?: string; beforeDate?: string }>): Promise<{ messages: RuntimeMessage[]; meta: PageMeta }>;
  /** Returns a message of a conversation of the bot. */
  getMessage(...args: Arguments<{ id: string }>): Promise<{ message: RuntimeMessage }>;
  /**
   * Sets tags of a message; null or an empty text removes one. Replaces the payload of a message that
   * the bot sent, with one of the same type; the visitor sees the change.
   */
  updateMessage(...args: Arguments<{ id: string; tags?: Record<string, string | null>; payload?: Record<string, unknown> }>): Promise<{ message: RuntimeMessage }>;
  /**
   * Changes a part of a message that the bot sent, such as the state of a tool: the given fields replace
   * the old ones, null removes one. The visitor sees the change.
   */
  updateMessagePart(...args: Arguments<{ id: string; partId: string; part: Record<string, unknown> }>): Promise<{ message: RuntimeMessage }>;
  /** Deletes a message that the bot sent. */
  deleteMessage(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Asks for a person. Until the conversation is returned, the bot receives no messages of the visitor
   * and can send none. `note` is for the team; the visitor never sees it. `team`: the id or the name of
   * the team whose members are to answer. Asking twice has no further effect. Outside of the opening
   * hours it is not accepted (`opensAt`).
   */
  requestHandoff(...args: Arguments<{ id: string; reason?: string; note?: string; team?: string }>): Promise<{ accepted: boolean; position?: number; opensAt?: string; handling: Handling; handoff?: Handoff }>;
  /**
   * A person at another desk answers from now on: messages that are created with `as: person` are
   * theirs, and the bot receives the messages of the visitor as events of the type `message_for_person`.
   * `AlreadyTaken` if another person answers, whose name is in `metadata.assignee`.
   */
  acceptHandoff(...args: Arguments<{ id: string; person: { name: string; pictureUrl?: string } }>): Promise<{ handling: Handling; handoff?: Handoff }>;
  /**
   * Ends the handoff: the bot answers again, or with `to: closed` the conversation is closed.
   * `AlreadyTaken` if a member answers. Has no effect if there is no open handoff.
   */
  closeHandoff(...args: Arguments<{ id: string; to?: 'bot' | 'closed' }>): Promise<{ handling: Handling; handoff?: Handoff }>;
  /** Returns who answers a conversation, and its last handoff. */
  getHandling(...args: Arguments<{ id: string }>): Promise<{ handling: Handling; handoff?: Handoff }>;
  /**
   * Sends a custom event of the bot to the page of a conversation. With an `Idempotency-Key` it is sent
   * once. `userId`: the bot (the default) or a participant.
   */
  createEvent(...args: Arguments<{ payload: Record<string, unknown>; conversationId: string; type?: string; userId?: string; messageId?: string; workflowId?: never; schedule?: never }>): Promise<{ event: RuntimeEvent }>;
  /** Returns a custom event of a conversation of the bot. */
  getEvent(...args: Arguments<{ id: string }>): Promise<{ event: RuntimeEvent }>;
  /** Lists the custom events of a conversation, newest first: by type, author, message or status. */
  listEvents(...args: Arguments<{ nextToken?: string; pageSize?: number; conversationId: string; type?: string; userId?: string; messageId?: string; status?: 'pending' | 'processed' | 'ignored' | 'failed' | 'scheduled'; workflowId?: never }>): Promise<{ events: RuntimeEvent[]; meta: PageMeta }>;
  /**
   * Stores a state. A payload of null removes it. `expiry`: milliseconds without a change after which
   * the state expires; null or left out: never.
   */
  setState(...args: Arguments<{ type: string; id: string; name: string; payload: Record<string, unknown> | null; expiry?: number | null }>): Promise<{ state: RuntimeState }>;
  /**
   * Returns the state of this name of a conversation, a user or the bot (`type`). Reading it does not
   * defer its expiry. Nothing is cached: `cached` is false.
   */
  getState(...args: Arguments<{ type: string; id: string; name: string }>): Promise<{ state: RuntimeState; meta: { cached: boolean } }>;
  /** Returns the state, or stores it if there is none. Nothing is cached: `cached` is false. */
  getOrSetState(...args: Arguments<{ type: string; id: string; name: string; payload: Record<string, unknown>; expiry?: number | null }>): Promise<{ state: RuntimeState; meta: { cached: boolean } }>;
  /**
   * Overwrites the given fields of a state, which is created if there is none. An omitted `expiry` is
   * unchanged; the time until the state expires begins again.
   */
  patchState(...args: Arguments<{ type: string; id: string; name: string; payload: Record<string, unknown>; expiry?: number | null }>): Promise<{ state: RuntimeState }>;
  /** Sets when a state expires, counted from now in milliseconds; null: never. */
  setStateExpiry(...args: Arguments<{ type: string; id: string; name: string; expiry: number | null }>): Promise<{ state: RuntimeState }>;
  /** Starts a streamed answer. It is removed after 60 s without a piece. */
  createStream(...args: Arguments<{ conversationId: string }>): Promise<{ stream: RuntimeStream }>;
  /**
   * Appends a piece to a streamed answer; send one piece after the other. `position` is the number of
   * characters before this piece, so that a piece that is sent twice is appended once. `stopped` reports
   * that the visitor stopped the answer. `part` changes a part of the answer, after `delta`: its fields
   * replace those of the part with this `id`, null removes one, `textDelta` is appended to the `text` of
   * reasoning, and a new `id` adds a part. `textPosition` is for `textDelta` what `position` is for
   * `delta`.
   */
  writeStream(...args: Arguments<{ id: string; delta?: string; position?: number; part?: PartChange; textPosition?: number }>): Promise<StreamPosition>;
  /**
   * Ends a streamed answer with a message: the given payload, or Markdown of all pieces. A repeated call
   * returns the same message. If the visitor stopped the answer, the stopped message is returned.
   * `interrupts` are questions that wait for the participant `userId`, which can be left out if there is
   * only one. The bot receives the event `resume` when all of them are settled.
   */
  endStream(...args: Arguments<{ id: string; payload?: Payload; metadata?: Record<string, unknown>; interrupts?: NewInterrupt[]; userId?: string }>): Promise<{ message: Message }>;
  /** Ends a streamed answer without a message; the visitor no longer sees its pieces. */
  abortStream(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /** Shows the typing indicator of the bot for 30000 ms, or ends it. It also ends with a message. */
  setTyping(...args: Arguments<{ id: string; typing: boolean }>): Promise<Record<never, never>>;
  /** Opens or closes the window on the visitor’s page. */
  setVisibility(...args: Arguments<{ id: string; visibility: 'show' | 'hide' | 'toggle' }>): Promise<Record<never, never>>;
  /** Changes the configuration of the visitor’s widget until the page is reloaded. */
  configureWebchat(...args: Arguments<{ id: string; configuration: Configuration }>): Promise<Record<never, never>>;
  /**
   * Runs an action by name, for compatibility with bots of other platforms. Nothing is cached: `cached`
   * is false.
   */
  callAction(...args: Arguments<{ type: 'webchat:getUserData' | 'webchat:getOrCreateUser' | 'webchat:showWebchat' | 'webchat:hideWebchat' | 'webchat:toggleWebchat' | 'webchat:configWebchat' | 'webchat:customEvent' | 'webchat:startTypingIndicator' | 'webchat:stopTypingIndicator' | 'chat:sendEvent'; input: Record<string, unknown> }>): Promise<{ output: Record<string, unknown>; meta: { cached: boolean } }>;
}

/** Every list of the Runtime API as an async iterable over all pages. */
export interface RuntimeLists {
  /**
   * Lists conversations of the bot, newest first: with all of these tags, with all of these participants
   * (`userId` is one more), of a channel, by the time of their creation, or by the number of messages.
   */
  conversations(...args: ListArguments<{ nextToken?: string; pageSize?: number; userId?: string; participantIds?: string[]; tags?: Record<string, string>; channel?: string; integrationName?: string; afterDate?: string; beforeDate?: string; minMessageCount?: number; maxMessageCount?: number; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc' }>): Items<RuntimeConversation>;
  /** Lists the participants of a conversation, newest user first. */
  participants(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<RuntimeUser>;
  /**
   * Lists users of the bot, newest first: by conversation, by tags (also `fid` and `profile`), or by
   * time. The boundary times are excluded.
   */
  users(...args: ListArguments<{ nextToken?: string; pageSize?: number; conversationId?: string; tags?: Record<string, string>; afterDate?: string; beforeDate?: string; rangeField?: 'createdAt' | 'updatedAt'; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc' }>): Items<RuntimeUser>;
  /**
   * Lists messages, newest first: of a conversation, or with all of these tags, or both; by time. The
   * boundary times are excluded.
   */
  messages(...args: ListArguments<{ nextToken?: string; pageSize?: number; conversationId?: string; tags?: Record<string, string>; afterDate?: string; beforeDate?: string }>): Items<RuntimeMessage>;
  /** Lists the custom events of a conversation, newest first: by type, author, message or status. */
  events(...args: ListArguments<{ nextToken?: string; pageSize?: number; conversationId: string; type?: string; userId?: string; messageId?: string; status?: 'pending' | 'processed' | 'ignored' | 'failed' | 'scheduled'; workflowId?: never }>): Items<RuntimeEvent>;
}
