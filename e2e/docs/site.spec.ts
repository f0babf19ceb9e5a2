// The documentation site in a browser, under the policy of the server: search, theme, menu of phones, live chats. Its states are also
// checked by axe (e2e/accessibility/axe.spec.ts).
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '../support/fixtures.ts';

test('a reader finds a section by its words, with the keyboard @story', async ({ page, platform }) => {
  await page.goto(`${platform.url}/docs/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'A chat for any web page, and the server behind it',
  );
  await page.keyboard.press('/');
  const input = page.getByRole('combobox', { name: 'Search the documentation' });
  await expect(input).toBeFocused();
  await input.fill('retry webhook');
  const best = page.getByRole('option').first();
  await expect(best).toContainText('Bots › Webhook bots › Retries');
  await expect(best.locator('mark').first()).toBeVisible();
  // To the second one and back.
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${platform.url}/docs/guides/bots.html#retries`);
  await expect(page.getByRole('heading', { name: 'Retries' })).toBeInViewport();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('qqqqxyz');
  await expect(page.getByRole('status')).toHaveText('Nothing contains “qqqqxyz”.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the search ignores words without a topic, and ranks pages of the product before those of the code', async ({
  page,
  platform,
}) => {
  await page.goto(`${platform.url}/docs/`);
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('color of the launcher');
  const best = page.getByRole('option').first();
  await expect(best).toContainText('Configuration › Fields › Looks');
  await expect(best).toContainText('Site owners');
  await expect(page.locator('mark', { hasText: /^(?:of|the)$/i })).toHaveCount(0);
  // Where only the code has the words, its pages are found.
  await page.getByRole('combobox').fill('advisory lock');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.getByRole('combobox').fill('createMessage');
  await expect(page.getByRole('option').filter({ hasText: 'API reference › Chat API' })).toBeVisible();
});

test('the theme follows the system until the reader chooses; the choice holds on the next page', async ({
  page,
  platform,
}) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${platform.url}/docs/guides/bots.html`);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  expect(dark).not.toBe(light);
  const button = page.getByRole('button', { name: 'Dark mode' });
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  expect(await ground()).toBe(light);
  await page.getByRole('link', { name: 'Messages', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  expect(await ground()).toBe(light);
});

test('on a phone the sidebar is a menu, which the keyboard opens and Escape closes', async ({
  page,
  platform,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${platform.url}/docs/guides/self-hosting.html`);
  const menu = page.getByRole('button', { name: 'Menu' });
  const sidebar = page.getByRole('navigation', { name: 'Documentation' });
  await expect(sidebar).toBeHidden();
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(sidebar).toBeVisible();
  await expect(sidebar.getByRole('link', { name: 'Self-hosting' })).toBeFocused();
  // The text below the menu cannot be reached.
  await expect(page.locator('main')).toHaveAttribute('inert');
  await page.keyboard.press('Escape');
  await expect(sidebar).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.click();
  await sidebar.getByText('Bot authors').click();
  await sidebar.getByRole('link', { name: 'Bots', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bots' })).toBeVisible();
  // Nothing is wider than the screen.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('a field of the configuration opens one live chat, which shows it, and which answers @story', async ({
  page,
  platform,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${platform.url}/docs/reference/configuration.html`);
  // Nothing of the chat is loaded before the reader wants it.
  expect(requests.filter((url) => /webchat\.js|frame\.js|panel/.test(url))).toEqual([]);
  const button = page.getByRole('button', { name: 'Try botName' });
  await button.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Live chat' });
  await expect(panel.getByRole('heading', { name: 'Try botName' })).toBeFocused();
  const chat = panel.frameLocator('iframe');
  await expect(chat.getByRole('heading', { name: 'Ada' })).toBeVisible();
  await expect(chat.getByText('Hello! This is a live chat. Write something.', { exact: true })).toBeVisible();
  // The chat has not taken the focus from the reader.
  await expect(panel.getByRole('heading', { name: 'Try botName' })).toBeFocused();

  await panel.getByLabel('botName', { exact: true }).fill('Grace');
  await expect(chat.getByRole('heading', { name: 'Grace' })).toBeVisible();
  await expect(panel.getByText('data-bot-name="Grace"')).toBeVisible();
  await chat.getByRole('textbox', { name: 'Message' }).fill('Good morning');
  await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect(chat.getByText('You wrote “Good morning”.', { exact: true })).toBeVisible();

  // The chat has the mode of the page, also after a change.
  const ground = () =>
    chat.locator('html').evaluate((root) => getComputedStyle(root.ownerDocument.body).backgroundColor);
  const header = () => chat.locator('[part~="header"]').evaluate((part) => getComputedStyle(part).color);
  const [before, words] = [await ground(), await header()];
  await page.getByRole('button', { name: 'Dark mode' }).click();
  await expect.poll(ground).not.toBe(before);
  await expect.poll(header).not.toBe(words);

  // Another field replaces it.
  await page.getByRole('button', { name: 'Try footer' }).click();
  await expect(page.locator('iframe')).toHaveCount(1);
  await expect(chat.getByText('By writing you accept our terms.')).toBeVisible();
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Try footer' })).toBeFocused();
  // No server has seen it.
  expect(requests.filter((url) => /\/chat\/|mock\.test/.test(url))).toEqual([]);
});

test('the live chats of the fields show the effect that the reference describes', async ({
  page,
  platform,
}) => {
  await page.goto(`${platform.url}/docs/reference/configuration.html`);
  const panel = page.getByRole('complementary', { name: 'Live chat' });
  const chat = panel.frameLocator('iframe');
  const part = (name: string) => chat.locator(`[part~="${name}"]`).first();
  const styleOf = (name: string, property: string) =>
    part(name).evaluate((element, wanted) => getComputedStyle(element).getPropertyValue(wanted), property);
  const open = async (name: string) => {
    await page.getByRole('button', { name: `Try ${name}`, exact: true }).click();
    await expect(panel.getByRole('heading', { name: `Try ${name}`, exact: true })).toBeVisible();
  };
  const text = (words: string | RegExp) => chat.getByText(words);
  const shown: [string, () => Promise<void>][] = [
    ['botDescription', () => expect(text('Answers within a minute')).toBeVisible()],
    ['composerPlaceholder', () => expect(chat.getByPlaceholder('Ask about your order …')).toBeVisible()],
    ['strings', () => expect(chat.getByPlaceholder('Say hello …')).toBeVisible()],
    ['aiNotice', () => expect(text('You are chatting with an AI assistant.')).toBeVisible()],
    ['starters', () => expect(chat.getByRole('button', { name: 'Where is my order?' })).toBeVisible()],
    ['home', () => expect(chat.getByRole('link', { name: 'Opening hours' })).toBeVisible()],
    ['preChatForm', () => expect(chat.getByRole('button', { name: 'Start the chat' })).toBeVisible()],
    ['proactiveMessage', () => expect(text('Questions? We are here.')).toBeVisible()],
    ['locale', () => expect(chat.getByPlaceholder('Nachricht schreiben')).toBeVisible()],
    ['feedbackEnabled', () => expect(chat.getByRole('button', { name: 'Good answer' })).toBeVisible()],
    ['emojiPicker', () => expect(chat.getByRole('button', { name: 'Emoji' })).toBeVisible()],
    ['color', () => expect.poll(() => styleOf('avatar', 'background-color')).toBe('rgb(123, 45, 142)')],
    ['textSize', () => expect.poll(() => styleOf('bubble', 'font-size')).toBe('18px')],
    ['additionalStylesheet', () => expect.poll(() => styleOf('window', 'border-top-style')).toBe('dashed')],
    [
      'additionalStylesheetUrl',
      () => expect.poll(() => styleOf('window', 'border-top-style')).toBe('dashed'),
    ],
    ['launcher', () => expect(chat.getByRole('button', { name: 'Open the chat' })).toBeVisible()],
    ['position', () => expect.poll(async () => (await part('launcher').boundingBox())?.x).toBeLessThan(1100)],
    ['remoteImages', () => expect(chat.getByRole('button', { name: 'Show picture from' })).toBeVisible()],
  ];
  for (const [name, expectation] of shown) await test.step(name, () => open(name).then(expectation));
});

test('a payload opens one live chat, in which it can be changed and sent', async ({ page, platform }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${platform.url}/docs/reference/messages.html`);
  await page.getByRole('button', { name: 'Try location' }).click();
  const panel = page.getByRole('complementary', { name: 'Live chat' });
  const chat = panel.frameLocator('iframe');
  await expect(chat.getByRole('link', { name: /Zytglogge/ })).toBeVisible();
  await panel
    .getByLabel('Payload')
    .fill('{"type": "choice", "text": "Tea?", "options": [{"label": "Yes", "value": "y"}]}');
  await panel.getByRole('button', { name: 'Send as the bot' }).click();
  await expect(chat.getByRole('button', { name: 'Yes' })).toBeVisible();
  await panel.getByLabel('Payload').fill('{');
  await panel.getByRole('button', { name: 'Send as the bot' }).click();
  await expect(panel.getByRole('alert')).toContainText('This cannot be sent:');
});

test('the picture of the start page becomes a chat that answers', async ({ page, platform }) => {
  await page.goto(`${platform.url}/docs/`);
  await page.getByRole('button', { name: 'Chat with it' }).click();
  const chat = page.frameLocator('iframe');
  await chat.getByRole('button', { name: 'carousel' }).click();
  await expect(chat.getByText('For up to ten people')).toBeVisible();
  await chat.getByRole('textbox', { name: 'Message' }).fill('How does this work?');
  await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect(chat.getByText('nothing that you write leaves the page')).toBeVisible();
});

test('a block of code is copied with its button', async ({ page, platform, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${platform.url}/docs/guides/bots.html`);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^export default async \(event, bot\) => \{/,
  );
});

test('an address without a page answers with one that leads on', async ({ platform }) => {
  const response = await fetch(`${platform.url}/docs/guides/nothing`, { headers: { accept: 'text/html' } });
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining('There is no page at this address'),
  ]);
});

test('the published folder works below a path of a static host, under the same policy', async ({
  page,
  platform,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'published-docs-'));
  await promisify(execFile)(process.execPath, ['scripts/docs.mjs', '--publish', folder, '--base', '/repo/']);
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  };
  const host = createServer((request, response) => {
    const path = (request.url ?? '').replace(/[?#].*/, '').replace(/\/$/, '/index.html');
    try {
      if (!path.startsWith('/repo/')) throw new Error('Not below the path.');
      const bytes = readFileSync(join(folder, path.slice('/repo/'.length)));
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(bytes);
    } catch {
      response.writeHead(404, { 'content-type': 'text/html' }).end(readFileSync(join(folder, '404.html')));
    }
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const base = `http://127.0.0.1:${(host.address() as AddressInfo).port}/repo/`;
  try {
    await page.goto(base);
    await expect(page).toHaveURL(`${base}docs/`);
    await page.getByRole('button', { name: 'Chat with it' }).click();
    await page.frameLocator('iframe').getByRole('textbox', { name: 'Message' }).fill('Good morning');
    await page.keyboard.press('Enter');
    await expect(
      page.frameLocator('iframe').getByText('You wrote “Good morning”.', { exact: true }),
    ).toBeVisible();
    await page.keyboard.press('Escape');

    const sent = (await fetch(`${platform.url}/docs/`)).headers.get('content-security-policy');
    const written = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    expect(written).toBe(sent?.replace(" frame-ancestors 'self';", ''));

    await page.getByRole('banner').getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('main').getByRole('link', { name: 'createMessage', exact: true }).click();
    await expect(page).toHaveURL(`${base}v1/docs/#createMessage`);
    await expect(page.getByText('/chat/{webhookId}/messages', { exact: true }).first()).toBeVisible();

    const missing = await (await fetch(`${base}docs/none/here`)).text();
    for (const [, address = ''] of missing.matchAll(
      /(?:href|src)="(\/repo\/docs\/[^"#]+\.(?:css|js|html))"/g,
    ))
      expect([address, (await fetch(new URL(address, base))).status]).toEqual([address, 200]);
    expect(missing).toContain('href="/repo/docs/index.html"');
  } finally {
    host.close();
    rmSync(folder, { recursive: true });
  }
});
