// A visitor asks for another answer, or edits the newest message.
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { violations } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { openTab } from '../support/tabs.ts';

test.use({ env: scriptedBot, attributes: 'data-regenerate-enabled data-edit-enabled' });

const received = (text: string) => `received text {"type":"text","text":"${text}"}`;
const regenerate = (chat: ChatPage) => chat.window.getByRole('button', { name: /^Answer again: / });
const edit = (chat: ChatPage) => chat.window.getByRole('button', { name: /^Edit message: / });
const visitorRows = (chat: ChatPage) => chat.window.locator('.row[data-side="visitor"]');

/** The stored messages, oldest first; those that are superseded begin with a dash. */
async function stored(chat: ChatPage): Promise<string[]> {
  return (await chat.serverMessages()).map(({ payload, supersededBy }) => {
    const text = 'text' in payload ? payload.text : payload.type;
    return supersededBy ? `- ${text}` : text;
  });
}

async function ask(chat: ChatPage, text: string): Promise<void> {
  await chat.send(text);
  await expect(chat.botRows.filter({ hasText: received(text) })).toHaveCount(1);
}

test('another answer takes the place of the newest one, in every tab, and is what remains after a reload', {
  tag: '@story',
}, async ({ chat, page }) => {
  await recordAnnouncements(page);
  await chat.startConversation();
  // The greeting answers nothing.
  await chat.window.locator('.viewport').hover();
  await expect(chat.window.getByRole('button', { name: /^Copy: / })).toHaveCount(1);
  await expect(regenerate(chat)).toHaveCount(0);
  await ask(chat, 'one');
  await ask(chat, 'two');
  const tab = await openTab(chat);
  await tab.launcher.click();
  await expect(tab.botRows).toHaveCount(3);

  await expect(regenerate(chat)).toHaveCount(1);
  await regenerate(chat).click();
  const all = [
    'I am the demo bot’s scripted double.',
    'one',
    received('one'),
    '- two',
    `- ${received('two')}`,
    'two',
    received('two'),
  ];
  await expect.poll(() => stored(chat)).toEqual(all);
  const shown = ['I am the demo bot’s scripted double.', 'one', received('one'), 'two', received('two')];
  await expect.poll(() => chat.texts()).toEqual(shown);
  await expect.poll(() => tab.texts()).toEqual(shown);
  await expect.poll(() => announcements(page)).toContain('polite: Answering again');
  // The button was removed with its message.
  await expect
    .poll(() =>
      page.evaluate(() => document.querySelector('platform-webchat')?.shadowRoot?.activeElement?.className),
    )
    .toContain('viewport');
  await chat.reopen();
  await expect.poll(() => chat.texts()).toEqual(shown);
  await tab.page.close();
});

test('the newest message can be edited; Escape and an unchanged text change nothing', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await ask(chat, 'one');
  await ask(chat, 'tow');
  await expect(edit(chat)).toHaveCount(1);
  await visitorRows(chat).last().hover();
  await edit(chat).click();
  const box = chat.window.getByRole('textbox', { name: 'Edit message' });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('tow');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(edit(chat)).toBeFocused();
  await expect(chat.window).toBeVisible();

  const dialog = chat.window.getByRole('dialog', { name: 'Edit message' });
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(box).toHaveCount(0);
  const before = await stored(chat);
  expect(before.at(-1)).toBe(received('tow'));

  await edit(chat).click();
  await box.fill('two');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(() => chat.texts())
    .toEqual(['I am the demo bot’s scripted double.', 'one', received('one'), 'two', received('two')]);
  expect(await stored(chat)).toEqual([
    ...before.slice(0, 3),
    '- tow',
    `- ${received('tow')}`,
    'two',
    received('two'),
  ]);
  await expect(edit(chat)).toHaveAccessibleName('Edit message: two');
});

test('the visitor is asked first if steps of the answer have done something', async ({ chat, page }) => {
  await chat.startConversation();
  const tool = { type: 'tool', toolName: 'cancel_order', state: 'output-available' };
  await chat.send(JSON.stringify({ reply: [{ type: 'markdown', markdown: 'Cancelled.' }], parts: [tool] }));
  await expect(chat.botRows.last()).toContainText('Cancelled.');
  await chat.botRows.last().hover();
  await regenerate(chat).click();
  const dialog = chat.window.getByRole('dialog', { name: 'Answer again' });
  await expect(dialog).toContainText('What the steps of this answer have done is not undone.');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(regenerate(chat)).toBeFocused();
  expect((await stored(chat)).filter((text) => text.startsWith('- '))).toEqual([]);
  await regenerate(chat).click();
  await dialog.getByRole('button', { name: 'Answer again' }).click();
  await expect.poll(async () => (await stored(chat)).filter((text) => text.startsWith('- '))).toHaveLength(2);
  await expect(visitorRows(chat)).toHaveCount(1);
  await expect(chat.botRows).toHaveCount(2);
});

test('the earlier turn stays until the message that replaces it is sent', async ({ chat, page }) => {
  await chat.startConversation();
  await ask(chat, 'question');
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await regenerate(chat).click();
  await expect(chat.window.locator('[data-status="queued"], [data-status="sending"]')).toHaveCount(1);
  await chat.reopen();
  await expect(visitorRows(chat)).toHaveCount(2);
  await page.unroute('**/messages');
  await expect(visitorRows(chat)).toHaveCount(1, { timeout: 30_000 });
  await expect.poll(() => stored(chat)).toContain(`- ${received('question')}`);
  chat.ignoreConsoleErrors(/ERR_FAILED|message could not be sent|could not be reached/i);
});
