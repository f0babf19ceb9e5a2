// Loading of translations: failures, slow responses, another attempt, and a chat that was destroyed meanwhile.
import type { Route } from '@playwright/test';
import { expect, scriptedBot } from '../support/fixtures.ts';
import { box, frame, pageIn, test } from '../support/translated-chat.ts';

test.use({ env: scriptedBot });

for (const file of ['i18n', 'de']) {
  const pattern = new RegExp(`/webchat/+${file}-[\\w-]{6}\\.js`);

  test(`without ${file} the chat is in English and reports an error`, async ({
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

  test(`while ${file} loads the chat is usable in English`, async ({ chat, page, serveIn }) => {
    let held: Route | undefined;
    await page.route(pattern, (route) => {
      held = route;
    });
    await chat.startConversation(serveIn('lang="de"'));
    await expect(chat.window).toHaveAccessibleName('Chat with Bot');
    await expect.poll(() => !!held).toBe(true);
    await held?.continue();
    await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
    await expect(chat.launcher).toHaveAccessibleName('Chat schließen');
  });
}

test('a translation that failed is requested again by the opening', async ({ chat, page, serveIn }) => {
  const pattern = /\/webchat\/de-[\w-]{6}\.js/;
  let count = 0;
  await page.route(pattern, (route) => (count++ ? route.continue() : route.abort()));
  // Not only requested: a second request during the first one would fail with it.
  const failed = page.waitForEvent('requestfailed', (request) => pattern.test(request.url()));
  await chat.goto(serveIn('lang="de"'));
  await failed;
  expect(count).toBe(1);
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
  await chat.launcher.click();
  await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('a late translation brings no destroyed instance back', async ({ chat, page, serveIn }) => {
  let held: Route | undefined;
  await page.route(/\/webchat\/de-[\w-]{6}\.js/, (route) => {
    held = route;
  });
  await chat.goto(serveIn('lang="de"'));
  await expect.poll(() => !!held).toBe(true);
  await chat.call('destroy');
  const loaded = page.waitForResponse(/\/webchat\/de-/);
  await held?.continue();
  await (await loaded).finished();
  // The code that has waited for the strings has run.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});
