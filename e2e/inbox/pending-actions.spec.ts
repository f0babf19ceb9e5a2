// Actions of a member while the response to an earlier one is on its way.
import { InboxClient } from '../../src/client/index.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test } from './inbox-page.ts';

test('actions before a response are done after it', async ({ member, openInbox, visitor, platform }) => {
  const { conversationId: id } = await visitor('Vera');
  const ada = await member('Ada');
  const inbox = await openInbox(ada, `?list=unassigned&conversation=${id}`);
  const { page } = inbox;
  const client = new InboxClient({
    apiUrl: platform.url,
    token: ada.token,
    workspaceId: platform.admin.workspaceId,
  });
  const read = async () => (await client.getInboxConversation({ id })).conversation;
  const release = await holdRequests(page, /\/take$/);
  await expect(inbox.conversation.getByRole('heading', { name: 'Vera' })).toBeVisible();

  const taking = page.waitForRequest(/\/take$/);
  await page.keyboard.press('t');
  await taking;
  await inbox.beginNote();
  await page.keyboard.type('Refunded');
  await page.keyboard.press('Control+Enter');
  // It waits with its text.
  await expect(inbox.composer).toHaveJSProperty('readOnly', true);
  await expect(inbox.composer).toHaveValue('Refunded');
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  // The same action is not done twice.
  await page.keyboard.press('e');
  expect((await read()).state).toBe('waiting');

  release();
  await expect.poll(async () => (await read()).state).toBe('closed');
  const { notes } = await client.getInboxTimeline({ id });
  expect(notes.map(({ body }) => body)).toEqual(['Refunded']);
  await expect(page.locator('.notice:not([hidden])')).toHaveCount(0);
  expect(inbox.consoleErrors).toEqual([]);
});

test('after a refused reply the conversation is not closed', async ({ member, openInbox, visitor }) => {
  const { conversationId: id } = await visitor('Vera');
  const ada = await member('Ada');
  const inbox = await openInbox(ada, `?list=unassigned&conversation=${id}`);
  const { page } = inbox;
  const release = await holdRequests(page, /\/replies$/, (route) =>
    route.fulfill({ status: 503, json: { code: 503, type: 'ServiceUnavailable', message: 'Later' } }),
  );
  await expect(inbox.composer).toBeVisible();
  const sending = page.waitForRequest(/\/replies$/);
  await inbox.send('Your money is on its way.');
  await sending;
  await page.keyboard.press('Escape');
  const closing: string[] = [];
  page.on('request', (request) => request.url().endsWith('/close') && closing.push(request.url()));
  await page.keyboard.press('e');
  await expect(page.getByRole('button', { name: 'Take', exact: true })).toBeDisabled();

  release();
  await expect(page.getByRole('button', { name: 'Take', exact: true })).toBeEnabled();
  await expect(inbox.conversation.locator('.notice')).toContainText('503');
  await expect(inbox.composer).toHaveValue('Your money is on its way.');
  expect(closing).toEqual([]);
});

test('a member who has moved on stays there after "Close"', async ({ member, openInbox, visitor }) => {
  const [{ conversationId: first }, { conversationId: second }] = [
    await visitor('Vera'),
    await visitor('Olga'),
  ];
  const inbox = await openInbox(await member('Ada'), `?list=unassigned&conversation=${first}`);
  const { page } = inbox;
  await expect(inbox.conversation.getByRole('heading', { name: 'Vera' })).toBeVisible();
  const release = await holdRequests(page, /\/close$/);
  const closing = page.waitForRequest(/\/close$/);
  await page.keyboard.press('e');
  await closing;
  await page.locator(`.row[data-id="${second}"]`).click();
  await expect(inbox.conversation.getByRole('heading', { name: 'Olga' })).toBeVisible();
  await inbox.beginNote();

  const done = expect(page.getByRole('status').filter({ hasText: 'Vera: done.' })).toHaveCount(1);
  release();
  await done;
  // Letters that were commands in the list: assign, tags, close.
  await page.keyboard.type('ale');
  await expect(inbox.composer).toHaveValue('ale');
  await expect(page).toHaveURL(new RegExp(`conversation=${second}`));
  await expect(inbox.dialog).toHaveCount(0);
});
