// Runs the examples of the recipes for tag managers, content management systems, WebViews and consent banners, as they are written.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { findProgram } from '../../scripts/browser.mjs';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

const exampleUrl = 'https://chat.example.com/chat/support';

/** The blocks of one language of a recipe, with the address of the test's chat. */
async function blocksOf(recipe: string, language: string, chatUrl: string): Promise<string[]> {
  const text = await readFile(`docs/guides/recipes/${recipe}.md`, 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  return blocks.map(([, code = '']) => code.replaceAll(exampleUrl, chatUrl));
}

const pageWith = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title></head><body><h1>A shop</h1>${body}</body></html>`;
const launcher = (page: Page) => page.locator('.launcher');
const records = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('platform-webchat:')));

/** Inserts HTML as a tag manager does: scripts are created again, so that the browser runs them. */
const insertTag = (page: Page, html: string) =>
  page.evaluate((text) => {
    const box = document.createElement('div');
    box.innerHTML = text;
    for (const inert of box.querySelectorAll('script')) {
      const script = document.createElement('script');
      script.text = inert.text;
      inert.replaceWith(script);
    }
    document.body.append(box);
  }, html);

test('tag managers: the tag, inserted late and several times, starts one chat without a warning', async ({
  page,
  serve,
  platform,
  chat,
}) => {
  const [tag = ''] = await blocksOf('tag-managers', 'html', platform.chatUrl);
  await page.goto(serve('/tags', pageWith(''), {}));
  await insertTag(page, tag);
  await insertTag(page, tag);
  await expect(launcher(page)).toBeVisible();
  await insertTag(page, tag);
  await launcher(page).click();
  await chat.exchange('Hello');
  // At the end: a second script or chat would have had the time to load.
  expect(chat.requests.filter((url) => url.endsWith('webchat.js'))).toHaveLength(1);
  await expect(launcher(page)).toHaveCount(1);
});

test('some pages: the launcher is drawn only where the chat is offered, also after a change of the address', async ({
  page,
  serve,
  platform,
}) => {
  const [script = ''] = await blocksOf('some-pages', 'html', platform.chatUrl);
  const shop = serve('/shop', pageWith(script), {});
  await page.goto(shop);
  await expect(launcher(page)).toBeVisible();
  await page.evaluate(() => history.pushState(null, '', '/checkout/2'));
  await expect(launcher(page)).toBeHidden();
  await page.evaluate(() => history.back());
  await expect(launcher(page)).toBeVisible();

  await page.addInitScript(() => {
    const seen = () => {
      const button = document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.launcher');
      if (button?.checkVisibility()) document.title = 'The launcher was drawn';
      requestAnimationFrame(seen);
    };
    seen();
  });
  await page.goto(serve('/checkout', pageWith(script), {}));
  await page.waitForFunction(() => (window as { platform?: Platform }).platform?.open !== undefined);
  await page.evaluate(() => (window as { platform?: Platform }).platform?.open());
  await expect(page.getByRole('dialog')).toContainText('I am the demo bot');
  expect(await page.title()).toBe('A shop');
});

test('WordPress: the plugin prints one tag, in which the name of the site is escaped', async ({
  page,
  serve,
  platform,
  chat,
}) => {
  const run = promisify(execFile);
  const php = findProgram('php') ?? 'php';
  const [plugin = ''] = await blocksOf('wordpress', 'php', platform.chatUrl);
  const folder = await mkdtemp(join(tmpdir(), 'wordpress-'));
  try {
    await writeFile(join(folder, 'platform-webchat.php'), plugin);
    // The functions of WordPress that the plugin calls.
    await writeFile(
      join(folder, 'index.php'),
      `<?php
const ABSPATH = '/';
$actions = [];
function add_action($name, $function) { global $actions; $actions[$name][] = $function; }
function esc_attr($text) { return htmlspecialchars($text, ENT_QUOTES); }
function esc_url($url) { return htmlspecialchars($url, ENT_QUOTES); }
function get_bloginfo($name) { return ['name' => 'Bikes "&" <b>More</b>', 'language' => 'de-DE'][$name]; }
require 'platform-webchat.php';
foreach ($actions['wp_footer'] as $function) { $function(); }
`,
    );
    const { stdout, stderr } = await run(php, ['index.php'], { cwd: folder });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stdout).not.toContain('<b>');
    await page.goto(serve('/wordpress', pageWith(stdout), {}));
    await page.getByRole('button', { name: 'Chat öffnen' }).click();
    await expect(page.getByRole('dialog', { name: 'Bikes "&" <b>More</b>' })).toContainText(
      'I am the demo bot',
    );
    expect(chat.consoleErrors).toEqual([]);
    // Called directly, without WordPress, it does nothing.
    const direct = await run(php, ['platform-webchat.php'], { cwd: folder });
    expect(direct.stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('Shopify: every output of the snippet is escaped, and the tag takes the name, language and color of the shop', async ({
  page,
  serve,
  platform,
  chat,
}) => {
  const [snippet = ''] = await blocksOf('shopify', 'liquid', platform.chatUrl);
  const values: Record<string, string> = {
    'shop.name': '"Bikes" &co',
    'request.locale.iso_code': 'fr',
    'settings.color_button': '#0a7a5a',
  };
  const outputs = [...snippet.matchAll(/\{\{ ([\w.]+) (.*?)\}\}/g)];
  expect(outputs.map(([, name]) => name)).toEqual(Object.keys(values));
  for (const [, , filters] of outputs) expect(filters).toMatch(/\| escape $/);
  const html = snippet.replace(/\{\{ ([\w.]+) .*?\}\}/g, (_, name: string) =>
    (values[name] ?? '').replace(/[&"]/g, (character) => `&#${character.charCodeAt(0)};`),
  );
  await page.goto(serve('/shopify', pageWith(html), {}));
  await expect(launcher(page)).toHaveCSS('background-color', 'rgb(10, 122, 90)');
  await launcher(page).click();
  await expect(page.getByRole('dialog', { name: '"Bikes" &co' })).toContainText('I am the demo bot');
  await expect(page.locator('.box')).toHaveAttribute('lang', 'fr');
  expect(chat.consoleErrors).toEqual([]);
});

