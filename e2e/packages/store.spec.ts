// The loader and the store of `@platform-webchat/widget` in a real browser: what components of frameworks rely on.
import type { Page } from '@playwright/test';
import type { WebchatStore } from '../../src/packages/widget/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect } from '../support/fixtures.ts';
import { bundleSite, sitePage } from '../support/site-project.ts';
import { siteTest } from './site.ts';

declare global {
  interface Window {
    createWebchatStore: typeof import('../../src/packages/widget/index.ts').createWebchatStore;
    loadWebchat: typeof import('../../src/packages/widget/index.ts').loadWebchat;
    store: WebchatStore;
    types: string[];
  }
}

const program = {
  'main.js': "import * as widget from '@platform-webchat/widget'; Object.assign(window, widget);",
};
const test = siteTest(program);

const launchers = (page: Page) => page.locator('.launcher');
const status = (page: Page) => page.evaluate(() => window.store.getSnapshot().status);
const countOf = (page: Page, type: RegExp) =>
  page.evaluate((source) => window.types.filter((one) => new RegExp(source).test(one)).length, type.source);

/** Creates the store of the page's chat, and records its events. */
test.beforeEach(async ({ page, platform, visit }) => {
  await visit('<div id="one"></div><div id="two"></div>');
  await page.evaluate((chatUrl) => {
    window.types = [];
    window.store = window.createWebchatStore({ chatUrl, configuration: { botName: 'Support' } });
    window.store.on('*', ({ type }) => window.types.push(type));
  }, platform.chatUrl);
});

test('a chat that is released and held again at once keeps its life, as in React StrictMode', async ({
  page,
}) => {
  await page.evaluate(() => {
    const release = window.store.acquire();
    release();
    // A second call of the same release gives nothing more back.
    release();
    window.store.acquire();
  });
  await expect.poll(() => status(page)).toBe('initialized');
  await expect(launchers(page)).toHaveCount(1);
  await page.evaluate(async () => (await window.store.platform).open());
  await expect.poll(() => status(page)).toBe('ready');
  expect(await page.evaluate(() => window.store.getSnapshot().isOpen)).toBe(true);
  expect(await countOf(page, /^webchat:initialized$/)).toBe(1);
  expect(await page.locator('script[src$="webchat.js"]').count()).toBe(1);
});

test('a chat that nobody holds ends once, after its time, and starts again for the next component', async ({
  page,
}) => {
  await page.clock.install();
  await page.evaluate(() => {
    Object.assign(window, { release: window.store.acquire() });
  });
  await expect.poll(() => status(page)).toBe('initialized');
  // Otherwise the clock goes on between the steps, on a busy machine by more than the 100 ms that are left.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  await page.evaluate(() => (window as unknown as { release(): void }).release());
  await page.clock.runFor(900);
  await expect(launchers(page)).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(launchers(page)).toHaveCount(0);
  expect(await status(page)).toBe('idle');
  await page.clock.resume();
  await page.evaluate(() => window.store.acquire());
  await expect(launchers(page)).toHaveCount(1);
  expect(await countOf(page, /^webchat:initialized$/)).toBe(2);
  await page.evaluate(async () => (await window.store.platform).open());
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a chat that the page has destroyed starts again for the next component, and when it is opened', async ({
  page,
}) => {
  await page.evaluate(async () => {
    Object.assign(window, { release: window.store.acquire() });
    (await window.store.platform).destroy();
  });
  await expect(launchers(page)).toHaveCount(0);
  await page.evaluate(() => {
    (window as unknown as { release(): void }).release();
    window.store.acquire();
  });
  await expect(launchers(page)).toHaveCount(1);
  await page.evaluate(async () => {
    (await window.store.platform).destroy();
    // Nothing is there to close.
    window.store.close();
  });
  await expect(launchers(page)).toHaveCount(0);
  await page.evaluate(() => window.store.open());
  await expect(page.getByRole('dialog', { name: 'Chat with Support' })).toBeVisible();
  await expect.poll(() => status(page)).toBe('ready');
});

