// `themeMode: 'page'`: the chat is light or dark like the page, and changes with it.
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';

const theme = (page: Page) => page.locator('.box').getAttribute('data-theme');

/** A page: attributes of `<html>` and of `<body>`, its CSS; and what the chat is. Unless named, the system is the opposite. */
interface Case {
  name: string;
  html?: string;
  body?: string;
  css?: string;
  is: 'light' | 'dark';
  system?: 'dark';
}

const white = 'body { background: white }';
const cases: Case[] = [
  { name: 'nothing says anything', is: 'light' },
  { name: 'class="dark" of html', html: 'class="no-js dark"', is: 'dark' },
  { name: 'data-theme of html before the background', html: 'data-theme="dark"', css: white, is: 'dark' },
  { name: 'a class of body', body: 'class="page theme-dark wide"', is: 'dark' },
  { name: 'a light mark', html: 'data-bs-theme="light"', css: 'body { background: black }', is: 'light' },
  {
    name: 'words that begin like one',
    html: 'class="darkroom lightning"',
    body: 'data-theme="corporate"',
    is: 'light',
  },
  { name: 'a class for the dark theme', body: 'class="bg-white dark:bg-gray-900"', css: white, is: 'light' },
  { name: 'a dark text on a light page', body: 'class="text-dark bg-body"', css: white, is: 'light' },
  { name: 'a class of a dark background', body: 'class="text-light bg-dark"', is: 'dark' },
  { name: 'color-scheme: dark', css: ':root { color-scheme: dark }', is: 'dark' },
  { name: 'a dark background', css: 'body { background: #123 }', is: 'dark' },
  {
    name: 'a dark background of html below a transparent body',
    css: 'html { background: black } body { background: rgb(255 255 255 / 10%) }',
    is: 'dark',
  },
  { name: 'a background in another notation', css: 'body { background: oklch(20% 0.1 250) }', is: 'dark' },
  {
    name: 'a light background although the system is dark',
    css: ':root { color-scheme: light dark } body { background: #fff }',
    is: 'light',
  },
  { name: 'a dark system is allowed', css: ':root { color-scheme: light dark }', is: 'dark', system: 'dark' },
];

const softly = expect.configure({ soft: true });
const described = cases.map(({ name, is }) => `${name}: ${is}`).join('; ');
test(`what tells the theme of the page: ${described}`, async ({ chat, page }) => {
  for (const { name, html = '', body = '', css = '', is, system } of cases) {
    // Until the page is read, the chat follows the system.
    await page.emulateMedia({ colorScheme: system ?? (is === 'dark' ? 'light' : 'dark') });
    await chat.load('data-theme-mode="page"', {
      html,
      bodyAttributes: body,
      head: `<style>${css}</style>`,
      csp: '',
    });
    await softly.poll(() => theme(page), { message: name }).toBe(is);
  }
});

test('the open window changes with the page: by a mark, by a style sheet, after a transition, and no longer with another theme', {
  tag: '@story',
}, async ({ chat, page }) => {
  const head = '<style>body { background: white; transition: background-color 50ms }</style>';
  await chat.load('data-theme-mode="page"', { head, csp: '' });
  await chat.openWindow();
  const background = () => chat.window.evaluate((e) => getComputedStyle(e).backgroundColor);
  const mark = (isDark: boolean) =>
    page.evaluate((is) => document.documentElement.classList.toggle('dark', is), isDark);
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(22, 24, 29)'];
  await expect.poll(background).toBe(light);
  await mark(true);
  await expect.poll(background).toBe(dark);
  await mark(false);
  await expect.poll(background).toBe(light);
  const sheet = await page.addStyleTag({ content: 'body { background: black }' });
  await expect.poll(background).toBe(dark);
  await sheet.evaluate((element) => (element as HTMLElement).remove());
  await expect.poll(background).toBe(light);
  await chat.configure({ themeMode: 'dark' });
  await expect.poll(background).toBe(dark);
  await chat.configure({ themeMode: 'light' });
  await expect.poll(background).toBe(light);
  await mark(true);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await background()).toBe(light);
  await chat.configure({ themeMode: 'page' });
  await expect.poll(background).toBe(dark);
});
