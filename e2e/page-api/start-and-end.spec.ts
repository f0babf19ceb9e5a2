// The lifecycle of the chat on a page: queued functions, `init`, `destroy`, `init` again, and what remains afterwards.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';
import { openTab } from '../support/tabs.ts';

test('the chat can be destroyed and started again by the same object, and handlers stay', {
  tag: '@story',
}, async ({ chat, page }) => {
  // Without a policy, which the doctor's probes would violate.
  await chat.load('', { csp: '' });
  await chat.openWindow();
  await chat.recordEvents();
  const { userId, conversationId } = await chat.storedSession();
  await chat.call('destroy');
  await expect(page.locator('platform-webchat')).toHaveCount(0);
  const { findings } = await chat.call('doctor');
  expect(findings.map(({ code }) => code)).toContain('not_initialized');
  // As React's StrictMode does it.
  await page.evaluate(() => {
    const platform = window.platform as Platform;
    platform.init();
    platform.destroy();
    platform.destroy();
    platform.init();
  });
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  await chat.openWindow();
  await chat.exchange('Again');
  expect(await chat.storedSession()).toMatchObject({ userId, conversationId });
  expect((await chat.eventTypes()).filter((type) => type === 'webchat:opened')).toHaveLength(1);
  chat.ignoreConsoleErrors('not_initialized');
});

test('destroy with forget removes the record of the visitor and logs out the other tabs', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const second = await openTab(chat);
  await second.launcher.click();
  await expect(second.botRows.first()).toContainText('I am the demo bot');
  const before = await chat.storedSession();
  await chat.call('destroy', { forget: true });
  await expect.poll(() => chat.storedSession()).toEqual({});
  await expect(second.window).toBeHidden();
  await chat.call('init');
  await chat.openWindow();
  expect((await chat.storedSession()).userId).not.toBe(before.userId);
  // Also if the chat was destroyed before.
  await chat.call('destroy');
  await chat.call('destroy', { forget: true });
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test('with data-manual a queued function can call init, and methods that other queued functions call wait for it', {
  tag: '@story',
}, async ({ chat, page }) => {
  const queue = `(window.platform ||= []).push((p) => p.open(), (p) => { throw new Error('a queued fault'); },
    (p) => { p.getUser().then(({ id }) => { document.title = id; }); }, (p) => p.init());`;
  await chat.load('data-manual', { head: `<script nonce="n0nce">${queue}</script>` });
  await expect(chat.window).toBeVisible();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await expect(page).toHaveTitle(/^user_/);
  await page.evaluate(() => (window.platform as Platform).push((p) => p.close()));
  await expect(chat.window).toBeHidden();
  chat.ignoreConsoleErrors('a queued fault');
});

test('with data-manual nothing starts by itself, and an element that would open the chat says what is missing', async ({
  chat,
  page,
}) => {
  await chat.load('data-manual', { body: '<a href="#help" data-platform-open>Help</a>' });
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
  await page.getByRole('link', { name: 'Help' }).click();
  expect((await warning).text()).toContain('platform.init()');
  expect(page.url()).toContain('#help');
  await expect(page.locator('platform-webchat')).toHaveCount(0);
  await chat.call('init');
  await page.getByRole('link', { name: 'Help' }).click();
  await expect(chat.window).toBeVisible();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  chat.ignoreConsoleErrors('platform.init()');
});

test('a script tag that is inserted again after destroy starts a new chat', async ({
  chat,
  page,
  platform,
}) => {
  await chat.load('', { csp: '' });
  await page.evaluate(async (src) => {
    (window.platform as Platform).destroy();
    const script = Object.assign(document.createElement('script'), { src });
    await new Promise((resolve) => {
      script.onload = resolve;
      document.head.append(script);
    });
  }, `${platform.chatUrl}/webchat.js`);
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  await chat.openWindow();
});
