// `themeMode: 'page'`: the chat is light or dark like the page, and changes with it.
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

const theme = (page: Page) => page.locator('.box').getAttribute('data-theme');

interface Case {
  name: string;
  /** Attributes of <html>, attributes of <body>, CSS of the page. */
  html?: string;
  body?: string;
  css?: string;
  expected: 'light' | 'dark';
  /** The visitor's system; the opposite of what is expected, unless the page leaves it to the system. */
  system?: 'dark';
}

const cases: Case[] = [
  { name: 'nothing says anything', expected: 'light' },
  { name: 'class="dark" of html', html: 'class="no-js dark"', expected: 'dark' },
  {
    name: 'data-theme of html before the background',
    html: 'data-theme="dark"',
    css: 'body { background: white }',
    expected: 'dark',
  },
  { name: 'a class of body', body: 'class="page theme-dark wide"', expected: 'dark' },
  {
    name: 'data-bs-theme="light"',
    html: 'data-bs-theme="light"',
    css: 'body { background: black }',
    expected: 'light',
  },
  {
    name: 'a word that only begins like one',
    html: 'class="darkroom lightning"',
    body: 'data-theme="corporate"',
    expected: 'light',
  },
  {
    name: 'a class that is for the dark theme only',
    body: 'class="bg-white dark:bg-gray-900"',
    css: 'body { background: white }',
    expected: 'light',
  },
  {
    name: 'a dark text on a light page',
    body: 'class="text-dark bg-body"',
    css: 'body { background: white }',
    expected: 'light',
  },
  { name: 'a class of a dark background', body: 'class="text-light bg-dark"', expected: 'dark' },
  { name: 'color-scheme: dark', css: ':root { color-scheme: dark }', expected: 'dark' },
  { name: 'a dark background', css: 'body { background: #123 }', expected: 'dark' },
  {
    name: 'a dark background of html below a transparent body',
    css: 'html { background: black } body { background: rgb(255 255 255 / 10%) }',
    expected: 'dark',
  },
  {
    name: 'a background in another notation',
    css: 'body { background: oklch(20% 0.1 250) }',
    expected: 'dark',
  },
  {
    name: 'a light background although the system is dark',
    css: ':root { color-scheme: light dark } body { background: #fff }',
    expected: 'light',
  },
  {
    name: 'color-scheme: light dark and a dark system',
    css: ':root { color-scheme: light dark }',
    expected: 'dark',
    system: 'dark',
  },
];

const softly = expect.configure({ soft: true });
const described = cases.map(({ name, expected }) => `${name}: ${expected}`).join('; ');
test(`what tells the theme of the page: ${described}`, async ({ chat, page, platform, serve }) => {
  for (const { name, html = '', body = '', css = '', expected, system } of cases) {
    const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-theme-mode="page"></script>`;
    const text = pageHtml(tag, { head: `<style>${css}</style>` })
      .replace('<html lang="en">', `<html lang="en" ${html}>`)
      .replace('<body>', `<body ${body}>`);
    // Until the page is read, the chat follows the system.
    await page.emulateMedia({ colorScheme: system ?? (expected === 'dark' ? 'light' : 'dark') });
    await chat.goto(serve('/theme', text, {}));
    await softly.poll(() => theme(page), { message: name }).toBe(expected);
  }
});

test('the open window changes with the page: by a mark, by a style sheet, after a transition, and no longer with another theme', {
  tag: '@story',
}, async ({ chat, page, platform, serve }) => {
  const tag = `<script src="${platform.chatUrl}/webchat.js" data-theme-mode="page"></script>`;
  const head = '<style>body { background: white; transition: background-color 50ms }</style>';
  await chat.goto(serve('/changing', pageHtml(tag, { head }), {}));
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  const background = () => chat.window.evaluate((e) => getComputedStyle(e).backgroundColor);
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(22, 24, 29)'];
  await expect.poll(background).toBe(light);
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  await expect.poll(background).toBe(dark);
  await page.evaluate(() => document.documentElement.classList.remove('dark'));
  await expect.poll(background).toBe(light);
  await page.evaluate(() =>
    document.head.append(
      Object.assign(document.createElement('style'), {
        id: 'sheet',
        textContent: 'body { background: black }',
      }),
    ),
  );
  await expect.poll(background).toBe(dark);
  await page.evaluate(() => document.querySelector('#sheet')?.remove());
  await expect.poll(background).toBe(light);
  await page.evaluate(
    () =>
      window.platform &&
      'config' in window.platform &&
      window.platform.config({ configuration: { themeMode: 'dark' } }),
  );
  await expect.poll(background).toBe(dark);
  await page.evaluate(
    () =>
      window.platform &&
      'config' in window.platform &&
      window.platform.config({ configuration: { themeMode: 'light' } }),
  );
  await expect.poll(background).toBe(light);
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await background()).toBe(light);
  await page.evaluate(
    () =>
      window.platform &&
      'config' in window.platform &&
      window.platform.config({ configuration: { themeMode: 'page' } }),
  );
  await expect.poll(background).toBe(dark);
});
