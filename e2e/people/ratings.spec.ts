// The question how helpful a person was: asked once, in all tabs and after a reload, and answered once.
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';
import { openTab } from '../support/tabs.ts';
import { answerAsAda, closeDesk, openChat, openDesk } from './desk.ts';

// The picture of a person is on the server.
test.use({ env: scriptedBot, csp: `${strictCsp('PLATFORM')}; img-src PLATFORM` });
// Other tests use the server, too.
test.afterEach(({ platform }) => closeDesk(platform));

const form = (chat: ChatPage) => chat.window.locator('[part="rating"]');
const value = (chat: ChatPage, number: number) =>
  form(chat).getByRole('radio', { name: `${number} of 5`, exact: true });

/** A person answers and ends the conversation, so that the visitor is asked. */
async function offerRating(chat: ChatPage): Promise<void> {
  const desk = await openDesk(chat.platform);
  await openChat(chat);
  const id = await answerAsAda(desk, chat);
  await desk.closeHandoff({ id, to: 'closed' });
}

test('the visitor rates by keyboard alone after the end, and is told so', { tag: '@story' }, async ({
  chat,
  page,
  platform,
}) => {
  await recordAnnouncements(page);
  const desk = await openDesk(platform);
  await openChat(chat);
  const id = await answerAsAda(desk, chat);
  await expect(form(chat)).toHaveCount(0);
  await chat.input.focus();
  await desk.closeHandoff({ id, to: 'closed' });
  await expect(form(chat).getByRole('group', { name: 'How helpful was this conversation?' })).toBeVisible();
  // The question does not move the focus.
  await expect(chat.input).toBeFocused();
  await expect(form(chat).getByRole('textbox')).toHaveCount(0);
  await expect(form(chat).getByRole('button', { name: 'Send' })).toBeDisabled();
  await value(chat, 1).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  await expect(value(chat, 4)).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Quick and friendly');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(form(chat).getByRole('button', { name: 'Send' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form(chat)).toHaveText('Thank you');
  await expect(form(chat)).toBeFocused();
  await expect
    .poll(() => announcements(page))
    .toEqual(expect.arrayContaining(['polite: The conversation has ended', 'polite: Thank you']));
  const said = await announcements(page);
  expect(said.filter((text) => text === 'polite: You can rate this conversation')).toHaveLength(1);
  await chat.reopen();
  await expect(chat.window.locator('[part="activity"]').last()).toHaveText('The conversation has ended');
  await expect(form(chat)).toHaveCount(0);
});

test('Skip ends the question in all tabs, until the next end', async ({ chat, platform }) => {
  const desk = await openDesk(platform);
  await openChat(chat);
  const id = await answerAsAda(desk, chat);
  const other = await openTab(chat);
  await other.launcher.click();
  await desk.closeHandoff({ id, to: 'closed' });
  await expect(form(other)).toBeVisible();
  await value(other, 2).check();
  // With a comment, whose text box is before the one of the composer.
  await value(chat, 3).check();
  await form(chat).getByRole('button', { name: 'Skip' }).click();
  await expect(form(chat)).toHaveCount(0);
  await expect(chat.input).toBeFocused();
  await expect(form(other)).toHaveCount(0);
  await chat.reopen();
  await expect(chat.window.locator('[part="activity"]').last()).toHaveText('The conversation has ended');
  await expect(form(chat)).toHaveCount(0);
  // Within two hours the conversation waits for a person again, who has a rating of their own.
  await chat.send('One more thing');
  await expect(chat.window.locator('[part="handling"]')).toContainText('Waiting for a person');
  await answerAsAda(desk, chat, 'Here I am again.');
  await desk.closeHandoff({ id, to: 'closed' });
  await expect(form(chat)).toBeVisible();
});

test('a late rating takes the focus from nothing, and a failed one gives it back', async ({ chat, page }) => {
  await offerRating(chat);
  await value(chat, 5).check();
  const send = form(chat).getByRole('button', { name: 'Send' });
  await page.route('**/rating', (route) => route.abort(), { times: 1 });
  await send.focus();
  await page.keyboard.press('Enter');
  await expect(form(chat)).toContainText('This did not work. Please try again.');
  await expect(send).toBeFocused();
  const release = await holdRequests(page, '**/rating');
  const requested = page.waitForRequest('**/rating');
  await page.keyboard.press('Enter');
  await requested;
  await chat.input.click();
  await page.keyboard.type('One ');
  release();
  await expect(form(chat)).toHaveText('Thank you');
  await page.keyboard.type('more thing');
  await expect(chat.input).toHaveValue('One more thing');
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test.describe('with the theme of the system', () => {
  test.use({ attributes: 'data-theme-mode="auto"' });

  test('axe finds nothing in the question, with a comment, and after it', async ({ chat, page }) => {
    await offerRating(chat);
    await expect(form(chat)).toBeVisible();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await value(chat, 4).check();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await form(chat).getByRole('button', { name: 'Send' }).click();
    await expect(form(chat)).toHaveText('Thank you');
    expect(await violationsInBothSchemes(page)).toEqual([]);
  });
});
