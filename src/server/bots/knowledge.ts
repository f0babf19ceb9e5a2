// The knowledge bases of a bot, and the passages of their files that match a message of a user.
import type { BotEvent } from '../../protocol/bot.ts';
import { limits } from '../../protocol/limits.ts';
import { type PlatformFiles, searchFiles } from '../files/index.ts';
import { findEventOptions } from '../storage/bots/deployment.ts';
import type { Tx } from '../storage/database.ts';
import { listKnowledgeBases } from '../storage/files/knowledge-bases.ts';

/** The indexes of the passages, and the addresses of files. */
export type KnowledgeIndexes = Pick<PlatformFiles, 'passages' | 'vectors' | 'url'>;

/** The number of knowledge bases that an event names, and that are searched. */
export const maxBases = 100;

/**
 * Returns `event.kb`; undefined for a bot without knowledge bases. `text`: what the user wrote, if anything. It is
 * searched for only if the deployment of the bot asks for results.
 */
export async function knowledgeOf(
  tx: Tx,
  indexes: KnowledgeIndexes,
  botId: string,
  text: string,
): Promise<BotEvent['kb']> {
  const bases = await listKnowledgeBases(tx, botId, undefined, maxBases);
  if (bases.length === 0) return undefined;
  const included = bases.map(({ id, name }) => ({ id, name }));
  const { knowledgeResults: limit } = await findEventOptions(tx, botId);
  if (limit === 0) return { included };
  const query = firstBytes(text, limits.searchQueryBytes);
  if (query.trim() === '') return { included, results: [] };
  const search = { query, tags: { kbId: bases.map(({ id }) => id) }, limit };
  return { included, results: await searchFiles(tx, indexes, { kind: 'bot', botId }, search) };
}

/** The beginning of a text that has at most `bytes` bytes in UTF-8, without a part of a character at its end. */
export function firstBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
