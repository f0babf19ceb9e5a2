// Measures a streamed answer of 20,000 characters in 2,000 deltas: the cost of each half, smoothness, and delay.
import { type ChatPage, deltas } from '../chat-page.ts';
import type { Case } from '../measure.ts';
import { cut, shapes } from '../texts.ts';
import { scrollUp } from './scroll.ts';

/** Milliseconds between two deltas: five times faster than most models. */
const pause = 3;

/** Steps and sources of the answer with parts. */
const steps = 30;
const sources = 10;

async function stream(chatPage: ChatPage, pieces: unknown[]) {
  const { timeline, seen } = await chatPage.measure(async () => {
    await chatPage.instruct({ stream: pieces, pause });
    await chatPage.page.evaluate(() => window.sampler.settleStream());
  });
  const [firstHalf, secondHalf] = [timeline.between('first', 'half'), timeline.between('half', 'complete')];
  const all = timeline.between('first', 'end');
  const { reads, readCharacters } = await chatPage.page.evaluate(() => ({ ...window.sampler }));
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
  run: ({ inPage }) =>
    inPage(async (chatPage) => {
      await chatPage.prepare(1);
      await chatPage.throttle(slowness);
      return stream(chatPage, cut(shapes[shape] ?? '', deltas));
    }),
});

/** The mixed text in the pieces of `fresh`, with 30 steps and 10 sources between them. */
const withParts: Case = {
  name: 'stream mixed with parts',
  times: 3,
  run: ({ inPage }) =>
    inPage(async (chatPage) => {
      await chatPage.prepare(1);
      const pieces = cut(shapes.mixed ?? '', deltas - 2 * steps - sources);
      const script: unknown[] = [...pieces];
      for (let i = steps - 1; i >= 0; i--) {
        const at = Math.floor((i * pieces.length) / steps);
        script.splice(
          at,
          0,
          { tool: { name: `t${i}`, title: `Step ${i}`, input: { i } } },
          { done: `t${i}` },
        );
      }
      for (let i = 0; i < sources; i++) script.unshift({ source: { title: `Source ${i}` } });
      return stream(chatPage, script);
    }),
};

/**
 * The same below a long conversation that was scrolled to its beginning. The conversation grows, so no other case uses
 * it.
 */
const below = (length: number): Case => ({
  name: `stream mixed below ${length.toLocaleString('en')} messages`,
  times: 1,
  run: ({ inPage, sessions }) =>
    inPage(async (chatPage) => {
      const stored = sessions.get(length);
      if (stored) await chatPage.restoreSession(stored);
      await chatPage.prepare(50);
      await scrollUp(chatPage);
      await chatPage.page.evaluate(() => {
        const viewport = window.sampler.root().querySelector('.viewport');
        viewport?.scrollTo(0, viewport.scrollHeight);
      });
      return stream(chatPage, cut(shapes.mixed ?? '', deltas));
    }),
});

export const streamCases: Case[] = [
  ...Object.keys(shapes).map((shape) => fresh(shape, 1, 3)),
  ...['mixed', 'paragraph', 'list', 'table', 'code'].map((shape) => fresh(shape, 4, 1)),
  withParts,
  below(2_000),
];
