// The sound of a message: once for each message, in one tab, and not after the visitor has switched it off.
import type { Page } from '@playwright/test';
import { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import { type NotePlayer, recordNotes } from '../support/sound-recorder.ts';
import { openTab } from '../support/tabs.ts';

/** A host name over HTTP that is not a loopback name: its pages are not secure contexts (playwright.config.ts). */
const insecureHost = 'chat.example';

test.use({ env: scriptedBot });

/** Waits until the next sound would be played: sounds at the same time are combined, and the audio clock starts late on a busy machine. */
const endOfNotes = (page: Page) =>
  page.waitForFunction(() => {
    const { audio, lastNoteAt } = window as unknown as Partial<NotePlayer>;
    return !audio || audio.currentTime > (lastNoteAt ?? 0) + 0.2;
  });

test.describe('sound', () => {
  test.use({ attributes: 'data-sound-enabled' });

  test('each message of the bot plays the sound once until the visitor switches it off', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await recordNotes(page);
    const notes = async () => (await chat.events()).filter(({ type }) => type === 'note').length;
    await chat.startConversation();
    // Messages that arrive before the extras have loaded are silent.
    await expect(chat.botRows.first().locator('.acts')).toBeAttached();
    await chat.botReplies({ type: 'text', text: 'Ping' });
    await expect.poll(notes).toBeGreaterThan(0);
    await endOfNotes(page);
    const each = await notes();
    await chat.botReplies({ type: 'text', text: 'Pong' });
    await expect.poll(notes).toBe(each + 2);
    await chat.choose('Turn sound off');
    await page.keyboard.press('Escape');
    await chat.botReplies({ type: 'text', text: 'Silence' });
    expect(await notes()).toBe(each + 2);
    await chat.reopen();
    await expect(chat.botRows).toHaveCount(4);
    await chat.botReplies({ type: 'text', text: 'Still silence' });
    expect(await notes()).toBe(0);
    await chat.window.getByRole('button', { name: 'More' }).click();
    await expect(chat.window.getByRole('menuitem', { name: 'Turn sound on' })).toBeVisible();
  });

  test('without TLS one of two windows plays each sound', async ({ page, context, platform, serve }) => {
    const insecure = (address: string) => address.replace('127.0.0.1', insecureHost);
    const origin = insecure(platform.url);
    const script = `<script nonce="n0nce" src="${insecure(platform.chatUrl)}/webchat.js" data-sound-enabled async></script>`;
    const url = insecure(
      serve('/insecure', pageHtml(script), { 'content-security-policy': strictCsp(origin) }),
    );
    await recordNotes(context);
    await context.clock.install();
    const chat = new ChatPage(page, url, platform);
    await chat.startConversation();
    expect(await page.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false]);
    const second = await openTab(chat);
    await second.launcher.click();
    await expect(second.botRows).toHaveCount(1);
    const tabs = [chat, second];
    // Messages that arrive before the extras have loaded are silent.
    for (const tab of tabs) await expect(tab.botRows.first().locator('.acts')).toBeAttached();
    const count = async (tab: ChatPage, type: string) =>
      (await tab.events()).filter((event) => event.type === type).length;
    const notes = async () => (await count(chat, 'note')) + (await count(second, 'note'));
    for (let replies = 1; replies <= 3; replies++) {
      for (const tab of tabs) await endOfNotes(tab.page);
      const before = await notes();
      await chat.send(JSON.stringify({ reply: [{ type: 'text', text: `Ping ${replies}` }] }));
      await expect(second.botRows).toHaveCount(1 + replies);
      await expect.poll(notes).toBe(before + 2);
      // Both would have played by now.
      for (const tab of tabs) await tab.page.clock.runFor(2_000);
      expect(await notes()).toBe(before + 2);
    }
    for (const tab of tabs) expect(tab.consoleErrors).toEqual([]);
  });
});
