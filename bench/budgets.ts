// The limits that hold on every machine: bytes, counts and ratios, never durations. The run fails when one is exceeded.
import { byteLimits } from '../e2e/embedding/byte-limits.ts';
import type { Result } from './measure.ts';
import { shapes } from './texts.ts';

interface Budget {
  name: string;
  /** The name of a result; with `by`, it is divided by the result of that name. */
  of: string;
  by?: string;
  max: number;
}

const budgets: Budget[] = [
  {
    name: 'bytes until the launcher shows',
    of: 'travel: until the launcher shows',
    max: byteLimits.launcher,
  },
  { name: 'bytes until the window is open', of: 'travel: until the window is open', max: byteLimits.window },
  { name: 'bytes for Markdown', of: 'travel: for Markdown', max: byteLimits.markdown },
  { name: 'files until the launcher shows', of: 'travel: files until the launcher shows', max: 1 },
  {
    name: 'opening 10,000 messages / opening 50',
    of: 'open with 10,000 messages: main thread',
    by: 'open with 50 messages: main thread',
    max: 1.5,
  },
  ...Object.keys(shapes).map((shape) => ({
    name: `stream ${shape}: second half / first half`,
    of: `stream ${shape}: second half`,
    by: `stream ${shape}: first half`,
    max: 1.6,
  })),
  {
    name: 'rows in the DOM after reading 5,000 messages',
    of: 'scroll through 5,000 messages: rows in the DOM at the top',
    max: 300,
  },
  {
    name: 'rows in the DOM after going back down',
    of: 'scroll through 5,000 messages: rows in the DOM back down',
    max: 300,
  },
  {
    name: 'elements after reading 5,000 messages / before',
    of: 'scroll through 5,000 messages: elements at the top',
    by: 'scroll through 5,000 messages: elements at first',
    max: 4,
  },
  {
    name: 'nodes of the page after 5,000 messages / 1,000',
    of: 'scroll through 5,000 messages: nodes of the page back down',
    by: 'scroll through 1,000 messages: nodes of the page back down',
    max: 1.5,
  },
  {
    name: 'main thread of an answer below 2,000 messages / alone',
    of: 'stream mixed below 2,000 messages: main thread',
    by: 'stream mixed: main thread',
    max: 1.6,
  },
  {
    name: 'main thread of an answer with 30 steps and 10 sources / without',
    of: 'stream mixed with parts: main thread',
    by: 'stream mixed: main thread',
    max: 1.2,
  },
  {
    name: 'rows in the DOM of 1,000 open conversations',
    of: 'inbox with 1,000 open conversations: rows in the DOM',
    max: 300,
  },
  {
    name: 'main thread of a frame with 1,000 open conversations / 300',
    of: 'inbox with 1,000 open conversations: main thread of a frame',
    by: 'inbox with 300 open conversations: main thread of a frame',
    max: 1.5,
  },
  {
    name: 'main thread of 50 messages with 1,000 open conversations / 300',
    of: 'inbox with 1,000 open conversations: main thread of 50 messages',
    by: 'inbox with 300 open conversations: main thread of 50 messages',
    max: 1.5,
  },
  {
    name: 'layout shift of the page',
    of: 'page of 50,000 nodes: layout shift',
    max: 0,
  },
];

export interface Verdict {
  name: string;
  value: number;
  max: number;
  isKept: boolean;
}

/** Compares the results with the budgets. A budget whose cases did not run is skipped. */
export function checkBudgets(results: readonly Result[]): Verdict[] {
  const find = (name: string) => results.find((result) => result.name === name)?.value;
  return budgets.flatMap(({ name, of, by, max }) => {
    const [above, below] = [find(of), by === undefined ? 1 : find(by)];
    if (above === undefined || below === undefined) return [];
    const value = above / below;
    return [{ name, value, max, isKept: value <= max }];
  });
}
