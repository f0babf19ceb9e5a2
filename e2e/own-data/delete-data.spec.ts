// The visitor deletes all their data in the window: what is asked, what the browser forgets, and failures on the way.
import type { ChatClient } from '../../src/client/index.ts';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { violations } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openTab } from '../support/tabs.ts';

test.use({ attributes: 'data-delete-data' });

const dialog = (chat: ChatPage) => chat.window.getByRole('alertdialog');
const button = (chat: ChatPage, name: string) => dialog(chat).getByRole('button', { name, exact: true });
const isDeletion = (url: string) => url.endsWith('/users/me');

async function openDialog(chat: ChatPage): Promise<void> {
  await chat.choose('Delete my data');
  await expect(dialog(chat)).toHaveAccessibleName('Delete your data?');
}

/** All that this browser has stored of the chat, by key. */
const stored = ({ page }: ChatPage) =>
  page.evaluate(() => {
    const entries = [...Object.entries(localStorage), ...Object.entries(sessionStorage)];
    return entries.filter(([key]) => key.startsWith('platform-webchat'));
  });

/** Resolves when the server has no user of this client any more. */
const expectDeleted = (client: ChatClient) =>
  expect(client.deleteUser({})).rejects.toMatchObject({ code: 401, metadata: { userDeleted: true } });

test('after a question the visitor is deleted on the server, in this browser and in other tabs, and begins as another', {
  tag: '@story',
}, async ({ chat, page }) => {
  await recordAnnouncements(page);
  await chat.startConversation();
  await chat.exchange('xanadu');
  await chat.input.fill('a draft about xanadu');
  await page.evaluate((key) => {
    sessionStorage.setItem(`${key} proactive`, '{"shown":["a"]}');
    localStorage.setItem('of the page', 'stays');
  }, `platform-webchat:${chat.platform.chatUrl}`);
  const other = await openTab(chat);
  await other.launcher.click();
  await expect(other.rows.filter({ hasText: 'xanadu' })).toHaveCount(2);
  const { client } = await chat.visitor();
  const before = await chat.storedSession();

  await openDialog(chat);
  await expect(dialog(chat)).toHaveAccessibleDescription(/on the server and in this browser/);
  await expect(button(chat, 'Cancel')).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(chat.window.getByRole('button', { name: 'More' })).toBeFocused();
  expect((await client.getUser({})).user.id).toBe(before.userId);
  await expect(chat.rows.filter({ hasText: 'xanadu' })).toHaveCount(2);

  const users: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && users.push(request.url()));
  await openDialog(chat);
  await expect(button(chat, 'Cancel')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog(chat)).toHaveAccessibleName('Your data was deleted');
  await expect(button(chat, 'Close chat')).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await expect.poll(() => announcements(page)).toContain('polite: Your data was deleted');
  await expectDeleted(client);
  expect(await stored(chat)).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem('of the page'))).toBe('stays');
  // The other tab is told, and keeps nothing either.
  await expect(other.window).toBeHidden();
  await expect(other.rows.filter({ hasText: 'xanadu', visible: false })).toHaveCount(0);
  await expect.poll(() => stored(other)).toEqual([]);
  // Nobody new is created before the visitor wants that.
  expect(users).toEqual([]);

  await button(chat, 'Start new').click();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await expect(chat.rows).toHaveCount(1);
  await expect(chat.input).toHaveValue('');
  const after = await chat.storedSession();
  expect(after.userId).not.toBe(before.userId);
  expect(after.conversationId).not.toBe(before.conversationId);
  await other.launcher.click();
  await chat.exchange('As another visitor');
  await expect(other.rows.filter({ hasText: 'As another visitor' })).toHaveCount(2);
  for (const tab of [chat, other]) tab.ignoreConsoleErrors(/40[13]/);
  other.expectNoConsoleErrors();
});