test('WebView: the page of the chat works without storage, asks for files, and opens links in a new window', async ({
  browser,
  platform,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) faults.push(line.text());
  });
  // A WebView of Android without domStorageEnabled.
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { value: null });
  });
  await page.goto(`${platform.chatUrl}/page`);
  const answers = page.locator('.row[data-side="bot"][data-status]');
  await expect(answers.first()).toContainText('I am the demo bot');
  await page.getByRole('textbox', { name: 'Message' }).fill('text');
  await page.keyboard.press('Enter');
  const link = answers.nth(1).getByRole('link', { name: 'https://example.com' });
  await expect(link).toBeVisible();
  await context.route('https://example.com/**', (route) => route.fulfill({ body: 'Another site' }));
  const opened = context.waitForEvent('page');
  await link.click();
  const other = await opened;
  expect(await other.evaluate(() => window.opener)).toBe(null);
  await other.close();
  await page.bringToFront();
  expect(page.url()).toBe(`${platform.chatUrl}/page`);
  await page.evaluate(() =>
    (window.platform as Platform).config({ configuration: { allowFileUpload: true } }),
  );
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') });
  const send = page.getByRole('button', { name: 'Send message' });
  // The announcement of it is removed after three seconds.
  await expect(page.locator('.attachment[data-status="uploaded"]')).toContainText('a.txt');
  await send.click();
  await expect(page.locator('.row[data-side="visitor"]').last()).toContainText('a.txt');
  expect(faults).toEqual([]);
  await context.close();
});

