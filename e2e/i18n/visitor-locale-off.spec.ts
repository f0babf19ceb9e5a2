// The setting VISITOR_LOCALE=off: the browser sends nothing about languages and time zone.
import { expect, test } from '../support/fixtures.ts';

test.use({ env: { BOT: 'e2e/support/bots/locale-bot.js', VISITOR_LOCALE: 'off' } });

test('with VISITOR_LOCALE=off the browser sends no locale, and the bot gets none', async ({ chat, page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(...Object.keys(request.headers())));
  await chat.open();
  await expect(chat.botRows).toHaveText([/conversation_started null/]);
  await chat.send('Hello');
  await expect(chat.botRows.nth(1)).toContainText('text null');
  expect(sent).toContain('x-user-key');
  expect(sent).not.toContain('x-visitor-locale');
});
