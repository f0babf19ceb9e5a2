// The search in all messages and notes: an old message is found, and the conversation opens at it.
import { expect, test } from './inbox-page.ts';

test('a search finds an old message and a note of other lists, and opens the conversation there', {
  tag: '@story',
}, async ({ member, openInbox, visitor }) => {
  const unique = crypto.randomUUID().slice(0, 8);
  await visitor('Olga', { note: `Wants ${unique} back` });
  const paul = await visitor('Paul', { asks: false });
  await paul.say(`My parcel ${unique} is wet`);
  for (let n = 0; n < 70; n += 1) await paul.say(`Line ${n}`);
  const inbox = await openInbox(await member('Ada'), '?list=mine');
  const { page } = inbox;
  await page.keyboard.press('/');
  await page.keyboard.type(unique.slice(0, 7));
  const found = page.getByRole('region', { name: 'In messages and notes' });
  await expect(found.getByRole('link')).toHaveCount(2);
  await expect(found.getByRole('link').filter({ hasText: 'Olga' })).toContainText('Note: Wants');
  await expect(page.getByText('No conversation of this list is found.')).toBeVisible();
  // The bot has repeated the words of Paul.
  const hit = found.getByRole('link').filter({ hasText: 'Paul' });
  await expect(hit.locator('mark')).toHaveText(unique.slice(0, 7));
  expect(await inbox.violations()).toEqual([]);
  await hit.click();
  const message = inbox.conversation
    .locator('[data-found]')
    .filter({ hasText: `My parcel ${unique} is wet` });
  await expect(message).toBeInViewport();
  await expect(page).toHaveURL(/entry=msg_/);
  await page.reload();
  await expect(message).toBeInViewport();
  await found.getByRole('link').filter({ hasText: 'Olga' }).click();
  await expect(
    inbox.conversation.locator('.note').filter({ hasText: `Wants ${unique} back` }),
  ).toHaveAttribute('data-found', '');
});
