// SQL of knowledge bases, which have a name and tags. The tag `kbId` of a file names its knowledge base.
import type { TagFilter } from '../../../protocol/types/tags.ts';
import type { Tx, WriteTx } from '../database.ts';
import { defineTable, insert, integer, type RowOf, text, update, withDefault } from '../table.ts';
import { tagCondition, tagsInJson } from './file-lists.ts';

const knowledgeBases = defineTable('knowledge_bases', {
  id: text,
  botId: text,
  name: text,
  /** JSON. */
  tags: withDefault(text),
  createdAt: integer,
  updatedAt: integer,
});
export type KnowledgeBaseRow = RowOf<typeof knowledgeBases>;

const columns = knowledgeBases.columns();

export async function findKnowledgeBase(
  tx: Tx,
  botId: string,
  id: string,
): Promise<KnowledgeBaseRow | undefined> {
  return tx.get(`SELECT ${columns} FROM knowledge_bases WHERE id = ? AND bot_id = ?`, id, botId);
}

/** Knowledge bases of a bot before `before` that match the filter, newest first. */
export async function listKnowledgeBases(
  tx: Tx,
  botId: string,
  before: string | undefined,
  limit: number,
  filter?: TagFilter,
): Promise<KnowledgeBaseRow[]> {
  const isMatch = tagCondition(tx, filter, tagsInJson(tx, 'knowledge_bases.tags'));
  return tx.all(
    `SELECT ${columns} FROM knowledge_bases WHERE bot_id = ? AND ${isMatch.sql}
       ${before === undefined ? '' : 'AND id < ?'} ORDER BY id DESC LIMIT ?`,
    botId,
    ...isMatch.values,
    ...(before === undefined ? [] : [before]),
    limit,
  );
}

export async function insertKnowledgeBase(tx: WriteTx, row: KnowledgeBaseRow): Promise<void> {
  await insert(tx, knowledgeBases, row);
}

export async function updateKnowledgeBase(
  tx: WriteTx,
  { id, name, tags, updatedAt }: KnowledgeBaseRow,
): Promise<void> {
  await update(tx, knowledgeBases, { id }, { name, tags, updatedAt });
}

export async function deleteKnowledgeBase(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM knowledge_bases WHERE id = ?', id);
}
