// The launcher as HTML of the page's own server (`renderLauncher`): before, while and after webchat.js loads, and without it.
import type { Page } from '@playwright/test';
import type { LauncherOptions } from '../../src/packages/widget/server.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import { renderLauncher } from './rendered-launcher.ts';

/** The strict policy, with a nonce for styles. */
test.use({
  csp: "default-src 'none'; script-src 'nonce-n0nce'; style-src 'nonce-n0nce'; connect-src PLATFORM; require-trusted-types-for 'script'; trusted-types platform-webchat",
});

const rendered = (options: LauncherOptions) => renderLauncher({ nonce: 'n0nce', ...options });

type Serve = (path: string, html: string) => string;

/** Opens a page with a rendered launcher. Its script of the chat waits until the returned function is called. */
async function openBeforeScript(page: Page, serve: Serve, tags: string, body: string): Promise<() => void> {
  const release = await holdRequests(page, '**/webchat.js');
  await page.goto(serve('/rendered', pageHtml(tags, { body })), { waitUntil: 'commit' });
  return release;
}
const scriptTag = (chatUrl: string, attributes = '') =>
  `<script nonce="n0nce" src="${chatUrl}/webchat.js" ${attributes} async></script>`;

/** Place and looks of what a visitor sees of an element, which must not change when the script takes over. */
const looksOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => {
    const style = getComputedStyle(one);
    const { x, y, width, height } = one.getBoundingClientRect();
    const names = [
      'backgroundColor',
      'color',
      'borderRadius',
      'boxShadow',
      'fontSize',
      'zIndex',
      'borderTopWidth',
    ] as const;
    const path = one.querySelector('path')?.getAttribute('d');
    return { x, y, width, height, path, ...Object.fromEntries(names.map((name) => [name, style[name]])) };
  });

const cases: Record<string, { options?: Omit<LauncherOptions, 'chatUrl'>; dir?: string; scheme?: 'dark' }> = {
  'the default configuration': {},
  'another color and offset on the left': {
    options: { configuration: { color: '#c01818', offset: 60, position: 'left', variant: 'soft' } },
  },
  'a page from right to left': { dir: 'rtl' },
  'the dark mode': { options: { configuration: { themeMode: 'dark', radius: 1 } } },
  'the mode of a dark system': { options: { configuration: { themeMode: 'auto' } }, scheme: 'dark' },
  'the mode of a light system': { options: { configuration: { themeMode: 'auto' } } },
};
const sizes = [1000, 400].map((width) => ({ width, height: 700 }));
/** Calls it in a wide window and in a narrow one, which is the one that stays. */
async function inBothSizes<T>(page: Page, call: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    results.push(await call());
  }
  return results;
}

