// The limits that hold on every machine: bytes, counts and ratios, never durations. The run fails when one is exceeded.
import { byteLimits } from '../e2e/embedding/byte-limits.ts';
import type { Result } from './measure.ts';
import { shapes } from './texts.ts';

interface Budget {
  name: string;
  /** The name of a result; with `by`, it is divided by the result of that name; with `isRatio`, by its floor. */
  of: string;
  by?: string;
  isRatio?: boolean;
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
    isRatio: true,
    max: 1.6,
  })),
  {
    name: 'rows in the DOM after reading 2,000 messages',
    of: 'read 2,000 messages, then stream mixed: rows in the DOM at the top',
    max: 300,
  },
  {
    name: 'rows in the DOM after going back down',
    of: 'read 2,000 messages, then stream mixed: rows in the DOM back down',
    max: 300,
  },
  {
    name: 'elements after reading 2,000 messages / before',
    of: 'read 2,000 messages, then stream mixed: elements at the top',
    by: 'read 2,000 messages, then stream mixed: elements at first',
    max: 4,
  },
  {
    name: 'nodes of the page after 2,000 messages / 1,000',
    of: 'read 2,000 messages, then stream mixed: nodes of the page back down',
    by: 'read 1,000 messages: nodes of the page',
    max: 1.5,
  },
  {
    name: 'main thread of an answer below 2,000 messages / alone',
    of: 'read 2,000 messages, then stream mixed: main thread',
    by: 'stream mixed: main thread',
    max: 1.6,
  },
  {
    name: 'main thread of an answer with 15 steps and 5 sources / without',
    of: 'stream mixed with parts: main thread',
    by: 'stream mixed: main thread',
    max: 1.2,
  },
  {
    name: 'rows in the DOM of 600 open conversations',
    of: 'inbox with 600 open conversations: rows in the DOM',
    max: 300,
  },
  {
    name: 'main thread of a frame with 600 open conversations / 300',
    of: 'inbox with 600 open conversations: main thread of a frame',
    by: 'inbox with 300 open conversations: main thread of a frame',
    max: 1.5,
  },
  {
    name: 'main thread of 50 messages with 600 open conversations / 300',
    of: 'inbox with 600 open conversations: main thread of 50 messages',
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
  isWithinBudget: boolean;
}

/** Compares the results with the budgets. A budget whose cases did not run is skipped. */
export function checkBudgets(results: readonly Result[]): Verdict[] {
  const find = (name: string) => results.find((result) => result.name === name);
  return budgets.flatMap(({ name, of, by, isRatio, max }) => {
    const [above, below] = [find(of), by === undefined ? 1 : find(by)?.value];
    if (above === undefined || below === undefined) return [];
    const value = isRatio ? (above.ratio ?? Number.NaN) : above.value / below;
    return [{ name, value, max, isWithinBudget: value <= max }];
  });
}
