// Adds passages to the sources of an answer: the cited ones, or the best ones if none is cited.
import type { AgentShown } from '../../../../protocol/admin.ts';
import type { SourcePart } from '../../../../protocol/parts.ts';
import type { GivenPassage, GivenPassages } from './passages.ts';

/** The number of sources of an answer that cites none. */
const uncited = 3;

export interface PassageSources {
  /** The number of the source of a cited passage; null if it cannot be shown, undefined if no passage has the number. */
  numberOf(passage: number): number | null | undefined;
  /** Adds the best passages, unless one is cited. */
  addBest(): void;
}

/** `add`: adds a source to the answer and returns its number; undefined if it has too many. */
export function createPassageSources(
  passages: GivenPassages,
  shown: readonly AgentShown[],
  add: (source: Pick<SourcePart, 'title' | 'url' | 'page' | 'snippet'>) => number | undefined,
): PassageSources {
  const numbers = new Map<string, number>();
  const isShown = shown.includes('sources');

  /** Passages of the same page of the same file are one source. */
  function sourceOf({ found: { title, url, page, text } }: GivenPassage): number | undefined {
    const key = JSON.stringify([url, title, page]);
    const known = numbers.get(key);
    if (known !== undefined) return known;
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
      const given = passages.get(passage);
      if (!given) return undefined;
      return (isShown ? sourceOf(given) : undefined) ?? null;
    },
    addBest() {
      if (!isShown || numbers.size > 0) return;
      for (const passage of passages.best(uncited)) sourceOf(passage);
    },
  };
}
