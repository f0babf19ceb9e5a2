// Unusual environments: a page with the global names that the chat uses, and a page without a user gesture.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { alive, scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

test.use(scriptedChat);

test('global names of the page do not prevent the chat from loading', async ({
  chat,
  page,
  site,
  platform,
}) => {
  const body =
    '<form id=platform><input name=init></form><form name=body></form><a id=trustedTypes></a><img name=fetch alt="">';
  const url = site.page(
    '/names',
    pageHtml(`<script src="${platform.chatUrl}/webchat.js"></script>`, { body }),
    {},
  );
  await chat.goto(url);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await alive(chat);
  expect(page.url()).toBe(url);
});

test('without a user gesture no sound is played and nothing is logged', async ({ chat, page }) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (...args) => fetch(...args);
  });
  await chat.startConversation();
  await page.evaluate(() => (window.platform as Platform).close());
  chat.requests.length = 0;
  await page.reload();
  await page.evaluate(() => (window.platform as Platform).config({ configuration: { soundEnabled: true } }));
  await expect.poll(() => chat.requests.filter((url) => /extras-/.test(url)).length).toBeGreaterThan(0);
  await chat.instructBot({ reply: [{ type: 'text', text: 'Are you there?' }] });
  await expect(page.locator('.badge')).toHaveText('1');
  chat.expectNoConsoleErrors();
});
