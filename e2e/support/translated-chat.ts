// Shared by the tests of languages: a page in a language, and the translated chat on it.
import type { Page } from '@playwright/test';
import en from '../../src/locales/en.json' with { type: 'json' };
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from './chat-page.ts';
import { test as base } from './fixtures.ts';
import { pageHtml } from './host-page.ts';

/** The English strings of all bundles of the widget, by key. */
export const english: Record<string, string> = Object.assign({}, ...Object.values(en.widget));

/** `serveIn`: serves a page whose <html> has these attributes, with the script of the server, and returns its address. */
export const test = base.extend<{ serveIn(html: string, attributes?: string): string }>({
  serveIn: async ({ platform, serve }, use) => {
    await use((html, attributes) => serve('/translated', pageIn(platform.chatUrl, html, attributes)));
  },
});

/** The requested translation files, without their hashes. */
export const fetched = (chat: ChatPage) =>
  chat.requests.flatMap((url) => /\/webchat\/(i18n|[a-z]{2})-[\w-]{6}\.js$/.exec(url)?.[1] ?? []);
export const configure = (page: Page, configuration: object) =>
  page.evaluate((fields) => (window.platform as Platform).config({ configuration: fields }), configuration);
export const box = (page: Page) =>
  page.locator('.box').evaluate((e: HTMLElement) => [e.lang, getComputedStyle(e).direction]);
export const frame = (page: Page) => page.locator('.window');
export const rows = (page: Page) => frame(page).locator('.row[data-status]');

/** A page in a language, with the server's script. */
export const pageIn = (chatUrl: string, html: string, attributes = '') =>
  pageHtml(`<script nonce="n0nce" src="${chatUrl}/webchat.js" ${attributes}></script>`).replace(
    '<html lang="en">',
    `<html ${html}>`,
  );
