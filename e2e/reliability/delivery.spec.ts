// Tests of message delivery when server or network fail: nothing is lost, and every message is shown once.
import type { Locator, Response } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { ChatPage } from '../support/chat-page.ts';
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

test('a refused message is shown as not sent, survives a reload, and can be discarded', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.recordEvents();
  await page.route(/\/chat\/demo\/messages$/, (route) =>
    (route.request().postData() ?? '').includes('Refuse me')
      ? route.fulfill({ status: 400, body: '{}' })
      : route.continue(),
  );
  await chat.send('Refuse me');
  const row = chat.rows.filter({ hasText: 'Refuse me' });
  await expect(row).toHaveAttribute('data-status', 'failed');
  await expect(row.getByRole('alert')).toHaveText('Not sent');
  await chat.exchange('Take me');
  const sent = page.evaluate(() =>
    (window.platform as Platform).sendMessage('Refuse me too').catch((e) => e.code),
  );
  expect(await sent).toBe('rejected');
  expect((await chat.events()).filter(({ type }) => type === 'error')).toHaveLength(2);

  await page.reload();
  await chat.launcher.click();
  await expect(row).toHaveCount(2);
  await expect(row.first()).toHaveAttribute('data-status', 'failed');
  for (const name of ['Discard: Refuse me', 'Discard: Refuse me too']) {
    await chat.window.getByRole('button', { name, exact: true }).click();
  }
  await expect(row).toHaveCount(0);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Refuse');
  chat.ignoreConsoleErrors('400');
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

test('a response that is lost after the server stored the message causes no duplicate', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  let lost = 0;
  await page.route(/\/chat\/demo\/messages$/, async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await chat.send('Only once');
  await expect(chat.botRows.filter({ hasText: '“Only once”' })).toHaveCount(1);
  await expect(chat.window.locator('.row[data-side="visitor"]')).toHaveCount(1);
  expect((await chat.serverTexts()).filter((text) => text === 'Only once')).toHaveLength(1);
  chat.ignoreConsoleErrors('ERR_CONNECTION_RESET');
});

test('messages that were sent during a lost connection are shown afterwards, once and in order', async ({
  chat,
  page,
  context,
  platform,
}) => {
  await chat.startConversation();
  await chat.exchange('Before the cut');
  await context.setOffline(true);
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await expect(chat.window.getByRole('status')).toContainText('You are offline');
  // The same visitor sends a message from another device.
  const { userKey, conversationId = '' } = await chat.storedSession();
  const { ChatClient } = await import('../../src/client/index.ts');
  const client = new ChatClient({ chatUrl: platform.chatUrl, userKey });
  await client.createMessage({ conversationId, payload: { type: 'text', text: 'From my phone' } });
  await expect.poll(async () => (await chat.serverTexts()).length).toBe(5);
  await context.setOffline(false);
  await expect(chat.botRows.filter({ hasText: '“From my phone”' })).toHaveCount(1);
  await expect(chat.window.getByRole('status')).toHaveText('');
  expect((await chat.texts()).map((text) => text.split('\n')[0])).toEqual([
    expect.stringContaining('demo bot'),
    'Before the cut',
    expect.stringContaining('“Before the cut”'),
    'From my phone',
    expect.stringContaining('“From my phone”'),
  ]);
  chat.ignoreConsoleErrors('ERR_INTERNET_DISCONNECTED');
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
  await chat.launcher.click();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
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

test('messages that arrived while the visitor was away count as unread on return', async ({
  chat,
  page,
  platform,
  browser,
}) => {
  await chat.startConversation();
  const { userKey, conversationId = '' } = await chat.storedSession();
  const state = await page.context().storageState();
  await page.goto('about:blank');
  const { ChatClient } = await import('../../src/client/index.ts');
  const client = new ChatClient({ chatUrl: platform.chatUrl, userKey });
  await client.createMessage({ conversationId, payload: { type: 'text', text: 'while away' } });
  await expect.poll(async () => (await client.listMessages({ conversationId })).messages.length).toBe(3);
  const context = await browser.newContext({ storageState: state });
  const back = new ChatPage(await context.newPage(), chat.url, platform);
  await back.goto();
  await expect(back.launcher).toHaveAccessibleName('Open chat, 1 unread message');
  await back.launcher.click();
  await expect(back.rows).toHaveCount(3);
  await Promise.all([back.page.waitForRequest(/\/listen$/), back.page.reload()]);
  await expect(back.launcher).toHaveAccessibleName('Open chat');
  await context.close();
});
