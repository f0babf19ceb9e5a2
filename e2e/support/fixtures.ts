// What every end-to-end test stands on: a real server, a stranger's site under the strictest CSP, and words for what a
// visitor does and sees. After each test the page must have reported no CSP violation, no error and no console noise.
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { ChatClient } from '../../src/client/index.ts';
import type { Message } from '../../src/protocol/message.ts';
import type { Platform } from '../../src/protocol/platform.ts';
import { type Site, startSite } from './host-page.ts';
import { type PlatformServer, startPlatform } from './server.ts';

declare global {
  interface Window {
    platform?: Platform | ((platform: Platform) => void)[];
    /** What the page saw: CSP violations, and what a test records. */
    seen: { violations: string[]; events: { type: string; payload: unknown }[] };
  }
}

/**
 * The strictest policy: nothing but our script by nonce, its chunks, its server; no style source at all. `media`: the
 * server's own pictures, sounds and films may be shown.
 */
export const strictCsp = (platformUrl: string, { media = false } = {}) =>
  [
    ...(media ? [`img-src ${platformUrl}`, `media-src ${platformUrl}`] : []),
    "default-src 'none'",
    "script-src 'nonce-n0nce'",
    "style-src 'none'",
    `connect-src ${platformUrl}`,
    "require-trusted-types-for 'script'",
    'trusted-types platform-webchat',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** A page that records its violations from its first moment; `head` comes before the chat's script. */
export const pageHtml = (
  script: string,
  { head = '', body = '', doctype = '<!doctype html>' } = {},
) => `${doctype}
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<script nonce="n0nce">
  window.seen = { violations: [], events: [] };
  addEventListener('securitypolicyviolation', (e) => seen.violations.push(e.violatedDirective + ' ' + e.blockedURI));
</script>${head}</head>
<body><h1>A page</h1><p><a href="#there">A link of the page</a></p>${body}${script}</body></html>`;

interface Fixtures {
  /** Serves a page of the stranger's site, under the strict CSP unless other headers are given; gives its address. */
  serve(path: string, html: string, headers?: Record<string, string>): string;
  /** The page's address: a stranger's page with the script the server serves, under the strict CSP. */
  pageUrl: string;
  chat: ChatPage;
}

/** What a worker's server runs with; a file may say otherwise by `test.use({ env })`. */
type Env = Record<string, string>;

/** The server with the puppet bot. One object: files that use it share a worker, its server and its browser. */
export const puppet: Env = { BOT: 'e2e/support/scripted-bot.js' };

export const test = base.extend<
  Fixtures & { attributes: string; csp: string | undefined },
  { env: Env; platform: PlatformServer; site: Site }
>({
  env: [{}, { scope: 'worker', option: true }],
  platform: [
    async ({ env }, use) => {
      const platform = await startPlatform(env);
      await use(platform);
      await platform.dispose();
    },
    { scope: 'worker' },
  ],
  /** Attributes of the script tag: the configuration of the page. */
  attributes: ['', { option: true }],
  /** The policy of the page; undefined for the strictest. */
  csp: [undefined, { option: true }],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  serve: async ({ platform, site, csp }, use) => {
    const policy = csp?.replaceAll('PLATFORM', platform.url) ?? strictCsp(platform.url);
    await use((path, html, headers = { 'content-security-policy': policy }) =>
      site.page(path, html, headers),
    );
  },
  pageUrl: async ({ platform, serve, attributes }, use) => {
    await use(
      serve(
        '/strict',
        pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" ${attributes} async></script>`),
      ),
    );
  },
  chat: async ({ page, pageUrl, platform }, use) => {
    const chat = new ChatPage(page, pageUrl, platform);
    await use(chat);
    chat.expectQuiet();
    if (!page.isClosed()) expect(await page.evaluate(() => window.seen?.violations ?? [])).toEqual([]);
  },
});

export { expect };

/** A page with the chat on it, in the words of a visitor. */
export class ChatPage {
  readonly page: Page;
  readonly url: string;
  readonly platform: PlatformServer;
  readonly launcher: Locator;
  readonly window: Locator;
  readonly input: Locator;
  readonly rows: Locator;
  readonly botRows: Locator;
  readonly requests: string[] = [];
  /** Console errors, warnings and exceptions; a test that provokes some removes them. */
  noise: string[] = [];

  constructor(page: Page, url: string, platform: PlatformServer) {
    this.page = page;
    this.url = url;
    this.platform = platform;
    this.launcher = page.locator('.launcher');
    this.window = page.getByRole('dialog', { name: /^(Chat with|The chat is loading)/ });
    this.input = this.window.getByRole('textbox', { name: 'Message' });
    this.rows = this.window.locator('.row[data-status]');
    this.botRows = this.window.locator('.row[data-side="bot"][data-status]');
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('pageerror', (error) => this.noise.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.noise.push(message.text());
    });
  }

  async goto(url = this.url): Promise<void> {
    await this.page.goto(url);
    await expect(this.launcher).toBeVisible();
  }

  /** Opens the window and waits until the bot has greeted: the conversation runs. */
  async start(): Promise<void> {
    await this.goto();
    await this.launcher.click();
    await expect(this.botRows.first()).toContainText('I am the demo bot');
  }

  async say(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Says something and waits for the bot's echo of it. */
  async exchange(text: string): Promise<void> {
    await this.say(text);
    await expect(this.botRows.filter({ hasText: `You said: “${text}”` })).toHaveCount(1);
  }

  /** The text of every message, in order, as the visitor sees it. */
  texts(): Promise<string[]> {
    return this.rows.locator('.text').allInnerTexts();
  }

  /** Records every event of `window.platform` in `seen.events`. */
  record(): Promise<void> {
    return this.page.evaluate(() => {
      (window.platform as Platform).on('*', ({ type, payload }) => {
        const data = payload instanceof Error ? { ...payload, message: payload.message } : payload;
        window.seen.events.push({ type, payload: data });
      });
    });
  }

  events(): Promise<{ type: string; payload: unknown }[]> {
    return this.page.evaluate(() => window.seen.events);
  }

  async eventTypes(): Promise<string[]> {
    return (await this.events()).map(({ type }) => type);
  }

  /** What the browser keeps about the visit. */
  stored(): Promise<{ userKey?: string; userId?: string; conversationId?: string; draft?: string }> {
    return this.page.evaluate(
      (key) => JSON.parse(localStorage.getItem(key) ?? '{}'),
      `platform-webchat:${this.platform.chatUrl}`,
    );
  }

  /** The messages as the server has them, oldest first. */
  async serverMessages(): Promise<Message[]> {
    const { userKey, conversationId } = await this.stored();
    if (!conversationId) throw new Error('The browser has stored no conversation.');
    const client = new ChatClient({ chatUrl: this.platform.chatUrl, userKey });
    return (await client.list.messages({ conversationId }).collect()).reverse();
  }

  async serverTexts(): Promise<string[]> {
    return (await this.serverMessages()).map(({ payload }) =>
      'text' in payload ? payload.text : payload.type,
    );
  }

  expectQuiet(): void {
    expect(this.noise).toEqual([]);
  }

  /** Where the scroll position is, in pixels from the end. */
  distanceFromEnd(): Promise<number> {
    return this.window.locator('.viewport').evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
  }

  /** Has the puppet bot (e2e/support/scripted-bot.js) do something, as if the visitor had written it. */
  async tell(orders: object): Promise<void> {
    const { userKey, conversationId = '' } = await this.stored();
    const client = new ChatClient({ chatUrl: this.platform.chatUrl, userKey });
    await client.createMessage({ conversationId, payload: { type: 'text', text: JSON.stringify(orders) } });
  }

  /** Has the puppet bot say this, and gives the row of it. */
  async hear(payload: object): Promise<Locator> {
    const before = await this.botRows.count();
    await this.tell({ say: [payload] });
    await expect(this.botRows).toHaveCount(before + 1);
    return this.botRows.nth(before);
  }
}
