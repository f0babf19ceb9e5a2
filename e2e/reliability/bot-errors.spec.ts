// Display of errors of a bot: in development its error and stack, in production only the usual notice.
import type { Browser } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import { startPlatform } from '../support/server.ts';

const bot = { BOT: 'e2e/support/bots/failing-bot.js' };
const notice = 'Sorry, no answer came.';
/** Log of the server, which arrives through a pipe. */
const logged = /"eventType":"text".*RangeError.*failing-bot\.js:8:11.*"msg":"bot failed"/;

/** Opens a page with the chat of a server, sends "fail", and returns everything that the server sent. */
async function failing(env: Record<string, string>, browser: Browser, serve: Serve) {
  const log: string[] = [];
  const platform = await startPlatform({ ...bot, ...env }, { onLog: (text) => log.push(text) });
  const html = pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" async></script>`);
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  const chat = new ChatPage(
    page,
    serve(`/bot-errors-${platform.pid}`, html, {
      'content-security-policy': strictCsp(platform.url),
    }),
    platform,
  );
  await chat.goto();
  await chat.launcher.click();
  await chat.send('fail now');
  await expect(chat.rows.filter({ hasText: notice })).toHaveCount(1);
  return { platform, chat, page, log };
}
type Serve = (path: string, html: string, headers?: Record<string, string>) => string;

test('development: the window shows the error and its stack in a block that can be focused and copied', async ({
  browser,
  serve,
}) => {
  const { platform, chat, page, log } = await failing({ DEV_ERRORS: 'on' }, browser, serve);
  const block = chat.window.getByRole('group', { name: 'text', exact: true });
  await expect(block).toContainText('RangeError: The stock has no item 7');
  await expect(block).toContainText('failing-bot.js:8:11');
  await expect(block).toContainText('Caused by: Error: secret-of-the-shop');
  await expect(chat.window).toContainText('Only a server in development shows this.');
  await expect(block).not.toContainText('processQueue');
  await expect(block).toHaveAttribute('tabindex', '0');
  expect(await violations(page)).toEqual([]);
  // The next message is answered, and the log has the error too.
  await chat.exchange('hello');
  await expect.poll(() => log.join('')).toMatch(logged);
  chat.expectNoConsoleErrors();
  await page.close();
  await platform.dispose();
});

test('production: neither the page nor any response of the server contains anything of the error', async ({
  browser,
  serve,
}) => {
  const { platform, chat, page, log } = await failing({}, browser, serve);
  await chat.exchange('hello');
  await expect(chat.rows.filter({ hasText: notice })).toHaveCount(1);
  const shown = await chat.window.innerText();
  const stored = JSON.stringify(await chat.serverMessages());
  for (const text of [shown, stored]) {
    expect(text).toContain(notice);
    expect(text).not.toMatch(/RangeError|stock|failing-bot|secret-of-the-shop|development/);
  }
  await expect.poll(() => log.join('')).toMatch(logged);
  await page.close();
  await platform.dispose();
});
