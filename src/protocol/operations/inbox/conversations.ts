// Operations of the Inbox API: conversations, actions on them, and the stream of changes.
import * as v from 'valibot';
import { inboxLists, inboxSorts, presenceStates, rowRatings } from '../../inbox.ts';
import { limits } from '../../limits.ts';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { inboxSchemas } from '../../schemas/inbox.ts';
import { maybe } from '../../schemas/values.ts';
import { contactSchemas, preChatSchemas } from '../../schemas/visitors.ts';
import { mutation, operations, query, teamSubscription } from '../operation.ts';

const rowResponse = v.object({ conversation: inboxSchemas.row });
const { revision } = inboxSchemas;
const stale =
  '`StaleRevision`: the conversation is in another state, or has not this `revision` any more; ' +
  '`metadata` has its `state` and `revision`.';

export const actions = operations({
  takeConversation: mutation({
    route: 'POST /conversations/{id}/take',
    summary:
      'The caller answers from now on, in the name of their member. If several take it at once, one does; the others get ' +
      '`AlreadyTaken` with `metadata.assignee`. Taking what the caller has already has no further effect. A conversation with ' +
      'the bot can be taken, too, with the permission `inbox.takeover`: the bot ends its answer, and is silent from then on.',
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'AlreadyTaken', 'StaleRevision'],
    input: v.object({ revision }),
    output: rowResponse,
    examples: [{ id: '<<handled>>' }],
  }),

  assignConversation: mutation({
    route: 'POST /conversations/{id}/assign',
    summary: `Another member answers from now on; or, with \`teamId\`, the visitor waits in the queue of a team. Needs \`inbox.assign\` if another person answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision', 'ReferenceConstraint'],
    input: v.pipe(
      v.object({ memberId: maybe(schemas.id), teamId: maybe(schemas.id), revision }),
      v.check(
        ({ memberId, teamId }) => (memberId === undefined) !== (teamId === undefined),
        'Expected a member or a team.',
      ),
    ),
    output: rowResponse,
    examples: [{ id: '<<handled>>', memberId: '<<member>>' }],
  }),

  releaseConversation: mutation({
    route: 'POST /conversations/{id}/release',
    summary: `Nobody answers any more: the visitor waits at the front of the queue. Needs \`inbox.assign\` if another person answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ revision }),
    output: rowResponse,
    examples: [{ id: '<<handled>>' }],
  }),

  closeInboxConversation: mutation({
    route: 'POST /conversations/{id}/close',
    summary: `Ends the handoff as resolved. A message of the visitor within two hours opens it again; later, the bot answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ revision }),
    output: rowResponse,
    examples: [{ id: '<<handled>>' }],
  }),

  reopenConversation: mutation({
    route: 'POST /conversations/{id}/reopen',
    summary: `Opens a closed conversation again, with a new handoff; the caller answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'AlreadyTaken', 'StaleRevision'],
    input: v.object({ revision }),
    output: rowResponse,
    examples: [{ id: '<<handled>>' }],
  }),

  snoozeConversation: mutation({
    route: 'POST /conversations/{id}/snooze',
    summary: `Puts a conversation aside until a time, or until the visitor writes, which ends every snoozing. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ until: maybe(inboxSchemas.until), revision }),
    output: rowResponse,
    examples: [{ id: '<<handled>>' }],
  }),

  unsnoozeConversation: mutation({
    route: 'DELETE /conversations/{id}/snooze',
    summary: `Ends the snoozing of a conversation. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    output: rowResponse,
    examples: [{ id: '<<handled>>' }],
  }),

  returnConversation: mutation({
    route: 'POST /conversations/{id}/return',
    summary: `The bot answers again, and receives the event \`handoff_ended\`. Needs \`inbox.assign\` if another person answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ revision }),
    output: rowResponse,
    examples: [{ id: '<<handled>>' }],
  }),

  setInboxTags: mutation({
    route: 'PUT /conversations/{id}/tags',
    summary:
      'Replaces the tags of a conversation. They are for the team: neither visitors nor bots see them.',
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound'],
    input: v.object({ tags: inboxSchemas.tags }),
    output: rowResponse,
    examples: [{ id: '<<handled>>', tags: ['refund'] }],
  }),
});

export const stream = operations({
  setInboxPresence: mutation({
    route: 'PUT /conversations/{id}/presence',
    summary:
      'Tells colleagues what the caller does in a conversation; `replying` also tells the visitor that a person types, if the ' +
      'caller answers. It ends by itself after 40 seconds. It is not stored.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['ResourceNotFound'],
    input: v.object({ state: v.picklist(presenceStates) }),
    output: schemas.nothing,
    examples: [{ id: '<<handled>>', state: 'viewing' }],
  }),

  setInboxRead: mutation({
    route: 'PUT /conversations/{id}/read',
    summary:
      'Records that the caller has read the conversation up to a sequence number, such as the `seq` of its timeline: they have ' +
      'seen the notes up to there that mention them. For the member who answers, it is also what visitors are told where the bot has ' +
      '`readReceipts`. For other members, nothing else is recorded.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['ResourceNotFound'],
    input: v.object({ seq: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    output: schemas.nothing,
    examples: [{ id: '<<handled>>', seq: 1 }],
  }),

  watchBotList: mutation({
    route: 'PUT /watch',
    summary:
      'Tells that the caller looks at the list `bot`: for 40 seconds, their streams get the conversations of the list that ' +
      'change, once a second at most (`inbox_bot_rows`). Tell it before the list is read, and again while it is shown. It is not ' +
      'stored.',
    auth: 'workspace',
    permission: 'inbox.read',
    input: v.object({ list: v.literal('bot') }),
    output: schemas.nothing,
    examples: [{ list: 'bot' }],
  }),

  listenInbox: teamSubscription({
    route: 'GET /stream',
    summary:
      'Streams the changes of the inbox as server-sent events: `inbox_row`, `inbox_bot_rows`, `inbox_deleted`, `inbox_message`, ' +
      '`inbox_message_deleted`, `inbox_note`, `inbox_note_deleted`, `inbox_read`, `inbox_typing`, `inbox_page`, `inbox_settings`, `inbox_counts` and ' +
      '`inbox_presence`. Rows are states: their order does not matter. When `lastSeq` of a row rises, read its timeline; when `revision` ' +
      'rises, its visitor may have changed, too (`getInboxConversation`). `inbox_bot_rows` has several rows of the list `bot` ' +
      '(`watchBotList`); the visitor of each of them may have changed. `inbox_deleted` with `isHidden` means that the caller may not see the ' +
      'conversation any more; if that changes, its row comes again. After a cut, ask for the changes (`getInboxChanges`). It also ends when the ' +
      'caller has another role, or sees conversations of other teams than before. A member can have 20 streams open (`RateLimited`).',
    auth: 'workspace',
    permission: 'inbox.read',
  }),
});

export const conversations = operations({
  listInboxConversations: query({
    route: 'GET /conversations',
    summary:
      'Lists the conversations that people handle or have handled, by `sortAt`, newest first. `mine`: the caller answers; ' +
      '`unassigned`: nobody answers yet; `waiting`: the visitor waits for an answer, by `waitingSince`, longest first; ' +
      '`mentioned`: open, with a note that mentions the caller; ' +
      '`all`: all that are not closed and not with the bot; `closed`; `snoozed`; `bot`: those with a message of a visitor that ' +
      'the bot answers, also if nobody has ever asked for a person. The server looks for the latter in steps: a page of `bot` can ' +
      'have fewer rows than asked for, or none, and a `nextToken`. `sort` turns the order around. `q`: words that ' +
      'all begin a word of the name of the visitor, of the tags, of the last message or of the reason of the handoff, without ' +
      'case and accents. The conversations of a restricted team are listed for its members, and with `inbox.assign`. Only for the list `bot`: ' +
      '`rating` keeps the rows with this `rating`, `answer: none` those with `isUnanswered`.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery'],
    input: v.object({
      ...schemas.sizedPage,
      list: v.picklist(inboxLists),
      sort: maybe(v.picklist(inboxSorts)),
      q: maybe(v.pipe(schemas.text, v.maxLength(limits.inbox.search))),
      bot: maybe(schemas.id),
      assignee: maybe(schemas.id),
      tag: maybe(schemas.id),
      team: maybe(schemas.id),
      rating: maybe(v.picklist(rowRatings)),
      answer: maybe(v.literal('none')),
    }),
    output: v.object({ conversations: v.array(inboxSchemas.row), meta: schemas.meta }),
    examples: [
      { list: 'waiting' },
      { list: 'all', q: 'order ada', sort: 'oldest', bot: '<<bot>>', tag: 'refund', pageSize: 20 },
    ],
  }),

  searchInbox: query({
    route: 'GET /search',
    summary:
      'Searches all messages and notes of all conversations that the caller may read, also those that only a bot answers, for words ' +
      'that begin with those of `text`, without case and accents, newest first. Of each conversation a page has the newest text; ' +
      'older ones can be on the next pages. A page can have fewer conversations than asked for, or none, and a `nextToken`. ' +
      'A new message is found within half a minute, and within about a second while somebody searches; a note immediately. ' +
      'Superseded messages are not found.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery'],
    input: v.object({
      nextToken: maybe(v.string()),
      text: v.pipe(schemas.text, v.maxLength(limits.inbox.search)),
    }),
    output: v.object({ found: v.array(inboxSchemas.found), meta: schemas.meta }),
    examples: [{ text: 'order' }],
  }),

  listInboxVisitors: query({
    route: 'GET /visitors',
    summary:
      'Lists the visitors who have conversations with messages, by their last activity, newest first. `text`: a part of the name or of ' +
      'the profile, such as an e-mail address, without case and accents. The server looks for them in steps: a page can have fewer ' +
      'visitors than asked for, or none, and a `nextToken`. Only conversations that the caller may read count.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery'],
    input: v.object({
      ...schemas.sizedPage,
      text: maybe(v.pipe(schemas.text, v.maxLength(limits.inbox.search))),
    }),
    output: v.object({ visitors: v.array(inboxSchemas.visitor), meta: schemas.meta }),
    examples: [{ text: 'ada' }],
  }),

  listVisitorConversations: query({
    route: 'GET /conversations/{id}/visitor/conversations',
    summary:
      'Lists the conversations of the visitor of a conversation, this one among them, that have messages and that the caller may read, ' +
      'those that began last at first.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ conversations: v.array(inboxSchemas.row), meta: schemas.meta }),
    examples: [{ id: '<<handled>>' }],
  }),

  getInboxCounts: query({
    route: 'GET /counts',
    summary:
      'Returns how many conversations each list of the caller has, up to 999. The list `bot` is not counted.',
    auth: 'workspace',
    permission: 'inbox.read',
    output: v.object({ counts: inboxSchemas.counts }),
  }),

  getInboxChanges: query({
    route: 'GET /changes',
    summary:
      'Returns the rows that have changed since a cursor of an earlier response, and the ids of conversations that were ' +
      'deleted, or that the caller may not see (`deleted`). The latter are also in `hidden`: their rows can come again. ' +
      'Without `since` it returns only a cursor. Rows can be repeated: of two, the one with the higher revision ' +
      'counts, then the one with the higher `lastSeq`. Conversations for which nobody ever asked for a person are ' +
      'not among them: list `bot` again. `TooOld`: list the conversations again, and forget the others; also when ' +
      'the caller sees conversations of other teams than with the cursor. `isComplete` is false if there are more changes: ask ' +
      'again with the new cursor.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery', 'TooOld'],
    input: v.object({ since: maybe(v.string()) }),
    output: v.object({
      conversations: v.array(inboxSchemas.row),
      deleted: v.array(v.string()),
      hidden: maybe(v.array(v.string())),
      cursor: v.string(),
      isComplete: v.boolean(),
    }),
  }),

  getInboxConversation: query({
    route: 'GET /conversations/{id}',
    summary:
      'Returns a conversation with its visitor, the e-mail address that the visitor has left, what the visitor has answered in ' +
      'the form before it, and its handoffs, newest first.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['ResourceNotFound'],
    output: v.object({
      conversation: inboxSchemas.row,
      visitor: schemas.user,
      contact: maybe(contactSchemas.ofTeam),
      preChatForm: maybe(preChatSchemas.form),
      handoffs: v.array(handlingSchemas.handoff),
    }),
    examples: [{ id: '<<handled>>' }],
  }),

  getInboxTimeline: query({
    route: 'GET /conversations/{id}/timeline',
    isHeavy: true,
    summary:
      'Returns the messages, notes and activities of a conversation in three lists, newest first, in pages of messages, and ' +
      'its ratings.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ ...inboxSchemas.timeline.entries, meta: schemas.meta }),
    examples: [{ id: '<<handled>>' }],
  }),
});
