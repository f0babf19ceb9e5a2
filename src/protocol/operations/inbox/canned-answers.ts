// Operations of the Inbox API: texts that members insert into replies.
import * as v from 'valibot';
import { cannedAnswerScopes } from '../../handling/inbox.ts';
import { limits } from '../../limits.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { inboxSchemas } from '../../schemas/inbox.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ cannedAnswer: inboxSchemas.cannedAnswer });
const name = handlingSchemas.text(limits.inbox.answerName);
const text = handlingSchemas.text(limits.inbox.answerText);
const ofWorkspace = 'Those of the workspace need `inbox.settings`.';

export const cannedAnswers = operations({
  listCannedAnswers: query({
    route: 'GET /canned-answers',
    summary: 'Lists the canned answers of the workspace and those of the caller, oldest first.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery'],
    input: v.object(schemas.sizedPage),
    output: v.object({ cannedAnswers: v.array(inboxSchemas.cannedAnswer), meta: schemas.meta }),
    examples: [{ pageSize: 20 }],
  }),

  createCannedAnswer: mutation({
    route: 'POST /canned-answers',
    summary:
      'Adds a canned answer, of the caller or of the workspace. Its text can have the variables `{{visitor.name}}`, ' +
      '`{{member.name}}`, `{{conversation.page}}` and `{{field|fallback}}`, a field of the profile of the visitor, which the ' +
      `page fills in before a member sends it. ${ofWorkspace}`,
    auth: 'workspace',
    permission: 'inbox.write',
    status: 201,
    errors: ['QuotaExceeded'],
    input: v.object({ scope: v.picklist(cannedAnswerScopes), name, text }),
    output: response,
    examples: [{ scope: 'own', name: 'hello', text: 'Hello {{visitor.name|there}}' }],
  }),

  updateCannedAnswer: mutation({
    route: 'PUT /canned-answers/{id}',
    summary: `Changes the name or the text of a canned answer. ${ofWorkspace}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound'],
    input: v.object({ name: maybe(name), text: maybe(text) }),
    output: response,
    examples: [{ id: '<<cannedAnswer>>', text: 'Good morning' }],
  }),

  deleteCannedAnswer: mutation({
    route: 'DELETE /canned-answers/{id}',
    summary: `Deletes a canned answer. ${ofWorkspace}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<otherCannedAnswer>>' }],
  }),
});
