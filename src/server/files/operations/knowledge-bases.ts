// Operations on knowledge bases: a name for the files whose tag `kbId` is its id. It moves no file.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { KnowledgeBase } from '../../../protocol/platform-file.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import type { BotPrincipal } from '../../auth/principal.ts';
import { reading, writing } from '../../operations/operation.ts';
import type { Tx } from '../../storage/database.ts';
import {
  deleteKnowledgeBase,
  findKnowledgeBase,
  insertKnowledgeBase,
  type KnowledgeBaseRow,
  listKnowledgeBases,
  updateKnowledgeBase,
} from '../../storage/files/knowledge-bases.ts';
import { redactResponses } from '../../storage/idempotency.ts';
import { createId } from '../../storage/ids.ts';
import { fileSchemas } from '../schemas.ts';
import { mergeTags } from '../serializers.ts';
import { pageQuery } from './pages.ts';

const response = v.object({ knowledgeBase: fileSchemas.knowledgeBase });

export const knowledgeBases = [
  reading({
    id: 'listKnowledgeBases',
    method: 'GET',
    path: '/knowledge-bases',
    summary: 'Lists the knowledge bases of the bot, newest first.',
    auth: 'bot',
    permission: 'files.list',
    errors: ['InvalidQuery'],
    status: 200,
    query: pageQuery,
    response: v.object({ knowledgeBases: v.array(fileSchemas.knowledgeBase), meta: schemas.meta }),
    async run({ tx, caller, query: { nextToken, pageSize = limits.filesPage } }) {
      const before = decodeCursor('knowledge-bases', nextToken, isText);
      const found = isOfBot(caller) ? await listKnowledgeBases(tx, caller.botId, before, pageSize + 1) : [];
      const { rows, meta } = cutPage('knowledge-bases', found, pageSize, ({ id }) => id);
      return { body: { knowledgeBases: rows.map(toKnowledgeBase), meta } };
    },
  }),

  writing({
    id: 'createKnowledgeBase',
    method: 'POST',
    path: '/knowledge-bases',
    summary: 'Makes a knowledge base. Files belong to it by their tag `kbId`, and must be indexed.',
    auth: 'bot',
    permission: 'files.create',
    errors: [],
    status: 200,
    body: fileSchemas.newKnowledgeBase,
    response,
    async run({ tx, caller, body: { name, tags = {} }, services: { now } }) {
      if (!isOfBot(caller)) throw new ApiError('Forbidden', 'Integrations have no knowledge bases.');
      const at = now();
      const row: KnowledgeBaseRow = {
        id: createId('kb', at),
        botId: caller.botId,
        name,
        tags: JSON.stringify(tags),
        createdAt: at,
        updatedAt: at,
      };
      await insertKnowledgeBase(tx, row);
      return { body: { knowledgeBase: toKnowledgeBase(row) }, resource: row.id };
    },
  }),

  writing({
    id: 'updateKnowledgeBase',
    method: 'PUT',
    path: '/knowledge-bases/{id}',
    summary: 'Changes the name, or merges tags; null takes one away.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound'],
    status: 200,
    body: fileSchemas.knowledgeBaseChanges,
    response,
    async run({ tx, caller, params, body, services: { now } }) {
      const found = await existing(tx, caller, params);
      const tags = JSON.stringify(mergeTags(found.tags, body.tags));
      const row = { ...found, name: body.name ?? found.name, tags, updatedAt: now() };
      await updateKnowledgeBase(tx, row);
      return { body: { knowledgeBase: toKnowledgeBase(row) } };
    },
  }),

  writing({
    id: 'deleteKnowledgeBase',
    method: 'DELETE',
    path: '/knowledge-bases/{id}',
    summary: 'Deletes a knowledge base. Its files stay.',
    auth: 'bot',
    permission: 'files.delete',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params }) {
      const { id } = await existing(tx, caller, params);
      await deleteKnowledgeBase(tx, id);
      await redactResponses(tx, id);
      return { body: {} };
    },
  }),
];

/** Knowledge bases are the bot's; an integration has files alone. */
const isOfBot = ({ kind }: BotPrincipal): boolean => kind !== 'integration';

async function existing(
  tx: Tx,
  caller: BotPrincipal,
  { id = '' }: Record<string, string>,
): Promise<KnowledgeBaseRow> {
  const found = isOfBot(caller) ? await findKnowledgeBase(tx, caller.botId, id) : undefined;
  if (!found) throw new ApiError('ResourceNotFound', 'The knowledge base does not exist.');
  return found;
}

function toKnowledgeBase({ id, name, tags }: KnowledgeBaseRow): KnowledgeBase {
  return { id, name, tags: JSON.parse(tags) as Record<string, string> };
}