test('changed options are applied by value, also those that are given before the chat is there', async ({
  page,
  platform,
}) => {
  await page.evaluate((chatUrl) => {
    window.store.acquire();
    window.store.update({ chatUrl, configuration: { botName: 'Early' } });
  }, platform.chatUrl);
  await expect.poll(() => status(page)).toBe('initialized');
  const calls = await page.evaluate(async (chatUrl) => {
    const chat = (await window.store.platform) as Platform;
    const seen: unknown[] = [];
    const { config } = chat;
    chat.config = (options) => {
      seen.push(options);
      config(options);
    };
    window.store.update({ chatUrl, configuration: { botName: 'Early' } });
    window.store.update({ chatUrl, configuration: { botName: 'Late' }, user: { data: { plan: 'team' } } });
    window.store.update({ chatUrl, user: { data: { plan: 'team' } } });
    await Promise.resolve();
    chat.open();
    return seen;
  }, platform.chatUrl);
  expect(calls).toEqual([
    { configuration: { botName: 'Late' }, user: { data: { plan: 'team' } } },
    { configuration: { botName: undefined } },
  ]);
  // Before the chat has loaded, its name is another one.
  await expect(page.getByRole('dialog', { name: /^Chat with / })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Chat with Support' })).toHaveCount(0);
});

test('attributes that are given after the start reach the chat, and replace those of the script tag', async ({
  page,
  platform,
  visit,
}) => {
  const tag = `<script src="${platform.chatUrl}/webchat.js" data-manual data-bot-name="Tag" data-color="#0a7a5a"></script>`;
  await visit(tag);
  const stores = await page.evaluateHandle(
    (chatUrl) =>
      ['', 'second'].map((instance) => window.createWebchatStore({ chatUrl, instance, configuration: {} })),
    platform.chatUrl,
  );
  await stores.evaluate((all) => Promise.all(all.map((store) => [store.acquire(), store.platform][1])));
  const isAgain = (attributes?: Record<string, string>) =>
    stores.evaluate(
      (all, [chatUrl, given]) => {
        const rest = { chatUrl: chatUrl as string, ...(given && { attributes: given as never }) };
        for (const [at, instance] of ['', 'second'].entries()) all[at]?.update({ ...rest, instance });
      },
      [platform.chatUrl, attributes] as const,
    );
  const color = () =>
    launchers(page).evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  // Without attributes of a component, those of the script tag apply to the chat of the script.
  await isAgain();
  const [tagColor, byDefault] = await color();
  expect(tagColor).toBe('rgb(10, 122, 90)');
  expect(byDefault).not.toBe(tagColor);
  await isAgain({ color: '#112233' });
  await expect.poll(color).toEqual(['rgb(17, 34, 51)', 'rgb(17, 34, 51)']);
  await isAgain({ color: '#334455', botName: 'Late' });
  await expect.poll(color).toEqual(['rgb(51, 68, 85)', 'rgb(51, 68, 85)']);
  await stores.evaluate(async ([first]) => (await first?.platform)?.open());
  await expect(page.getByRole('dialog', { name: 'Chat with Late' })).toBeVisible();
  await isAgain({});
  await expect.poll(color).toEqual([byDefault, byDefault]);
});

test('what is asked for last before the chat is there is done, and nothing before it', async ({ page }) => {
  await page.evaluate(() => {
    window.store.acquire();
    window.store.open();
    window.store.toggle();
  });
  await expect.poll(() => status(page)).toBe('initialized');
  expect(await page.evaluate(() => window.types.filter((type) => /opened|closed/.test(type)))).toEqual([]);
  await page.evaluate(() => window.store.toggle());
  await expect(page.getByRole('dialog')).toBeVisible();
  // A handler that closes the window while it is opened.
  await page.evaluate(() => {
    window.store.close();
    window.store.on('webchat:opened', () => window.store.close());
    window.store.open();
  });
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await page.evaluate(() => window.types.filter((type) => /opened|closed/.test(type)))).toEqual([
    'webchat:opened',
    'webchat:closed',
    'webchat:opened',
    'webchat:closed',
  ]);
});

test('a wrong integrity, an address of something else, and a server that does not answer have their codes', async ({
  page,
  platform,
}) => {
  const load = (options: object) =>
    page.evaluate(
      (passed) =>
        window.loadWebchat(passed as { src: string }).then(
          () => 'loaded',
          (error) => error.code,
        ),
      options,
    );
  const src = `${platform.url}/webchat/webchat.js`;
  const wrong = `sha384-${'A'.repeat(64)}`;
  expect(await load({ src, integrity: wrong })).toBe('script_failed');
  await page.route('**/other.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'window.other = 1;' }),
  );
  expect(await load({ src: '/other.js' })).toBe('script_failed');
  await page.route('**/silent.js', () => {});
  expect(await load({ src: '/silent.js', timeoutMs: 50 })).toBe('script_timeout');
  const { integrity } = await (await fetch(`${platform.url}/webchat/integrity.json`)).json();
  expect(Object.keys(integrity).length).toBeGreaterThan(5);
  const hash = await page.evaluate(async (address) => {
    const bytes = await (await fetch(address)).arrayBuffer();
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
    return `sha384-${btoa(String.fromCharCode(...sum))}`;
  }, src);
  expect(await load({ src, integrity: hash })).toBe('loaded');
  expect(await load({ src })).toBe('loaded');
  expect(await page.locator('script[src$="/webchat.js"]').count()).toBe(1);
});

test('under a strict policy the nonce and the Trusted Types policy of the loader are enough; without them it is blocked', async ({
  page,
  serve,
  platform,
}) => {
  const policy = (scripts: string, types: string) => ({
    'content-security-policy': `default-src 'none'; script-src ${scripts}; connect-src ${platform.url}; require-trusted-types-for 'script'; trusted-types ${types}`,
  });
  const html = sitePage(await bundleSite(program));
  const load = (nonce?: string) =>
    page.evaluate(
      ([src = '', nonce]) =>
        window.loadWebchat({ src, nonce }).then(
          (chat) => {
            chat.init();
            return 'loaded';
          },
          (error) => error.code,
        ),
      [`${platform.chatUrl}/webchat.js`, nonce],
    );
  await page.goto(serve('/csp-1', html, policy("'nonce-n0nce'", 'platform-webchat platform-webchat-loader')));
  expect(await load()).toBe('script_blocked');
  expect(await load('n0nce')).toBe('loaded');
  await expect(launchers(page)).toBeVisible();
  await page.goto(serve('/csp-2', html, policy("'nonce-n0nce'", 'platform-webchat')));
  expect(await load('n0nce')).toBe('script_blocked');
});

test('on a server the store is idle, keeps nothing, and its promise explains itself', async () => {
  const { createWebchatStore, loadWebchat } = await import('../../src/packages/widget/index.ts');
  const options = { chatUrl: 'https://example.org/chat/demo' };
  const store = createWebchatStore(options);
  expect(createWebchatStore(options)).not.toBe(store);
  store.acquire()();
  store.update(options);
  store.on('message', () => {})();
  expect(store.getSnapshot()).toEqual({ status: 'idle', isOpen: false, unreadCount: 0 });
  expect(store.getSnapshot()).toBe(store.getServerSnapshot());
  await expect(store.platform).rejects.toMatchObject({ code: 'no_window' });
  await expect(loadWebchat({ src: '/webchat.js' })).rejects.toMatchObject({ code: 'no_window' });
});
