// Operations of the Inbox API: the stream of its changes, and who does what at the moment.
import * as v from 'valibot';
import { presenceStates } from '../../handling/inbox.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, teamSubscription } from '../operation.ts';

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

  listenInbox: teamSubscription({
    route: 'GET /stream',
    summary:
      'Streams the changes of the inbox as server-sent events: `inbox_row`, `inbox_deleted`, `inbox_message`, ' +
      '`inbox_message_deleted`, `inbox_note`, `inbox_note_deleted`, `inbox_read`, `inbox_typing`, `inbox_settings`, `inbox_counts` and ' +
      '`inbox_presence`. Rows are states: their order does not matter. When `lastSeq` of a row rises, read its timeline; when `revision` ' +
      'rises, its visitor may have changed, too (`getInboxConversation`). `inbox_deleted` with `isHidden` means that the caller may not see the ' +
      'conversation any more; if that changes, its row comes again. After a cut, ask for the changes (`getInboxChanges`). It also ends when the ' +
      'caller has another role, or sees conversations of other teams than before. A member can have 20 streams open (`RateLimited`).',
    auth: 'workspace',
    permission: 'inbox.read',
  }),
});
