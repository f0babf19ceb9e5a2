// Read marks of both sides, and the rating, in the window of the visitor and in the inbox.
import { violations } from '../support/axe.ts';
import { expect, setReadReceipts, test } from './inbox-page.ts';

// Other tests use the server, too.
test.afterEach(({ platform }) => setReadReceipts(platform, false));

test('with receipts each side sees what the other one has read, and the team sees the rating', async ({
  chat,
  page,
  platform,
  member,
  openInbox,
  handOff,
}) => {
  await setReadReceipts(platform, true);
  await chat.startConversation();
  await chat.exchange('Where is my order?');
  const { conversationId = '' } = await chat.storedSession();
  await handOff(conversationId);
  await chat.send('Is anybody there?');
  const seen = chat.window.locator('[part="seen"]');
  const ada = await member('Ada');
  const inbox = await openInbox(ada, `?list=all&conversation=${conversationId}`);
  await expect(inbox.entries.filter({ hasText: 'Is anybody there?' })).toBeVisible();
  // She only looks: nobody answers yet.
  await expect(seen).toHaveCount(0);
  await inbox.page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(seen).toHaveText('Seen');
  const below = (text: string) =>
    chat.window.locator('.row', { hasText: text }).last().locator('+ .row [part="seen"]');
  await expect(below('Is anybody there?')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // A later message moves it; there is only one.
  await chat.send('Hello?');
  await expect(below('Hello?')).toBeVisible();
  await expect(seen).toHaveCount(1);

  await inbox.send('I am looking for it.');
  const answer = inbox.entries.filter({ hasText: 'I am looking for it.' });
  await expect(answer.locator('time')).toContainText(', seen');
  await chat.call('close');
  await inbox.send('Found.');
  const second = inbox.entries.filter({ hasText: 'Found.' });
  await expect(second).toBeVisible();
  await expect(chat.launcher.locator('.badge')).toBeVisible();
  await expect(second.locator('time')).not.toContainText('seen');
  await chat.launcher.click();
  await expect(second.locator('time')).toContainText(', seen');
  await expect(answer.locator('time')).not.toContainText('seen');
  expect(await inbox.violations()).toEqual([]);

  // It is shown again after a reload.
  await chat.reopen();
  await expect(below('Hello?')).toBeVisible();

  await inbox.page.getByRole('button', { name: 'Close', exact: true }).click();
  const rating = chat.window.locator('[part="rating"]');
  await rating.getByRole('radio', { name: '5 of 5' }).check();
  await rating.getByRole('textbox').fill('Quick and friendly');
  await rating.getByRole('button', { name: 'Send' }).click();
  await inbox.open(ada, `?list=closed&conversation=${conversationId}`);
  const line = inbox.entries.filter({ hasText: 'rated the conversation 5 of 5' });
  await expect(line).toContainText('Quick and friendly');
  expect(await inbox.violations()).toEqual([]);
});
