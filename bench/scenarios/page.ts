// Measures what the chat takes from a large page: how long a click of the page waits for its paint while nothing happens
// in the chat and while an answer streams, and by how much the chat moves the page.
import { type ChatPage, deltaMs, deltas } from '../chat-page.ts';
import type { Case } from '../measure.ts';
import { cut, shapes } from '../texts.ts';

const nodes = 50_000;
const clicks = 30;

/** Fills the page with elements, and with a button whose handler changes a text. */
const fill = ({ page }: ChatPage) =>
  page.evaluate((count) => {
    const list = document.createElement('div');
    for (let i = 0; i < count / 5; i++) {
      const row = document.createElement('p');
      row.append('Row ', document.createElement('b'), document.createElement('i'), ` ${i} `);
      row.append(document.createElement('span'), document.createElement('em'));
      list.append(row);
    }
    const button = document.createElement('button');
    button.textContent = '0';
    button.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 100px; height: 100px';
    button.onclick = () => {
      button.textContent = `${Number(button.textContent) + 1}`;
    };
    document.body.append(list, button);
    const seen = { interactions: [] as number[], shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries() as PerformanceEventTiming[]) {
        if (entry.name === 'click') seen.interactions.push(entry.duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries() as unknown as Shift[]) {
        // Rows of the chat move while an answer grows; here only elements of the page count.
        const isOfPage = ({ node }: { node: Node | null }) =>
          node?.getRootNode() === document && node.nodeName !== 'PLATFORM-WEBCHAT';
        if (entry.sources.some(isOfPage)) seen.shift += entry.value;
      }
    }).observe({ type: 'layout-shift' });
  }, nodes);

/** The part of LayoutShift (Layout Instability API) that is read. */
interface Shift {
  value: number;
  sources: { node: Node | null }[];
}

interface Seen {
  interactions: number[];
  shift: number;
}

/** Clicks the button of the page. Returns the time to the next paint of the slowest click but two, as browsers report it. */
async function interact({ page }: ChatPage): Promise<number> {
  await page.evaluate(() => {
    (window as unknown as { seen: Seen }).seen.interactions = [];
  });
  for (let i = 0; i < clicks; i++) {
    await page.mouse.click(50, 50);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  }
  const { interactions } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
  // Clicks below the threshold of 16 ms are not reported.
  return interactions.sort((a, b) => b - a)[2] ?? 16;
}

export const pageCases: Case[] = [
  {
    name: `page of ${nodes.toLocaleString('en')} nodes`,
    times: 1,
    run: ({ inPage }) =>
      inPage(async (chatPage) => {
        await fill(chatPage);
        const before = await interact(chatPage);
        await chatPage.prepare(1);
        const open = await interact(chatPage);
        await chatPage.instruct({ stream: cut(shapes.mixed ?? '', deltas), interval: deltaMs });
        const streaming = await interact(chatPage);
        const { shift } = await chatPage.page.evaluate(() => (window as unknown as { seen: Seen }).seen);
        return {
          'interaction to next paint, window open': [open, 'ms', before],
          'interaction to next paint, answer streams': [streaming, 'ms', before],
          'layout shift': [shift, ''],
        };
      }),
  },
];
