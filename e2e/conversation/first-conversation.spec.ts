// A complete first conversation, as in the README: launcher, window, messages, reload, restart.

import { broken, payloads } from '../screens/payloads.ts';
import { expect, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';

test('a visitor talks with the bot, reloads, and continues the conversation', { tag: '@story' }, async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.exchange('Do you repair tandems?');
  const before = await chat.texts();
  expect(before[0]).toContain('I am the demo bot');
  expect(before[1]).toBe('Do you repair tandems?');
  expect((await chat.serverTexts())[1]).toBe('Do you repair tandems?');

  await chat.reopen();
  await expect(chat.rows).toHaveCount(before.length);
  expect(await chat.texts()).toEqual(before);
  await chat.exchange('And unicycles?');
  expect(await chat.serverMessages()).toHaveLength(5);
});

test('a streamed answer ends as a single message', { tag: '@story' }, async ({ chat }) => {
  await chat.startConversation();
  await chat.send('streaming');
  await expect(chat.botRows).toHaveCount(2);
  await expect(chat.botRows.nth(1)).toHaveAttribute('data-status', 'sent');
  await expect(chat.botRows.nth(1).getByRole('heading', { name: 'What Markdown can do' })).toBeVisible();
  expect(await chat.serverMessages()).toHaveLength(3);
});

test.describe('payloads', () => {
  test.use({ csp: strictCsp('PLATFORM', { media: true }) });

  test('every payload of the demo bot is readable under a strict policy', { tag: '@story' }, async ({
    chat,
  }) => {
    await chat.startConversation();
    const texts = Object.keys(payloads).filter((name) => name !== broken);
    for (const [i, word] of texts.entries()) {
      await chat.send(word);
      await expect(chat.botRows).toHaveCount(i + 2);
      const read = () => chat.botRows.nth(i + 1).innerText();
      // A picture shows nothing until the code that draws it has loaded.
      await expect.poll(async () => (await read()).replace(/^Bot:/, '').trim(), word).not.toBe('');
      const text = await read();
      expect(text, word).not.toMatch(/\[object|undefined|null/);
    }
  });
});

test('a button sends the message again that the bot failed at', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.send('error');
  const again = chat.window.getByRole('button', { name: 'Try again', exact: true });
  await expect(again).toHaveCount(1);
  await again.focus();
  await page.keyboard.press('Enter');
  const failed = 'Sorry, no answer came. Please try again.';
  const stored = async () =>
    (await chat.serverMessages()).map(({ payload, supersededBy }) => {
      const text = 'text' in payload ? payload.text : payload.type;
      return supersededBy ? `- ${text}` : text;
    });
  // The second attempt fails as well, and takes the place of the first one.
  await expect
    .poll(async () => (await stored()).slice(1))
    .toEqual(['- error', `- ${failed}`, 'error', failed]);
  await expect(chat.botRows.filter({ hasText: 'no answer came' })).toHaveCount(1);
  await expect(again).toHaveCount(1);
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('platform-webchat');
  await chat.exchange('Still there?');
  await expect(again).toHaveCount(0);
});

test('restart asks for confirmation and then starts a new conversation', { tag: '@story' }, async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.exchange('The old talk');
  const { conversationId } = await chat.storedSession();
  await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
  const dialog = chat.window.getByRole('alertdialog', { name: 'Start a new conversation?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(chat.window).toBeVisible();
  await expect(chat.rows).toHaveCount(3);

  await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
  await dialog.getByRole('button', { name: 'Start new' }).click();
  await expect(chat.rows).toHaveCount(1);
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  expect((await chat.storedSession()).conversationId).not.toBe(conversationId);
});
