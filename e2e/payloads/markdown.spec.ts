// The built Markdown chunk in a real browser without the server: in a shadow root of a third-party page with the
// strictest CSP and enforced Trusted Types. Content cannot execute, load or navigate without a click.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { test as base, expect, type Page } from '@playwright/test';
import type { MarkdownView } from '../../src/widget/markdown/types.ts';
import { byteLimits } from '../embedding/byte-limits.ts';
import { type HostSite, startHostSite } from '../support/host-page.ts';
import { hostile } from '../support/hostile/markup.ts';

declare global {
  interface Window {
    view: MarkdownView;
    box: HTMLElement;
    make(some?: object): void;
    consoleMessages: string[];
    __canary?: unknown;
  }
}

const dist = 'dist/webchat';
/** The names of the built chunks. Read by tests only, so that the tests can be listed before a build. */
const chunks = () => readdirSync(dist).filter((file) => /^(markdown|highlight)-.*\.js$/.test(file));

const harness = (
  markdownFile = '',
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harness</title>
<script nonce="n0nce">
  window.consoleMessages = [];
  addEventListener('securitypolicyviolation', (e) => consoleMessages.push(e.violatedDirective + ' ' + e.blockedURI));
  addEventListener('error', (e) => consoleMessages.push(String(e.message)));
  window.alert = () => { window.__canary = 'alert'; };
</script></head><body><main></main>
<script type="module" nonce="n0nce">
  import { createMarkdownView, css } from './${markdownFile}';
  const root = document.querySelector('main').attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + '.box{--bg:#fff;--surface:#f1f3f6;--line:#e1e5eb;--text:#16181d;--muted:#596170;' +
    '--control:#7f8794;--accent:#0b57d0;--fill:#0b57d0;--on-fill:#fff;--danger:#b3261e;--radius:12px;font:15px sans-serif;' +
    'width:340px;color:var(--text);background:var(--surface)}button{all:unset;cursor:pointer}');
  root.adoptedStyleSheets = [sheet];
  const words = { copyCode: 'Copy', codeCopied: 'Copied', code: 'Code', newTab: 'opens in a new tab',
    showImage: 'Show picture from {host}' };
  window.make = (some) => {
    const outer = document.createElement('div');
    outer.className = 'box';
    window.box = document.createElement('div');
    box.className = 'markdown';
    outer.append(box);
    root.replaceChildren(outer);
    window.view = createMarkdownView(box, { images: 'click', imageOrigins: [], strings: words, ...some });
  };
  make();
