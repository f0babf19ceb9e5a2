// An answer of 20,000 characters that comes in 2,000 pieces: what each half of it costs, how smooth the page stays,
// and how late the text is.
import type { Case } from '../measure.ts';
import { cut, shapes } from '../texts.ts';
import { deltas, type VisitPage } from '../visit.ts';
import { scrollUp } from './scroll.ts';

/** Milliseconds between two pieces: five times faster than most models. */
const pause = 3;

async function stream(visit: VisitPage, text: string) {
  const { timeline, seen } = await visit.measure(async () => {
    await visit.tell({ stream: cut(text, deltas), pause });
    await visit.page.evaluate(() => window.gauge.settleStream());
  });
  const [firstHalf, secondHalf] = [timeline.between('first', 'half'), timeline.between('half', 'complete')];
  const all = timeline.between('first', 'end');
  const { reads, readCharacters } = await visit.page.evaluate(() => ({ ...window.gauge }));
  return {
    'first half': [firstHalf.main, 'ms'],
    'second half': [secondHalf.main, 'ms'],
    'main thread': [all.main, 'ms'],
    'longest task': [all.longest, 'ms'],
    layout: [all.layout, 'ms'],
    frames: [seen.frames, ''],
    'late frames': [seen.late, ''],
    readings: [reads, ''],
    'HTML made': [readCharacters / 1_000, 'KB'],
    'longest still': [seen.still, 'ms'],
    'drawn after the end': [seen.finish, 'ms'],
  } as const;
}

const fresh = (shape: string, slowness: number, times: number): Case => ({
  name: `stream ${shape}${slowness > 1 ? `, CPU ${slowness} times slower` : ''}`,
  times,
  take: ({ inPage }) =>
    inPage(async (visit) => {
      await visit.prepare(1);
      await visit.slow(slowness);
      return stream(visit, shapes[shape] ?? '');
    }),
});

/** The same below a long conversation that was read to its beginning; it becomes longer, so no other case uses it. */
const below = (length: number): Case => ({
  name: `stream mixed below ${length.toLocaleString('en')} messages`,
  times: 1,
  take: ({ inPage, visits }) =>
    inPage(async (visit) => {
      const stored = visits.get(length);
      if (stored) await visit.remember(stored);
      await visit.prepare(50);
      await scrollUp(visit);
      await visit.page.evaluate(() => {
        const viewport = window.gauge.root().querySelector('.viewport');
        viewport?.scrollTo(0, viewport.scrollHeight);
      });
      return stream(visit, shapes.mixed ?? '');
    }),
});

export const streamCases: Case[] = [
  ...Object.keys(shapes).map((shape) => fresh(shape, 1, 3)),
  ...['mixed', 'paragraph', 'list', 'table', 'code'].map((shape) => fresh(shape, 4, 1)),
  below(2_000),
];
