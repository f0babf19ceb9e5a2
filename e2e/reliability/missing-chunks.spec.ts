// The chat works while one of its lazily loaded files cannot be loaded, and uses the file when it loads later.
import { alive, scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';

test.use(scriptedChat);

test.describe('missing chunks', () => {
  test('a restart whose dialog failed to load does not open the dialog later', async ({ chat, page }) => {
    await page.route(/\/extras-[\w-]+\.js$/, (route) => route.abort());
    await chat.startConversation();
    await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
    await chat.window.getByRole('button', { name: 'More' }).click();
    await alive(chat);
    await page.unroute(/\/extras-[\w-]+\.js$/);
    // Moving the pointer near a message loads the chunk with its actions.
    await chat.window.locator('.viewport').hover();
    await chat.window.locator('h2').hover();
    await chat.window.locator('.viewport').hover();
    await expect(chat.botRows.last().getByRole('button', { name: /^Copy/ })).toBeVisible();
    await expect(chat.window.getByRole('alertdialog')).toHaveCount(0);
    await expect(chat.window.getByRole('menu')).toHaveCount(0);
    await chat.window.getByRole('button', { name: 'More' }).click();
    await expect(chat.window.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
    await expect(chat.window.getByRole('alertdialog')).toBeVisible();
    chat.ignoreConsoleErrors('ERR_FAILED');
  });

  for (const name of ['markdown', 'extras', 'highlight']) {
    test(`the chat works without the chunk ${name}, and with it when it loads later`, async ({
      chat,
      page,
    }) => {
      const chunk = new RegExp(`/${name}-[\\w-]+\\.js$`);
      await page.route(chunk, (route) => route.abort());
      await chat.startConversation();
      const sendPayloads = async () => {
        await chat.botReplies({ type: 'markdown', markdown: '**Bold** words\n\n```js\nconst a = 1;\n```' });
        return chat.botReplies({
          type: 'card',
          title: 'A card',
          actions: [{ action: 'say', label: 'Go', value: 'go' }],
        });
      };
      await expect(await sendPayloads()).toContainText('A card');
      await alive(chat);
      await page.unroute(chunk);
      await sendPayloads();
      await alive(chat);
      if (name !== 'highlight') {
        await expect(chat.window.locator('.markdown strong').last()).toHaveText('Bold');
        await expect(chat.window.locator('.card').last()).toContainText('A card');
      }
      chat.ignoreConsoleErrors('ERR_FAILED');
    });
  }
});
