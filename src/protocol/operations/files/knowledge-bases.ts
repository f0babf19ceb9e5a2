// Operations of the Files API: knowledge bases.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { fileSchemas } from '../../schemas/files.ts';
import { queries } from '../../schemas/query.ts';
import { tagFilter } from '../../schemas/tag-filter.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ knowledgeBase: fileSchemas.knowledgeBase });

export const knowledgeBases = operations({
  listKnowledgeBases: query({
    route: 'GET /knowledge-bases',
    summary: 'Lists the knowledge bases of the bot, newest first; with `tags`, those that match the filter.',
    auth: 'bot',
    permission: 'files.list',
    errors: ['InvalidQuery'],
    input: v.object({ ...queries.sizedPage, tags: maybe(tagFilter) }),
    output: v.object({ knowledgeBases: v.array(fileSchemas.knowledgeBase), meta: schemas.meta }),
    sample: { tags: { language: 'en' } },
    examples: [{ tags: { a: { not: 'b', exists: true } }, pageSize: 2 }],
  }),

  createKnowledgeBase: mutation({
    route: 'POST /knowledge-bases',
    summary:
      'Creates a knowledge base. A file belongs to it if it is indexed and its tag `kbId` is the id of the ' +
      'knowledge base.',
    auth: 'bot',
    permission: 'files.create',
    input: fileSchemas.newKnowledgeBase,
    output: response,
    sample: { name: 'Help pages', tags: { language: 'en' } },
    examples: [{ name: 'A', tags: { a: 'b' } }],
  }),

  updateKnowledgeBase: mutation({
    route: 'PUT /knowledge-bases/{id}',
    summary: 'Changes the name or merges tags; null removes a tag.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound'],
    input: fileSchemas.knowledgeBaseChanges,
    output: response,
    sample: { id: '<<knowledgeBase>>', name: 'Help pages' },
    examples: [{ id: '<<knowledgeBase>>', name: 'B', tags: { a: null } }],
  }),

  deleteKnowledgeBase: mutation({
    route: 'DELETE /knowledge-bases/{id}',
    summary: 'Deletes a knowledge base. Its files stay.',
    auth: 'bot',
    permission: 'files.delete',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<knowledgeBase>>' }],
  }),
});
