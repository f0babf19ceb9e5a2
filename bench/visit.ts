// One page with the chat, in a browser context of its own: what a measure does in it, and what it costs. Waits inside
// the page: a question from outside several times a second would be measured too.
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { ChatClient } from '../src/client/index.ts';
import type { Platform } from '../src/protocol/platform.ts';
import type { Visit } from './fill.ts';
import { install, type Seen } from './gauge.ts';
import { categories, readTrace, type Timeline } from './trace.ts';

/** How many pieces a streamed answer comes in. */
export const deltas = 2_000;

export interface Counters {
  /** Elements in the widget, and rows of messages among them. */
  elements: number;
  rows: number;
  /** Nodes, listeners and bytes of JavaScript of the whole page, after garbage was collected. */
  nodes: number;
  listeners: number;
  heap: number;
}

export class VisitPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  private readonly chatUrl: string;

  private constructor(page: Page, cdp: CDPSession, chatUrl: string) {
    this.page = page;
    this.cdp = cdp;
    this.chatUrl = chatUrl;
  }

  /** Loads the page and waits until nothing happens any more; the window is closed, nothing of the chat is loaded. */
  static async load(context: BrowserContext, url: string, chatUrl: string): Promise<VisitPage> {
    const page = await context.newPage();
    const visit = new VisitPage(page, await context.newCDPSession(page), chatUrl);
    page.on('pageerror', (error) => console.error(`bench: ${error}`));
    await page.addInitScript(install, deltas);
    await page.goto(url);
    await page.waitForFunction(() => 'open' in (window.platform ?? {}));
    await page.waitForLoadState('networkidle');
    return visit;
  }

  /** From now on the main thread is so many times slower. */
  async slow(times: number): Promise<void> {
    if (times > 1) await this.cdp.send('Emulation.setCPUThrottlingRate', { rate: times });
  }

  /** The browser has been here before. */
  async remember(visit: Visit): Promise<void> {
    const key = `platform-webchat:${this.chatUrl}`;
    await this.page.evaluate(([k, v]) => localStorage.setItem(k, v), [key, JSON.stringify(visit)] as const);
  }

  async stored(): Promise<Visit> {
    const key = `platform-webchat:${this.chatUrl}`;
    return this.page.evaluate((k) => JSON.parse(localStorage.getItem(k) ?? '{}'), key);
  }

  /** Opens the window and waits until all of its (at least so many) rows stand still. */
  async open(rows: number): Promise<void> {
    await this.page.evaluate(async (count) => {
      (window.platform as Platform).open();
      await window.gauge.settle(count);
    }, rows);
  }

  /** Opens the window, unmeasured. */
  async prepare(rows: number): Promise<void> {
    await this.page.evaluate(() => window.gauge.begin());
    await this.open(rows);
    await this.page.evaluate(() => window.gauge.end());
  }

  /** Does something, and gives what it cost from the marks `begin` to `end`. */
  async measure(work: () => Promise<unknown>): Promise<{ timeline: Timeline; seen: Seen }> {
    const browser = this.page.context().browser() as Browser;
    await browser.startTracing(this.page, { categories });
    await this.page.evaluate(() => window.gauge.begin());
    await work();
    const seen = await this.page.evaluate(() => window.gauge.end());
    const timeline = readTrace((await browser.stopTracing()).toString(), 'begin');
    return { timeline, seen };
  }

  /** Instructs the scripted bot (e2e/support/scripted-bot.js). By an event, which unlike a message is not drawn. */
  async tell(orders: object): Promise<void> {
    const { userKey, conversationId } = await this.stored();
    const client = new ChatClient({ chatUrl: this.chatUrl, userKey });
    await client.createEvent({ conversationId, payload: { text: JSON.stringify(orders) } });
  }

  async count(): Promise<Counters> {
    // Twice: what the first round lets go of may hold more.
    await this.cdp.send('HeapProfiler.collectGarbage');
    await this.cdp.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await this.cdp.send('Memory.getDOMCounters');
    const { usedSize } = await this.cdp.send('Runtime.getHeapUsage');
    const drawn = await this.page.evaluate(() => {
      const all = window.gauge.root()?.querySelectorAll('*') ?? [];
      return { elements: all.length, rows: [...all].filter((e) => e.matches('.row[data-status]')).length };
    });
    return { ...drawn, nodes, listeners: jsEventListeners, heap: usedSize };
  }
}
