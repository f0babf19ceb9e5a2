// Which conversations of a list of the inbox a filter keeps: one rule for the index of the server and for the live rows of the page.
import { partsOf } from '../locale/word-splitting.ts';
import type { InboxRow } from './inbox.ts';
import { handoffLimits } from './limits.ts';

/** The orders of a list: by `waitingSince` in `waiting`, by `sortAt` in all others. */
export const inboxSorts = ['newest', 'oldest'] as const;
export type InboxSort = (typeof inboxSorts)[number];

/** What a member has narrowed a list to; a field that is left out keeps all. */
export interface InboxFilter {
  /** Words that all begin a word of the visitor's name, of the tags, of the last message or of the reason of the handoff. */
  q?: string;
  /** The id of a bot. */
  bot?: string;
  /** The id of the member who answers. */
  assignee?: string;
  tag?: string;
  /** The id of a team. */
  team?: string;
}

/** The texts of a row that are searched. */
export interface SearchedTexts {
  name: string | undefined;
  tags: readonly string[];
  preview: string;
  reason: string | undefined;
}

/** Returns the words by which a row is found, each once; of a script without spaces each character. */
export function searchedWords({ name = '', tags, preview, reason = '' }: SearchedTexts): string[] {
  const found = new Set<string>();
  for (const text of [name, ...tags, preview, reason])
    for (const word of comparedParts(text)) found.add(word);
  return [...found].slice(0, handoffLimits.searchedWords);
}

/** Returns the words that a row must have the beginnings of; undefined without `q`. Without a word in `q`, no row matches. */
export function searchTerms(q: string | undefined): string[] | undefined {
  if (q === undefined || q.trim() === '') return undefined;
  return [...new Set(comparedParts(q))].slice(0, handoffLimits.searchTerms);
}

/** Whether a row is kept. */
export function matchesFilter(row: InboxRow, { q, bot, assignee, tag, team }: InboxFilter): boolean {
  if (bot !== undefined && row.botId !== bot) return false;
  if (assignee !== undefined && row.assignee?.memberId !== assignee) return false;
  if (tag !== undefined && !row.tags.includes(tag)) return false;
  if (team !== undefined && row.teamId !== team) return false;
  const terms = searchTerms(q);
  if (!terms) return true;
  const { tags, preview } = row;
  const words = searchedWords({ name: row.visitor.name, tags, preview, reason: row.handoff.reason });
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)));
}

/** The parts of a text that are compared. */
const comparedParts = (text: string): string[] =>
  partsOf(text).map((part) => [...part].slice(0, handoffLimits.searchedWord).join(''));
