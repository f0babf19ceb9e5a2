// The passages that an agent gets in one run. Each has a number. The agent cites it by this number, and a cited passage
// becomes a source of the answer.
import type { AgentShown } from '../../../../protocol/admin.ts';
import type { SourcePart } from '../../../../protocol/parts.ts';
import type { KnowledgePassage } from '../protocol.ts';
import type { FoundKnowledge } from './search.ts';

export interface RunPassage extends KnowledgePassage {
  found: FoundKnowledge;
}

export interface RunPassages {
  /** Returns the passages with their numbers. A passage that was given before has its number. */
  add(found: readonly FoundKnowledge[]): RunPassage[];
  get(number: number): RunPassage | undefined;
  /** The passages that can be shown if the answer cites none, best first. */
  best(count: number): RunPassage[];
}

/**
 * The minimum score of a passage that is shown without a citation. Passages that match thanks and greetings have a
 * lower score. In the evaluation, 50 of 61 questions then show the right source, and 9 of the 14 questions without an
 * answer show a source.
 */
const certainScore = 0.25;

export function createRunPassages(): RunPassages {
  const byId = new Map<string, RunPassage>();
  const all: RunPassage[] = [];
  return {
    add: (found) =>
      found.map((one) => {
        const existing = byId.get(one.id);
        if (existing) return existing;
        const page = one.page === undefined ? '' : `, page ${one.page}`;
        const passage = { number: all.length + 1, title: `${one.title}${page}`, text: one.text, found: one };
        byId.set(one.id, passage);
        all.push(passage);
        return passage;
      }),
    get: (number) => all[number - 1],
    best: (count) =>
      all
        .filter(({ found }) => found.score >= certainScore)
        .sort((a, b) => b.found.score - a.found.score || a.number - b.number)
        .slice(0, count),
  };
}

/** The number of sources of an answer that cites none. */
const uncited = 3;

export interface PassageSources {
  /** The number of the source of a cited passage; null if it cannot be shown, undefined if no passage has the number. */
  numberOf(passage: number): number | null | undefined;
  /** Adds the best passages, unless one is cited. */
  addBest(): void;
}

/**
 * Adds passages to the sources of an answer: the cited ones, or the best ones if none is cited. `add`: adds a source to the
 * answer and returns its number; undefined if it has too many.
 */
export function createPassageSources(
  passages: RunPassages,
  shown: readonly AgentShown[],
  add: (source: Pick<SourcePart, 'title' | 'url' | 'page' | 'snippet'>) => number | undefined,
): PassageSources {
  const numbers = new Map<string, number>();
  const isShown = shown.includes('sources');

  /** Passages of the same page of the same file are one source. */
  function sourceOf({ found: { title, url, page, text } }: RunPassage): number | undefined {
    const key = JSON.stringify([url, title, page]);
    const existing = numbers.get(key);
    if (existing !== undefined) return existing;
    const number = add({
      title,
      ...(url === undefined ? {} : { url }),
      ...(page === undefined ? {} : { page }),
      ...(shown.includes('snippets') ? { snippet: text } : {}),
    });
    if (number !== undefined) numbers.set(key, number);
    return number;
  }

  return {
    numberOf(passage) {
      const found = passages.get(passage);
      if (!found) return undefined;
      return (isShown ? sourceOf(found) : undefined) ?? null;
    },
    addBest() {
      if (!isShown || numbers.size > 0) return;
      for (const passage of passages.best(uncited)) sourceOf(passage);
    },
  };
}
