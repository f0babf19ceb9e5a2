// Routes and methods of the Inbox API, generated from src/protocol/operations/inbox by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Activity, Handoff, Rating, ReadMark } from '../../protocol/types/handling.ts';
import type { AlertProblem, CannedAnswer, FoundConversation, InboxCounts, InboxMember, InboxRow, InboxVisitor, Note, OpeningHours, OwnAlerts, Team, TeamAlerts } from '../../protocol/types/inbox.ts';
import type { FileFields, Message, NewFile, User } from '../../protocol/types/chat.ts';
import type { PageMeta } from '../../protocol/types/query.ts';
import type { Payload } from '../../protocol/payloads.ts';
import type { PreChatForm, TeamContact } from '../../protocol/types/visitors.ts';
import type { Report } from '../../protocol/types/reports.ts';
import type { Arguments, ListArguments } from '../platform/api-client.ts';
import type { Items } from '../core/pages.ts';

export const inboxApi = {
  needs: 'workspaceId',
  tokenOnly: [],
  routes: {
    listInboxConversations: 'GET /v1/inbox/conversations',
    searchInbox: 'GET /v1/inbox/search',
    listInboxVisitors: 'GET /v1/inbox/visitors',
    listVisitorConversations: 'GET /v1/inbox/conversations/{id}/visitor/conversations',
    getInboxCounts: 'GET /v1/inbox/counts',
    getInboxChanges: 'GET /v1/inbox/changes',
    getInboxConversation: 'GET /v1/inbox/conversations/{id}',
    getInboxTimeline: 'GET /v1/inbox/conversations/{id}/timeline',
    takeConversation: 'POST /v1/inbox/conversations/{id}/take',
    assignConversation: 'POST /v1/inbox/conversations/{id}/assign',
    releaseConversation: 'POST /v1/inbox/conversations/{id}/release',
    closeInboxConversation: 'POST /v1/inbox/conversations/{id}/close',
    reopenConversation: 'POST /v1/inbox/conversations/{id}/reopen',
    snoozeConversation: 'POST /v1/inbox/conversations/{id}/snooze',
    unsnoozeConversation: 'DELETE /v1/inbox/conversations/{id}/snooze',
    returnConversation: 'POST /v1/inbox/conversations/{id}/return',
    setInboxTags: 'PUT /v1/inbox/conversations/{id}/tags',
    createReply: 'POST /v1/inbox/conversations/{id}/replies',
    createReplyFile: 'POST /v1/inbox/conversations/{id}/files',
    createNoteFile: 'POST /v1/inbox/conversations/{id}/note-files',
    getNoteFile: 'GET /v1/inbox/conversations/{id}/note-files/{fileId}',
    createNote: 'POST /v1/inbox/conversations/{id}/notes',
    updateNote: 'PUT /v1/inbox/conversations/{id}/notes/{noteId}',
    deleteNote: 'DELETE /v1/inbox/conversations/{id}/notes/{noteId}',
    listCannedAnswers: 'GET /v1/inbox/canned-answers',
    createCannedAnswer: 'POST /v1/inbox/canned-answers',
    updateCannedAnswer: 'PUT /v1/inbox/canned-answers/{id}',
    deleteCannedAnswer: 'DELETE /v1/inbox/canned-answers/{id}',
    getOpeningHours: 'GET /v1/inbox/opening-hours',
    setOpeningHours: 'PUT /v1/inbox/opening-hours',
    listTeams: 'GET /v1/inbox/teams',
    createTeam: 'POST /v1/inbox/teams',
    updateTeam: 'PUT /v1/inbox/teams/{id}',
    deleteTeam: 'DELETE /v1/inbox/teams/{id}',
    listInboxMembers: 'GET /v1/inbox/members',
    getAvailability: 'GET /v1/inbox/me',
    setAvailability: 'PUT /v1/inbox/me',
    setMemberCapacity: 'PUT /v1/inbox/members/{id}',
    getAlerts: 'GET /v1/inbox/me/alerts',
    setAlerts: 'PUT /v1/inbox/me/alerts',
    getTeamAlerts: 'GET /v1/inbox/alerts',
    setTeamAlerts: 'PUT /v1/inbox/alerts',
    testTeamAlert: 'POST /v1/inbox/alerts/test',
    getReport: 'GET /v1/inbox/report',
    exportReport: 'GET /v1/inbox/report/csv',
    setInboxPresence: 'PUT /v1/inbox/conversations/{id}/presence',
    setInboxRead: 'PUT /v1/inbox/conversations/{id}/read',
    watchBotList: 'PUT /v1/inbox/watch',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
    listInboxConversations: 'conversations',
    listInboxVisitors: 'visitors',
    listVisitorConversations: 'conversations',
    listCannedAnswers: 'cannedAnswers',
    listInboxMembers: 'members',
  },
} as const;

