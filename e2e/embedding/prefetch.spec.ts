// The code of the chat is loaded early only when that costs the page and the visitor nothing.
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

const isChatCode = (url: string) => /\/webchat\/chat-[^/]+\.js$/.test(url);

/**
 * Moves the pointer to the launcher, and waits until the window is drawn. The last task of drawing, which measures the window
 * and hides it again, is planned in the task that names the window.
 */
const drawn = async (page: Page) => {
  await page.locator('.launcher').hover();
  await expect(page.locator('.window')).toHaveAttribute('aria-label', /^Chat with/);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
};

test('the code of the chat is transferred once while the page is idle, and neither runs nor creates anything', async ({
  chat,
  page,
}) => {
  const isFromServer: boolean[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ response }) => {
    if (isChatCode(response.url)) isFromServer.push(!response.fromDiskCache);
  });
  await chat.goto();
  await expect.poll(() => isFromServer).toEqual([true]);
  expect(
    await page.evaluate(() => {
      const host = document.querySelector('platform-webchat');
      return [localStorage.length, host?.shadowRoot?.querySelector('.window')?.childElementCount];
    }),
  ).toEqual([0, 0]);
  await chat.openWindow();
  expect(isFromServer).toEqual([true, false]);
});

test('the pointer on the launcher draws the window, so that a click shows a composer that has the focus at once', {
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
  await drawn(page);
  await expect(page.locator('textarea')).toBeHidden();
  const seen = await page.evaluate(async () => {
    const { fetches } = window as unknown as { fetches: string[] };
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    // The early load of the code.
    fetches.length = 0;
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

test('before the click only the code of the window is loaded, also with files', async ({ chat, page }) => {
  await chat.load('data-allow-file-upload');
  await drawn(page);
  // The launcher does not know the name of this field, so that the bundle of unknown names checks it afterwards.
  const own = () =>
    chat.requests.filter((url) => /\/webchat\/(?!unknown-names-)[\w./-]+$/.test(url) && !isChatCode(url));
  expect(own()).toEqual([]);
  await chat.launcher.click();
  await expect.poll(() => own().some((url) => url.includes('/extras-'))).toBe(true);
});

test('the picture of the bot is loaded when the visitor sees it, and not with the code', async ({
  chat,
  page,
}) => {
  const pictures: string[] = [];
  await page.route('https://pictures.test/**', async (route) => {
    pictures.push(route.request().url());
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  for (const home of ['', 'data-home']) {
    await chat.load(`data-bot-avatar="https://pictures.test/bot.svg" ${home}`, { csp: '' });
    await drawn(page);
    expect(pictures.splice(0)).toEqual([]);
    await chat.launcher.click();
    await expect.poll(() => pictures.length).toBeGreaterThan(0);
    pictures.length = 0;
  }
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
    // Counts the idle tasks: one after the start of the chat, one after the load of the page.
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
    .toBeGreaterThan(0);
  expect(requests).toEqual([]);
  release();
  await expect.poll(() => requests).toHaveLength(1);
});

for (const [reason, connection, attributes] of [
  ['the visitor saves data', { saveData: true, effectiveType: '4g' }, ''],
  ['the connection is 2G', { saveData: false, effectiveType: '2g' }, ''],
  ['the connection is slower than 2G', { saveData: false, effectiveType: 'slow-2g' }, ''],
  ['the page does not want it', undefined, 'data-prefetch="false"'],
] as const) {
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
    await chat.load(attributes);
    await expect.poll(() => page.evaluate(() => (window as unknown as { reads: number }).reads)).toBe(1);
    // A later task: the code would have been requested in the task that read the connection.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(chat.requests.filter(isChatCode)).toEqual([]);
    await chat.openWindow();
  });
}

test('a code file that cannot be loaded early is requested again by the click', async ({ chat, page }) => {
  let count = 0;
  const isCode = (url: URL) => isChatCode(url.href);
  await page.route(isCode, (route) => (++count === 1 ? route.abort() : route.continue()));
  // Not only requested: a click would wait for the same request.
  const failed = page.waitForEvent('requestfailed', (request) => isChatCode(request.url()));
  await chat.goto();
  await failed;
  expect(count).toBe(1);
  await chat.openWindow();
  chat.ignoreConsoleErrors('ERR_FAILED');
});
