// What the bot gets about the languages and the time zone of the visitor.
import type { Page } from '@playwright/test';
import type { VisitorLocale } from '../../src/protocol/headers/locale.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { ChatPage } from '../support/chat-page.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageIn } from '../support/translated-chat.ts';

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
}, async ({ chat, page, serve, platform }) => {
  await chat.goto(serve('/pt', pageIn(platform.chatUrl, 'lang="pt-br"')));
  await chat.launcher.click();
  const locale = { page: 'pt-BR', chat: 'pt-BR', timeZone };
  await expectReply(page, 0, 'conversation_started', locale);
  await send(page, 'Oi');
  await expectReply(page, 1, 'text', locale);
  await page.evaluate(() => (window.platform as Platform).sendEvent({ a: 1 }));
  await expectReply(page, 2, 'custom', locale);
  // No address has it, and no request was made for it.
  expect(chat.requests.filter((url) => /Paulo|locale/.test(url))).toEqual([]);
});

test('the bot is greeted in the requested language also if the strings arrive later than the chat', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  const release = await holdRequests(page, /\/webchat\/i18n-[\w-]{6}\.js/);
  await chat.goto(serve('/late', pageIn(platform.chatUrl, '', 'data-locale="de-AT"')));
  await chat.launcher.click();
  await expectReply(page, 0, 'conversation_started', { chat: 'de-AT', timeZone });
  release();
  await expect(page.locator('platform-webchat textarea')).toHaveAttribute(
    'placeholder',
    /[^\0-\x7f]|Nachricht/,
  );
  await send(page, 'Hallo');
  await expectReply(page, 1, 'text', { chat: 'de-AT', timeZone });
});

test('without a language of the page the chat has that of the browser', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  await chat.goto(serve('/none', pageIn(platform.chatUrl, '')));
  await chat.launcher.click();
  await expectReply(page, 0, 'conversation_started', { chat: 'fr-CA', timeZone });
});

test('a language that the page changes later reaches the bot with the next message', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  await chat.goto(serve('/live', pageIn(platform.chatUrl, 'lang="en"', 'data-locale="en"')));
  await chat.launcher.click();
  await expectReply(page, 0, 'conversation_started', { page: 'en', chat: 'en', timeZone });
  await page.evaluate(() => {
    document.documentElement.lang = 'de';
  });
  await send(page, 'one');
  await expectReply(page, 1, 'text', { page: 'de', chat: 'en', timeZone });
  await page.evaluate(() => (window.platform as Platform).config({ configuration: { locale: 'ja' } }));
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
  test(`a page whose language is ${name} does not disturb the chat, and the bot gets the rest`, async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    await chat.goto(serve('/hostile', pageIn(platform.chatUrl, '', 'data-locale="en"')));
    await page.evaluate((value) => {
      document.documentElement.lang = value;
    }, lang);
    await chat.launcher.click();
    await expectReply(page, 0, 'conversation_started', { chat: 'en', timeZone });
    await send(page, 'Hello');
    await expectReply(page, 1, 'text', { chat: 'en', timeZone });
  });
}

test('two tabs in different languages: each message has the locale of its tab', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  await chat.goto(serve('/one', pageIn(platform.chatUrl, 'lang="de"')));
  await chat.launcher.click();
  await expectReply(page, 0, 'conversation_started', { page: 'de', chat: 'de', timeZone });
  const otherUrl = serve('/two', pageIn(platform.chatUrl, 'lang="es-MX"'));
  const other = new ChatPage(await page.context().newPage(), otherUrl, platform);
  await other.goto();
  await other.launcher.click();
  await expect(botRows(other.page)).toHaveCount(1);
  await send(other.page, 'Hola');
  await expectReply(page, 1, 'text', { page: 'es-MX', chat: 'es-MX', timeZone });
  await send(page, 'Hallo');
  await expectReply(page, 2, 'text', { page: 'de', chat: 'de', timeZone });
  await expectReply(other.page, 2, 'text', { page: 'de', chat: 'de', timeZone });
  other.expectNoConsoleErrors();
});
