// Searching the lists of the inbox, and canned answers: by keys alone, live, on a phone, and checked by axe.
import { AdminClient, InboxClient } from '../../src/client/index.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, phone, test } from './inbox-page.ts';

test('a search finds by name and last message, live, and stays in the address', { tag: '@story' }, async ({
  member,
  openInbox,
  visitor,
}) => {
  const unique = crypto.randomUUID().slice(0, 8);
  const greta = await visitor(`Greta ${unique}`);
  await greta.say('Where is my parcel?');
  await visitor(`Hanna ${unique}`);
  const inbox = await openInbox(await member('Ada'), '?list=unassigned');
  const { page } = inbox;
  await expect(inbox.row(`Hanna ${unique}`)).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search in Unassigned' })).toBeFocused();
  await page.keyboard.type(`${unique} parc`);
  await expect(inbox.rows).toHaveCount(1);
  await expect(page.getByRole('status').filter({ hasText: '1 found' })).toHaveCount(1);
  await expect(page).toHaveURL(/q=/);

  // Of new conversations, only those are shown that match the search.
  const ida = await visitor(`Ida ${unique}`);
  await visitor(`Jana ${unique}`);
  await ida.say('A parcel is missing');
  await expect(inbox.row(`Ida ${unique}`)).toBeVisible();
  await expect(inbox.rows).toHaveCount(2);
  await page.reload();
  // A session goes on, with the same search.
  await expect(inbox.rows).toHaveCount(2);
  await inbox.row(`Greta ${unique}`).click();
  await expect(page).toHaveURL(/q=.*conversation=/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter and order' }).click();
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
  await expect(inbox.rows.first()).toContainText('Greta');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(inbox.row(`Jana ${unique}`)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('nobodyhasthisname');
  await expect(page.getByText('No conversation of this list is found.')).toBeVisible();
});

test('a canned answer is found and filled in by keys; an empty variable prevents sending until it is filled in', {
  tag: '@story',
}, async ({ member, openInbox, visitor, platform }) => {
  const { conversationId, texts } = await visitor('Lena');
  const ada = await member('Ada');
  const { workspaceId } = platform.admin;
  const client = new InboxClient({ apiUrl: platform.url, token: ada.token, workspaceId });
  // Other tests add answers of the workspace to the list: the word `Lena` leaves those of this test.
  await client.createCannedAnswer({ scope: 'own', name: 'Lena shipping', text: 'It takes two days.' });
  const text =
    'Hello {{visitor.name}}, here is {{member.name}}. Your order {{order}} is in {{city|your city}}.';
  await client.createCannedAnswer({ scope: 'own', name: 'Lena where', text });
  const inbox = await openInbox(ada, `?list=all&conversation=${conversationId}`);
  const { page } = inbox;
  await expect(inbox.conversation.getByRole('heading', { name: 'Lena' })).toBeVisible();
  await page.keyboard.press('t');
  await expect(inbox.composer).toBeFocused();
  // A slash after other text is a slash.
  await page.keyboard.type('a/b');
  await expect(inbox.composer).toHaveValue('a/b');
  await inbox.composer.fill('');
  await page.keyboard.press('/');
  await expect(inbox.dialog.getByLabel('Find a canned answer')).toBeFocused();
  await page.keyboard.type('Lena whe');
  await expect(inbox.dialog.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(inbox.composer).toHaveValue('Hello Lena, here is Ada. Your order {{order}} is in your city.');
  await expect(page.getByText('Fill in or remove before sending:')).toBeVisible();
  const selected = () =>
    inbox.composer.evaluate((box: HTMLTextAreaElement) =>
      box.value.slice(box.selectionStart, box.selectionEnd),
    );
  await expect.poll(selected).toBe('{{order}}');
  await expect(inbox.composer).toBeFocused();
  // Until the page is drawn with or without the dialog, the browser can ignore keys.
  const drawn = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  await drawn();
  await page.keyboard.press('Control+Enter');
  // It is selected: what is typed replaces it.
  await page.keyboard.type('A-17');
  await expect(inbox.composer).toHaveValue('Hello Lena, here is Ada. Your order A-17 is in your city.');
  await page.keyboard.press('Control+Enter');
  await expect.poll(texts).toContain('Hello Lena, here is Ada. Your order A-17 is in your city.');
  expect((await texts()).filter((sent) => sent.includes('{{'))).toEqual([]);
  // The arrow keys choose; Escape leads back to the reply.
  await expect(inbox.composer).toHaveValue('');
  await page.keyboard.press('/');
  await expect(inbox.dialog.getByLabel('Find a canned answer')).toBeFocused();
  await page.keyboard.type('Lena');
  await expect(inbox.dialog.getByRole('listitem')).toHaveCount(2);
  await drawn();
  await page.keyboard.press('ArrowDown');
  await expect(inbox.dialog.getByRole('button', { name: /^Lena shipping/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(inbox.dialog).toHaveCount(0);
  await expect(inbox.composer).toBeFocused();
});

test('canned answers are changed in the settings', async ({ member, openInbox, visitor, platform }) => {
  const { conversationId } = await visitor('Mona');
  const mia = await member('Mia', 'manager');
  const inbox = await openInbox(mia, '?list=all');
  const { page } = inbox;
  await page.getByRole('button', { name: 'Filter and order' }).click();
  await expect(page.getByRole('combobox', { name: 'Order' })).toBeVisible();
  expect(await inbox.violations()).toEqual([]);
  // The list comes after the member has begun to write, and does not empty the form.
  const release = await holdRequests(page, '**/v1/inbox/canned-answers?*');
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('link', { name: 'Canned answers' }).click();
  await expect(page.getByRole('heading', { name: 'Canned answers' })).toBeFocused();
  const name = `greeting ${crypto.randomUUID()}`;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Text').fill('Hello {{order}}');
  await expect(page.getByText('Loading…')).toBeVisible();
  release();
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await page.getByLabel('For all members').check();
  await page.getByRole('button', { name: 'Add answer' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: name });
  await expect(entry).toContainText('of the team');
  expect(await inbox.violations()).toEqual([]);
  await entry.getByRole('button', { name: `Change ${name}` }).click();
  await page.locator('.entries').getByLabel('Text').fill('Good morning {{order}}');
  expect(await inbox.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Save answer' }).click();
  await expect(entry).toContainText('Good morning');

  const path = `?list=all&conversation=${conversationId}`;
  const onPhone = await openInbox(mia, path, phone);
  await onPhone.page.getByRole('button', { name: 'Canned answers' }).click();
  await expect(onPhone.dialog.getByRole('button', { name })).toBeVisible();
  expect(await onPhone.violations()).toEqual([]);
  await onPhone.dialog.getByRole('button', { name }).click();
  await expect(onPhone.page.getByRole('button', { name: '{{order}}' })).toBeVisible();
  expect(await onPhone.violations()).toEqual([]);
  expect(await onPhone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await page.bringToFront();
  await entry.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(entry).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\?page=team$/);
  await new AdminClient({ apiUrl: platform.url, ...platform.admin }).deleteWorkspaceMember({ id: mia.id });
});
