// Changes of the configuration while the chat is open, by the page and by the bot.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { alive, injectSignals, scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { watch } from '../support/hostile/canary.ts';

test.use(scriptedChat);

test('configuration changes apply at once to the displayed messages', async ({ chat, page }) => {
  await chat.startConversation();
  const row = await chat.botReplies({
    type: 'markdown',
    markdown: 'A word ![A plan](https://example.com/plan.png)',
  });
  const config = (configuration: object) =>
    page.evaluate((fields) => (window.platform as Platform).config({ configuration: fields }), configuration);
  await row.hover();
  await expect(row.getByRole('button', { name: /^Good answer/ })).toHaveCount(1);
  await config({ feedbackEnabled: false });
  await expect(row.getByRole('button', { name: /^Good answer/ })).toHaveCount(0);
  await config({ feedbackEnabled: true, botName: 'Another' });
  await expect(row.getByRole('button', { name: /^Good answer/ })).toHaveCount(1);
  await expect(row.locator('.visually-hidden').first()).toHaveText('Another: ');
  await page.route('https://example.com/**', (route) => route.abort());
  await config({ remoteImages: 'all' });
  // The page's policy blocks the download; the test checks the attempt.
  await expect.poll(() => page.evaluate(() => window.seen.violations.splice(0).length)).toBeGreaterThan(0);
  await config({ remoteImages: 'click' });
  await expect(row.locator('.bubble').getByRole('button', { name: /example\.com/ })).toBeVisible();
  // The picture may have been asked for more than once.
  await page.evaluate(() => window.seen.violations.splice(0));
  chat.consoleErrors = [];
});

test('invalid values that the bot configures are ignored, and credentials are never accepted', async ({
  chat,
  page,
}) => {
  await watch(chat);
  await chat.startConversation();
  const config = {
    botName: 5,
    color: 'red; background: url(http://canary.invalid)',
    radius: '1e9',
    fontFamily: 'x";}*{display:none}',
    botAvatar: 'javascript:pwned()',
    fabImage: 'data:image/svg+xml,<svg/>',
    additionalStylesheetUrl: 'data:text/css,*{display:none}',
    remoteImages: 'ALL',
    storageLocation: 'cookie',
    adminKey: 'secret-admin-key',
    footer: 5,
    botDescription: 'y'.repeat(100_000),
    constructor: 1,
  };
  for (const one of [config, null, 5, 'x', [], [config]]) {
    await injectSignals(chat, { type: 'webchat_config', data: { conversationId: 'x', config: one } });
  }
  for (const visibility of ['SHOW', '', null, {}, ['hide'], 5, 'toggle', 'toggle']) {
    await injectSignals(chat, { type: 'webchat_visibility', data: { visibility } });
  }
  await expect(chat.window).toBeVisible();
  await expect(chat.window.locator('h2')).toHaveText('Bot');
  await expect(chat.input).toBeInViewport();
  await alive(chat);
  expect(JSON.stringify(await chat.storedSession())).not.toContain('secret-admin-key');
  // Values are explained when the browser is idle: no more of that comes from a page that was left.
  await page.goto('about:blank');
  expect(chat.consoleErrors.splice(0).every((line) => line.startsWith('[platform] Configuration'))).toBe(
    true,
  );
});
