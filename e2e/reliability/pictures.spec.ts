// Pictures in extreme situations: an enlarged picture closes when its chat or message disappears, and a blocked picture
// keeps the shape of its button.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { alive, injectSignals, media, scriptedChat } from '../support/bots/scripted-chat.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { watch } from '../support/hostile/canary.ts';

test.use(scriptedChat);

const drawing = (chat: ChatPage) => ({
  type: 'image',
  imageUrl: media(chat, 'photo.svg'),
  title: 'A drawing',
});

test('the button of a picture in Markdown keeps its shape next to pictures and cards', async ({ chat }) => {
  await chat.startConversation();
  const row = await chat.botReplies({
    type: 'markdown',
    markdown: '![A plan](https://example.com/plan.png)',
  });
  const button = row.locator('.bubble').getByRole('button', { name: 'example.com' });
  const before = await button.boundingBox();
  const picture = await chat.botReplies(drawing(chat));
  await expect(picture.getByRole('button', { name: 'A drawing, enlarge' })).toBeVisible();
  const after = await button.boundingBox();
  expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
});

test.describe('enlarged picture', () => {
  test('closing the window while a picture is being enlarged leaves the page usable', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const row = await chat.botReplies(drawing(chat));
    const picture = row.getByRole('button', { name: 'A drawing, enlarge' });
    await expect(picture).toBeVisible();
    await picture.evaluate((button: HTMLElement) => {
      button.click();
      (window.platform as Platform).close();
    });
    await expect(chat.window).toBeHidden();
    // The effects of the click are rendered after two frames.
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
        ),
    );
    await page.getByRole('link', { name: 'A link of the page' }).click();
    await expect(page).toHaveURL(/#there$/);
    await chat.launcher.click();
    await expect(page.getByRole('dialog', { name: 'A drawing' })).toHaveCount(0);
    await alive(chat);
  });

  for (const [how, end] of [
    ['is hidden by the bot', (chat: ChatPage) => chat.instructBot({ show: 'hide' })],
    ['is removed', (chat: ChatPage) => chat.call('destroy')],
  ] as const) {
    test(`an enlarged picture closes when the chat ${how}`, async ({ chat, page }) => {
      await chat.startConversation();
      const row = await chat.botReplies(drawing(chat));
      await row.getByRole('button', { name: 'A drawing, enlarge' }).click();
      await expect(page.getByRole('dialog', { name: 'A drawing' })).toBeVisible();
      await end(chat);
      await expect(page.getByRole('dialog', { name: 'A drawing' })).toHaveCount(0);
      await page.getByRole('link', { name: 'A link of the page' }).click();
      await expect(page).toHaveURL(/#there$/);
    });
  }

  test('an enlarged picture closes when its message is deleted', async ({ chat, page }) => {
    await watch(chat);
    await chat.startConversation();
    const row = await chat.botReplies(drawing(chat));
    await row.getByRole('button', { name: 'A drawing, enlarge' }).click();
    const id = (await chat.serverMessages()).at(-1)?.id;
    await injectSignals(chat, { type: 'message_deleted', data: { id } });
    await expect(page.getByRole('dialog', { name: 'A drawing' })).toHaveCount(0);
    await page.getByRole('link', { name: 'A link of the page' }).click();
    await alive(chat);
  });
});
