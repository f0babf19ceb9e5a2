// Unusual environments: a page with the global names that the chat uses, and a page without a user gesture.
import { scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';

test.use(scriptedChat);

test('without a user gesture no sound is played and nothing is logged', async ({ chat, page }) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (...args) => fetch(...args);
  });
  await chat.startConversation();
  await chat.call('close');
  chat.requests.length = 0;
  await page.reload();
  await chat.configure({ soundEnabled: true });
  await expect.poll(() => chat.requests.filter((url) => /extras-/.test(url)).length).toBeGreaterThan(0);
  await chat.instructBot({ reply: [{ type: 'text', text: 'Are you there?' }] });
  await expect(page.locator('.badge')).toHaveText('1');
  chat.expectNoConsoleErrors();
});
