// Operations of the Inbox API: who answers a conversation, and until when.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { inboxSchemas } from '../../schemas/inbox.ts';
import { mutation, operations } from '../operation.ts';

const response = v.object({ conversation: inboxSchemas.row });
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
      'the bot can be taken, too: by its id.',
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'AlreadyTaken', 'StaleRevision'],
    input: v.object({ revision }),
    output: response,
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
    output: response,
    examples: [{ id: '<<handled>>', memberId: '<<member>>' }],
  }),

  releaseConversation: mutation({
    route: 'POST /conversations/{id}/release',
    summary: `Nobody answers any more: the visitor waits at the front of the queue. Needs \`inbox.assign\` if another person answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ revision }),
    output: response,
    examples: [{ id: '<<handled>>' }],
  }),

  closeInboxConversation: mutation({
    route: 'POST /conversations/{id}/close',
    summary: `Ends the handoff as resolved. A message of the visitor within two hours opens it again; later, the bot answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ revision }),
    output: response,
    examples: [{ id: '<<handled>>' }],
  }),

  reopenConversation: mutation({
    route: 'POST /conversations/{id}/reopen',
    summary: `Opens a closed conversation again, with a new handoff; the caller answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'AlreadyTaken', 'StaleRevision'],
    input: v.object({ revision }),
    output: response,
    examples: [{ id: '<<handled>>' }],
  }),

  snoozeConversation: mutation({
    route: 'POST /conversations/{id}/snooze',
    summary: `Puts a conversation aside until a time, or until the visitor writes, which ends every snoozing. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ until: maybe(inboxSchemas.until), revision }),
    output: response,
    examples: [{ id: '<<handled>>' }],
  }),

  unsnoozeConversation: mutation({
    route: 'DELETE /conversations/{id}/snooze',
    summary: `Ends the snoozing of a conversation. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    output: response,
    examples: [{ id: '<<handled>>' }],
  }),

  returnConversation: mutation({
    route: 'POST /conversations/{id}/return',
    summary: `The bot answers again, and receives the event \`handoff_ended\`. Needs \`inbox.assign\` if another person answers. ${stale}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'StaleRevision'],
    input: v.object({ revision }),
    output: response,
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
    output: response,
    examples: [{ id: '<<handled>>', tags: ['refund'] }],
  }),
});
