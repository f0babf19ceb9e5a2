// Feedback on answers, copying a message, and downloading the transcript.
import { readFile } from 'node:fs/promises';
import { ChatClient } from '../../src/client/index.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

const clientOf = async (chat: ChatPage) => {
  const { userKey, conversationId = '' } = await chat.storedSession();
  return { client: new ChatClient({ chatUrl: chat.platform.chatUrl, userKey }), conversationId };
};

test.describe('feedback', () => {
  test.use({ attributes: 'data-feedback-enabled' });

  test('feedback can be given, changed, explained and removed, survives a reload, and the bot receives each change', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'An answer' });
    const good = row.getByRole('button', { name: 'Good answer: An answer' });
    const bad = row.getByRole('button', { name: 'Bad answer: An answer' });
    const feedback = async () =>
      (await chat.serverMessages()).find(({ payload }) => 'text' in payload && payload.text === 'An answer')
        ?.feedback;
    await good.click();
    await expect(good).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(feedback).toEqual({ value: 'positive' });
    await expect(chat.botRows.last()).toContainText('"value":"positive"');

    await bad.click();
    await expect(good).toHaveAttribute('aria-pressed', 'false');
    const comment = row.getByRole('textbox', { name: /What was wrong/ });
    await expect(comment).toBeFocused();
    await expect.poll(feedback).toEqual({ value: 'negative' });
    await page.keyboard.type('Too short');
    await row.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(comment).toHaveCount(0);
    await expect(bad).toBeFocused();
    await expect.poll(feedback).toEqual({ value: 'negative', comment: 'Too short' });

    await page.reload();
    await chat.launcher.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    await bad.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'false');
    await expect(comment).toHaveCount(0);
    await expect.poll(feedback).toBeUndefined();
    await expect(chat.botRows.last()).toContainText('"value":"none"');
    // The visitor's own messages have no feedback buttons.
    await expect(
      chat.window.locator('[data-side="visitor"]').getByRole('button', { name: /answer:/ }),
    ).toHaveCount(0);
  });

  test('Escape closes the comment dialog and keeps the feedback, and a refusal by the server reverts it with a notice', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.recordEvents();
    const row = await chat.botReplies({ type: 'text', text: 'Another answer' });
    const bad = row.getByRole('button', { name: 'Bad answer' });
    await bad.click();
    await page.keyboard.press('Escape');
    await expect(row.getByRole('textbox')).toHaveCount(0);
    await expect(chat.window).toBeVisible();
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    await page.route(/\/feedback$/, (route) => route.fulfill({ status: 400, json: {} }));
    await bad.click();
    await expect.poll(() => chat.eventTypes()).toContain('error');
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    chat.ignoreConsoleErrors('400');
  });
});

test('a message can be copied and the whole conversation downloaded', async ({ chat, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'markdown', markdown: 'Some **bold** words' });
  await row.hover();
  // The button tells it for two seconds: the page itself looks, from before the click.
  const copied = page.waitForFunction(() =>
    document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.act[aria-label^="Copied"]'),
  );
  await row.getByRole('button', { name: /^Copy/ }).click();
  await copied;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Some **bold** words');

  const { client, conversationId } = await clientOf(chat);
  // More than one page, so that the file also contains messages that were not loaded.
  for (let i = 0; i < 60; i++) {
    await client.createMessage({ conversationId, payload: { type: 'text', text: `{"n":${i}}` } });
  }
  const more = chat.window.getByRole('button', { name: 'More' });
  await more.click();
  const menu = chat.window.getByRole('menu');
  const items = menu.getByRole('menuitem');
  await expect(items).toHaveText(['Conversations', 'Download conversation', 'Print conversation']);
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Bot.txt');
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d\] Bot:\nI am the demo bot’s scripted double\.\n/);
  expect(text).toContain('Bot:\nSome **bold** words\n');
  expect(text).toContain('You:\n{"n":0}\n');
  expect(text).toContain('You:\n{"n":59}\n');
  await expect(menu).toHaveCount(0);
});
