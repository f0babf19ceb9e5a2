// Reading back to the beginning of a long conversation, and down again: what it costs, and what stays in the page.
import { chat } from '../../src/widget/i18n/en/chat.ts';
import type { Case } from '../measure.ts';
import type { VisitPage } from '../visit.ts';

/** Pixels a frame: a fast hand on a wheel. */
const step = 800;

/** Scrolls up frame by frame until the conversation begins. */
export const scrollUp = ({ page }: VisitPage) =>
  page.evaluate(
    ([pixels, beginning]) =>
      new Promise<void>((resolve) => {
        const viewport = window.gauge.root().querySelector('.viewport') as HTMLElement;
        const top = viewport.querySelector('.top') as HTMLElement;
        const move = () => {
          viewport.scrollTop -= pixels;
          if (viewport.scrollTop <= 0 && top.textContent === beginning) setTimeout(resolve, 500);
          else requestAnimationFrame(move);
        };
        requestAnimationFrame(move);
      }),
    [step, chat.beginning] as const,
  );

const scrollDown = ({ page }: VisitPage) =>
  page.evaluate(
    (pixels) =>
      new Promise<void>((resolve) => {
        const viewport = window.gauge.root().querySelector('.viewport') as HTMLElement;
        const move = () => {
          viewport.scrollTop += pixels;
          const left = viewport.scrollHeight - viewport.clientHeight - viewport.scrollTop;
          if (left < 2) setTimeout(resolve, 500);
          else requestAnimationFrame(move);
        };
        requestAnimationFrame(move);
      }),
    step,
  );

const scroll = (length: number, times: number): Case => ({
  name: `scroll through ${length.toLocaleString('en')} messages`,
  times,
  take: ({ inPage, visits }) =>
    inPage(async (visit) => {
      const stored = visits.get(length);
      if (stored) await visit.remember(stored);
      await visit.prepare(50);
      const before = await visit.count();
      const up = await visit.measure(() => scrollUp(visit));
      const work = up.timeline.between('begin', 'end');
      const top = await visit.count();
      const down = await visit.measure(() => scrollDown(visit));
      const bottom = await visit.count();
      return {
        'main thread up': [work.main, 'ms'],
        'longest task up': [work.longest, 'ms'],
        'layout up': [work.layout, 'ms'],
        'frames up': [up.seen.frames, ''],
        'late frames up': [up.seen.late, ''],
        'main thread down': [down.timeline.between('begin', 'end').main, 'ms'],
        'longest task down': [down.timeline.between('begin', 'end').longest, 'ms'],
        'late frames down': [down.seen.late, ''],
        'rows in the DOM at first': [before.rows, ''],
        'rows in the DOM at the top': [top.rows, ''],
        'rows in the DOM back down': [bottom.rows, ''],
        'elements at first': [before.elements, ''],
        'elements at the top': [top.elements, ''],
        'elements back down': [bottom.elements, ''],
        'nodes of the page back down': [bottom.nodes, ''],
        'heap at first': [before.heap / 1_000, 'KB'],
        'heap at the top': [top.heap / 1_000, 'KB'],
        'heap back down': [bottom.heap / 1_000, 'KB'],
      };
    }),
});

export const scrollCases: Case[] = [scroll(1_000, 3), scroll(5_000, 1)];
