// Routes and methods of the Chat API, generated from src/protocol/operations/chat by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Activity, Handling, Rating, ReadMark } from '../../protocol/types/handling.ts';
import type { Contact, MailedTranscript, PreChatAnswers, VisitorPage } from '../../protocol/types/visitors.ts';
import type { Conversation, Event, Feedback, FileFields, Invitation, ListedConversation, Message, NewFile, User, UserFields } from '../../protocol/types/chat.ts';
import type { InterruptPart } from '../../protocol/types/parts.ts';
import type { PageClient } from '../../protocol/types/interrupts.ts';
import type { PageMeta } from '../../protocol/types/query.ts';
import type { Payload } from '../../protocol/payloads.ts';
import type { CallOptions } from '../core/http.ts';

export const createUser = 'POST /users';
export const getOrCreateUser = 'POST /users/get-or-create';
export const getUser = 'GET /users/me';
export const updateUser = 'PUT /users/me';
export const mergeUser = 'POST /users/me/merge';
export const deleteUser = 'DELETE /users/me';
export const renewKey = 'POST /users/me/key';
export const revokeKey = 'DELETE /users/me/key';
export const revokeKeys = 'DELETE /users/me/keys';
export const getContact = 'GET /contact';
export const setContact = 'PUT /contact';
export const mailTranscript = 'POST /conversations/{id}/transcript-mail';
export const getPush = 'GET /push';
export const setPush = 'PUT /push';
export const useReturnLink = 'POST /links/use';
export const createConversation = 'POST /conversations';
export const listConversations = 'GET /conversations';
export const getOrCreateConversation = 'POST /conversations/get-or-create';
export const getConversation = 'GET /conversations/{id}';
export const setRead = 'PUT /conversations/{id}/read';
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
export const searchMessages = 'GET /messages/search';
export const getMessage = 'GET /messages/{id}';
export const deleteMessage = 'DELETE /messages/{id}';
export const setFeedback = 'PUT /messages/{id}/feedback';
export const deleteFeedback = 'DELETE /messages/{id}/feedback';
export const claimInterrupt = 'POST /interrupts/{id}/claim';
export const respondToInterrupt = 'POST /interrupts/{id}/response';
export const requestHandoff = 'POST /conversations/{id}/handoff';
export const cancelHandoff = 'DELETE /conversations/{id}/handoff';
export const closeConversation = 'POST /conversations/{id}/close';
export const rateConversation = 'PUT /conversations/{id}/rating';
export const listActivities = 'GET /conversations/{id}/activities';
export const createEvent = 'POST /events';
export const getEvent = 'GET /events/{id}';
export const setTyping = 'POST /conversations/{id}/typing';
export const setPage = 'POST /conversations/{id}/page';
export const stopStream = 'POST /conversations/{id}/stop';
export const createFile = 'POST /files';
export const getWebchat = 'GET /webchat';

/** Every route that is a method. */
export const chatRoutes = {
  createUser,
  getOrCreateUser,
  getUser,
  updateUser,
  mergeUser,
  deleteUser,
  renewKey,
  revokeKey,
  revokeKeys,
  getContact,
  setContact,
  mailTranscript,
  getPush,
  setPush,
  useReturnLink,
  createConversation,
  listConversations,
  getOrCreateConversation,
  getConversation,
  setRead,
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
  searchMessages,
  getMessage,
  deleteMessage,
  setFeedback,
  deleteFeedback,
  claimInterrupt,
  respondToInterrupt,
  requestHandoff,
  cancelHandoff,
  closeConversation,
  rateConversation,
  listActivities,
  createEvent,
  getEvent,
  setTyping,
  setPage,
  stopStream,
  createFile,
};

