// Measures reading a long conversation up to its beginning and down again: main thread time, DOM size and heap; and an answer that
// is streamed below it. The floor is the same window with all messages and without the code of the chat.
import en from '../../src/locales/en.json' with { type: 'json' };
import type { ChatPage } from '../chat-page.ts';
import { floorScript, takeSnapshot } from '../floor.ts';
import type { Case } from '../measure.ts';
import type { Work } from '../trace.ts';
import { pieces, stream } from './stream.ts';

/** Pixels for each frame, as a fast mouse wheel scrolls. */
const step = 800;

/** Scrolls up frame by frame to the beginning of the conversation. */
const scrollUp = ({ page }: ChatPage) =>
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

/** Jumps to the end, and waits until the messages there are drawn. */
const scrollToEnd = ({ page }: ChatPage) =>
  page.evaluate(async () => {
    const viewport = window.sampler.root().querySelector('.viewport');
    viewport?.scrollTo(0, viewport.scrollHeight);
    await new Promise((resolve) => setTimeout(resolve, 500));
  });

const passFrames = 180;

/** Scrolls from the end of the loaded messages to their beginning, in a fixed number of frames. */
const pass = ({ page }: ChatPage) =>
  page.evaluate(
    (frames) =>
      new Promise<void>((resolve) => {
        const viewport = window.sampler.root().querySelector('.viewport') as HTMLElement;
        const end = viewport.scrollHeight - viewport.clientHeight;
        let frame = 0;
        const move = () => {
          viewport.scrollTop = end * (1 - ++frame / frames);
          if (frame < frames) requestAnimationFrame(move);
          else setTimeout(resolve, 500);
        };
        requestAnimationFrame(move);
      }),
    passFrames,
  );

/** Scrolls to the end and returns the HTML of each row on the way, because far rows are not in the DOM. */
const collectRows = ({ page }: ChatPage) =>
  page.evaluate(
    (pixels) =>
      new Promise<string[]>((resolve) => {
        const viewport = window.sampler.root().querySelector('.viewport') as HTMLElement;
        const rows = new Map<string, string>();
        const move = () => {
          for (const row of viewport.querySelectorAll<HTMLElement>('.row[data-key]')) {
            rows.set(row.dataset.key ?? '', row.outerHTML);
          }
          viewport.scrollTop += pixels;
          const rest = viewport.scrollHeight - viewport.clientHeight - viewport.scrollTop;
          if (rest < 2) resolve([...rows.values()]);
          else requestAnimationFrame(move);
        };
        requestAnimationFrame(move);
      }),
    step,
  );

const read: Case = {
  name: 'read 1,000 messages',
  times: 1,
  async run({ inPage, sessions }) {
    const [chat, script] = await inPage(async (chatPage) => {
      const stored = sessions.get(1_000);
      if (stored) await chatPage.restoreSession(stored);
      const { heap: empty } = await chatPage.count();
      await chatPage.prepare(50);
      const up = await chatPage.measure(() => scrollUp(chatPage));
      const rows = await collectRows(chatPage);
      const again = await chatPage.measure(() => pass(chatPage));
      await scrollToEnd(chatPage);
      const { heap, nodes } = await chatPage.count();
      const snapshot = await takeSnapshot(chatPage.page);
      const html = snapshot.html.replace(
        /(?:<ol class="rows".*?<\/ol>)+/s,
        `<ol class="rows">${rows.join('')}</ol>`,
      );
      return [{ up, again, heap: heap - empty, nodes }, floorScript({ ...snapshot, html })] as const;
    });
    const floor = await inPage(
      async (chatPage) => {
        await scrollToEnd(chatPage);
        const again = await chatPage.measure(() => pass(chatPage));
        await scrollToEnd(chatPage);
        return { up: await chatPage.measure(() => scrollUp(chatPage)), again };
      },
      { script },
    );
    const [up, upFloor, again, againFloor] = [chat.up, floor.up, chat.again, floor.again].map(
      ({ timeline, seen }) => ({ ...timeline.between('begin', 'end'), late: seen.late }),
    ) as [Cost, Cost, Cost, Cost];
    return {
      'main thread up': [up.main, 'ms', upFloor.main],
      'longest task up': [up.longest, 'ms', upFloor.longest],
      'late frames up': [up.late, ''],
      [`main thread in ${passFrames} frames`]: [again.main, 'ms', againFloor.main],
      [`longest task in ${passFrames} frames`]: [again.longest, 'ms', againFloor.longest],
      [`late frames in ${passFrames} frames`]: [again.late, ''],
      'heap over the closed window': [chat.heap / 1_024, 'KB'],
      'nodes of the page': [chat.nodes, ''],
    };
  },
};

type Cost = Work & { late: number };

/** Reads 2,000 messages to the beginning, goes back to the end, and streams an answer there. It makes the conversation longer. */
const readAndStream: Case = {
  name: 'read 2,000 messages, then stream mixed',
  times: 1,
  run: (environment) =>
    environment.inPage(async (chatPage) => {
      const stored = environment.sessions.get(2_000);
      if (stored) await chatPage.restoreSession(stored);
      await chatPage.prepare(50);
      const first = await chatPage.count();
      await scrollUp(chatPage);
      const top = await chatPage.count();
      await scrollToEnd(chatPage);
      const bottom = await chatPage.count();
      const answer = await stream(environment, chatPage, pieces);
      return {
        'main thread': answer['main thread'],
        'longest task': answer['longest task'],
        'rows in the DOM at the top': [top.rows, ''],
        'rows in the DOM back down': [bottom.rows, ''],
        'elements at first': [first.elements, ''],
        'elements at the top': [top.elements, ''],
        'nodes of the page back down': [bottom.nodes, ''],
        'heap back down': [bottom.heap / 1_024, 'KB'],
      };
    }),
};

export const scrollCases: Case[] = [read, readAndStream];
