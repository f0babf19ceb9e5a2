// The code of the chat is loaded early only when that costs the page and the visitor nothing.
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

const isChatCode = (url: string) => /\/webchat\/chat-[^/]+\.js$/.test(url);

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
  await page.goto(serve('/early', html));
  await expect.poll(() => count).toBe(1);
  await page.getByRole('button', { name: /chat/i }).click();
  await expect(page.locator('.row[data-side="bot"]')).toHaveCount(1);
});

function isChatCodeUrl(url: URL): boolean {
  return isChatCode(url.href);
}
