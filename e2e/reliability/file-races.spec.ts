// Race conditions and extremes of files: unusual names, retries, cancelled uploads, dropped folders.
import { Buffer } from 'node:buffer';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alive, cors, scriptedChat } from '../support/bots/scripted-chat.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use(scriptedChat);

const file = (name: string, content = 'some bytes') => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});
const tray = (chat: ChatPage) =>
  chat.window.getByRole('list', { name: 'Files to send' }).getByRole('listitem');
const picker = (chat: ChatPage) => chat.window.locator('input[type=file]');

test.describe('files', () => {
  test('files with very long and unusual names are uploaded', async ({ chat }) => {
    await chat.startConversation();
    const names = [`${'n'.repeat(251)}.txt`, 'a/b\\c:d*e?f"g<h>i|.txt', '..', 'пример \u202etxt.exe', ' '];
    await picker(chat).setInputFiles(names.map((name) => file(name)));
    await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(names.length);
    await expect(chat.window.locator('.attachment [role=alert]')).toHaveText([]);
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    await expect(chat.botRows.last()).toContainText('received bloc');
  });

  test('retrying failed uploads does not exceed the number of files per message', async ({ chat, page }) => {
    await chat.startConversation();
    await page.route(/\/files$/, (route) => route.fulfill({ status: 500, json: {}, headers: cors }));
    const eight = Array.from({ length: 8 }, (_, i) => file(`${i}.txt`));
    await picker(chat).setInputFiles(eight);
    await expect(chat.window.locator('.attachment[data-status="failed"]')).toHaveCount(8);
    await page.unroute(/\/files$/);
    await picker(chat).setInputFiles(eight);
    await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(8);
    await chat.window.getByRole('button', { name: 'Try 0.txt again' }).click();
    await expect(tray(chat).filter({ hasText: 'At most 8 files' })).toHaveCount(1);
    await expect(chat.window.locator('.attachment[data-status="uploading"]')).toHaveCount(0);
    await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(8);
    chat.ignoreConsoleErrors(/500/);
  });

  test('a dropped folder is refused with a message, and dragged text stays text', async ({ chat, page }) => {
    await chat.startConversation();
    const folder = await mkdtemp(join(tmpdir(), 'platform-folder-'));
    const { x = 0, y = 0 } = (await chat.window.boundingBox()) ?? {};
    const cdp = await page.context().newCDPSession(page);
    const drag = async (data: object) => {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await cdp.send('Input.dispatchDragEvent', {
          type,
          x: x + 200,
          y: y + 300,
          data: { items: [], dragOperationsMask: 1, ...data },
        });
      }
    };
    await drag({ files: [folder] });
    await expect(tray(chat)).toHaveCount(1);
    await expect(tray(chat).getByRole('alert')).toBeVisible({ timeout: 30_000 });
    await tray(chat).getByRole('button').last().click();
    await drag({ items: [{ mimeType: 'text/plain', data: 'words' }] });
    await expect(tray(chat)).toHaveCount(0);
    await alive(chat);
    await rm(folder, { recursive: true });
    chat.consoleErrors = [];
  });
});