test('consent: nothing is requested before it, and its withdrawal removes the chat with its record', async ({
  page,
  serve,
  platform,
  chat,
}) => {
  const [script = ''] = await blocksOf('consent', 'html', platform.chatUrl);
  const address = serve('/consent', pageWith(script), {});
  const ofChat = () => chat.requests.filter((url) => url.startsWith(platform.url));
  const consent = (...choices: boolean[]) =>
    page.evaluate((list) => {
      const { onChatConsent } = window as unknown as { onChatConsent(isGiven: boolean): void };
      for (const one of list) onChatConsent(one);
    }, choices);
  await page.goto(address);
  await consent(false);
  expect(ofChat()).toEqual([]);
  await consent(true);
  await launcher(page).click();
  await chat.exchange('Where is it?');
  expect(await records(page)).toHaveLength(1);

  await consent(false);
  await expect(launcher(page)).toHaveCount(0);
  await expect.poll(() => records(page)).toEqual([]);
  const before = ofChat().length;
  await page.reload();
  await consent(false);
  expect(ofChat()).toHaveLength(before);

  // Changes before the script has loaded, and a new start afterwards.
  await consent(true, false, true, false);
  await page.waitForFunction(() => !Array.isArray(window.platform));
  await expect(launcher(page)).toHaveCount(0);
  await consent(true);
  await launcher(page).click();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await expect(chat.rows.filter({ hasText: 'Where is it?' })).toHaveCount(0);
});

test('consent: without it the chat works and stores nothing, and the choice moves the record', {
  tag: '@story',
}, async ({ page, serve, platform, chat }) => {
  const [, , , script = ''] = await blocksOf('consent', 'html', platform.chatUrl);
  const tag = `<script src="${platform.chatUrl}/webchat.js" data-storage-location="memory" async></script>`;
  await page.goto(serve('/memory', pageWith(tag + script), {}));
  const consent = (isGiven: boolean) =>
    page.evaluate(
      (isGiven) =>
        (window as unknown as { onChatStorageConsent(isGiven: boolean): void }).onChatStorageConsent(isGiven),
      isGiven,
    );
  await consent(false);
  await launcher(page).click();
  await chat.exchange('Where is it?');
  expect(await records(page)).toEqual([]);
  await consent(true);
  await expect.poll(() => records(page)).toHaveLength(1);
  await page.reload();
  await consent(true);
  await launcher(page).click();
  await expect(chat.rows.filter({ hasText: 'Where is it?' })).toHaveCount(2);
  await consent(false);
  await expect.poll(() => records(page)).toEqual([]);
  await chat.exchange('And now?');
  expect(await records(page)).toEqual([]);
});

test('consent: the handlers of Cookiebot and OneTrust pass the choice on', async ({
  page,
  serve,
  platform,
}) => {
  const [script = '', cookiebot = '', oneTrust = ''] = await blocksOf('consent', 'html', platform.chatUrl);
  const tools =
    "<script>var Cookiebot = { consent: { preferences: true } }; var OnetrustActiveGroups = ',C0001,C0003,';</script>";
  await page.goto(serve('/cookiebot', pageWith(tools + script + cookiebot), {}));
  await page.evaluate(() => dispatchEvent(new Event('CookiebotOnAccept')));
  await expect(launcher(page)).toBeVisible();
  await page.evaluate(() => {
    (window as unknown as { Cookiebot: { consent: object } }).Cookiebot.consent = { preferences: false };
    dispatchEvent(new Event('CookiebotOnDecline'));
  });
  await expect(launcher(page)).toHaveCount(0);

  await page.goto(serve('/onetrust', pageWith(tools + script + oneTrust), {}));
  const wrapper = () =>
    page.evaluate(() => (window as unknown as { OptanonWrapper(): void }).OptanonWrapper());
  await wrapper();
  await expect(launcher(page)).toBeVisible();
  await page.evaluate(() => Object.assign(window, { OnetrustActiveGroups: ',C0001,' }));
  await wrapper();
  await expect(launcher(page)).toHaveCount(0);
});
