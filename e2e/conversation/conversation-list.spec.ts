// The list of the visitor's conversations: changing between them, what is unread, the search, and unsent messages.
import type { Page } from '@playwright/test';
import { ChatClient, signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test, userKeySecret } from '../support/fixtures.ts';
import { openTab } from '../support/tabs.ts';

const list = (chat: ChatPage) => chat.window.getByRole('dialog', { name: 'Conversations' });
const rows = (chat: ChatPage) => list(chat).getByRole('listitem').getByRole('button');

async function openList(chat: ChatPage): Promise<void> {
  await chat.window.getByRole('button', { name: 'More' }).click();
  await chat.window.getByRole('menuitem', { name: 'Conversations' }).click();
  await expect(list(chat)).toBeVisible();
}

/** Lets requests that create something fail as without a connection. */
const abortPosts = (page: Page, url: string) =>
  page.route(url, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));

/** Begins another conversation, and waits for the greeting of its bot. */
async function beginAnother(chat: ChatPage): Promise<void> {
  const before = (await chat.storedSession()).conversationId;
  await openList(chat);
  await list(chat).getByRole('button', { name: 'Start a new conversation' }).click();
  await expect(list(chat)).toHaveCount(0);
  // None is stored for a moment.
  const isStored = async () => ![undefined, before].includes((await chat.storedSession()).conversationId);
  await expect.poll(isStored).toBe(true);
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
}

/** Begins two conversations, the first with a question. Returns the id of the first. */
async function beginTwo(chat: ChatPage): Promise<string> {
  await chat.startConversation();
  await chat.exchange('First question');
  const { conversationId = '' } = await chat.storedSession();
  await beginAnother(chat);
  return conversationId;
}

const clientOf = async (chat: ChatPage) =>
  new ChatClient({ chatUrl: chat.platform.chatUrl, userKey: (await chat.storedSession()).userKey });

test('the visitor begins another conversation, and comes back to the first by keyboard alone', {
  tag: '@story',
}, async ({ chat, page }) => {
  const first = await beginTwo(chat);
  await expect(chat.rows.filter({ hasText: 'First question' })).toHaveCount(0);
  await chat.exchange('Second question');
  await openList(chat);
  await expect(list(chat).getByRole('button', { name: 'Back to the conversation' })).toBeFocused();
  await expect(rows(chat)).toHaveCount(2);
  await expect(rows(chat).first()).toHaveAttribute('aria-current', 'true');
  await expect(rows(chat).first()).toContainText('Second question');
  await expect(rows(chat).last()).toContainText('First question');
  // Escape closes the list and not the window.
  await page.keyboard.press('Escape');
  await expect(list(chat)).toHaveCount(0);
  await expect(chat.input).toBeFocused();
  await openList(chat);
  await expect(rows(chat)).toHaveCount(2);
  await rows(chat).last().focus();
  await page.keyboard.press('Enter');
  await expect(chat.rows.filter({ hasText: 'First question' }).first()).toBeVisible();
  await expect(chat.rows.filter({ hasText: 'Second question' })).toHaveCount(0);
  await expect(chat.input).toBeFocused();
  expect((await chat.storedSession()).conversationId).toBe(first);
  await chat.exchange('More of the first');
  expect(await chat.serverTexts()).toContain('More of the first');
});

test('what was answered meanwhile is unread, with its number in the name, until it is opened', async ({
  chat,
}) => {
  const first = await beginTwo(chat);
  const client = await clientOf(chat);
  for (const text of ['one', 'two'])
    await client.createMessage({ conversationId: first, payload: { type: 'text', text } });
  const unread = async () =>
    (await client.listConversations({})).conversations.find(({ id }) => id === first)?.unread;
  // The bot answers both.
  await expect.poll(unread).toBe(2);
  await openList(chat);
  await expect(rows(chat).last()).toHaveAccessibleName(/2 new messages/);
  await expect(rows(chat).first()).not.toHaveAccessibleName(/new message/);
  await rows(chat).last().click();
  await expect(chat.rows.filter({ hasText: 'You said: “two”' })).toBeVisible();
  await openList(chat);
  await expect(rows(chat)).toHaveCount(2);
  await expect(rows(chat).last()).not.toHaveAccessibleName(/new message/);
  expect(await unread()).toBe(0);
});

