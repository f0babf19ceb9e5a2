// Opening the window: by somebody new, and by visitors with 50, 1,000 and 10,000 stored messages. Nothing is loaded
// before, so files are fetched and compiled too.
import type { Case } from '../measure.ts';

export const lengths = [0, 50, 1_000, 10_000] as const;

const open = (length: number, slowness: number, times: number): Case => ({
  name: `open with ${length.toLocaleString('en')} messages${slowness > 1 ? `, CPU ${slowness} times slower` : ''}`,
  times,
  take: ({ inPage, visits }) =>
    inPage(async (visit) => {
      const stored = visits.get(length);
      if (stored) await visit.remember(stored);
      await visit.slow(slowness);
      const { timeline, seen } = await visit.measure(() => visit.open(Math.min(length, 50) || 1));
      const { main, longest, layout } = timeline.between('begin', 'end');
      return {
        'main thread': [main, 'ms'],
        'longest task': [longest, 'ms'],
        layout: [layout, 'ms'],
        'until drawn': [seen.drawnAfter, 'ms'],
      };
    }),
});

export const openCases: Case[] = [
  ...lengths.map((length) => open(length, 1, 7)),
  ...[0, 50, 10_000].map((length) => open(length, 4, 3)),
];
