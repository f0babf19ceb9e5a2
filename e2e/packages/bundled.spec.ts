// The entry `@platform-webchat/widget/bundled`: the whole widget as a part of the site's own program.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';
import { bundleSite, sitePage } from '../support/site-project.ts';

/** The page of an application in a store: its own script, and its server for data. No file of the chat. */
test.use({
  csp: "default-src 'none'; script-src 'nonce-n0nce'; style-src 'none'; connect-src PLATFORM; img-src PLATFORM; media-src PLATFORM; require-trusted-types-for 'script'; trusted-types platform-webchat",
});

let code = '';
test.beforeAll(async () => {
  code = await bundleSite({
    'main.js': `
import '@platform-webchat/widget/bundled';
import { createWebchatStore, loadWebchat } from '@platform-webchat/widget';
const options = { chatUrl: window.chatUrl, configuration: { locale: 'de', botName: 'Ada' } };
window.bundledSite = { start: () => createWebchatStore(options).acquire(), load: () => loadWebchat({ src: window.chatUrl + '/webchat.js' }) };`,
  });
});

declare global {
  interface Window {
    bundledSite: { start(): void; load(): Promise<Platform> };
  }
}

const start = async (page: Page, address: string) => {
  await page.goto(address);
  await page.evaluate(() => window.bundledSite.start());
};

test('the bundled widget opens, speaks another language and formats Markdown without requesting a file', {
  tag: '@story',
}, async ({ page, serve, platform, chat }) => {
  const address = `window.chatUrl = ${JSON.stringify(platform.chatUrl)};\n`;
  await start(page, serve('/bundled', sitePage(address + code), undefined));
  await page.getByRole('button', { name: 'Chat öffnen' }).click();
  const answers = page.locator('.row[data-side="bot"][data-status]');
  await expect(answers.first()).toContainText('I am the demo bot');
  await page.locator('.box-input').fill('markdown');
  await page.keyboard.press('Enter');
  await expect(answers.nth(1).getByRole('table')).toBeVisible();
  await expect(answers.nth(1).locator('code').first()).toBeVisible();
  const files = chat.requests.filter((url) => /\.(js|css|woff2)(\?|$)/.test(url));
  expect(files).toEqual([]);
  expect(await page.locator('script[src]').count()).toBe(0);
  expect(await page.evaluate(() => (window.platform as Platform).instances.length)).toBe(1);
  expect(chat.consoleErrors).toEqual([]);
});

test('doctor() of the bundled widget finds nothing on a page without files of the chat', async ({
  page,
  serve,
  platform,
}) => {
  const address = `window.chatUrl = ${JSON.stringify(platform.chatUrl)};\n`;
  await start(page, serve('/bundled-doctor', sitePage(address + code), undefined));
  await expect(page.locator('.launcher')).toBeVisible();
  const { findings } = await page.evaluate(() => (window.platform as Platform).doctor());
  expect(findings).toEqual([]);
});

test('functions that the page has queued run, loadWebchat() uses the bundled widget, and a script tag after it starts nothing', async ({
  page,
  serve,
  platform,
  chat,
}) => {
  const before = `window.chatUrl = ${JSON.stringify(platform.chatUrl)};
    window.platform = [(api) => { window.queued = api.version; }];\n`;
  const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js"></script>`;
  const html = sitePage(before + code).replace(/(?=<\/body><\/html>$)/, tag);
  await page.goto(serve('/bundled-twice', html, undefined));
  const versions = await page.evaluate(async () => {
    const { version } = await window.bundledSite.load();
    return [version, (window as unknown as { queued: string }).queued];
  });
  expect(versions[0]).toBe(JSON.parse(await readFile('package.json', 'utf8')).version);
  expect(versions[1]).toBe(versions[0]);
  await expect(page.locator('.launcher')).toHaveCount(0);
  expect(chat.consoleErrors).toEqual(['[platform] webchat.js is here twice.']);
  chat.consoleErrors = [];
});
