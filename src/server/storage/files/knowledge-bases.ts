// SQL of knowledge bases, which have a name and tags. The tag `kbId` of a file names its knowledge base.
import type { TagFilter } from '../../../protocol/types/tag-filter.ts';
import type { Tx, WriteTx } from '../database.ts';
import { tagCondition, tagsInJson } from './file-filter.ts';

export interface KnowledgeBaseRow {
  id: string;
  botId: string;
  name: string;
  /** JSON. */
  tags: string;
  createdAt: number;
  updatedAt: number;
}

const columns = 'id, bot_id, name, tags, created_at, updated_at';

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
  await tx.run(
    'INSERT INTO knowledge_bases (id, bot_id, name, tags, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
    row.id,
    row.botId,
    row.name,
    row.tags,
    row.createdAt,
    row.updatedAt,
  );
}

export async function updateKnowledgeBase(
  tx: WriteTx,
  { id, name, tags, updatedAt }: KnowledgeBaseRow,
): Promise<void> {
  await tx.run(
    'UPDATE knowledge_bases SET name = ?, tags = ?, updated_at = ? WHERE id = ?',
    name,
    tags,
    updatedAt,
    id,
  );
}

export async function deleteKnowledgeBase(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM knowledge_bases WHERE id = ?', id);
}
