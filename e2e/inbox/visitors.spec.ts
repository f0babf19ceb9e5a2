// All visitors, and the conversations of one beside the open conversation.
import { expect, test } from './inbox-page.ts';

test('a visitor is found among all, with the conversations before the last one', { tag: '@story' }, async ({
  member,
  openInbox,
  visitor,
}) => {
  const unique = crypto.randomUUID().slice(0, 8);
  const rosa = await visitor(`Rosa ${unique}`, { asks: false });
  await rosa.say('My first question');
  const { conversation } = await rosa.client.createConversation({});
  const payload = { type: 'text', text: 'My second question' } as const;
  await rosa.client.createMessage({ conversationId: conversation.id, payload });
  await visitor(`Sven ${unique}`, { asks: false }).then(({ say }) => say('Hello'));
  const inbox = await openInbox(await member('Ada'), '?list=mine');
  const { page } = inbox;
  await page.getByRole('link', { name: 'All visitors' }).click();
  const visitors = page.getByRole('list', { name: 'Visitors' }).getByRole('link');
  await expect(visitors.filter({ hasText: `Sven ${unique}` })).toContainText('1 conversation');
  await page.getByRole('searchbox', { name: 'Search in All visitors' }).fill(`ROSA ${unique}`);
  await expect(visitors).toHaveCount(1);
  await expect(visitors).toContainText('2 conversations');
  expect(await inbox.violations()).toEqual([]);
  await visitors.click();
  await expect(inbox.entries.filter({ hasText: 'My second question' }).first()).toBeVisible();
  const pane = page.getByRole('complementary', { name: 'Visitor' });
  await expect(pane.getByRole('heading', { name: 'Other conversations' })).toBeVisible();
  await pane.locator('.others').getByRole('link').click();
  await expect(inbox.entries.filter({ hasText: 'My first question' }).first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`visitors=ROSA.*conversation=${rosa.conversationId}`));
  expect(await inbox.violations()).toEqual([]);
  await page.reload();
  await expect(visitors).toHaveCount(1);
  await rosa.client.deleteConversation({ id: conversation.id });
});
