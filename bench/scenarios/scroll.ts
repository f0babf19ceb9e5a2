// Measures scrolling up to the beginning of a long conversation and down again: main thread time, DOM size and heap.
import en from '../../src/locales/en.json' with { type: 'json' };
import type { ChatPage } from '../chat-page.ts';
import type { Case } from '../measure.ts';

/** Pixels for each frame, as a fast mouse wheel scrolls. */
const step = 800;

/** Scrolls up frame by frame to the beginning of the conversation. */
export const scrollUp = ({ page }: ChatPage) =>
  page.evaluate(
    ([pixels, beginning]) =>
      new Promise<void>((resolve) => {
        const viewport = window.sampler.root().querySelector('.viewport') as HTMLElement;
        const top = viewport.querySelector('.top') as HTMLElement;
        const move = () => {
          viewport.scrollTop -= pixels;
          if (viewport.scrollTop <= 0 && top.textContent === beginning) setTimeout(resolve, 500);
          else requestAnimationFrame(move);
        };
        requestAnimationFrame(move);
      }),
    [step, en.widget.chat.beginning] as const,
  );

const scrollDown = ({ page }: ChatPage) =>
  page.evaluate(
    (pixels) =>
      new Promise<void>((resolve) => {
        const viewport = window.sampler.root().querySelector('.viewport') as HTMLElement;
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
  run: ({ inPage, sessions }) =>
    inPage(async (chatPage) => {
      const stored = sessions.get(length);
      if (stored) await chatPage.restoreSession(stored);
      await chatPage.prepare(50);
      const before = await chatPage.count();
      const up = await chatPage.measure(() => scrollUp(chatPage));
      const work = up.timeline.between('begin', 'end');
      const top = await chatPage.count();
      const down = await chatPage.measure(() => scrollDown(chatPage));
      const bottom = await chatPage.count();
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
