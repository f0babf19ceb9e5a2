// Tools of the page in the built widget, with the built server and a third-party mock of an agent: approved, run once,
// declined, after a reload, and with two tabs.
import { recordAnnouncements } from '../support/announcements.ts';
import { violations } from '../support/axe.ts';
import { ChatPage } from '../support/chat-page.ts';
import { approve, bodies, callNever, counts, expect, open, startAgent, test } from './shop.ts';

startAgent();

test('the visitor approves, the page changes once, and the agent continues with the result', {
  tag: '@story',
}, async ({ shop, page }) => {
  await open(shop);
  await shop.send('call add_item');
  const card = shop.window.getByRole('group', { name: 'Add to the cart' });
  await expect(card).toContainText('A-1');
  expect(await counts(page)).toEqual({ add: 0, read: 0 });
  await approve(shop).click();
  await expect(shop.botRows.last()).toContainText('Ran: add_item.');
  await expect(card).toContainText('Done');
  expect(await counts(page)).toEqual({ add: 1, read: 0 });
  await expect(page).toHaveTitle('Added A-1');
  const [first, second] = bodies();
  expect(JSON.stringify(first)).toContain('The title');
  expect(JSON.stringify(second)).toContain('{\\"items\\":1}');
  // The context is asked again.
  expect(JSON.stringify(second)).toContain('Added A-1');
  // After a reload, nothing runs again.
  await shop.reopen();
  await expect(shop.botRows.last()).toContainText('Ran: add_item.');
  await expect(card).toContainText('Done');
  expect(await counts(page)).toEqual({ add: 0, read: 0 });
  expect(bodies()).toHaveLength(2);
  shop.expectNoConsoleErrors();
});

test('a tool that only reads runs without a question, and a declined one does not', async ({
  shop,
  page,
}) => {
  await open(shop);
  await shop.send('call get_cart');
  await page.evaluate(() => (window.platform as { close(): void }).close());
  await expect.poll(() => counts(page)).toEqual({ add: 0, read: 1 });
  await shop.launcher.click();
  await expect(shop.botRows.last()).toContainText('Ran: get_cart.');
  await expect(shop.window.getByRole('button', { name: /Approve/ })).toHaveCount(0);
  await expect(shop.window).toContainText('Read the cart');

  await shop.send('call orders');
  await expect(shop.botRows.last()).toContainText('Ran: orders.');
  const messages = bodies().at(-1)?.messages as { role: string; content: unknown }[];
  const withText = messages.filter(({ content }) => JSON.stringify(content ?? '').includes('Ignore all'));
  expect(withText.map(({ role }) => role)).toEqual(['tool']);
  expect(await counts(page)).toEqual({ add: 0, read: 1 });
  await expect(shop.window).not.toContainText('Ignore all');

  await shop.send('call add_item');
  await shop.window.getByRole('button', { name: /^Decline/ }).click();
  await expect(shop.botRows.last()).toContainText('Failed: add_item.');
  await expect(shop.window).toContainText('Declined');
  expect(await counts(page)).toEqual({ add: 0, read: 1 });
  shop.expectNoConsoleErrors();
});

test('a tool is not run again after a reload, and the agent learns why', async ({ shop, page }) => {
  await callNever(shop);
  await shop.reopen();
  await expect(shop.botRows.last()).toContainText('Failed: never.');
  expect(await page.evaluate(() => 'ends' in window)).toBe(false);
  expect(JSON.stringify(bodies().at(-1))).toContain('not known whether the tool has run');
});

test('in a second tab the call waits, and runs in the tab that has asked, once', async ({ shop, page }) => {
  await open(shop);
  await shop.send('hello');
  await expect(shop.botRows.last()).toContainText('Hello.');
  const second = new ChatPage(await page.context().newPage(), shop.url, shop.platform);
  await open(second);
  await expect(second.botRows.last()).toContainText('Hello.');
  await shop.send('call add_item');
  await expect(approve(shop)).toBeVisible();
  await expect(second.window.getByRole('group', { name: 'Add to the cart' })).toContainText('Waiting');
  await expect(approve(second)).toHaveCount(0);
  await approve(shop).click();
  await expect(second.botRows.last()).toContainText('Ran: add_item.');
  await expect(second.window.getByRole('group', { name: 'Add to the cart' })).toContainText('Done');
  expect([await counts(page), await counts(second.page)]).toEqual([
    { add: 1, read: 0 },
    { add: 0, read: 0 },
  ]);
});

test('a duplicate of the tab can decide too, and the tool runs once', async ({ shop, page }) => {
  await open(shop);
  await shop.send('hello');
  await expect(shop.botRows.last()).toContainText('Hello.');
  const stored = await page.evaluate(() => Object.entries(sessionStorage));
  const copy = new ChatPage(await page.context().newPage(), shop.url, shop.platform);
  await copy.page.addInitScript((entries) => {
    for (const [name, value] of entries) sessionStorage.setItem(name, value);
  }, stored);
  await open(copy);
  await expect(copy.botRows.last()).toContainText('Hello.');
  await shop.send('call add_item');
  await Promise.all([approve(shop).waitFor(), approve(copy).waitFor()]);
  // At once, in both: the second one may be too late already.
  const press = (chat: ChatPage) =>
    approve(chat).evaluateAll((buttons) => (buttons[0] as HTMLElement | undefined)?.click());
  await Promise.all([press(shop), press(copy)]);
  await expect(shop.botRows.last()).toContainText('Ran: add_item.');
  const all = [await counts(page), await counts(copy.page)];
  expect(all.map(({ add }) => add).sort()).toEqual([0, 1]);
});

test('in each state of a call axe finds nothing, and a change is announced', async ({ shop, page }) => {
  await recordAnnouncements(page);
  await open(shop);
  await shop.send('call add_item');
  const card = shop.window.getByRole('group', { name: 'Add to the cart' });
  await expect(approve(shop)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const announced = () => page.evaluate(() => window.announced);
  await expect.poll(announced).toContainEqual(expect.stringContaining('Add to the cart'));
  await approve(shop).focus();
  await page.keyboard.press('Enter');
  await expect(card).toContainText('Done');
  expect(await violations(page)).toEqual([]);
  await expect.poll(announced).toContainEqual(expect.stringContaining('Done: Add to the cart'));
  await expect(shop.botRows.last()).toContainText('Ran: add_item.');
});

test('a tool that was removed after the question is not called, and the agent learns it', async ({
  shop,
  page,
}) => {
  await open(shop);
  await shop.send('call removed');
  await expect(approve(shop)).toBeVisible();
  await page.evaluate(() => (window as unknown as { removal: AbortController }).removal.abort());
  await approve(shop).click();
  await expect(shop.botRows.last()).toContainText('Failed: removed.');
  expect(await counts(page)).toEqual({ add: 0, read: 0 });
  expect(JSON.stringify(bodies().at(-1)?.tools)).not.toContain('"removed"');
});
