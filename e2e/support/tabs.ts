// Further tabs of the same visitor, and the streams that a tab holds.
import type { Page } from '@playwright/test';
import { ChatPage } from './chat-page.ts';

export type Tab = ChatPage & { streams: () => number };

/** A further tab of the visitor, for the same page. It is empty until `goto()`. */
export async function newTab(chat: ChatPage): Promise<Tab> {
  const page = await chat.page.context().newPage();
  return Object.assign(new ChatPage(page, chat.url, chat.platform), { streams: countStreams(page) });
}

/** A further tab of the visitor that has loaded the page. */
export async function openTab(chat: ChatPage): Promise<Tab> {
  const tab = await newTab(chat);
  await tab.goto();
  return tab;
}

/** Counts the streams of a page from now on; returns a function that returns how many are open. */
export function countStreams(page: Page): () => number {
  const open = new Set<unknown>();
  page.on('request', (request) => request.url().endsWith('/listen') && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => open.size;
}
