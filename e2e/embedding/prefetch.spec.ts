// The code of the chat is loaded early only when that costs the page and the visitor nothing.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

const isChatCode = (url: string) => /\/webchat\/chat-[^/]+\.js$/.test(url);

/**
 * Waits until the window is drawn while the page is idle. The last task of drawing, which measures the window and hides it
 * again, is planned in the task that names the window.
 */
const drawn = async (page: Page) => {
  await expect(page.locator('.window')).toHaveAttribute('aria-label', /^Chat with/);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
};

test('the code of the chat is loaded once while the page is idle, and creates nothing', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await expect.poll(() => chat.requests.filter(isChatCode)).toHaveLength(1);
  expect(
    await page.evaluate(() => [localStorage.length, document.querySelectorAll('platform-webchat').length]),
  ).toEqual([0, 1]);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  expect(chat.requests.filter(isChatCode)).toHaveLength(1);
});

test('while the page is idle the window is drawn, so that a click shows a composer that has the focus at once', {
  tag: '@story',
}, async ({ chat, page }) => {
  await page.addInitScript(() => {
    const fetches: string[] = [];
    const { fetch } = window;
    window.fetch = (input, init) => {
      fetches.push(String(input));
      return fetch(input, init);
    };
    Object.assign(window, { fetches });
  });
  await chat.goto();
  const input = page.locator('textarea');
  await expect(input).toHaveCount(1);
  await drawn(page);
  await expect(input).toBeHidden();
  const seen = await page.evaluate(async () => {
    const { fetches } = window as unknown as { fetches: string[] };
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    root.querySelector<HTMLElement>('.launcher')?.click();
    const { activeElement } = root;
    const shown = [activeElement?.localName, activeElement?.checkVisibility()];
    // All microtasks of this task: requests follow in the next one, after the window.
    for (let i = 0; i < 100; i++) await null;
    return { shown, inTheTaskOfTheClick: [...fetches] };
  });
  expect(seen).toEqual({ shown: ['textarea', true], inTheTaskOfTheClick: [] });
  await expect(chat.botRows).toHaveCount(1);
});

test.describe('with files', () => {
  test.use({ attributes: 'data-allow-file-upload' });

  test('while the page is idle only the code of the window is loaded', async ({ chat, page }) => {
    await chat.goto();
    await expect(page.locator('textarea')).toHaveCount(1);
    await drawn(page);
    // The launcher does not know the name of this field, so that the bundle of unknown names checks it afterwards.
    const own = () =>
      chat.requests.filter((url) => /\/webchat\/(?!unknown-names-)[\w./-]+$/.test(url) && !isChatCode(url));
    expect(own()).toEqual([]);
    await chat.launcher.click();
    await expect.poll(() => own().some((url) => url.includes('/extras-'))).toBe(true);
  });
});

test('the picture of the bot is loaded when the visitor sees it, and not with the code', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const pictures: string[] = [];
  await page.route('https://pictures.test/**', async (route) => {
    pictures.push(route.request().url());
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  for (const home of ['', 'data-home']) {
    const tag = `<script src="${platform.chatUrl}/webchat.js" data-bot-avatar="https://pictures.test/bot.svg" ${home}></script>`;
    await chat.goto(serve('/picture', pageHtml(tag), {}));
    await expect(page.locator('textarea')).toHaveCount(1);
    await drawn(page);
    expect(pictures.splice(0)).toEqual([]);
    await chat.launcher.click();
    await expect.poll(() => pictures.length).toBeGreaterThan(0);
    pictures.length = 0;
  }
});

test('opening and the first message create no formatter of the browser, of which the first takes long', async ({
  chat,
  page,
}) => {
  await page.addInitScript(() => {
    const created: string[] = [];
    Object.assign(window, { created });
    for (const name of ['DateTimeFormat', 'NumberFormat', 'PluralRules'] as const) {
      Object.defineProperty(Intl, name, {
        value: new Proxy(Intl[name], {
          construct(target, given) {
            created.push(name);
            return Reflect.construct(target, given);
          },
        }),
      });
    }
    // It is used where a number is inserted into a text.
    const format = Number.prototype.toLocaleString;
    Number.prototype.toLocaleString = function (...given) {
      created.push('toLocaleString');
      return format.apply(this, given);
    };
  });
  await chat.goto();
  await chat.launcher.click();
  await expect(chat.botRows.locator('time')).toHaveText(/^\d+:\d\d [AP]M$/);
  expect(await page.evaluate(() => (window as unknown as { created: string[] }).created)).toEqual([]);
});

test('a chat that is destroyed while it is drawn leaves nothing, and the next one opens', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await page.evaluate(async () => {
    const platform = window.platform as Platform;
    // At each of the first tasks of drawing.
    for (let tasks = 0; tasks < 8; tasks++) {
      platform.open();
      for (let i = 0; i <= tasks; i++) await new Promise((resolve) => setTimeout(resolve));
      platform.destroy();
      platform.init();
    }
  });
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await chat.exchange('Still here');
});

