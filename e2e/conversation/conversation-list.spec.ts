// The list of the visitor's conversations: changing between them, what is unread, the search, and unsent messages.
import type { Page } from '@playwright/test';
import type { ChatPage } from '../support/chat-page.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test } from '../support/fixtures.ts';
import { openTab } from '../support/tabs.ts';

const list = (chat: ChatPage) => chat.window.getByRole('dialog', { name: 'Conversations' });
const rows = (chat: ChatPage) => list(chat).getByRole('listitem').getByRole('button');

async function openList(chat: ChatPage): Promise<void> {
  await chat.choose('Conversations');
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

test('the visitor begins another conversation, and returns to the first by keyboard alone', {
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

test('the window can be closed from the list, and opens with the conversation', async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('First question');
  await openList(chat);
  await list(chat).getByRole('button', { name: 'Close chat' }).click();
  await expect(chat.window).toBeHidden();
  await expect(chat.launcher).toBeFocused();
  await chat.launcher.click();
  await expect(list(chat)).toHaveCount(0);
  await expect(chat.input).toBeFocused();
});

test('a list has the number of unread messages in the names, until they are opened', async ({ chat }) => {
  const first = await beginTwo(chat);
  const { client } = await chat.visitor();
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

test('an unsent message arrives in its own conversation after a change', async ({ chat, page }) => {
  const first = await beginTwo(chat);
  const second = (await chat.storedSession()).conversationId ?? '';
  await abortPosts(page, '**/messages');
  await chat.send('For the second');
  await expect(chat.rows.filter({ hasText: 'For the second' })).toHaveAttribute('data-status', 'queued');
  await openList(chat);
  await rows(chat).last().click();
  await expect(chat.rows.filter({ hasText: 'First question' }).first()).toBeVisible();
  await expect(chat.rows.filter({ hasText: 'For the second' })).toHaveCount(0);
  await page.unroute('**/messages');
  await chat.exchange('For the first');
  const { client } = await chat.visitor();
  const countIn = async (conversationId: string) =>
    (await client.list.messages({ conversationId }).collect()).filter(
      ({ payload }) => 'text' in payload && payload.text === 'For the second',
    ).length;
  await expect.poll(() => countIn(second), { timeout: 40_000 }).toBe(1);
  expect(await countIn(first)).toBe(0);
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test('an unsent message is sent if no other conversation can be created', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.exchange('First question');
  const { conversationId } = await chat.storedSession();
  for (const path of ['messages', 'conversations']) await abortPosts(page, `**/${path}`);
  await chat.send('Not sent yet');
  const message = chat.rows.filter({ hasText: /Not sent yet/ }).first();
  await expect(message).toHaveAttribute('data-status', 'queued');
  await openList(chat);
  const failed = page.waitForEvent('requestfailed', (request) => /\/conversations$/.test(request.url()));
  await list(chat).getByRole('button', { name: 'Start a new conversation' }).click();
  await failed;
  await expect(list(chat)).toHaveCount(0);
  await expect(message).toBeVisible();
  for (const path of ['messages', 'conversations']) await page.unroute(`**/${path}`);
  const answer = chat.botRows.filter({ hasText: 'You said: “Not sent yet”' });
  await expect(answer).toHaveCount(1, { timeout: 40_000 });
  expect((await chat.storedSession()).conversationId).toBe(conversationId);
  expect((await chat.serverTexts()).filter((text) => text === 'Not sent yet')).toHaveLength(1);
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test('another tab follows, a failed list loads again, and a deletion is told', async ({ chat, page }) => {
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
  await (await chat.visitor()).client.deleteConversation({ id: first });
  await rows(chat).last().click();
  const notice = chat.window.getByText('The conversation is not available any more.');
  await expect(notice).toBeVisible();
  // The menu is above it. Another conversation is not a new one.
  await openList(chat);
  await rows(chat).last().click();
  await expect(list(chat)).toHaveCount(0);
  await expect(notice).toHaveCount(0);
  for (const tab of [chat, other]) tab.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test('messages are searched in all conversations, and 60 conversations are shown in pages', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('Where is my parcel?');
  const { client } = await chat.visitor();
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

test('another user sees their own list, and the page keeps the focus', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.exchange('xanadu');
  await openList(chat);
  await list(chat).getByRole('searchbox').fill('xanadu');
  await expect(rows(chat)).toHaveCount(2);
  const link = page.getByRole('link', { name: 'A link of the page' });
  await link.focus();
  await chat.identifyCustomer();
  await expect(rows(chat)).toHaveCount(1);
  await expect(list(chat)).not.toContainText('xanadu');
  await expect(list(chat).getByRole('searchbox')).toHaveValue('');
  await expect(link).toBeFocused();
  await rows(chat).click();
  await expect(chat.rows).toHaveCount(1);
  await expect(chat.botRows).toContainText('I am the demo bot');
  await expect(chat.input).toBeFocused();
});

test('a logout closes the list, also while it is loaded, and creates nobody', async ({ chat, page }) => {
  const creations: string[] = [];
  page.on('request', (request) => request.url().endsWith('/users') && creations.push(request.method()));
  await chat.startConversation();
  await chat.exchange('xanadu');
  for (const isLoaded of [true, false]) {
    if (!isLoaded) await holdRequests(page, '**/read');
    await openList(chat);
    if (isLoaded) await expect(rows(chat)).toHaveCount(1);
    const before = creations.length;
    await chat.call('logout');
    await expect(chat.window).toBeHidden();
    await expect(page.locator('[part="conversations"]')).toHaveCount(0);
    // A request that follows the logout has begun by the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(creations).toHaveLength(before);
    await chat.launcher.click();
    await expect(chat.botRows.first()).toContainText('I am the demo bot');
    await expect(list(chat)).toHaveCount(0);
    await expect(chat.rows).toHaveCount(1);
  }
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

test('an open list shows messages that arrive, also of other conversations', async ({ chat, page }) => {
  await page.clock.install();
  const first = await beginTwo(chat);
  await openList(chat);
  await expect(rows(chat)).toHaveCount(2);
  const { client } = await chat.visitor();
  await chat.sendElsewhere('From elsewhere');
  await expect(rows(chat).first()).toContainText('From elsewhere');
  await client.createMessage({ conversationId: first, payload: { type: 'text', text: 'In the other one' } });
  await page.clock.runFor(20_000);
  await expect(rows(chat).last()).toContainText('In the other one');
  await expect(rows(chat)).toHaveCount(2);
});
