// The states of the inbox that e2e/screens does not have: offline, signed out, not permitted, deleted, with Markdown.
import { botClientsOf } from '../support/test-data/bot-clients.ts';
import { expect, phone, test } from './inbox-page.ts';

test('axe finds nothing in files, dialogs, settings and reports', async ({ member, openInbox, visitor }) => {
  const { client, conversationId, say } = await visitor('Fritz');
  await say('https://example.com/a');
  const fileUrl = 'https://example.com/a.pdf';
  for (const title of ['a.pdf', 'b.pdf'])
    await client.createMessage({ conversationId, payload: { type: 'file', fileUrl, title } });
  for (const name of ['Axel', 'Axis', 'Axolotl', 'Axon', 'Axum', 'Axe']) await member(name);
  const ada = await member('Ada', 'manager');
  const inbox = await openInbox(ada, `?list=all&conversation=${conversationId}`);
  const { composer, conversation, dialog, page } = inbox;
  const check = async (state: string) => expect(await inbox.violations(), state).toEqual([]);
  const file = conversation.getByRole('link', { name: /^b\.pdf/ });
  await expect(file).toBeVisible();
  expect((await file.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await client.setTyping({ id: conversationId, typing: true });
  await expect(conversation.getByText('is typing')).toBeVisible();
  await check('files and typing');
  await inbox.beginNote();
  await composer.pressSequentially('@ax');
  await expect(conversation.getByRole('option')).toHaveCount(6);
  await check('colleagues');
  // The list scrolls: it has the focus and the keys of the box, and the focus returns with the name.
  await page.keyboard.press('Shift+Tab');
  await expect(conversation.getByRole('listbox')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await expect(conversation.getByRole('option').last()).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue(/^@Ax\w+ $/);
  await composer.pressSequentially('@ax');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await expect(conversation.getByRole('option')).toHaveCount(0);
  await expect(composer).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Fritz' }).focus();
  await page.keyboard.press('z');
  await expect(dialog).toBeVisible();
  await check('snooze');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.keyboard.press('/');
  await expect(dialog).toBeVisible();
  await check('canned answers');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter and order' }).click();
  await check('filter');
  for (const [names, shown] of [
    [['Team', 'Canned answers'], '.settings form'],
    [['Reports'], '.report, .reports'],
  ] as const) {
    for (const name of names) await page.getByRole('link', { name, exact: true }).click();
    await expect(page.locator(shown).first()).toBeVisible();
    await check(names.join(' '));
  }
});

test('on a phone each pane has an address, to go back to', async ({ visitor, member, openInbox }) => {
  const { conversationId } = await visitor('Greta');
  const { page, rows } = await openInbox(await member('Ada'), '', {
    ...phone,
    viewport: { width: 320, height: 640 },
  });
  await page.getByRole('link', { name: /^Unassigned/ }).click();
  await expect(rows.first()).toBeVisible();
  await page.locator(`.row[data-id="${conversationId}"]`).click();
  await page.getByRole('link', { name: 'Visitor' }).click();
  await expect(page).toHaveURL(/pane=visitor/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Greta' })).toBeVisible();
  await page.getByRole('link', { name: 'Conversations' }).click();
  await expect(page).toHaveURL(/\?list=unassigned$/);
  await page.getByRole('link', { name: 'All lists' }).click();
  await expect(page.getByRole('link', { name: /^Mine/ })).toBeVisible();
});

test('in a window of 640 x 400 the text box is visible', async ({ member, openInbox, visitor }) => {
  const { conversationId } = await visitor('Gustav');
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`, {
    viewport: { width: 640, height: 400 },
  });
  await inbox.page.getByRole('button', { name: 'Take', exact: true }).click();
  const send = inbox.page.getByRole('button', { name: 'Send', exact: true });
  for (const text of ['One line', 'line\n'.repeat(8)]) {
    await inbox.composer.fill(text);
    await expect(inbox.composer).toBeInViewport({ ratio: 1 });
    await expect(send).toBeInViewport({ ratio: text === 'One line' ? 1 : 0.2 });
  }
});

test('an offline page keeps the draft; a deletion is told', async ({ openConversation }) => {
  const { inbox, visitor } = await openConversation('Hugo');
  await inbox.page.context().setOffline(true);
  await inbox.composer.fill('Not sent yet');
  await inbox.composer.press('Control+Enter');
  await expect(inbox.conversation.getByRole('alert')).toContainText('cannot be reached');
  await expect(inbox.composer).toHaveValue('Not sent yet');
  await visitor.say('Are you there?');
  await inbox.page.context().setOffline(false);
  await expect(inbox.entries.filter({ hasText: 'Are you there?' })).toBeVisible();
  await inbox.composer.press('Control+Enter');
  await expect(inbox.entries.filter({ hasText: 'Not sent yet' })).toHaveCount(1);

  await visitor.client.deleteConversation({ id: visitor.conversationId });
  await expect(inbox.conversation.getByRole('alert').first()).toContainText('was deleted');
  await expect(inbox.page.getByText('Are you there?')).toHaveCount(0);
});

test('a tab for which the member has too many streams open says so', async ({
  member,
  openInbox,
  platform,
}) => {
  const ada = await member('Ada');
  const headers = {
    authorization: `Bearer ${ada.token}`,
    'x-workspace-id': platform.admin.workspaceId,
    accept: 'text/event-stream',
  };
  const ends = new AbortController();
  const open = () => fetch(`${platform.url}/v1/inbox/stream`, { headers, signal: ends.signal });
  const answers = await Promise.all(Array.from({ length: 20 }, open));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const { page } = await openInbox(ada);
  await expect(page.getByText('This member has 20 streams open. Close one')).toBeVisible();
  ends.abort();
});

test('a member whose access ends sees a dialog, and finds the draft after signing in again', {
  tag: '@story',
}, async ({ member, openInbox, visitor }) => {
  const { conversationId } = await visitor('Ida');
  const ada = await member('Ada');
  const path = `?list=all&conversation=${conversationId}`;
  const inbox = await openInbox(ada, path);
  await inbox.composer.fill('My draft');
  // The end of the stream can open the dialog before a key of Playwright is pressed: then the box cannot be found behind it.
  await inbox.page.evaluate(async () => {
    await fetch('../v1/session', { method: 'DELETE' });
    const keys = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', keys));
  });
  await expect(inbox.dialog).toContainText('You are signed out');
  await inbox.open(ada, path);
  await expect(inbox.composer).toHaveValue('My draft');
});

test('a viewer reads, and learns which permission is missing', async ({ member, openInbox, visitor }) => {
  const { conversationId, say } = await visitor('Jan');
  await say('Can you read this?');
  const inbox = await openInbox(await member('Vera', 'viewer'), `?list=all&conversation=${conversationId}`);
  await expect(inbox.entries.filter({ hasText: 'Can you read this?' })).toBeVisible();
  await expect(inbox.conversation.getByText('inbox.write')).toBeVisible();
  await expect(inbox.page.getByRole('button', { name: 'Take', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('the Markdown of a bot is styled in its bubble', async ({ platform, member, openInbox, visitor }) => {
  const { conversationId, say } = await visitor('Zoe', { asks: false });
  await say('Hello');
  const { runtime } = await botClientsOf(platform);
  const markdown =
    'One.\n\nTwo.\n\n1. First\n2. Second\n\n- [x] Done\n- [ ] Open\n\n> Quoted\n\n```js\nlet a = "text";\n```';
  await runtime.createMessage({ conversationId, payload: { type: 'markdown', markdown } });
  const ada = await member('Ada', 'manager');
  const inbox = await openInbox(ada, `?conversation=${conversationId}`);
  const message = inbox.conversation.locator('.markdown').last();
  await expect(message.locator('ol')).toHaveCSS('list-style-type', 'decimal');
  await expect(message.locator('blockquote')).toHaveCSS('border-inline-start-style', 'solid');
  await expect(message.locator('code span').first()).toBeVisible();
  const { distance, outside } = await message.evaluate((element) => {
    const [one, two] = [...element.querySelectorAll('p')].map((each) => each.getBoundingClientRect());
    const { left, right } = (element.closest('.bubble') ?? element).getBoundingClientRect();
    return {
      distance: (two?.top ?? 0) - (one?.bottom ?? 0),
      outside: [...element.querySelectorAll('*')].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && (box.left < left || box.right > right);
      }).length,
    };
  });
  expect(distance).toBeGreaterThan(4);
  expect(outside).toBe(0);
  expect(await inbox.violations()).toEqual([]);
});
