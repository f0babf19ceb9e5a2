// Conversations that the bot answers: a member reads along and takes over without being asked.
import { expect, phone, test } from './inbox-page.ts';

test('a member sees live what a visitor and the bot write, takes over, and the bot is silent', {
  tag: '@story',
}, async ({ chat, member, openInbox }) => {
  const ada = await member('Ada');
  const inbox = await openInbox(ada, '?list=bot');
  await expect(inbox.page.getByRole('heading', { name: 'With the bot' })).toBeVisible();
  await chat.startConversation();
  await chat.exchange('Where is my order?');
  const { conversationId = '' } = await chat.storedSession();
  const row = inbox.page.locator(`.row[data-id="${conversationId}"]`);
  await expect(row).toContainText('Bot: ');
  await row.click();
  await expect(inbox.entries.filter({ hasText: 'Where is my order?' }).first()).toBeVisible();
  await expect(inbox.composer).toHaveCount(0);
  await expect(inbox.conversation.getByText('The bot answers. Take over to write.')).toBeVisible();
  expect(await inbox.violations()).toEqual([]);
  await chat.exchange('And when does it arrive?');
  await expect(inbox.entries.filter({ hasText: 'And when does it arrive?' }).first()).toBeVisible();

  await inbox.page.getByRole('button', { name: 'Take over' }).click();
  await expect(inbox.conversation.locator('.title')).toContainText('You');
  await expect(chat.window.getByText('Ada joined')).toBeVisible();
  await expect(inbox.composer).toBeFocused();
  const before = await chat.serverTexts();
  await chat.send('Is anybody there?');
  await expect(inbox.entries.filter({ hasText: 'Is anybody there?' }).first()).toBeVisible();
  await inbox.send('I am looking for it.');
  await expect(chat.rows.filter({ hasText: 'I am looking for it.' })).toBeVisible();
  expect(await chat.serverTexts()).toEqual([...before, 'Is anybody there?', 'I am looking for it.']);
});

test('the key takes over on a desktop, and a phone shows the button, which a viewer does not have', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId, say } = await visitor('Wilma', { asks: false });
  await say('Hello, bot');
  const path = `?list=bot&conversation=${conversationId}`;
  const onPhone = await openInbox(await member('Ben'), path, phone);
  await expect(onPhone.page.getByRole('button', { name: 'Take over' })).toBeInViewport();
  expect(await onPhone.violations()).toEqual([]);
  const ofViewer = await openInbox(await member('Vera', 'viewer'), path);
  await expect(ofViewer.entries.filter({ hasText: 'Hello, bot' }).first()).toBeVisible();
  await expect(ofViewer.page.getByRole('button', { name: 'Take over' })).toHaveCount(0);

  const inbox = await openInbox(await member('Ada'), '?list=bot');
  const row = inbox.page.locator(`.row[data-id="${conversationId}"]`);
  await row.focus();
  await inbox.page.keyboard.press('t');
  await expect(inbox.conversation.locator('.title')).toContainText('You');
  await expect(onPhone.conversation.getByText('Ada answers this conversation.')).toBeVisible();
});

test('a conversation that the visitor deletes leaves the list of who looks at it', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { client, conversationId, say } = await visitor('Xaver', { asks: false });
  await say('Hello, bot');
  const inbox = await openInbox(await member('Ada'), '?list=bot');
  const row = inbox.page.locator(`.row[data-id="${conversationId}"]`);
  await expect(row).toBeVisible();
  await client.deleteConversation({ id: conversationId });
  await expect(row).toHaveCount(0);
});

test('the list is narrowed to conversations that the visitor has rated as bad', { tag: '@story' }, async ({
  member,
  openInbox,
  visitor,
}) => {
  const unique = crypto.randomUUID().slice(0, 8);
  const yara = await visitor(`Yara ${unique}`, { asks: false });
  await yara.say('Where is it?');
  const zoe = await visitor(`Zoe ${unique}`, { asks: false });
  await zoe.say('Hello, bot');
  const answerTo = async ({ client, conversationId }: typeof yara) =>
    (await client.list.messages({ conversationId }).collect()).find(({ payload }) =>
      JSON.stringify(payload).includes('You said'),
    );
  await expect.poll(() => answerTo(yara)).toBeTruthy();
  await yara.client.setFeedback({ id: (await answerTo(yara))?.id ?? '', value: 'negative' });
  const inbox = await openInbox(await member('Ada'), `?list=bot&q=${unique}`);
  const { page } = inbox;
  await expect(inbox.rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Filter and order' }).click();
  await page.getByRole('combobox', { name: 'Rating' }).selectOption('Bad');
  await expect(inbox.rows).toHaveCount(1);
  await expect(inbox.row(`Yara ${unique}`)).toBeVisible();
  await expect(page).toHaveURL(/rating=bad/);
  expect(await inbox.violations()).toEqual([]);
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('No answer found');
  await expect(page.getByText('No conversation of this list is found.')).toBeVisible();
});
