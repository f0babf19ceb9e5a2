// Measures a page view before anybody talks, the early load of the chat included: main thread and heap over those of an
// empty page. Then the click that opens the window. Beside each figure its floor.
import type { ChatPage } from '../chat-page.ts';
import { besideFloor, floorScript, type Snapshot, takeSnapshot } from '../floor.ts';
import type { Case, Environment, PageOptions } from '../measure.ts';

/** Milliseconds after the load of the page: the early load is over. */
const idleMs = 2_000;

interface Cost {
  /** Main thread of the page view and its longest task, in milliseconds of CPU time. */
  main: number;
  longest: number;
  /** Bytes after a garbage collection. */
  heap: number;
  snapshot: Snapshot | undefined;
}

const view = ({ inPage }: Environment, options: PageOptions): Promise<Cost> =>
  inPage(async (chatPage) => {
    const { main, longest } = await chatPage.measureView(idleMs);
    const { heap } = await chatPage.count();
    const hasChat = await chatPage.page.evaluate(() => !!window.sampler.root());
    return { main, longest, heap, snapshot: hasChat ? await takeSnapshot(chatPage.page) : undefined };
  }, options);

interface Opening {
  main: number;
  longest: number;
  /** Milliseconds from the press of the button until the composer has been painted. */
  composer: number;
}

/** Moves the pointer to the launcher, as a visitor does, and presses it. */
async function openByPointer(chatPage: ChatPage): Promise<Opening> {
  const { page } = chatPage;
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), idleMs);
  const box = await page.locator('.launcher').boundingBox();
  if (!box) throw new Error('The launcher is not visible.');
  await page.evaluate(() => {
    const painted = new Promise<number>((resolve) => {
      document.addEventListener('pointerdown', ({ timeStamp }) => {
        const look = () => {
          const isThere = window.sampler.root().querySelector('textarea:enabled')?.checkVisibility();
          requestAnimationFrame(isThere ? () => resolve(performance.now() - timeStamp) : look);
        };
        look();
      });
    });
    Object.assign(window, { painted });
  });
  let composer = 0;
  const { timeline } = await chatPage.measure(async () => {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    composer = await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
  });
  const { main, longest } = timeline.between('begin', 'end');
  return { main, longest, composer };
}

export const pageViewCases: Case[] = [
  {
    name: 'page view over the empty page',
    times: 3,
    async run(environment) {
      const empty = await view(environment, { script: '' });
      const chat = await view(environment, { prefetch: true });
      if (!chat.snapshot) throw new Error('The page has no chat.');
      const floor = await view(environment, { script: floorScript(chat.snapshot) });
      return {
        'main thread': [chat.main - empty.main, 'ms', floor.main - empty.main],
        'longest task': [chat.longest, 'ms', empty.longest],
        heap: [(chat.heap - empty.heap) / 1_024, 'KB', (floor.heap - empty.heap) / 1_024],
      };
    },
  },
  ...[1, 4].map(
    (slowness): Case => ({
      name: `open after a page view${slowness > 1 ? `, CPU ${slowness} times slower` : ''}`,
      times: 3,
      async run(environment) {
        const open = async (chatPage: ChatPage) => {
          await chatPage.throttle(slowness);
          return openByPointer(chatPage);
        };
        const [chat, floor] = await besideFloor(environment, { prefetch: true }, open, open);
        return {
          'main thread': [chat.main, 'ms', floor.main],
          'longest task': [chat.longest, 'ms', floor.longest],
          'click to composer': [chat.composer, 'ms', floor.composer],
        };
      },
    }),
  ),
];
