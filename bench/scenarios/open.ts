// Measures opening the window for a new visitor and for visitors with 50, 1,000 and 10,000 stored messages. Nothing is
// loaded before, so fetching and compiling the files is included.
import type { Case } from '../measure.ts';

export const lengths = [0, 50, 1_000, 10_000] as const;

const open = (length: number, slowness: number, times: number): Case => ({
  name: `open with ${length.toLocaleString('en')} messages${slowness > 1 ? `, CPU ${slowness} times slower` : ''}`,
  times,
  run: ({ inPage, sessions }) =>
    inPage(async (chatPage) => {
      const stored = sessions.get(length);
      if (stored) await chatPage.restoreSession(stored);
      await chatPage.throttle(slowness);
      const { timeline, seen } = await chatPage.measure(() => chatPage.open(Math.min(length, 50) || 1));
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
