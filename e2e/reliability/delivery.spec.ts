// Tests of message delivery when server or network fail: nothing is lost, and every message is shown once.
import type { Locator, Response } from '@playwright/test';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { expect, test } from '../support/fixtures.ts';

/** The visitor retries, unless an automatic attempt was faster. */
const retryUntilSent = (row: Locator) =>
  expect(async () => {
    const retry = row.getByRole('button', { name: /^Try again/ });
    if (await retry.isVisible()) await retry.click({ timeout: 2_000 });
    await expect(row).toHaveAttribute('data-status', 'sent', { timeout: 2_000 });
  }).toPass();

test('when the server is killed and restarted during a conversation no message is lost and the widget reconnects', {
  tag: '@story',
}, async ({ chat, page, platform }) => {
  await page.clock.install();
  await chat.startConversation();
  await chat.exchange('Before the crash');
  const before = await chat.texts();
  await platform.kill();
  await chat.send('During the crash');
  const row = chat.rows.filter({ hasText: 'During the crash' }).first();
  await expect(row).toHaveAttribute('data-status', /sending|queued/);
  await platform.start();
  // The widget tries again by itself, later each time.
  const echo = chat.botRows.filter({ hasText: '“During the crash”' });
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000);
      return echo.count();
    })
    .toBe(1);
  await expect(row).toHaveAttribute('data-status', 'sent');
  await chat.exchange('After the crash');
  expect((await chat.texts()).slice(0, before.length)).toEqual(before);
  const texts = await chat.serverTexts();
  for (const text of ['Before the crash', 'During the crash', 'After the crash']) {
    expect(
      texts.filter((candidate) => candidate === text),
      text,
    ).toHaveLength(1);
  }
  expect(await chat.texts()).toEqual(
    (await chat.serverMessages()).map(({ payload }) =>
      expect.stringContaining('text' in payload ? payload.text : ''),
    ),
  );
  chat.ignoreConsoleErrors(/ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED|EMPTY_RESPONSE)/);
});

test('a message that cannot be sent is shown as waiting and can be retried or discarded', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await chat.recordEvents();
  let refuse = 503;
  await page.route(/\/chat\/demo\/messages$/, (route) =>
    refuse ? route.fulfill({ status: refuse, body: '<h1>Bad gateway</h1>' }) : route.continue(),
  );
  await chat.send('Keep me');
  const row = chat.rows.filter({ hasText: 'Keep me' }).first();
  await expect(row).toHaveAttribute('data-status', 'queued');
  await expect(row).toContainText('Waiting to be sent');
  const error = (await chat.events()).find(({ type }) => type === 'error');
  expect(error?.payload).toMatchObject({ code: 'server', retryable: true });
  refuse = 0;
  await retryUntilSent(row);
  expect((await chat.serverTexts()).filter((text) => text === 'Keep me')).toHaveLength(1);

  refuse = 503;
  await chat.send('Drop me');
  const dropped = chat.rows.filter({ hasText: 'Drop me' });
  await expect(dropped.first()).toHaveAttribute('data-status', 'queued');
  await dropped.getByRole('button', { name: 'Discard: Drop me' }).click();
  await expect(dropped).toHaveCount(0);
  refuse = 0;
  await chat.exchange('After it');
  expect(await chat.serverTexts()).not.toContain('Drop me');
  chat.ignoreConsoleErrors('503');
});

test('messages that were written without a network are sent after a reload, in order and once', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await page.route(/\/chat\/demo\/messages$/, (route) => route.abort());
  for (const text of ['one', 'two', 'three']) await chat.send(text);
  const mine = chat.window.locator('.row[data-side="visitor"]');
  await expect(mine.and(page.locator('[data-status="queued"]'))).toHaveCount(3);
  await chat.input.fill('and a draft');
  await page.unroute(/\/chat\/demo\/messages$/);
  await page.reload();
  await chat.launcher.click();
  await expect(mine.and(page.locator('[data-status="sent"]'))).toHaveCount(3);
  await expect(chat.input).toHaveValue('and a draft');
  const isMine = (text: string) => ['one', 'two', 'three'].includes(text);
  expect((await chat.serverTexts()).filter(isMine)).toEqual(['one', 'two', 'three']);
  expect((await chat.texts()).filter(isMine)).toEqual(['one', 'two', 'three']);
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('an unreachable server is reported at the first open, and the conversation starts when it is back', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await page.route(/\/chat\/demo\/users$/, (route) => route.abort());
  await chat.launcher.click();
  await expect(chat.window.getByRole('alert')).toContainText('cannot be reached');
  await chat.send('Typed too early');
  await expect(chat.rows.first()).toHaveAttribute('data-status', 'sending');
  await page.unroute(/\/chat\/demo\/users$/);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chat.botRows.filter({ hasText: '“Typed too early”' })).toHaveCount(1);
  await expect(chat.window.getByRole('status')).toHaveText('');
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('a stored session that the server no longer knows is replaced by a new one', async ({
  chat,
  page,
  platform,
}) => {
  await chat.startConversation();
  const { userKey } = await chat.storedSession();
  const { ChatClient } = await import('../../src/client/index.ts');
  await new ChatClient({ chatUrl: platform.chatUrl, userKey }).deleteUser({});
  await page.reload();
  await chat.openWindow();
  expect((await chat.storedSession()).userKey).not.toBe(userKey);
  // The notice is shown until the visitor continues.
  const notice = chat.window.getByRole('status').filter({ hasText: 'not available any more' });
  await expect(notice).toHaveText('The conversation is not available any more. This is a new one.');
  await chat.exchange('A new life');
  await expect(notice).toHaveCount(0);
  chat.ignoreConsoleErrors('401');
});

test('a returning visitor is connected while the page is idle, and a message of the bot is announced', async ({
  chat,
  page,
  platform,
}) => {
  await recordAnnouncements(page);
  await chat.startConversation();
  const { userKey, conversationId = '' } = await chat.storedSession();
  // After the history is listed, every message of the bot is new.
  const isHistory = (response: Response) =>
    response.request().method() === 'GET' && /\/messages(\?|$)/.test(response.url());
  await Promise.all([page.waitForResponse(isHistory), page.reload()]);
  await chat.recordEvents();
  const { ChatClient } = await import('../../src/client/index.ts');
  const client = new ChatClient({ chatUrl: platform.chatUrl, userKey });
  await client.createMessage({ conversationId, payload: { type: 'text', text: 'ping' } });
  await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 unread message');
  await expect
    .poll(() => announcements(page))
    .toEqual([expect.stringContaining('polite: Bot: You said: “ping”')]);
  expect(await chat.eventTypes()).toEqual(['webchat:initialized', 'message', 'message', 'unread']);
  await chat.launcher.click();
  await expect(chat.rows).toHaveCount(3);
});
