// The chat works while one of its lazily loaded files cannot be loaded, and uses the file when it loads later.
import { alive, scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';

test.use(scriptedChat);

const card = { type: 'card', title: 'A card', actions: [{ action: 'say', label: 'Go', value: 'go' }] };

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
        return chat.botReplies(card);
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

  // Of an incomplete module, each browser remembers that it has failed; some remember that also of a lost request.
  for (const [name, text] of Object.entries({
    chat: 'A greeting',
    markdown: 'Bold',
    extras: 'A card',
    highlight: 'const',
  })) {
    test(`the chunk ${name} that came incomplete is requested again when it is needed again`, async ({
      chat,
      page,
    }) => {
      const chunk = new RegExp(`/${name}-[\\w-]+\\.js$`);
      let requests = 0;
      await page.route(chunk, (route) => {
        if (requests++ > 0) return route.continue();
        return route.fulfill({
          contentType: 'text/javascript',
          headers: { 'access-control-allow-origin': '*' },
          body: 'export const a = {',
        });
      });
      // The early load would receive the incomplete file, and the click a complete one.
      await chat.load('data-prefetch="false"');
      await chat.launcher.click();
      if (name === 'chat') {
        await expect(chat.launcher).toHaveAccessibleName(/could not be loaded/);
        await chat.launcher.click();
      }
      await alive(chat);
      for (const count of [1, 2]) {
        await chat.botReplies({
          type: 'markdown',
          markdown: `**Bold** ${text}\n\n\`\`\`js\nconst a = ${count};\n\`\`\``,
        });
        await chat.botReplies(card);
        await alive(chat);
      }
      await expect(chat.window.locator('.markdown strong').last()).toHaveText('Bold');
      await expect(chat.window.locator('.card').last()).toContainText('A card');
      if (name === 'highlight') await expect.poll(() => requests).toBe(2);
      chat.consoleErrors = [];
    });
  }
});