test('nothing is loaded early before the page has loaded', async ({ platform, page, serve }) => {
  let release = () => {};
  await page.route('**/slow.png', async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await route.fulfill({ status: 204 });
  });
  await page.addInitScript(() => {
    // Counts the idle tasks, which each check whether the page has loaded.
    const { requestIdleCallback } = window;
    Object.assign(window, { idle: 0 });
    window.requestIdleCallback = (task, options) =>
      requestIdleCallback((deadline) => {
        (window as unknown as { idle: number }).idle++;
        task(deadline);
      }, options);
  });
  const requests: string[] = [];
  page.on('request', (request) => isChatCode(request.url()) && requests.push(request.url()));
  const html = pageHtml(
    `<script src="${platform.chatUrl}/webchat.js" async></script><img src="/slow.png" alt="">`,
  );
  await page.goto(serve('/slow-picture', html, {}), { waitUntil: 'commit' });
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { idle: number }).idle))
    .toBeGreaterThan(2);
  expect(requests).toEqual([]);
  release();
  await expect.poll(() => requests).toHaveLength(1);
});

const savings = [
  ['the visitor saves data', { saveData: true, effectiveType: '4g' }],
  ['the connection is 2G', { saveData: false, effectiveType: '2g' }],
  ['the connection is slower than 2G', { saveData: false, effectiveType: 'slow-2g' }],
] as const;

for (const [reason, connection] of savings) {
  test(`nothing is loaded early if ${reason}`, async ({ chat, page }) => {
    await page.addInitScript((value) => {
      Object.assign(window, { reads: 0 });
      Object.defineProperty(navigator, 'connection', {
        get: () => {
          (window as unknown as { reads: number }).reads++;
          return value;
        },
      });
    }, connection);
    await chat.goto();
    await expect.poll(() => page.evaluate(() => (window as unknown as { reads: number }).reads)).toBe(1);
    // A later task: the code would have been requested in the task that read the connection.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(chat.requests.filter(isChatCode)).toEqual([]);
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
  });
}

test.describe('with prefetch: false', () => {
  test.use({ attributes: 'data-prefetch="false"' });

  test('nothing is loaded early', async ({ chat, page }) => {
    await page.addInitScript(() => {
      Object.assign(window, { reads: 0 });
      Object.defineProperty(navigator, 'connection', {
        get: () => void (window as unknown as { reads: number }).reads++,
      });
    });
    await chat.goto();
    await expect.poll(() => page.evaluate(() => (window as unknown as { reads: number }).reads)).toBe(1);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(chat.requests.filter(isChatCode)).toEqual([]);
  });
});

test('a code file that cannot be loaded early is requested again by the click', async ({
  platform,
  page,
  serve,
}) => {
  let count = 0;
  await page.route(isChatCodeUrl, (route) => (++count === 1 ? route.abort() : route.continue()));
  const html = pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" async></script>`);
  // Not only requested: a click would wait for the same request.
  const failed = page.waitForEvent('requestfailed', (request) => isChatCode(request.url()));
  await page.goto(serve('/early', html));
  await failed;
  expect(count).toBe(1);
  await page.getByRole('button', { name: /chat/i }).click();
  await expect(page.locator('.row[data-side="bot"]')).toHaveCount(1);
});

function isChatCodeUrl(url: URL): boolean {
  return isChatCode(url.href);
}
