// Measures the list of the inbox with many open conversations: reading all of it, and messages that arrive meanwhile.
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
  await page.goto(`${platform.url}/inbox/?list=all${new URL(url).hash}`);
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

const inbox = (count: number, times: number): Case => ({
  name: `inbox with ${count.toLocaleString('en')} open conversations`,
  times,
  async run({ browser }) {
    const platform = await startPlatform({ BOT: 'e2e/support/bots/scripted-bot.js' });
    try {
      const visitors = await addVisitors(platform, count);
      const page = await openList(browser, platform);
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
      const mainThread = async () => {
        const { metrics } = await cdp.send('Performance.getMetrics');
        return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
      };
      const opened = await mainThread();
      const seen = await scrollThrough(page, count);
      const scrolled = await mainThread();
      // The newest conversation is the first one.
      for (const visitor of visitors.slice(0, writers)) await visitor.say('Is anybody there?');
      await page.waitForFunction(
        (number) => document.querySelector('.list .row')?.textContent?.includes(`Visitor ${number}`),
        writers - 1,
      );
      const received = await mainThread();
      await page.context().close();
      return {
        'main thread down and up again': [scrolled - opened, 'ms'],
        'main thread of a frame': [(scrolled - opened) / seen.frames, 'ms'],
        'frames down and up again': [seen.frames, ''],
        'late frames down and up again': [seen.late, ''],
        'rows in the DOM': [seen.rows, ''],
        [`main thread of ${writers} messages`]: [received - scrolled, 'ms'],
      };
    } finally {
      await platform.dispose();
    }
  },
});

export const inboxCases: Case[] = [inbox(300, 1), inbox(1_000, 1)];