test('a message that is unsent when the visitor changes the conversation arrives in its own one', async ({
  chat,
  page,
}) => {
  const first = await beginTwo(chat);
  const second = (await chat.storedSession()).conversationId ?? '';
  await openList(chat);
  await expect(rows(chat)).toHaveCount(2);
  // The list is open: the message is written before it is left, without a connection.
  await page.keyboard.press('Escape');
  await abortPosts(page, '**/messages');
  await chat.send('For the second');
  await expect(chat.rows.filter({ hasText: 'For the second' })).toHaveAttribute('data-status', 'queued');
  await openList(chat);
  await rows(chat).last().click();
  await expect(chat.rows.filter({ hasText: 'First question' }).first()).toBeVisible();
  await expect(chat.rows.filter({ hasText: 'For the second' })).toHaveCount(0);
  await page.unroute('**/messages');
  await chat.send('For the first');
  await expect(chat.rows.filter({ hasText: 'You said: “For the first”' })).toBeVisible();
  const client = await clientOf(chat);
  const textsOf = async (conversationId: string) =>
    (await client.list.messages({ conversationId }).collect()).map(
      ({ payload }) => 'text' in payload && payload.text,
    );
  await expect.poll(() => textsOf(second), { timeout: 40_000 }).toContain('For the second');
  expect(await textsOf(first)).not.toContain('For the second');
  expect((await textsOf(second)).filter((text) => text === 'For the second')).toHaveLength(1);
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test('a message that is unsent when another conversation cannot be created stays, and is sent', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.exchange('First question');
  const { conversationId } = await chat.storedSession();
  await abortPosts(page, '**/messages');
  await abortPosts(page, '**/conversations');
  await chat.send('Not sent yet');
  const message = chat.rows.filter({ hasText: /Not sent yet/ }).first();
  await expect(message).toHaveAttribute('data-status', 'queued');
  await openList(chat);
  await expect(rows(chat)).toHaveCount(1);
  const failed = page.waitForEvent('requestfailed', (request) => /\/conversations$/.test(request.url()));
  await list(chat).getByRole('button', { name: 'Start a new conversation' }).click();
  await failed;
  await expect(list(chat)).toHaveCount(0);
  await expect(message).toBeVisible();
  await page.unroute('**/messages');
  await page.unroute('**/conversations');
  await expect(chat.botRows.filter({ hasText: 'You said: “Not sent yet”' })).toHaveCount(1, {
    timeout: 40_000,
  });
  expect((await chat.storedSession()).conversationId).toBe(conversationId);
  expect((await chat.serverTexts()).filter((text) => text === 'Not sent yet')).toHaveLength(1);
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test('another tab follows; a conversation that was deleted is replaced with a notice; a failure can be repeated', async ({
  chat,
  page,
}) => {
  const first = await beginTwo(chat);
  const other = await openTab(chat);
  await other.launcher.click();
  await expect(other.botRows.first()).toContainText('I am the demo bot');
  await openList(chat);
  await rows(chat).last().click();
  await expect(other.rows.filter({ hasText: 'First question' }).first()).toBeVisible();
  await page.route('**/conversations', (route) => route.abort());
  await openList(chat);
  await expect(list(chat).getByRole('alert')).toHaveText('Could not be loaded');
  await page.unroute('**/conversations');
  await list(chat).getByRole('button', { name: 'Try again' }).click();
  await expect(rows(chat)).toHaveCount(2);
  await rows(chat).first().click();
  await expect(chat.rows.filter({ hasText: 'First question' })).toHaveCount(0);
  await openList(chat);
  await expect(rows(chat)).toHaveCount(2);
  await (await clientOf(chat)).deleteConversation({ id: first });
  await rows(chat).last().click();
  const notice = chat.window.getByText('The conversation is not available any more.');
  await expect(notice).toBeVisible();
  // The menu is above it. Another conversation is not a new one.
  await openList(chat);
  await rows(chat).last().click();
  await expect(list(chat)).toHaveCount(0);
  await expect(notice).toHaveCount(0);
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
  other.ignoreConsoleErrors(/Failed to load resource/);
});

test('messages are searched in all conversations, and 60 conversations are shown in pages', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('Where is my parcel?');
  const client = await clientOf(chat);
  for (let n = 0; n < 60; n += 1) await client.createConversation({});
  await openList(chat);
  await expect(rows(chat)).toHaveCount(50);
  await list(chat).getByRole('button', { name: 'Show more' }).focus();
  await chat.page.keyboard.press('Enter');
  await expect(rows(chat)).toHaveCount(61);
  // The button is not needed any more.
  await expect(rows(chat).nth(50)).toBeFocused();
  await list(chat).getByRole('searchbox', { name: 'Search messages' }).fill('PARCEL');
  await expect(rows(chat)).toHaveCount(2);
  await expect(rows(chat).last()).toContainText('Where is my parcel?');
  await list(chat).getByRole('searchbox').fill('something that nobody has said');
  await expect(list(chat).getByText('Nothing found')).toBeVisible();
  await list(chat).getByRole('searchbox').fill('');
  await expect(rows(chat)).toHaveCount(50);
});

test('a search that ends before the list was loaded first keeps its result', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.exchange('Where is my parcel?');
  const lists: string[] = [];
  page.on('request', (request) => request.url().endsWith('/conversations') && lists.push(request.url()));
  const release = await holdRequests(page, '**/read');
  await openList(chat);
  await list(chat).getByRole('searchbox').fill('parcel');
  await expect(rows(chat)).toHaveCount(2);
  const read = page.waitForResponse('**/read');
  release();
  await read;
  // Whatever follows the response has begun by the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(lists).toEqual([]);
  await expect(rows(chat)).toHaveCount(2);
  await expect(rows(chat).first()).toContainText('parcel');
});

test.describe('with users of the page', () => {
  test('another user sees their own conversations in the open list, and the page keeps the focus', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.exchange('xanadu');
    await openList(chat);
    await expect(rows(chat)).toHaveCount(1);
    await expect(rows(chat)).toContainText('xanadu');
    await list(chat).getByRole('searchbox').fill('xanadu');
    await expect(rows(chat)).toHaveCount(2);
    const link = page.getByRole('link', { name: 'A link of the page' });
    await link.focus();
    const key = await signUserKey({ id: `customer-${Date.now()}`, secret: userKeySecret });
    // The greeting is stored after the conversation: the list is read when the server has both.
    const client = new ChatClient({ chatUrl: chat.platform.chatUrl, userKey: key });
    const isGreeted = async () =>
      (await client.listConversations({})).conversations.every((one) => one.preview);
    await page.route('**/conversations', async (route) => {
      if (route.request().method() === 'GET') await expect.poll(isGreeted).toBe(true);
      await route.continue();
    });
    await page.evaluate((userKey) => (window.platform as Platform).identify(userKey), key);
    await expect(rows(chat)).toHaveCount(1);
    await expect(rows(chat)).toContainText('I am the demo bot');
    await expect(list(chat)).not.toContainText('xanadu');
    await expect(list(chat).getByRole('searchbox')).toHaveValue('');
    await expect(link).toBeFocused();
    await rows(chat).click();
    await expect(chat.rows).toHaveCount(1);
    await expect(chat.input).toBeFocused();
  });

  test('a logout closes the open list, also one that is not loaded yet, and creates nobody', async ({
    chat,
    page,
  }) => {
    const logOut = () => page.evaluate(() => (window.platform as Platform).logout());
    const creations: string[] = [];
    page.on('request', (request) => request.url().endsWith('/users') && creations.push(request.method()));
    /** A request that follows the logout has begun by the next frame. */
    const expectCreated = async (count: number) => {
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(creations).toHaveLength(count);
    };
    const reopen = async () => {
      await chat.launcher.click();
      await expect(chat.botRows.first()).toContainText('I am the demo bot');
      await expect(list(chat)).toHaveCount(0);
      await expect(chat.rows).toHaveCount(1);
    };
    await chat.startConversation();
    await chat.exchange('xanadu');
    await openList(chat);
    await expect(rows(chat)).toHaveCount(1);
    await logOut();
    await expect(chat.window).toBeHidden();
    await expect(page.locator('[part="conversations"]')).toHaveCount(0);
    await expectCreated(1);
    await reopen();
    await expectCreated(2);

    await holdRequests(page, '**/read');
    await openList(chat);
    await expect(list(chat)).not.toContainText('xanadu');
    const isEnded = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/read'));
    await logOut();
    await isEnded;
    await expect(page.locator('[part="conversations"]')).toHaveCount(0);
    await expectCreated(2);
    await reopen();
    await expectCreated(3);
  });
});

