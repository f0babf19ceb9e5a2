// Languages and time zone of the visitor, as the bot gets them.
import type { Page } from '@playwright/test';
import type { VisitorLocale } from '../../src/protocol/headers.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect } from '../support/fixtures.ts';
import { test } from '../support/translated-chat.ts';

test.use({
  env: { BOT: 'e2e/support/bots/locale-bot.js' },
  locale: 'fr-CA',
  timezoneId: 'America/Sao_Paulo',
});

const timeZone = 'America/Sao_Paulo';

const botRows = (page: Page) => page.locator('.row[data-side="bot"][data-status]');
const send = async (page: Page, text: string) => {
  const input = page.locator('platform-webchat textarea');
  await input.fill(text);
  await input.press('Enter');
};
/** Expects the next reply of the bot, and that it has got this locale. */
const expectReply = (page: Page, index: number, type: string, locale: VisitorLocale | null) =>
  expect(botRows(page).nth(index).locator('.text')).toHaveText(`${type} ${JSON.stringify(locale)}`);

test('the bot gets the page language, the chat language and the time zone with the first event and with messages', {
  tag: '@story',
}, async ({ chat, page, serveIn }) => {
  await chat.open(serveIn('lang="pt-br"'));
  const locale = { page: 'pt-BR', chat: 'pt-BR', timeZone };
  await expectReply(page, 0, 'conversation_started', locale);
  await send(page, 'Oi');
  await expectReply(page, 1, 'text', locale);
  await page.evaluate(() => (window.platform as Platform).sendEvent({ a: 1 }));
  await expectReply(page, 2, 'custom', locale);
  // No address has it, and no request was made for it.
  expect(chat.requests.filter((url) => /Paulo|locale/.test(url))).toEqual([]);
});

test('the bot gets the requested language before its strings load', async ({ chat, page, serveIn }) => {
  const release = await holdRequests(page, /\/webchat\/i18n-[\w-]{6}\.js/);
  await chat.open(serveIn('', 'data-locale="de-AT"'));
  await expectReply(page, 0, 'conversation_started', { chat: 'de-AT', timeZone });
  release();
  await expect(page.locator('platform-webchat textarea')).toHaveAttribute(
    'placeholder',
    /[^\0-\x7f]|Nachricht/,
  );
  await send(page, 'Hallo');
  await expectReply(page, 1, 'text', { chat: 'de-AT', timeZone });
});

test('a changed language reaches the bot with the next message', async ({ chat, page, serveIn }) => {
  await chat.open(serveIn('lang="en"', 'data-locale="en"'));
  await expectReply(page, 0, 'conversation_started', { page: 'en', chat: 'en', timeZone });
  await page.evaluate(() => {
    document.documentElement.lang = 'de';
  });
  await send(page, 'one');
  await expectReply(page, 1, 'text', { page: 'de', chat: 'en', timeZone });
  await chat.configure({ locale: 'ja' });
  await expect(page.locator('platform-webchat [part="box"]')).toHaveAttribute('lang', 'ja');
  await send(page, 'two');
  await expectReply(page, 2, 'text', { page: 'de', chat: 'ja', timeZone });
});

for (const [name, lang] of [
  ['an invalid tag', 'pt_BR<script>'],
  ['characters outside of ASCII', '日本語 \u{1f600}'],
  ['a line break', 'de\r\nx-user-key: stolen'],
  ['100,000 characters', 'x'.repeat(100_000)],
] as const) {
  test(`a page whose language is ${name} does not disturb the chat`, async ({ chat, page, serveIn }) => {
    await chat.goto(serveIn('', 'data-locale="en"'));
    await page.evaluate((value) => {
      document.documentElement.lang = value;
    }, lang);
    await chat.launcher.click();
    await expectReply(page, 0, 'conversation_started', { chat: 'en', timeZone });
    await send(page, 'Hello');
    await expectReply(page, 1, 'text', { chat: 'en', timeZone });
  });
}
