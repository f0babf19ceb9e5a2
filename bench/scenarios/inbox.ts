// Measures the list of the inbox with many open conversations: reading all of it, and messages that arrive meanwhile. The floor is
// the same page with all rows and without the code of the inbox.
import type { Browser, Page } from '@playwright/test';
import { type PlatformServer, startPlatform } from '../../e2e/support/server.ts';
import { AdminClient, ChatClient, RuntimeClient } from '../../src/client/index.ts';
import type { Case } from '../measure.ts';

/** Pixels for each frame: a third of the list, as a fast mouse wheel scrolls. */
const step = 300;
/** Visitors who write one after the other while the list is open. */
const writers = 50;

type Visitor = Awaited<ReturnType<typeof addVisitor>>;

/** A visitor who waits for a person. */
async function addVisitor({ chatUrl }: PlatformServer, runtime: RuntimeClient, name: string) {
  const { key } = await new ChatClient({ chatUrl }).createUser({ name });
  const client = new ChatClient({ chatUrl, userKey: key });
  const { conversation } = await client.createConversation({});
  await runtime.requestHandoff({ id: conversation.id, reason: 'bench' });
  const { id: conversationId } = conversation;
  return {
    say: (text: string) => client.createMessage({ conversationId, payload: { type: 'text', text } }),
  };
}

async function addVisitors(platform: PlatformServer, count: number): Promise<Visitor[]> {
  const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
  const [bot] = await admin.list.bots({}).collect();
  const runtime = new RuntimeClient({ apiUrl: platform.url, token: platform.admin.token, botId: bot?.id });
  const visitors: Visitor[] = [];
  while (visitors.length < count) {
    const names = Array.from(
      { length: Math.min(20, count - visitors.length) },
      (_, i) => visitors.length + i,
    );
    visitors.push(
      ...(await Promise.all(names.map((number) => addVisitor(platform, runtime, `Visitor ${number}`)))),
    );
  }
  return visitors;
}

/** Opens the list of all open conversations as a member, with its first rows. */
async function openList(browser: Browser, platform: PlatformServer): Promise<Page> {
  const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
  const { id } = await admin.createWorkspaceMember({ email: 'ada@example.com', role: 'support' });
  const { url = '' } = await admin.createMemberLink({ id, purpose: 'sign-in' });
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.goto(`${platform.url}/console/?list=all${new URL(url).hash}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('.list .row').nth(20).waitFor();
  return page;
}

/** Scrolls to the end of the list, which loads all of it; and back to its beginning. */
const scrollThrough = (page: Page, count: number) =>
  page.evaluate(
    ([pixels, all]) =>
      new Promise<{ frames: number; late: number; rows: number }>((resolve) => {
        const viewport = document.querySelector('.list .rows') as HTMLElement;
        const seen = { frames: 0, late: 0, rows: 0 };
        let [before, direction] = [performance.now(), 1];
        const move = () => {
          const now = performance.now();
          seen.frames++;
          if (now - before > 50) seen.late++;
          before = now;
          const items = viewport.querySelectorAll('li');
          seen.rows = Math.max(seen.rows, items.length);
          viewport.scrollTop += direction * pixels;
          const end = viewport.scrollHeight - viewport.clientHeight;
          const isWhole = Number(items[0]?.ariaSetSize) >= all;
          if (direction > 0 && isWhole && viewport.scrollTop >= end - 1) direction = -1;
          if (direction < 0 && viewport.scrollTop <= 0) resolve(seen);
          else requestAnimationFrame(move);
        };
        requestAnimationFrame(move);
      }),
    [step, count] as const,
  );

/** Returns the page without its code, with all rows of the list, which it draws only where they are near. */
async function staticHtml(page: Page): Promise<string> {
  const [html, list, rows] = await page.evaluate(
    (pixels) =>
      new Promise<[string, string, string]>((resolve) => {
        const viewport = document.querySelector('.list .rows') as HTMLElement;
        const items = new Map<string | null, string>();
        viewport.scrollTop = 0;
        const move = () => {
          for (const row of viewport.querySelectorAll('li')) items.set(row.ariaPosInSet, row.outerHTML);
          const end = viewport.scrollHeight - viewport.clientHeight;
          viewport.scrollTop += pixels;
          const drawn = viewport.querySelector('ol')?.innerHTML ?? '';
          if (viewport.scrollTop < end - 1) requestAnimationFrame(move);
          else resolve([document.documentElement.outerHTML, drawn, [...items.values()].join('')]);
        };
        requestAnimationFrame(move);
      }),
    step,
  );
  // Here, because the policy of the page does not allow it to assign HTML.
  return html.replace(list, () => rows).replace(/<script.*?<\/script>/gs, '');
}

/** Changes the text of the first row, and moves it there, as often as visitors write. */
const receive = (page: Page) =>
  page.evaluate(
    async ([count, last]) => {
      const list = document.querySelector('.list .rows ol') as HTMLElement;
      for (let i = 0; i < count; i++) {
        const row = list.lastElementChild as HTMLElement;
        row.style.top = '0';
        (row.querySelector('.row') as HTMLElement).append(`Visitor ${last}`);
        list.prepend(row);
        await new Promise(requestAnimationFrame);
      }
    },
    [writers, writers - 1] as const,
  );

interface Cost {
  /** Milliseconds of the main thread for a frame of reading, and for all messages. */
  frame: number;
  messages: number;
  late: number;
  rows: number;
}

/** @param say lets all writers write, and resolves when the list shows that. */
async function measure(page: Page, count: number, say: () => Promise<unknown>): Promise<Cost> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const mainThread = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const opened = await mainThread();
  const seen = await scrollThrough(page, count);
  const scrolled = await mainThread();
  await say();
  const received = await mainThread();
  return {
    frame: (scrolled - opened) / seen.frames,
    messages: received - scrolled,
    late: seen.late,
    rows: seen.rows,
  };
}

const inbox = (count: number): Case => ({
  name: `inbox with ${count.toLocaleString('en')} open conversations`,
  times: 1,
  async run({ browser }) {
    const platform = await startPlatform({ BOT: 'e2e/support/bots/scripted-bot.js' });
    try {
      const visitors = await addVisitors(platform, count);
      const page = await openList(browser, platform);
      const list = await measure(page, count, async () => {
        // The newest conversation is the first one.
        for (const visitor of visitors.slice(0, writers)) await visitor.say('Is anybody there?');
        await page.waitForFunction(
          (number) => document.querySelector('.list .row')?.textContent?.includes(`Visitor ${number}`),
          writers - 1,
        );
      });
      const body = await staticHtml(page);
      await page.route('**/console/floor', (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(`${platform.url}/console/floor`);
      const floor = await measure(page, count, () => receive(page));
      await page.context().close();
      return {
        'main thread of a frame': [list.frame, 'ms', floor.frame],
        'late frames': [list.late, ''],
        'rows in the DOM': [list.rows, ''],
        [`main thread of ${writers} messages`]: [list.messages, 'ms', floor.messages],
      };
    } finally {
      await platform.dispose();
    }
  },
});

export const inboxCases: Case[] = [inbox(300), inbox(600)];
