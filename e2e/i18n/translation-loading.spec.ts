// Loading of translations: failures, slow responses, another attempt, and a chat that was destroyed meanwhile.
import type { Route } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { box, frame, pageIn } from '../support/translated-chat.ts';

test.use({ env: scriptedBot });

for (const file of ['i18n', 'de']) {
  const pattern = new RegExp(`/webchat/+${file}-[\\w-]{6}\\.js`);

  test(`when ${file} fails to load the chat is in English and reports an error to the page`, async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    const html = pageIn(platform.chatUrl, 'lang="de"').replace(
      '<body>',
      `<body><script nonce="n0nce">(window.platform ||= []).push((p) => p.on('error', ({ code }) => seen.events.push(code)));</script>`,
    );
    await page.route(pattern, (route) => route.abort());
    await chat.goto(serve(`/blocked-${file}`, html));
    await expect.poll(() => page.evaluate(() => window.seen.events)).toContain('chunk_failed');
    await expect(chat.launcher).toHaveAccessibleName('Open chat');
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.window).toHaveAccessibleName('Chat with Bot');
    expect((await box(page))[0]).toBe('en');
    chat.ignoreConsoleErrors('ERR_FAILED');
  });

  test(`when ${file} is slow the chat is usable, and the language changes once it arrives`, async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    let held: Route | undefined;
    await page.route(pattern, (route) => {
      held = route;
    });
    await chat.goto(serve(`/held-${file}`, pageIn(platform.chatUrl, 'lang="de"')));
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.window).toHaveAccessibleName('Chat with Bot');
    await expect.poll(() => !!held).toBe(true);
    await held?.continue();
    await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
    await expect(chat.launcher).toHaveAccessibleName('Chat schließen');
  });
}

test('a translation that failed to load is requested again when the window opens', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  const pattern = /\/webchat\/de-[\w-]{6}\.js/;
  let count = 0;
  await page.route(pattern, (route) => (count++ ? route.continue() : route.abort()));
  // Not only requested: a second request during the first one would fail with it.
  const failed = page.waitForEvent('requestfailed', (request) => pattern.test(request.url()));
  await chat.goto(serve('/again', pageIn(platform.chatUrl, 'lang="de"')));
  await failed;
  expect(count).toBe(1);
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
  await chat.launcher.click();
  await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('an instance that was destroyed does not return when its translation arrives late', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  let held: Route | undefined;
  await page.route(/\/webchat\/de-[\w-]{6}\.js/, (route) => {
    held = route;
  });
  await chat.goto(serve('/removed', pageIn(platform.chatUrl, 'lang="de"')));
  await expect.poll(() => !!held).toBe(true);
  await page.evaluate(() => (window.platform as Platform).destroy());
  const loaded = page.waitForResponse(/\/webchat\/de-/);
  await held?.continue();
  await (await loaded).finished();
  // The code that has waited for the strings has run.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});