test.describe('switched off by the site', () => {
  test.use({ attributes: 'data-conversation-list="false"' });

  test('the menu does not lead to the list', async ({ chat }) => {
    await chat.startConversation();
    await chat.window.getByRole('button', { name: 'More' }).click();
    await expect(chat.window.getByRole('menuitem', { name: 'Download conversation' })).toBeVisible();
    await expect(chat.window.getByRole('menuitem', { name: 'Conversations' })).toHaveCount(0);
  });
});

test.describe('with the theme of the system', () => {
  test.use({ attributes: 'data-theme-mode="auto"' });

  test('axe finds nothing in light and dark in the list, with a result, and without one', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.exchange('Where is my parcel?');
    await openList(chat);
    await expect(rows(chat)).toHaveCount(1);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await list(chat).getByRole('searchbox').fill('parcel');
    await expect(rows(chat)).toHaveCount(2);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await list(chat).getByRole('searchbox').fill('nobody has said');
    await expect(list(chat).getByText('Nothing found')).toBeVisible();
    expect(await violationsInBothSchemes(page)).toEqual([]);
  });
});

test('an open list shows the messages that arrive meanwhile, also of conversations of other tabs', async ({
  chat,
  page,
}) => {
  await page.clock.install();
  const first = await beginTwo(chat);
  await openList(chat);
  await expect(rows(chat)).toHaveCount(2);
  const client = await clientOf(chat);
  const { conversationId = '' } = await chat.storedSession();
  await client.createMessage({ conversationId, payload: { type: 'text', text: 'From elsewhere' } });
  await expect(rows(chat).first()).toContainText('From elsewhere');
  await client.createMessage({ conversationId: first, payload: { type: 'text', text: 'In the other one' } });
  await page.clock.runFor(20_000);
  await expect(rows(chat).last()).toContainText('In the other one');
  await expect(rows(chat)).toHaveCount(2);
});
