// Playwright fixtures of every end-to-end test: a real server, a third-party page under the strictest CSP, and a page object.
// After each test the page must have reported no CSP violation and no console error or warning.
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { ChatPage, userKeySecret } from './chat-page.ts';
import { type HostSite, pageHtml, startHostSite, strictCsp } from './host-page.ts';
import { type PlatformServer, startPlatform } from './server.ts';

interface Fixtures {
  /** Serves a third-party page, under the strict CSP unless other headers are given, and returns its address. */
  serve(path: string, html: string, headers?: Record<string, string>): string;
  /** The address of a third-party page with the server's script, under the strict CSP. */
  pageUrl: string;
  chat: ChatPage;
}

/** The environment of the server; a file can override it with `test.use({ env })`. */
type Env = Record<string, string>;

/** A server with the scripted bot. */
export const scriptedBot: Env = { BOT: 'e2e/support/bots/scripted-bot.js' };

/** `SLOWDOWN=4`: pages run at a quarter of their speed, which shows tests that depend on it (docs/guides/testing.md). */
const slowdown = Number(process.env.SLOWDOWN ?? 1);

/** Servers that a worker keeps running: the usual two, and one that few tests need. */
const maxServers = 3;

export const test = base.extend<
  Fixtures & { attributes: string; csp: string | undefined; env: Env; platform: PlatformServer },
  { platforms: (env: Env) => Promise<PlatformServer>; site: HostSite }
>({
  env: [{}, { option: true }],
  /** Returns the running server of a worker with this environment, or starts it. */
  platforms: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern.
    async ({}, use) => {
      const servers = new Map<string, PlatformServer>();
      await use(async (env) => {
        const settings = { USER_KEY_SECRET: userKeySecret, ...env };
        const name = JSON.stringify(Object.entries(settings).sort());
        const server = servers.get(name) ?? (await startPlatform(settings));
        // The last one is the most recently used.
        servers.delete(name);
        servers.set(name, server);
        const [oldest, unused] = [...servers][0] ?? [];
        if (servers.size > maxServers && oldest !== undefined) {
          servers.delete(oldest);
          await unused?.dispose();
        }
        return server;
      });
      await Promise.all([...servers.values()].map((server) => server.dispose()));
    },
    { scope: 'worker' },
  ],
  platform: async ({ platforms, env }, use) => {
    await use(await platforms(env));
  },
  /** Attributes of the script tag, which configure the chat. */
  attributes: ['', { option: true }],
  /** The policy of the page; undefined for the strictest one. */
  csp: [undefined, { option: true }],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern.
    async ({}, use) => {
      const site = await startHostSite();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  serve: async ({ platform, site, csp }, use) => {
    const policy =
      csp?.replaceAll('PLATFORM', platform.url).replaceAll('SANDBOX', platform.sandboxOrigin) ??
      strictCsp(platform.url);
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
  context: async ({ context }, use) => {
    context.on('page', keepInterception);
    if (slowdown > 1) context.on('page', (page) => slowDown(context, page));
    await use(context);
  },
  chat: async ({ page, pageUrl, platform, serve }, use) => {
    const chat = new ChatPage(page, pageUrl, platform, serve);
    await use(chat);
    chat.expectNoConsoleErrors();
    if (!page.isClosed()) expect(await page.evaluate(() => window.seen?.violations ?? [])).toEqual([]);
  },
});

/**
 * Leaves one route when a test removes its last one. Without any, the browser stops to intercept requests, and one that it has
 * just intercepted gets no answer: 9 of 300 requests in the moment of `unroute` waited for ever.
 */
function keepInterception(page: Page): void {
  const unroute = page.unroute.bind(page);
  page.unroute = async (...route) => {
    await page.route('never:*', (request) => request.fallback());
    await unroute(...route);
  };
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

export { expect, userKeySecret };
