// Searches the knowledge bases of a bot for passages for an agent. Anybody who can open the chat can learn the content
// of a knowledge base. Files of visitors, integrations and other bots are never part of one.
import type { Logger } from 'pino';
import { limits } from '../../../../protocol/limits.ts';
import { fileTitle, findPassages, type PlatformFiles } from '../../../files/index.ts';
import type { Database } from '../../../storage/database.ts';
import type { FileRow } from '../../../storage/files/files.ts';
import { listKnowledgeBases } from '../../../storage/files/knowledge-bases.ts';
import { firstBytes, maxBases } from '../../knowledge.ts';
import { lineOf, plainOf } from '../protocols/shared/values.ts';

/** Ids or names of knowledge bases, or all of a bot. */
export type AgentKnowledge = readonly string[] | 'all';

/** A passage that was found. */
export interface FoundKnowledge {
  /** Identifies the passage; the same for each search, as long as the file has the same version. */
  id: string;
  /** One line. */
  title: string;
  text: string;
  /** From 1. */
  page: number | undefined;
  /** Where visitors can read it: the permanent address of a public file, or its source with https. */
  url: string | undefined;
  /** From 0 to 1. Scores of different searches cannot be compared. */
  score: number;
}

export interface KnowledgeQuery {
  botId: string;
  bases: AgentKnowledge;
  text: string;
  /** The maximum number of passages, and of all their characters together. */
  passages: number;
  characters: number;
}

export interface KnowledgeSearchOptions {
  db: Database;
  files: Pick<PlatformFiles, 'passages' | 'vectors' | 'url'>;
  logger: Logger;
  /** The address of this server for links, without a slash at the end. */
  publicUrl(): string;
  /** Milliseconds of a search before a run: the visitor waits. */
  searchTime?: number | undefined;
}

export interface KnowledgeSearch {
  /** Returns the passages that match best, best first. */
  find(query: KnowledgeQuery): Promise<FoundKnowledge[]>;
  /**
   * Does the same, but returns undefined if there is nothing to search, and if the search fails or takes too long, which is
   * logged.
   */
  tryFind(query: KnowledgeQuery): Promise<FoundKnowledge[] | undefined>;
}

/** Longer than the time limit of the search for vectors, after which only words are searched. */
const defaultSearchTimeMs = 5_000;
/** A passage is not cut to fewer characters than this, because it would say nothing. */
const minTextLength = 200;

export function createKnowledgeSearch(options: KnowledgeSearchOptions): KnowledgeSearch {
  const { db, files, logger, publicUrl, searchTime = defaultSearchTimeMs } = options;

  /** Returns undefined if there is nothing to search. */
  async function search({ botId, bases, text, passages, characters }: KnowledgeQuery) {
    const query = firstBytes(text, limits.searchQueryBytes);
    if (query.trim() === '') return undefined;
    const found = await db.read(async (tx) => {
      const wanted = bases === 'all' ? undefined : new Set(bases);
      const all = await listKnowledgeBases(tx, botId, undefined, maxBases);
      const ids = all
        .filter(({ id, name }) => !wanted || wanted.has(id) || wanted.has(name))
        .map(({ id }) => id);
      if (ids.length === 0) {
        logger.warn({ botId }, 'agent has no knowledge: the bot does not have these knowledge bases');
        return undefined;
      }
      return findPassages(tx, files, { kind: 'bot', botId }, { query, tags: { kbId: ids } }, passages);
    });
    if (!found) return undefined;
    const result: FoundKnowledge[] = [];
    let remaining = characters;
    for (const { score, passage, file } of found) {
      const text = plainOf(textOf(passage), remaining);
      if (text === '' || (remaining < minTextLength && text.length < passage.content.length)) continue;
      remaining -= text.length;
      result.push({
        id: passage.id,
        title: lineOf(fileTitle(file)) ?? file.id,
        text,
        page: passage.page ?? undefined,
        url: addressOf(file),
        score,
      });
    }
    return result;
  }

  function addressOf(file: FileRow): string | undefined {
    if (file.isPublic === 1) return files.url(publicUrl(), file);
    const { sourceUrl } = JSON.parse(file.metadata) as { sourceUrl?: unknown };
    const isHttps = typeof sourceUrl === 'string' && URL.canParse(sourceUrl) && /^https:/i.test(sourceUrl);
    return isHttps ? new URL(sourceUrl).href : undefined;
  }

  return {
    find: async (query) => (await search(query)) ?? [],
    async tryFind(query) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('The search takes too long.')), searchTime);
      });
      try {
        return await Promise.race([search(query), late]);
      } catch (error) {
        logger.warn({ botId: query.botId, err: error }, 'searching the knowledge of an agent failed');
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The text with the titles above it. */
const textOf = ({ breadcrumb, content }: { breadcrumb: string; content: string }): string =>
  breadcrumb === '' ? content : `${breadcrumb}\n${content}`;
