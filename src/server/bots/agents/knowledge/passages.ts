// The passages that an agent gets in one run. Each has a number. The agent cites it by this number, and a cited passage
// becomes a source of the answer.
import type { KnowledgePassage } from '../protocol.ts';
import type { FoundKnowledge } from './search.ts';

export interface GivenPassage extends KnowledgePassage {
  found: FoundKnowledge;
}

export interface GivenPassages {
  /** Returns the passages with their numbers. A passage that was given before has its number. */
  add(found: readonly FoundKnowledge[]): GivenPassage[];
  get(number: number): GivenPassage | undefined;
  /** The passages that can be shown if the answer cites none, best first. */
  best(count: number): GivenPassage[];
}

/**
 * The minimum score of a passage that is shown without a citation. Passages that match thanks and greetings have a
 * lower score. In the evaluation, 50 of 61 questions then show the right source, and 9 of the 14 questions without an
 * answer show a source.
 */
const certainScore = 0.25;

export function createGivenPassages(): GivenPassages {
  const byId = new Map<string, GivenPassage>();
  const all: GivenPassage[] = [];
  return {
    add: (found) =>
      found.map((one) => {
        const known = byId.get(one.id);
        if (known) return known;
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
