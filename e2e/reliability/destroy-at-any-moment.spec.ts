// Destroy at every moment, for example while an answer streams or a dialog is open, leaves nothing behind.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { alive, scriptedChat } from '../support/bots/scripted-chat.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, test } from '../support/fixtures.ts';

test.use(scriptedChat);

test.describe('destroy', () => {
  /**
   * Some functions return another one that ends the situation, which is called after the chat was initialized again.
   */
  const moments: [string, (chat: ChatPage) => Promise<unknown>][] = [
    ['while the chat loads', (chat) => chat.call('open')],
    [
      'while an answer streams',
      async (chat) => {
        await chat.startConversation();
        const gate = await startRequestGate();
        await chat.instructBot({ stream: ['**word** ', { until: gate.url, text: '**word** ' }] });
        await expect(chat.botRows.nth(1)).toContainText('word');
        return gate.open;
      },
    ],
    [
      'while a message is sent',
      async (chat) => {
        await chat.startConversation();
        await chat.page.route(/\/messages$/, () => {});
        await chat.send('Never');
      },
    ],
    [
      'with an open menu and a running download',
      async (chat) => {
        await chat.startConversation();
        await chat.page.route(/\/messages$/, () => {});
        await chat.window.getByRole('button', { name: 'More' }).click();
        await chat.window.getByRole('menuitem', { name: 'Download conversation' }).click();
      },
    ],
    [
      'while a dialog is open',
      async (chat) => {
        await chat.startConversation();
        await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
        await expect(chat.window.getByRole('alertdialog')).toBeVisible();
      },
    ],
    [
      'while feedback is explained',
      async (chat) => {
        await chat.startConversation();
        await chat.page.route(/\/feedback$/, () => {});
        await chat.botRows.first().hover();
        await chat.botRows.first().getByRole('button', { name: /^Bad/ }).click();
        await chat.botRows.first().getByRole('button', { name: /^Copy/ }).click();
      },
    ],
    [
      'while a new conversation starts',
      async (chat) => {
        await chat.startConversation();
        await chat.page.evaluate(
          () => void (window.platform as Platform).restartConversation().catch(() => {}),
        );
      },
    ],
  ];
  for (const [when, reach] of moments) {
    test(`destroy ${when} leaves nothing behind, and the chat can be started again`, async ({
      chat,
      page,
    }) => {
      await chat.goto();
      await page.evaluate(() => {
        window.addEventListener('unhandledrejection', (event) =>
          window.seen.violations.push(String(event.reason)),
        );
      });
      const end = await reach(chat);
      await page.evaluate(() => {
        const { platform } = window as { platform?: Platform };
        Object.assign(window, { kept: platform });
        platform?.destroy();
      });
      await expect(page.locator('platform-webchat')).toHaveCount(0);
      await page.unroute(/\/messages$/);
      await page.evaluate(() => (window as unknown as { kept: Platform }).kept.init());
      await chat.launcher.click();
      if (typeof end === 'function') end();
      await alive(chat);
    });
  }
});