for (const [title, { options = {}, dir = 'ltr', scheme = 'light' }] of Object.entries(cases)) {
  test(`the rendered launcher looks like that of the script, 1000 and 400 px wide: ${title}`, async ({
    page,
    serve,
    platform,
    chat,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const { chatUrl } = platform;
    const configuration = JSON.stringify(options.configuration ?? {});
    const body = `<script nonce="n0nce">document.documentElement.dir = '${dir}';</script>${rendered({ chatUrl, ...options })}`;
    const start = `<script nonce="n0nce">(window.platform ||= []).push((p) => p.init({ configuration: ${configuration} }))</script>
      ${scriptTag(chatUrl, 'data-manual data-prefetch="false"')}`;
    const release = await openBeforeScript(page, serve, start, body);
    const looks = () => inBothSizes(page, () => looksOf(page, '.launcher'));
    const before = await looks();
    for (const one of before) expect(one).toMatchObject({ width: 56, height: 56 });
    release();
    await expect(page.locator('button.launcher')).toBeVisible();
    expect(await looks()).toEqual(before);
    await expect(page.locator('platform-webchat')).toHaveCount(1);
    expect(chat.consoleErrors).toEqual([]);
  });
}

for (const dir of ['ltr', 'rtl']) {
  test(`the window that a click opens before the script has loaded has the place and the looks of the chat, 1000 and 400 px wide: ${dir}`, async ({
    page,
    serve,
    platform,
    chat,
  }) => {
    const body = `<script nonce="n0nce">document.documentElement.dir = '${dir}';</script>${rendered(platform)}`;
    const release = await openBeforeScript(page, serve, scriptTag(platform.chatUrl), body);
    await page.locator('summary.launcher').click();
    const before = await inBothSizes(page, () => looksOf(page, 'div.window'));
    release();
    await expect(chat.botRows.first()).toBeVisible();
    const looks = await inBothSizes(page, () => looksOf(page, 'section.window'));
    // The pictures in it are those of the chat.
    expect(before.map((one, i) => ({ ...one, path: looks[i]?.path }))).toEqual(looks);
  });
}

test('nothing moves when the script takes over, and there is one launcher', async ({
  page,
  serve,
  platform,
}) => {
  const body = `<script nonce="n0nce">
    window.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true });
  </script>${rendered(platform)}`;
  const release = await openBeforeScript(page, serve, scriptTag(platform.chatUrl), body);
  await expect(page.locator('summary.launcher')).toBeVisible();
  release();
  await expect(page.locator('button.launcher')).toBeVisible();
  await expect(page.locator('.launcher')).toHaveCount(1);
  // A shift is reported after the frame in which it is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});

test('a click before the script has loaded shows the content of the site, and opens the chat afterwards', {
  tag: '@story',
}, async ({ page, serve, platform, chat }) => {
  const fallback = '<a href="mailto:help@example.com">Write to us</a>';
  const body = rendered({ ...platform, fallback, label: 'Ask us' });
  const release = await openBeforeScript(page, serve, scriptTag(platform.chatUrl), body);
  const launcher = page.locator('summary.launcher');
  await expect(launcher).toHaveAccessibleName('Ask us');
  await expect(page.getByRole('link', { name: 'Write to us' })).toBeHidden();
  await launcher.click();
  await expect(page.getByRole('link', { name: 'Write to us' })).toBeVisible();
  release();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await expect(page.getByRole('link', { name: 'Write to us' })).toHaveCount(0);
  await expect(chat.input).toBeFocused();
});

test('a second click before the script has loaded closes it again, and the launcher keeps the focus', async ({
  page,
  serve,
  platform,
}) => {
  const release = await openBeforeScript(page, serve, scriptTag(platform.chatUrl), rendered(platform));
  await page.locator('summary.launcher').focus();
  for (const isOpen of [true, false]) {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Open chat' })).toBeVisible({ visible: isOpen });
  }
  release();
  await expect(page.locator('button.launcher')).toBeFocused();
  expect(await page.evaluate(() => (window.platform as Platform).isOpen)).toBe(false);
});

test('destroy, init and a second chat work on a page with a rendered launcher', async ({
  page,
  serve,
  platform,
}) => {
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" async></script>`;
  await page.goto(serve('/again', pageHtml(script, { body: rendered(platform) })));
  await expect(page.locator('button.launcher')).toHaveCount(1);
  await page.evaluate(() => {
    const first = window.platform as Platform;
    first.destroy();
    first.init();
    first.create({ instance: 'b', configuration: { position: 'left' } });
  });
  await expect(page.locator('button.launcher')).toHaveCount(2);
  await expect(page.locator('.launcher')).toHaveCount(2);
});

test('without JavaScript the launcher is there, and shows the content of the site', async ({
  browser,
  serve,
  platform,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const fallback = '<a href="mailto:help@example.com">Write to us</a>';
  const body = rendered({ ...platform, fallback, configuration: { color: '#0a7a5a' } });
  await page.goto(serve('/without', pageHtml('', { body })));
  const box = await page.locator('.launcher').boundingBox();
  expect(box).toMatchObject({ width: 56, height: 56 });
  await expect(page.getByRole('link', { name: 'Write to us' })).toBeHidden();
  await page.locator('.launcher').click();
  await expect(page.getByRole('link', { name: 'Write to us' })).toBeVisible();
  await context.close();
});

test('hostile options stay inside of their attributes, and invalid ones are refused or ignored', () => {
  const hostile = '"><script>alert(1)</script><style x="\'&';
  const html = renderLauncher({
    chatUrl: `https://example.org/${hostile}`,
    label: hostile,
    nonce: hostile,
    configuration: {
      color: `red;}${hostile}`,
      fontFamily: `</style>${hostile}`,
      position: hostile as 'left',
      offset: hostile as never,
    },
  });
  expect(html).not.toContain('<script');
  expect(html.match(/<style/g)).toHaveLength(1);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
  expect(html).toContain('https://example.org/&#34;&#62;&#60;script');
  for (const chatUrl of ['javascript:alert(1)', '/chat/demo', '', undefined as never]) {
    expect(() => renderLauncher({ chatUrl })).toThrow('renderLauncher() needs chatUrl');
  }
  expect(renderLauncher({ chatUrl: 'https://example.org', configuration: { launcher: false } })).toBe('');
});