/** Every operation of the Inbox API as a method. */
export interface InboxMethods {
  /**
   * Lists the conversations that people handle or have handled, by `sortAt`, newest first. `mine`: the
   * caller answers; `unassigned`: nobody answers yet; `waiting`: the visitor waits for an answer, by
   * `waitingSince`, longest first; `mentioned`: open, with a note that mentions the caller; `all`: all
   * that are not closed and not with the bot; `closed`; `snoozed`; `bot`: those with a message of a
   * visitor that the bot answers, also if nobody has ever asked for a person. The server looks for the
   * latter in steps: a page of `bot` can have fewer rows than asked for, or none, and a `nextToken`.
   * `sort` turns the order around. `q`: words that all begin a word of the name of the visitor, of the
   * tags, of the last message or of the reason of the handoff, without case and accents. The
   * conversations of a restricted team are listed for its members, and with `inbox.assign`. Only for the
   * list `bot`: `rating` keeps the rows with this `rating`, `answer: none` those with `isUnanswered`.
   */
  listInboxConversations(...args: Arguments<{ nextToken?: string; pageSize?: number; list: 'mine' | 'unassigned' | 'waiting' | 'mentioned' | 'all' | 'closed' | 'snoozed' | 'bot'; sort?: 'newest' | 'oldest'; q?: string; bot?: string; assignee?: string; tag?: string; team?: string; rating?: 'good' | 'bad'; answer?: 'none' }>): Promise<{ conversations: InboxRow[]; meta: PageMeta }>;
  /**
   * Searches all messages and notes of all conversations that the caller may read, also those that only
   * a bot answers, for words that begin with those of `text`, without case and accents, newest first. Of
   * each conversation a page has the newest text; older ones can be on the next pages. A page can have
   * fewer conversations than asked for, or none, and a `nextToken`. A new message is found within half a
   * minute, and within about a second while somebody searches; a note immediately. Superseded messages
   * are not found.
   */
  searchInbox(...args: Arguments<{ nextToken?: string; text: string }>): Promise<{ found: FoundConversation[]; meta: PageMeta }>;
  /**
   * Lists the visitors who have conversations with messages, by their last activity, newest first.
   * `text`: a part of the name or of the profile, such as an e-mail address, without case and accents.
   * The server looks for them in steps: a page can have fewer visitors than asked for, or none, and a
   * `nextToken`. Only conversations that the caller may read count.
   */
  listInboxVisitors(...args: Arguments<{ nextToken?: string; pageSize?: number; text?: string }>): Promise<{ visitors: InboxVisitor[]; meta: PageMeta }>;
  /**
   * Lists the conversations of the visitor of a conversation, this one among them, that have messages
   * and that the caller may read, those that began last at first.
   */
  listVisitorConversations(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ conversations: InboxRow[]; meta: PageMeta }>;
  /**
   * Returns how many conversations each list of the caller has, up to 999. The list `bot` is not
   * counted.
   */
  getInboxCounts(...args: Arguments<Record<never, never>>): Promise<{ counts: InboxCounts }>;
  /**
   * Returns the rows that have changed since a cursor of an earlier response, and the ids of
   * conversations that were deleted, or that the caller may not see (`deleted`). The latter are also in
   * `hidden`: their rows can come again. Without `since` it returns only a cursor. Rows can be repeated:
   * of two, the one with the higher revision counts, then the one with the higher `lastSeq`.
   * Conversations for which nobody ever asked for a person are not among them: list `bot` again.
   * `TooOld`: list the conversations again, and forget the others; also when the caller sees
   * conversations of other teams than with the cursor. `isComplete` is false if there are more changes:
   * ask again with the new cursor.
   */
  getInboxChanges(...args: Arguments<{ since?: string }>): Promise<{ conversations: InboxRow[]; deleted: string[]; hidden?: string[]; cursor: string; isComplete: boolean }>;
  /**
   * Returns a conversation with its visitor, the e-mail address that the visitor has left, what the
   * visitor has answered in the form before it, and its handoffs, newest first.
   */
  getInboxConversation(...args: Arguments<{ id: string }>): Promise<{ conversation: InboxRow; visitor: User; contact?: TeamContact; preChatForm?: PreChatForm; handoffs: Handoff[] }>;
  /**
   * Returns the messages, notes and activities of a conversation in three lists, newest first, in pages
   * of messages, and its ratings.
   */
  getInboxTimeline(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ messages: Message[]; notes: Note[]; activities: Activity[]; ratings: Rating[]; visitorRead?: ReadMark; seq: number; meta: PageMeta }>;
  /**
   * The caller answers from now on, in the name of their member. If several take it at once, one does;
   * the others get `AlreadyTaken` with `metadata.assignee`. Taking what the caller has already has no
   * further effect. A conversation with the bot can be taken, too, with the permission `inbox.takeover`:
   * the bot ends its answer, and is silent from then on.
   */
  takeConversation(...args: Arguments<{ id: string; revision?: number }>): Promise<{ conversation: InboxRow }>;
  /**
   * Another member answers from now on; or, with `teamId`, the visitor waits in the queue of a team.
   * Needs `inbox.assign` if another person answers. `StaleRevision`: the conversation is in another
   * state, or has not this `revision` any more; `metadata` has its `state` and `revision`.
   */
  assignConversation(...args: Arguments<{ id: string; memberId?: string; teamId?: string; revision?: number }>): Promise<{ conversation: InboxRow }>;
  /**
   * Nobody answers any more: the visitor waits at the front of the queue. Needs `inbox.assign` if
   * another person answers. `StaleRevision`: the conversation is in another state, or has not this
   * `revision` any more; `metadata` has its `state` and `revision`.
   */
  releaseConversation(...args: Arguments<{ id: string; revision?: number }>): Promise<{ conversation: InboxRow }>;
  /**
   * Ends the handoff as resolved. A message of the visitor within two hours opens it again; later, the
   * bot answers. `StaleRevision`: the conversation is in another state, or has not this `revision` any
   * more; `metadata` has its `state` and `revision`.
   */
  closeInboxConversation(...args: Arguments<{ id: string; revision?: number }>): Promise<{ conversation: InboxRow }>;
  /**
   * Opens a closed conversation again, with a new handoff; the caller answers. `StaleRevision`: the
   * conversation is in another state, or has not this `revision` any more; `metadata` has its `state`
   * and `revision`.
   */
  reopenConversation(...args: Arguments<{ id: string; revision?: number }>): Promise<{ conversation: InboxRow }>;
  /**
   * Puts a conversation aside until a time, or until the visitor writes, which ends every snoozing.
   * `StaleRevision`: the conversation is in another state, or has not this `revision` any more;
   * `metadata` has its `state` and `revision`.
   */
  snoozeConversation(...args: Arguments<{ id: string; until?: string; revision?: number }>): Promise<{ conversation: InboxRow }>;
  /**
   * Ends the snoozing of a conversation. `StaleRevision`: the conversation is in another state, or has
   * not this `revision` any more; `metadata` has its `state` and `revision`.
   */
  unsnoozeConversation(...args: Arguments<{ id: string }>): Promise<{ conversation: InboxRow }>;
  /**
   * The bot answers again, and receives the event `handoff_ended`. Needs `inbox.assign` if another
   * person answers. `StaleRevision`: the conversation is in another state, or has not this `revision`
   * any more; `metadata` has its `state` and `revision`.
   */
  returnConversation(...args: Arguments<{ id: string; revision?: number }>): Promise<{ conversation: InboxRow }>;
  /** Replaces the tags of a conversation. They are for the team: neither visitors nor bots see them. */
  setInboxTags(...args: Arguments<{ id: string; tags: string[] }>): Promise<{ conversation: InboxRow }>;
  /**
   * Sends a message to the visitor in the name of the caller, who has to answer the conversation; with
   * `take` they take it first. `seenSeq` is the `seq` that the caller has read up to: if a colleague has
   * written since, a message or a note, it is a `NewerReply`, whose `metadata` has the number of
   * `messages` and `notes` and the `seq` to read up to. Notes have no number of their own: with
   * `seenNoteId`, the newest note that the caller has read, later ones count. Messages of the visitor
   * stop nothing. `AssignedToOther`: another person answers (`metadata.assignee`).
   */
  createReply(...args: Arguments<{ id: string; payload: Payload; seenSeq: number; seenNoteId?: string; take?: true }>): Promise<{ message: Message }>;
  /**
   * Announces a file for a reply. Send its bytes to `uploadUrl`, as those of `createFile` of the Chat
   * API, then a reply whose payload has its `url`. It is deleted with the conversation. The limits of
   * the server apply, not those that the bot sets for its visitors.
   */
  createReplyFile(...args: Arguments<{ id: string } & FileFields>): Promise<{ file: NewFile }>;
  /**
   * Announces a file for a note. Send its bytes to `uploadUrl`, as those of `createFile` of the Chat
   * API, then a note with its id in `fileIds`. Without a note it is deleted after a day. No visitor and
   * no bot can read it.
   */
  createNoteFile(...args: Arguments<{ id: string } & FileFields>): Promise<{ file: { id: string; key: string; size: number; contentType: string; uploadUrl: string } }>;
  /**
   * Returns a file of a note, or one that the caller may attach to a note, with the type that the server
   * has detected, and an address from which its bytes can be read for five minutes, by everyone who has
   * it.
   */
  getNoteFile(...args: Arguments<{ id: string; fileId: string }>): Promise<{ file: { id: string; key: string; size: number; contentType: string; url: string } }>;
  /**
   * Writes a note for the team. No visitor, no bot and no webhook can read it. It has a `body`, or files
   * (`fileIds`, from `createNoteFile`), or both. The conversation is in the list `mentioned` of the
   * members in `mentions`, which have to be members who can see it (`ReferenceConstraint`).
   */
  createNote(...args: Arguments<{ id: string; body?: string; mentions?: string[]; fileIds?: string[] }>): Promise<{ note: Note }>;
  /** Changes the text of a note that the caller wrote, and whom it mentions, if that is given. */
  updateNote(...args: Arguments<{ id: string; noteId: string; body: string; mentions?: string[] }>): Promise<{ note: Note }>;
  /** Deletes a note that the caller wrote, or any note for callers with `inbox.assign`. */
  deleteNote(...args: Arguments<{ id: string; noteId: string }>): Promise<Record<never, never>>;
  /** Lists the canned answers of the workspace and those of the caller, oldest first. */
  listCannedAnswers(...args: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ cannedAnswers: CannedAnswer[]; meta: PageMeta }>;
  /**
   * Adds a canned answer, of the caller or of the workspace. Its text can have the variables
   * `{{visitor.name}}`, `{{member.name}}`, `{{conversation.page}}` and `{{field|fallback}}`, a field of
   * the profile of the visitor, which the page fills in before a member sends it. Those of the workspace
   * need `inbox.settings`.
   */
  createCannedAnswer(...args: Arguments<{ scope: 'own' | 'workspace'; name: string; text: string }>): Promise<{ cannedAnswer: CannedAnswer }>;
  /** Changes the name or the text of a canned answer. Those of the workspace need `inbox.settings`. */
  updateCannedAnswer(...args: Arguments<{ id: string; name?: string; text?: string }>): Promise<{ cannedAnswer: CannedAnswer }>;
  /** Deletes a canned answer. Those of the workspace need `inbox.settings`. */
  deleteCannedAnswer(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Returns when the members of the workspace answer, and whether they do now. Without hours of its own,
   * a workspace answers always.
   */
  getOpeningHours(...args: Arguments<Record<never, never>>): Promise<{ openingHours: OpeningHours; status: { isOpen: boolean; closesAt?: string; opensAt?: string } }>;
  /**
   * Sets when the members of the workspace answer, by the clock of a time zone: an end at or before its
   * start is on the next day, and the first exception that contains a day replaces the hours of that
   * day. Outside of the hours, requests for a person are not accepted, and the answer says when somebody
   * is back (`opensAt`).
   */
  setOpeningHours(...args: Arguments<OpeningHours>): Promise<{ openingHours: OpeningHours; status: { isOpen: boolean; closesAt?: string; opensAt?: string } }>;
  /** Lists all teams of the workspace, oldest first. */
  listTeams(...args: Arguments<Record<never, never>>): Promise<{ teams: Team[] }>;
  /**
   * Adds a team. `mode`: its members take conversations (`manual`), or they are assigned in turn
   * (`round_robin`) or to who has the fewest (`least_busy`), to members who are available and reachable,
   * each up to `capacity`.
   */
  createTeam(...args: Arguments<{ name: string; mode: 'manual' | 'round_robin' | 'least_busy'; capacity?: number; isRestricted?: boolean; isDefault?: boolean; memberIds?: string[] }>): Promise<{ team: Team }>;
  /** Changes a team. `memberIds` replaces its members. */
  updateTeam(...args: Arguments<{ id: string; name?: string; mode?: 'manual' | 'round_robin' | 'least_busy'; capacity?: number; isRestricted?: boolean; isDefault?: boolean; memberIds?: string[] }>): Promise<{ team: Team }>;
  /** Deletes a team. Its conversations belong to no team afterwards. */
  deleteTeam(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Lists the members who can answer visitors: whether they are available, and how many conversations
   * they have.
   */
  listInboxMembers(...args: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ members: InboxMember[]; meta: PageMeta }>;
  /** Returns whether the caller is assigned conversations, and how many they have. */
  getAvailability(...args: Arguments<Record<never, never>>): Promise<{ member: InboxMember }>;
  /**
   * Says whether the caller is assigned conversations. If the caller goes away, their conversations in
   * teams that assign automatically go to the front of the queue again, if their visitors wait for an
   * answer.
   */
  setAvailability(...args: Arguments<{ availability: 'available' | 'away' }>): Promise<{ member: InboxMember }>;
  /** Sets how many conversations a member is assigned at most; null: as their teams say. */
  setMemberCapacity(...args: Arguments<{ id: string; capacity: number | null }>): Promise<{ member: InboxMember }>;
  /**
   * Returns how the caller is told that a visitor waits while none of the members who could answer has
   * the inbox open, and what the server offers.
   */
  getAlerts(...args: Arguments<Record<never, never>>): Promise<{ alerts: OwnAlerts }>;
  /**
   * Switches mails to the caller on or off (`mail`), and stores the push subscription of the browser of
   * this session, or of this token (`push`; null removes it). It ends with the session. Refused if the
   * server sends no pushes, or not to this push service.
   */
  setAlerts(...args: Arguments<{ mail?: boolean; push?: { endpoint: string; keys: { p256dh: string; auth: string }; expirationTime?: number | null } | null }>): Promise<{ alerts: OwnAlerts }>;
  /**
   * Returns the address of the chat tool that is told when a visitor waits while none of the members who
   * could answer has the inbox open, and why the last message to it failed.
   */
  getTeamAlerts(...args: Arguments<Record<never, never>>): Promise<{ alerts: TeamAlerts }>;
  /**
   * Sets the address of the chat tool, such as an incoming webhook of Slack, Mattermost, Discord or
   * Google Chat; null: none. It begins with `https://`; addresses in private networks, and `http://`
   * there, need the setting WEBHOOK_PRIVATE.
   */
  setTeamAlerts(...args: Arguments<{ url: string | null }>): Promise<{ alerts: TeamAlerts }>;
  /**
   * Sends a test message to the chat tool, and returns whether it was accepted; false without an address
   * of a chat tool.
   */
  testTeamAlert(...args: Arguments<Record<never, never>>): Promise<{ isSent: boolean; problem?: AlertProblem }>;
  /**
   * Returns the figures of a period: `from` and `to` are dates in the time zone (default: UTC), both
   * inclusive, of at most 366 days. All durations are milliseconds on the clock, also outside of the
   * opening hours, with their number, their median and their 90th percentile. `days`: conversations by
   * the day on which they began, and handoffs by the day of the request. `firstResponse`: from the
   * request for a person to their first reply; `response`: from the oldest message or request without a
   * reply to the reply; `resolution`: from the request to the end, of handoffs that were resolved in the
   * period. `ratings`: those given in the period. `questions`: what visitors asked the bot before
   * anybody asked for a person, before they rated the answer as bad, or when the knowledge of the agent
   * had no passage, in at least 3 conversations. With `reports.read` alone, only the work of the caller
   * is counted. A report of the caller or of a team has no conversations and no questions. Handoffs of a
   * restricted team are counted for its members, and with `inbox.assign`.
   */
  getReport(...args: Arguments<{ from: string; to: string; timeZone?: string; bot?: string; team?: string }>): Promise<{ report: Report }>;
  /**
   * Returns a table of the report as CSV (RFC 4180, with a byte order mark) and a name for its file.
   * Durations are in seconds. Texts that a spreadsheet would run as a formula begin with an apostrophe.
   */
  exportReport(...args: Arguments<{ from: string; to: string; timeZone?: string; bot?: string; team?: string; table: 'figures' | 'days' | 'members' | 'questions' }>): Promise<{ name: string; csv: string }>;
  /**
   * Tells colleagues what the caller does in a conversation; `replying` also tells the visitor that a
   * person types, if the caller answers. It ends by itself after 40 seconds. It is not stored.
   */
  setInboxPresence(...args: Arguments<{ id: string; state: 'viewing' | 'replying' | 'noting' | 'gone' }>): Promise<Record<never, never>>;
  /**
   * Records that the caller has read the conversation up to a sequence number, such as the `seq` of its
   * timeline: they have seen the notes up to there that mention them. For the member who answers, it is
   * also what visitors are told where the bot has `readReceipts`. For other members, nothing else is
   * recorded.
   */
  setInboxRead(...args: Arguments<{ id: string; seq: number }>): Promise<Record<never, never>>;
  /**
   * Tells that the caller looks at the list `bot`: for 40 seconds, their streams get the conversations
   * of the list that change, once a second at most (`inbox_bot_rows`). Tell it before the list is read,
   * and again while it is shown. It is not stored.
   */
  watchBotList(...args: Arguments<{ list: 'bot' }>): Promise<Record<never, never>>;
}

/** Every list of the Inbox API as an async iterable over all pages. */
export interface InboxLists {
  /**
   * Lists the conversations that people handle or have handled, by `sortAt`, newest first. `mine`: the
   * caller answers; `unassigned`: nobody answers yet; `waiting`: the visitor waits for an answer, by
   * `waitingSince`, longest first; `mentioned`: open, with a note that mentions the caller; `all`: all
   * that are not closed and not with the bot; `closed`; `snoozed`; `bot`: those with a message of a
   * visitor that the bot answers, also if nobody has ever asked for a person. The server looks for the
   * latter in steps: a page of `bot` can have fewer rows than asked for, or none, and a `nextToken`.
   * `sort` turns the order around. `q`: words that all begin a word of the name of the visitor, of the
   * tags, of the last message or of the reason of the handoff, without case and accents. The
   * conversations of a restricted team are listed for its members, and with `inbox.assign`. Only for the
   * list `bot`: `rating` keeps the rows with this `rating`, `answer: none` those with `isUnanswered`.
   */
  inboxConversations(...args: ListArguments<{ nextToken?: string; pageSize?: number; list: 'mine' | 'unassigned' | 'waiting' | 'mentioned' | 'all' | 'closed' | 'snoozed' | 'bot'; sort?: 'newest' | 'oldest'; q?: string; bot?: string; assignee?: string; tag?: string; team?: string; rating?: 'good' | 'bad'; answer?: 'none' }>): Items<InboxRow>;
  /**
   * Lists the visitors who have conversations with messages, by their last activity, newest first.
   * `text`: a part of the name or of the profile, such as an e-mail address, without case and accents.
   * The server looks for them in steps: a page can have fewer visitors than asked for, or none, and a
   * `nextToken`. Only conversations that the caller may read count.
   */
  inboxVisitors(...args: ListArguments<{ nextToken?: string; pageSize?: number; text?: string }>): Items<InboxVisitor>;
  /**
   * Lists the conversations of the visitor of a conversation, this one among them, that have messages
   * and that the caller may read, those that began last at first.
   */
  visitorConversations(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<InboxRow>;
  /** Lists the canned answers of the workspace and those of the caller, oldest first. */
  cannedAnswers(...args: ListArguments<{ nextToken?: string; pageSize?: number }>): Items<CannedAnswer>;
  /**
   * Lists the members who can answer visitors: whether they are available, and how many conversations
   * they have.
   */
  inboxMembers(...args: ListArguments<{ nextToken?: string; pageSize?: number }>): Items<InboxMember>;
}
