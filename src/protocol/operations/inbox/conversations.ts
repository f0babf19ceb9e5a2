// Operations of the Inbox API: lists, and what a member reads of one conversation.
import * as v from 'valibot';
import { inboxLists } from '../../handling/inbox.ts';
import { inboxSorts } from '../../handling/inbox-filter.ts';
import { limits } from '../../limits.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { contactSchemas } from '../../schemas/contact.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { inboxSchemas } from '../../schemas/inbox.ts';
import { preChatSchemas } from '../../schemas/visitors/pre-chat-form.ts';
import { operations, query } from '../operation.ts';

export const conversations = operations({
  listInboxConversations: query({
    route: 'GET /conversations',
    summary:
      'Lists the conversations that people handle or have handled, by `sortAt`, newest first. `mine`: the caller answers; ' +
      '`unassigned`: nobody answers yet; `waiting`: the visitor waits for an answer, by `waitingSince`, longest first; ' +
      '`mentioned`: open, with a note that mentions the caller; ' +
      '`all`: all that are not closed and not with the bot; `closed`; `snoozed`. `sort` turns the order around. `q`: words that ' +
      'all begin a word of the name of the visitor, of the tags, of the last message or of the reason of the handoff, without ' +
      'case and accents. The conversations of a restricted team are listed for its members, and with `inbox.assign`.',
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
    }),
    output: v.object({ conversations: v.array(inboxSchemas.row), meta: schemas.meta }),
    examples: [
      { list: 'waiting' },
      { list: 'all', q: 'order ada', sort: 'oldest', bot: '<<bot>>', tag: 'refund', pageSize: 20 },
    ],
  }),

  getInboxCounts: query({
    route: 'GET /counts',
    summary: 'Returns how many conversations each list of the caller has, up to 999.',
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
      'counts, then the one with the higher `lastSeq`. `TooOld`: list the conversations again, and forget the others; also when ' +
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