/** Every operation of the Chat API as a method. */
export interface ChatMethods {
  /** Creates a user and returns their user key. Refused if applications sign the keys themselves. */
  createUser(input: { name?: string; pictureUrl?: string; profile?: string; id?: string; firstConversation?: boolean; preChatForm?: PreChatAnswers }, options?: CallOptions): Promise<{ user: User; key: string; conversation?: Conversation }>;
  /**
   * Returns the user of the key and creates them if necessary. The given fields overwrite the stored
   * ones.
   */
  getOrCreateUser(input: UserFields, options?: CallOptions): Promise<{ user: User }>;
  /** Returns the user of the key. */
  getUser(input: Record<never, never>, options?: CallOptions): Promise<{ user: User }>;
  /** Changes the user of the key. Omitted fields are unchanged. */
  updateUser(input: UserFields, options?: CallOptions): Promise<{ user: User }>;
  /**
   * Moves the conversations, messages and files of an anonymous user to the user of the key, whom an
   * application has identified, and deletes the anonymous user. `userKey` is the key of the anonymous
   * user. Returns false if that user does not exist, for example after an earlier call.
   */
  mergeUser(input: { userKey: string }, options?: CallOptions): Promise<{ merged: boolean }>;
  /**
   * Deletes the user of the key, their files and the conversations that they own. Their messages in
   * other conversations stay. A repeated call is refused with 401 and, in `metadata`, `userDeleted`: so
   * a caller who has not received the response knows that it is done.
   */
  deleteUser(input: Record<never, never>, options?: CallOptions): Promise<Record<never, never>>;
  /** Issues a new key to the holder of an issued key. Refused for keys that an application signed. */
  renewKey(input: Record<never, never>, options?: CallOptions): Promise<{ key: string }>;
  /** Revokes the key of the request. Open streams of the user are closed. */
  revokeKey(input: Record<never, never>, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Revokes all keys of the caller that were signed until now, and permanently all keys without `iat`.
   * Open streams of the user are closed.
   */
  revokeKeys(input: Record<never, never>, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Returns the e-mail address that the user of the key has left. `isOffered`: the server sends mails
   * about answers of people.
   */
  getContact(input: Record<never, never>, options?: CallOptions): Promise<{ isOffered: boolean; contact?: Contact }>;
  /**
   * Stores the e-mail address to which answers of people are sent when the user has gone; null removes
   * it. `locale`: the language of these mails. Refused if the server sends no mails.
   */
  setContact(input: { email: string | null; locale?: string }, options?: CallOptions): Promise<{ isOffered: boolean; contact?: Contact }>;
  /**
   * Mails the conversation to the e-mail address that its owner has left, if a link in an earlier mail
   * to it was opened. Otherwise only such a link is mailed (`sends` is `link`). Refused for addresses
   * that get no mails, and after five mails to the address on a day.
   */
  mailTranscript(input: { id: string }, options?: CallOptions): Promise<MailedTranscript>;
  /**
   * Returns whether the server sends pushes about answers of people, and the key that browsers need for
   * a subscription (`applicationServerKey`).
   */
  getPush(input: Record<never, never>, options?: CallOptions): Promise<{ isOffered: boolean; publicKey?: string }>;
  /**
   * Stores the push subscription of a browser, so that answers of people reach the user when the page is
   * closed; `keys: null` removes it. A user has five at most: the oldest is removed. `locale`: the
   * language of notifications. `pageUrl`: the page that a press on a notification opens. Refused if the
   * server sends no pushes, or not to this push service.
   */
  setPush(input: { endpoint: string; keys: { p256dh: string; auth: string } | null; expirationTime?: number | null; locale?: string; pageUrl?: string }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Opens the conversation of a link that was mailed. Returns a user key that is limited to this
   * conversation and ends with the link; for a user whom an application identifies, `returnUrl` instead,
   * if the bot has one. The link can be used again until it ends.
   */
  useReturnLink(input: { token: string }, options?: CallOptions): Promise<{ userKey?: string; conversationId?: string; returnUrl?: string }>;
  /**
   * Creates a conversation; the caller becomes its owner and participant. `preChatForm`: the answers to
   * the form before it. Name and e-mail address are stored for the caller, the others with the
   * conversation.
   */
  createConversation(input: { id?: string; preChatForm?: PreChatAnswers }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /**
   * Lists the conversations that the caller owns, newest first, with what was said first and last and
   * the number of unread messages.
   */
  listConversations(input: { nextToken?: string }, options?: CallOptions): Promise<{ conversations: ListedConversation[]; meta: PageMeta }>;
  /** Returns the conversation with this id and creates it if necessary. Refused if another user owns it. */
  getOrCreateConversation(input: { id: string }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /** Returns a conversation in which the caller is a participant. */
  getConversation(input: { id: string }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /**
   * Records that the caller has read the conversation up to a message: the number of unread messages of
   * the list counts from there. It only rises: an earlier message has no effect. Where the bot has
   * `readReceipts`, the others are told.
   */
  setRead(input: { id: string; messageId: string }, options?: CallOptions): Promise<{ read: ReadMark }>;
  /** Deletes a conversation with all its data. Its open streams are closed. */
  deleteConversation(input: { id: string }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Invites a user to a conversation. The user becomes a participant after accepting the invitation. The
   * response contains the id and the time of the invitation, whether or not the user exists; for a user
   * who already is a participant, it contains their profile. Inviting again changes nothing. If the
   * server adds participants directly, the user becomes a participant immediately.
   */
  addParticipant(input: { conversationId: string; userId: string }, options?: CallOptions): Promise<{ participant: User }>;
  /** Lists the participants of a conversation. Invited users are not participants yet. */
  listParticipants(input: { conversationId: string; nextToken?: string }, options?: CallOptions): Promise<{ participants: User[]; meta: PageMeta }>;
  /** Returns one participant of a conversation of the caller. */
  getParticipant(input: { conversationId: string; userId: string }, options?: CallOptions): Promise<{ participant: User }>;
  /**
   * Removes a participant from a conversation of the caller, or withdraws an invitation. A participant
   * may remove themselves. Open streams of that user in this conversation are closed.
   */
  removeParticipant(input: { conversationId: string; userId: string }, options?: CallOptions): Promise<Record<never, never>>;
  /** Lists the open invitations of the caller, newest conversation first. */
  listInvitations(input: { nextToken?: string }, options?: CallOptions): Promise<{ invitations: Invitation[]; meta: PageMeta }>;
  /**
   * Accepts an invitation: the caller becomes a participant of the conversation. Accepting again changes
   * nothing.
   */
  acceptInvitation(input: { conversationId: string }, options?: CallOptions): Promise<{ conversation: Conversation }>;
  /** Declines an invitation. The owner of the conversation is not notified. */
  declineInvitation(input: { conversationId: string }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Sends a message to a conversation. All listeners receive it, also the sender, possibly before this
   * response. With `supersedes`, an earlier message of the caller, it takes the place of that message
   * and of all messages after it: they are not shown any more, and the bot stops to answer them.
   * `client`: the tools, the context and the names of blocks of the page, for the bot; nothing returns
   * them.
   */
  createMessage(input: { payload: Payload; conversationId: string; metadata?: Record<string, unknown>; supersedes?: string; client?: PageClient }, options?: CallOptions): Promise<{ message: Message }>;
  /** Lists the messages of a conversation, newest first. */
  listMessages(input: { conversationId: string; nextToken?: string }, options?: CallOptions): Promise<{ messages: Message[]; meta: PageMeta }>;
  /**
   * Searches the messages of the conversations that the caller owns for a text, regardless of case and
   * accents, those of the newest conversations first. A page ends after 1,000 messages or a megabyte
   * that were looked at, too, and can have no message: go on while there is a `nextToken`.
   */
  searchMessages(input: { nextToken?: string; text: string }, options?: CallOptions): Promise<{ messages: Message[]; meta: PageMeta }>;
  /** Returns a message of a conversation in which the caller is a participant. */
  getMessage(input: { id: string }, options?: CallOptions): Promise<{ message: Message }>;
  /** Deletes a message that the caller sent. */
  deleteMessage(input: { id: string }, options?: CallOptions): Promise<Record<never, never>>;
  /** Sets the caller’s feedback on a message of the bot. It replaces the previous feedback. */
  setFeedback(input: { id: string } & Feedback, options?: CallOptions): Promise<{ message: Message }>;
  /** Deletes the caller’s feedback. Succeeds also if there is none. */
  deleteFeedback(input: { id: string }, options?: CallOptions): Promise<{ message: Message }>;
  /**
   * Begins to run a tool of the page that the bot has called (an interrupt with the reason
   * `client_tool`): one page can, and answers with the same `claim`. The same claim again has the same
   * result; another one is a `RelationConflict`. Without an answer within a minute, the outcome is
   * unknown.
   */
  claimInterrupt(input: { id: string; claim: string }, options?: CallOptions): Promise<{ interrupt: InterruptPart; messageId: string }>;
  /**
   * Answers a question of the bot, an interrupt of one of its messages: the visitor to whom it was put
   * can answer once. The same answer again has the same result; another one is a `RelationConflict`,
   * whose `metadata.interrupt` is the interrupt as it was settled. An answer that breaks the form is an
   * `InvalidPayload`: `metadata.issues` has the `property` and the `rule` of each problem. A tool of the
   * page is answered with `{result}`, `{error}` or `{approved: false}`; the first two by the page that
   * has claimed it.
   */
  respondToInterrupt(input: { id: string } & ({ status: 'resolved'; payload: Record<string, unknown>; claim?: string; client?: PageClient } | { status: 'cancelled'; claim?: string; client?: PageClient }), options?: CallOptions): Promise<{ interrupt: InterruptPart; messageId: string }>;
  /**
   * Asks for a person. Until the conversation is returned, the bot receives no messages and sends none.
   * Allowed if the bot offers it: to all of its visitors (`visitorHandoff` of its deployment), or by a
   * button of the message `messageId` with the action `handoff`. Asking twice has no further effect.
   * Outside of the opening hours it is not accepted: the bot goes on, and `opensAt` says when somebody
   * is back. With `leavesMessage` it is accepted then, too, and the conversation waits: the visitor must
   * have left an address (`setContact`), and writes the message afterwards.
   */
  requestHandoff(input: { id: string; reason?: string; messageId?: string; leavesMessage?: boolean }, options?: CallOptions): Promise<{ accepted: boolean; position?: number; opensAt?: string; handling: Handling }>;
  /**
   * Returns to the bot while no person has answered yet. Has no effect if the bot answers already; when
   * a person answers, it is a `HandledByPerson`.
   */
  cancelHandoff(input: { id: string }, options?: CallOptions): Promise<{ handling: Handling }>;
  /**
   * Ends the conversation with a person. The visitor can still write: shortly afterwards to a person,
   * later to the bot. Has no effect if nobody asked for a person.
   */
  closeConversation(input: { id: string }, options?: CallOptions): Promise<{ handling: Handling }>;
  /**
   * Rates the person who answered, from 1 to 5, the best, with or without a comment. With `rating: null`
   * the visitor does not want to. `handoffId` is that of the signal `rating_requested`, or of `rating`
   * of the activities. A rating is given once: another one is an `AlreadyExists` with the first one in
   * its `metadata`, and the same one again has no further effect.
   */
  rateConversation(input: { id: string; handoffId: string; rating: number | null; comment?: string }, options?: CallOptions): Promise<{ rating: Rating }>;
  /**
   * Returns who answers the conversation, and lists when persons were asked for, joined and left, newest
   * first. `canRequest`: the visitor may ask for a person at any time. `rating`: whether the visitor was
   * asked how helpful the last person was, who has finished. `hasReadReceipts`, `personRead`: where the
   * bot has them, what persons have read.
   */
  listActivities(input: { id: string; nextToken?: string }, options?: CallOptions): Promise<{ handling: Handling; canRequest: boolean; rating?: Rating; hasReadReceipts?: true; personRead?: ReadMark; activities: Activity[]; meta: PageMeta }>;
  /** Sends a custom event to the bot and to all listeners of a conversation. */
  createEvent(input: { payload: Record<string, unknown>; conversationId: string }, options?: CallOptions): Promise<{ event: Event }>;
  /** Returns a custom event of a conversation in which the caller is a participant. */
  getEvent(input: { id: string }, options?: CallOptions): Promise<{ event: Event }>;
  /** Notifies the other participants that the caller is typing, for 10000 ms, or has stopped. */
  setTyping(input: { id: string; typing: boolean }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Says on which page the visitor is, for the team, as long as a stream of the caller in this
   * conversation is open. `null`: it is shared no more. Only the owner of the conversation can call it.
   * Nothing of it is stored.
   */
  setPage(input: { id: string; page: VisitorPage | null }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Ends an answer that is being streamed; the part that was sent stays as a message. Responds with 200
   * also if no answer with this id is being streamed, because the answer may just have ended.
   */
  stopStream(input: { id: string; streamId: string }, options?: CallOptions): Promise<Record<never, never>>;
  /**
   * Announces a file. Send its bytes to `uploadUrl`, which needs no key: all of them with PUT, or a part
   * with PATCH from the position in Upload-Offset. HEAD returns the offset (a subset of tus 1.0.0).
   */
  createFile(input: FileFields, options?: CallOptions): Promise<{ file: NewFile }>;
}