</script></body></html>`;

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100"/></svg>';

const test = base.extend<{ requests: string[] }, { site: HostSite; pictures: HostSite }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const site = await startHostSite();
      // Also the chunk of the chat, from which that of Markdown imports.
      for (const file of readdirSync(dist).filter((name) => name.endsWith('.js'))) {
        site.page(`/${file}`, readFileSync(`${dist}/${file}`, 'utf8'), { 'content-type': 'text/javascript' });
      }
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  pictures: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const site = await startHostSite();
      for (const path of ['/a.svg', '/b.svg']) site.page(path, picture, { 'content-type': 'image/svg+xml' });
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  requests: [
    async ({ page, site, pictures }, use) => {
      const requests: string[] = [];
      const csp = [
        "default-src 'none'",
        "script-src 'nonce-n0nce'",
        "style-src 'none'",
        `img-src ${pictures.url}`,
        "require-trusted-types-for 'script'",
        'trusted-types platform-webchat',
        "base-uri 'none'",
      ].join('; ');
      const markdownFile = chunks().find((file) => file.startsWith('markdown-'));
      const url = site.page('/harness', harness(markdownFile), { 'content-security-policy': csp });
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(url);
      await page.waitForFunction(() => 'box' in window);
      page.on('request', (request) => requests.push(request.url()));
      await use(requests);
      expect(errors).toEqual([]);
      expect(page.url()).toBe(url);
      expect(await page.evaluate(() => [window.consoleMessages, window.__canary])).toEqual([[], undefined]);
    },
    { auto: true },
  ],
});

/** Renders a text and waits until it is complete. */
const show = (page: Page, text: string) =>
  page.evaluate(async (markdown) => {
    window.view.update(markdown, false);
    await new Promise(requestAnimationFrame);
  }, text);

test('the Markdown and code highlighting chunks are within their size limits', () => {
  const limits = { markdown: byteLimits.markdown, highlight: 4_000 };
  for (const [name, limit] of Object.entries(limits)) {
    const files = chunks().filter((file) => file.startsWith(`${name}-`));
    expect(files).toHaveLength(1);
    expect(brotliCompressSync(readFileSync(`${dist}/${files[0]}`)).length).toBeLessThanOrEqual(limit);
  }
});

test('hostile Markdown runs nothing, loads nothing and links to nothing', async ({ page, requests }) => {
  expect(hostile.length).toBeGreaterThan(60);
  for (const text of [...hostile, hostile.join('\n\n'), hostile.map((line) => `> - ${line}`).join('\n')]) {
    await show(page, text);
  }
  for (const text of hostile) {
    await page.evaluate(async (markdown) => {
      window.make();
      for (let at = 1; at < markdown.length; at += 8) {
        window.view.update(markdown.slice(0, at), true);
        await new Promise(requestAnimationFrame);
      }
      for (const element of window.box.querySelectorAll<HTMLElement>('*')) {
        for (const type of ['mouseover', 'focus', 'toggle', 'load', 'animationstart']) {
          element.dispatchEvent(new Event(type));
        }
      }
    }, text);
  }
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(requests.filter((url) => !url.includes('/highlight-'))).toEqual([]);
});

test('code is highlighted, and scrolls on its own', async ({ page, requests }) => {
  const code = `const answer = "${'x'.repeat(200)}"; // why`;
  await show(page, `\`\`\`ts\n${code}\n\`\`\`\n\n\`\`\`nothing\nconst a\n\`\`\``);
  await expect(page.locator('.syn-kwd').first()).toHaveText('const');
  expect(requests.map((url) => /\/(\w+)-[\w-]+\.js$/.exec(url)?.[1])).toEqual(['highlight']);
  await expect(page.locator('.syn-kwd')).toHaveCount(1);
  const block = page.getByRole('group', { name: 'ts' });
  expect(await block.evaluate((e) => e.scrollWidth > e.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

for (const dir of ['ltr', 'rtl'])
  test(`numbers of ordered lists are not cut, and lie before the text (${dir})`, async ({ page }) => {
    const starts = [1, 9, 98, 997, 9_998, 999_999_999];
    for (const start of starts) {
      await show(page, `${start}. one\n1. two\n1. three\n    1. nested`);
      const margin = await page.evaluate(
        ([first, direction]) => {
          const { box } = window;
          box.dir = direction;
          box.style.fontFamily = 'Verdana, "DejaVu Sans", sans-serif';
          const list = box.querySelector('ol') as HTMLElement;
          const number = document.createElement('span');
          number.textContent = `${first + 2}.`;
          box.append(number);
          const { width } = number.getBoundingClientRect();
          number.remove();
          const outer = box.getBoundingClientRect();
          const inner = (list.firstElementChild as Element).getBoundingClientRect();
          const before = direction === 'rtl' ? outer.right - inner.right : inner.left - outer.left;
          return before - width;
        },
        [start, dir] as const,
      );
      expect(margin, `from ${start}`).toBeGreaterThanOrEqual(0);
    }
  });

test('wide tables scroll by keyboard, and task lists have accessible states', async ({ page }) => {
  const row = (cell: string) => `|${`${cell}|`.repeat(12)}\n`;
  await show(page, `${row('heading')}${row('---')}${row('a long cell')}\n\n- [x] done\n- [ ] open`);
  const table = page.getByRole('group', { name: 'heading, heading' });
  expect(await table.evaluate((e) => e.scrollWidth > e.clientWidth)).toBe(true);
  await table.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate((e) => e.scrollLeft)).toBeGreaterThan(0);
  await expect(page.getByRole('listitem')).toHaveText(['☑ done', '☐ open']);
});
