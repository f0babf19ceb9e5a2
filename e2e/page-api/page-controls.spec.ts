// What a page can show, hide, count and prefill by `window.platform`.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

test('the event unread and unreadCount follow the launcher, and only changes are reported', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.recordEvents();
  const count = () => page.evaluate(() => (window.platform as Platform).unreadCount);
  const reported = async () =>
    (await chat.events()).flatMap(({ type, payload }) => (type === 'unread' ? [payload] : []));
  expect(await count()).toBe(0);
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  expect(await page.evaluate(() => (window.platform as Platform).isOpen)).toBe(false);
  await page.evaluate(() => (window.platform as Platform).sendMessage('Anybody?'));
  await expect.poll(reported).toEqual([1]);
  expect(await count()).toBe(1);
  await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(1));
  await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(5));
  await chat.launcher.click();
  expect(await reported()).toEqual([1, 5, 0]);
  expect(await page.evaluate(() => (window.platform as Platform).isOpen)).toBe(true);
});

test('before init and after destroy nothing is open and nothing is unread', async ({ chat, page }) => {
  await chat.startConversation();
  const state = () =>
    page.evaluate(() => {
      const { isOpen, unreadCount } = window.platform as Platform;
      return [isOpen, unreadCount];
    });
  expect(await state()).toEqual([true, 0]);
  await page.evaluate(() => (window.platform as Platform).destroy());
  expect(await state()).toEqual([false, 0]);
});

test('hide() hides the launcher and not the window, and show() brings it back', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  await chat.goto();
  const call = (method: 'hide' | 'show' | 'open') =>
    page.evaluate((name) => (window.platform as Platform)[name](), method);
  await call('hide');
  await expect(chat.launcher).toBeHidden();
  await page.evaluate(() => (window.platform as Platform).config({ configuration: { color: '#aa0000' } }));
  await expect(chat.launcher).toBeHidden();
  await call('open');
  await expect(chat.botRows).toHaveCount(1);
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await expect(chat.window).toBeHidden();
  await call('show');
  await expect(chat.launcher).toBeVisible();
});

test.describe('with a proactive message', () => {
  test.use({ attributes: 'data-proactive-message="Hello there" data-proactive-delay="0"' });

  test('hide() hides it, and show() brings it back', async ({ chat, page }) => {
    await chat.goto();
    const greeting = page.getByRole('button', { name: 'Hello there' });
    await expect(greeting).toBeVisible();
    await page.evaluate(() => (window.platform as Platform).hide());
    await expect(greeting).toBeHidden();
    await page.evaluate(() => (window.platform as Platform).show());
    await expect(greeting).toBeVisible();
  });
});

test.describe('with launcher: false', () => {
  test.use({ attributes: 'data-launcher="false"' });

  test('show() shows the launcher', async ({ chat, page }) => {
    await page.goto(chat.url);
    await expect(page.locator('platform-webchat')).toBeAttached();
    await expect(chat.launcher).toBeHidden();
    await page.evaluate(() => (window.platform as Platform).show());
    await expect(chat.launcher).toBeVisible();
  });
});

test('prefill() before opening fills the composer, and sends and opens nothing', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  await chat.goto();
  const filled = page.evaluate(() => (window.platform as Platform).prefill('Where is order 7?'));
  expect(await page.evaluate(() => [(window.platform as Platform).isOpen, localStorage.length])).toEqual([
    false,
    0,
  ]);
  await chat.launcher.click();
  expect(await filled).toBe(true);
  await expect(chat.input).toHaveValue('Where is order 7?');
  await expect(chat.input).toBeFocused();
  await expect(chat.botRows).toHaveCount(1);
  expect(await chat.serverTexts()).not.toContain('Where is order 7?');
  await page.keyboard.press('Enter');
  await expect.poll(() => chat.serverTexts()).toContain('Where is order 7?');
});

test('prefill() never replaces what the visitor has written, and refuses an empty text', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.input.fill('half a sen');
  expect(await page.evaluate(() => (window.platform as Platform).prefill('Other'))).toBe(false);
  await expect(chat.input).toHaveValue('half a sen');
  const refusal = await page.evaluate(() =>
    (window.platform as Platform).prefill(' ').then(
      () => 'resolved',
      (error) => error.code,
    ),
  );
  expect(refusal).toBe('invalid_argument');
});