test('a busy server, a lost response and a double press end in one deletion', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.exchange('xanadu');
  const { client } = await chat.visitor();
  const answers: (number | 'lost')[] = [];
  let pressed = Promise.resolve();
  await page.route(
    (url) => isDeletion(url.href),
    async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      if (answers.length === 0) {
        answers.push(503);
        // There is one pointer: the first press sends the request, and the second one comes before the launcher is pressed.
        await pressed;
        await chat.launcher.click();
        await expect(chat.window).toBeHidden();
        return route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } });
      }
      const response = await route.fetch();
      if (answers.length > 1) {
        answers.push(response.status());
        return route.fulfill({ response });
      }
      answers.push('lost');
      return route.abort();
    },
  );
  await openDialog(chat);
  pressed = button(chat, 'Delete').dblclick();
  await pressed;
  await expect.poll(() => answers).toEqual([503, 'lost', 401]);
  await expect.poll(() => stored(chat)).toEqual([]);
  await expectDeleted(client);
  await chat.launcher.click();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await expect(dialog(chat)).toHaveCount(0);
  await expect(chat.rows).toHaveCount(1);
  expect(answers).toHaveLength(3);
  chat.ignoreConsoleErrors(/40[13]|503|ERR_FAILED/);
});

test('offline nothing is forgotten, and the visitor can try again', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.exchange('xanadu');
  const { client } = await chat.visitor();
  const before = await chat.storedSession();
  await openDialog(chat);
  await page.context().setOffline(true);
  await button(chat, 'Delete').click();
  await expect(dialog(chat)).toContainText('Could not be deleted. Please try again.');
  await expect(button(chat, 'Delete')).toBeFocused();
  expect(await chat.storedSession()).toMatchObject(before);
  await page.context().setOffline(false);
  // The conversation is there again, and the visitor may keep it.
  await expect(chat.rows.filter({ hasText: 'xanadu' })).toHaveCount(2);
  await button(chat, 'Cancel').click();
  await chat.exchange('Still here');
  await openDialog(chat);
  await button(chat, 'Delete').click();
  await expect(dialog(chat)).toHaveAccessibleName('Your data was deleted');
  await expectDeleted(client);
  await button(chat, 'Close chat').click();
  await expect(chat.window).toBeHidden();
  await expect(chat.launcher).toBeFocused();
  expect(await stored(chat)).toEqual([]);
  chat.ignoreConsoleErrors(/40[13]|ERR_INTERNET_DISCONNECTED/);
});

test('two tabs that delete at the same time begin with another visitor', async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('xanadu');
  const { client } = await chat.visitor();
  const other = await openTab(chat);
  await other.launcher.click();
  await expect(other.rows.filter({ hasText: 'xanadu' })).toHaveCount(2);
  for (const tab of [chat, other]) await openDialog(tab);
  // Neither request goes on before the other tab has sent its own.
  let waiting: (() => void) | undefined;
  await chat.page.context().route(
    (url) => isDeletion(url.href),
    async (route) => {
      if (route.request().method() === 'DELETE') {
        if (waiting) waiting();
        else await new Promise<void>((resolve) => (waiting = resolve));
      }
      await route.continue();
    },
  );
  await Promise.all([chat, other].map((tab) => button(tab, 'Delete').click()));
  // Either it has deleted itself, or it was told and has closed.
  for (const tab of [chat, other]) {
    await expect(button(tab, 'Delete')).toHaveCount(0);
    await expect.poll(() => stored(tab)).toEqual([]);
  }
  await expectDeleted(client);
  for (const tab of [chat, other]) {
    await tab.page.reload();
    await tab.launcher.click();
    await expect(tab.botRows.first()).toContainText('I am the demo bot');
    await expect(tab.rows).toHaveCount(1);
    tab.ignoreConsoleErrors(/40[13]/);
  }
  other.expectNoConsoleErrors();
});

test('an identified visitor is deleted, and the chat goes on with another one', async ({ chat }) => {
  await chat.startConversation();
  await chat.identifyCustomer();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await chat.exchange('xanadu');
  const { client } = await chat.visitor();
  await openDialog(chat);
  await button(chat, 'Delete').click();
  await expect(dialog(chat)).toHaveAccessibleName('Your data was deleted');
  await expectDeleted(client);
  expect(await stored(chat)).toEqual([]);
  await button(chat, 'Start new').click();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await expect(chat.rows).toHaveCount(1);
  expect(await chat.storedSession()).not.toHaveProperty('isNamed');
  expect((await (await chat.visitor()).client.getUser({})).user.id).not.toContain('customer');
  chat.ignoreConsoleErrors(/40[13]/);
});
