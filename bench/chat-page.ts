// A page with the chat in a browser context of its own: actions, and the measurement of their cost. It waits inside the
// page, because polling from outside would be measured as well.
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { ChatClient } from '../src/client/index.ts';
import type { Platform } from '../src/protocol/page-api/page-api.ts';
import { install, type Observation } from './metric-sampler.ts';
import type { SeededSession } from './seed-data.ts';
import { categories, readTrace, type Timeline, type Work } from './trace.ts';

/** Number of deltas of a streamed answer, and milliseconds from one to the next: five times faster than most models. */
export const deltas = 1_000;
export const deltaMs = 10;

export interface Counters {
  /** Elements in the widget, and message rows among them. */
  elements: number;
  rows: number;
  /** Nodes, listeners and JavaScript heap (bytes) of the whole page after a garbage collection. */
  nodes: number;
  listeners: number;
  heap: number;
}

export class ChatPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  private readonly chatUrl: string;

  private constructor(page: Page, cdp: CDPSession, chatUrl: string) {
    this.page = page;
    this.cdp = cdp;
    this.chatUrl = chatUrl;
  }

  /** Loads the page and waits for network idle. The window is closed and the chat bundle is not loaded. */
  static async load(context: BrowserContext, url: string, chatUrl: string): Promise<ChatPage> {
    const page = await context.newPage();
    const chatPage = new ChatPage(page, await context.newCDPSession(page), chatUrl);
    page.on('pageerror', (error) => console.error(`bench: ${error}`));
    await page.addInitScript(install, deltas);
    await page.goto(url);
    // A floor has no script of the chat.
    await page.waitForFunction(
      () => !document.querySelector('script[src]') || 'open' in (window.platform ?? {}),
    );
    await page.waitForLoadState('networkidle');
    return chatPage;
  }

  /** Throttles the main thread by this factor. */
  async throttle(times: number): Promise<void> {
    if (times > 1) await this.cdp.send('Emulation.setCPUThrottlingRate', { rate: times });
  }

  /** Stores a session in the browser, as a returning visitor has it. */
  async restoreSession(session: SeededSession): Promise<void> {
    const key = `platform-webchat:${this.chatUrl}`;
    await this.page.evaluate(([k, v]) => localStorage.setItem(k, v), [key, JSON.stringify(session)] as const);
  }

  async stored(): Promise<SeededSession> {
    const key = `platform-webchat:${this.chatUrl}`;
    return this.page.evaluate((k) => JSON.parse(localStorage.getItem(k) ?? '{}'), key);
  }

  /** Opens the window and waits until it has at least this many rows and nothing changes any more. */
  async open(rows: number): Promise<void> {
    await this.page.evaluate(async (count) => {
      (window.platform as Platform).open();
      await window.sampler.settle(count);
    }, rows);
  }

  /** Opens the window of a floor (floor.ts) instead. */
  async openFloor(rows: number): Promise<void> {
    await this.page.evaluate(async (count) => {
      window.sampler.root().querySelector<HTMLElement>('.launcher')?.click();
      await window.sampler.settle(count);
    }, rows);
  }

  /** Opens the window without measuring it. */
  async prepare(rows: number): Promise<void> {
    await this.page.evaluate(() => window.sampler.begin());
    await this.open(rows);
    await this.page.evaluate(() => window.sampler.end());
  }

  /** Runs `work` and returns what it cost between the marks `begin` and `end`. */
  async measure(work: () => Promise<unknown>): Promise<{ timeline: Timeline; seen: Observation }> {
    const browser = this.page.context().browser() as Browser;
    await browser.startTracing(this.page, { categories });
    await this.page.evaluate(() => window.sampler.begin());
    await work();
    const seen = await this.page.evaluate(() => window.sampler.end());
    const timeline = readTrace((await browser.stopTracing()).toString(), 'begin');
    return { timeline, seen };
  }

  /** Instructs the scripted bot (e2e/support/bots/scripted-bot.js) by an event, which is not rendered as a message is. */
  async instruct(instructions: object): Promise<void> {
    const { userKey, conversationId } = await this.stored();
    const client = new ChatClient({ chatUrl: this.chatUrl, userKey });
    await client.createEvent({ conversationId, payload: { text: JSON.stringify(instructions) } });
  }

  /** Loads the page again, and returns what that costs until `ms` milliseconds after its load event. */
  async measureView(ms: number): Promise<Work> {
    const browser = this.page.context().browser() as Browser;
    await this.page.addInitScript(() => performance.mark('view'));
    await browser.startTracing(this.page, { categories });
    await this.page.reload();
    await this.page.evaluate(async (pause) => {
      await new Promise((resolve) => setTimeout(resolve, pause));
      performance.mark('end');
    }, ms);
    return readTrace((await browser.stopTracing()).toString(), 'view').between('view', 'end');
  }

  async count(): Promise<Counters> {
    // Twice: objects that the first collection releases may hold further ones.
    await this.cdp.send('HeapProfiler.collectGarbage');
    await this.cdp.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await this.cdp.send('Memory.getDOMCounters');
    const { usedSize } = await this.cdp.send('Runtime.getHeapUsage');
    const drawn = await this.page.evaluate(() => {
      const all = window.sampler.root()?.querySelectorAll('*') ?? [];
      return { elements: all.length, rows: [...all].filter((e) => e.matches('.row[data-status]')).length };
    });
    return { ...drawn, nodes, listeners: jsEventListeners, heap: usedSize };
  }
}
