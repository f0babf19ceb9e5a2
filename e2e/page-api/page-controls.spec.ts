// Parts that a page can show, hide, count and prefill by `window.platform`.
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
  await chat.call('sendMessage', 'Anybody?');
  await expect.poll(reported).toEqual([1]);
  expect(await count()).toBe(1);
  await chat.call('setUnreadMessageCount', 1);
  await chat.call('setUnreadMessageCount', 5);
  await chat.launcher.click();
  expect(await reported()).toEqual([1, 5, 0]);
  expect(await page.evaluate(() => (window.platform as Platform).isOpen)).toBe(true);
});

test('hide() hides the launcher and the proactive message, and not the window, and show() brings them back', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.load('data-proactive-message="Hello there" data-proactive-delay="0"');
  const greeting = page.getByRole('button', { name: 'Hello there' });
  await expect(greeting).toBeVisible();
  await chat.call('hide');
  await expect(chat.launcher).toBeHidden();
  await expect(greeting).toBeHidden();
  await chat.configure({ color: '#aa0000' });
  await expect(chat.launcher).toBeHidden();
  await chat.call('show');
  await expect(chat.launcher).toBeVisible();
  await expect(greeting).toBeVisible();
  await chat.call('hide');
  await chat.call('open');
  await expect(chat.botRows).toHaveCount(1);
  await chat.close();
  await chat.configure({ launcher: false });
  await chat.call('show');
  await expect(chat.launcher).toBeVisible();
});

test('prefill() before opening fills the composer, and sends and opens nothing', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  await chat.goto();
  const filled = chat.call('prefill', 'Where is order 7?');
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
  expect(await chat.call('prefill', 'Other')).toBe(false);
  await expect(chat.input).toHaveValue('half a sen');
  const refusal = await page.evaluate(() =>
    (window.platform as Platform).prefill(' ').then(
      () => 'resolved',
      (error) => error.code,
    ),
  );
  expect(refusal).toBe('invalid_argument');
});
