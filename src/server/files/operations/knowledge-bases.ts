// Operations on knowledge bases: a knowledge base is a name for the files whose tag `kbId` is its id.
import { limits } from '../../../protocol/limits.ts';
import { knowledgeBases } from '../../../protocol/operations/files.ts';
import type { KnowledgeBase } from '../../../protocol/types/files.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { timestamp } from '../../api/serializers.ts';
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
import { mergeTags } from '../file-fields.ts';
import { handle } from './services.ts';

export const knowledgeBaseHandlers = [
  handle(
    knowledgeBases.listKnowledgeBases,
    async ({ tx, caller, input: { nextToken, pageSize = limits.filesPage, tags } }) => {
      const before = decodeCursor('knowledge-bases', nextToken, isText);
      const found = isOfBot(caller)
        ? await listKnowledgeBases(tx, caller.botId, before, pageSize + 1, tags)
        : [];
      const { rows, meta } = cutPage('knowledge-bases', found, pageSize, ({ id }) => id);
      return { body: { knowledgeBases: rows.map(toKnowledgeBase), meta } };
    },
  ),

  handle(
    knowledgeBases.createKnowledgeBase,
    async ({ tx, caller, input: { name, tags = {} }, services: { now } }) => {
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
  ),

  handle(knowledgeBases.updateKnowledgeBase, async ({ tx, caller, params, input, services: { now } }) => {
    await tx.lock(`bot:${caller.botId}`);
    const found = await existing(tx, caller, params);
    const tags = JSON.stringify(mergeTags(found.tags, input.tags));
    const row = { ...found, name: input.name ?? found.name, tags, updatedAt: now() };
    await updateKnowledgeBase(tx, row);
    return { body: { knowledgeBase: toKnowledgeBase(row) } };
  }),

  handle(knowledgeBases.deleteKnowledgeBase, async ({ tx, caller, params }) => {
    const { id } = await existing(tx, caller, params);
    await deleteKnowledgeBase(tx, id);
    await redactResponses(tx, id);
    return { body: {} };
  }),
];

/** Knowledge bases belong to the bot. Integrations can have only files. */
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

function toKnowledgeBase({ id, name, tags, createdAt, updatedAt }: KnowledgeBaseRow): KnowledgeBase {
  return {
    id,
    name,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
    tags: JSON.parse(tags) as Record<string, string>,
  };
}
