// Measures how long a chat needs after a bad connection, and how many streams many tabs hold. It waits for real time, about
// two minutes, so it runs only when it is named: `npm run bench -- recovery`. Its values are the table of delivery.md.
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { startFaultProxy } from '../../e2e/support/faults/fault-proxy.ts';
import { ChatClient } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { Case, Environment, Values } from '../measure.ts';

async function openTab(context: BrowserContext, chatUrl: string, serve: Environment['serve']): Promise<Page> {
  const page = await context.newPage();
  await page.goto(serve('/recovery', `<script src="${chatUrl}/webchat.js"></script>`));
  await page.evaluate(() => (window.platform as Platform).open());
  await page.locator('.row[data-side="bot"]').first().waitFor();
  return page;
}

/** Milliseconds from now until the page shows the text. */
async function shown(page: Page, content: string): Promise<readonly [number, 'ms']> {
  const start = performance.now();
  await page.locator('.row', { hasText: content }).first().waitFor({ timeout: 120_000 });
  return [performance.now() - start, 'ms'];
}

async function measure({ browser, platform, serve }: Environment): Promise<Values> {
  const proxy = await startFaultProxy(platform.url);
  /** Calls `use` with a page of a new visitor with the chat open, and a way to write as this visitor on another device. */
  async function asVisitor<T>(
    use: (page: Page, say: (text: string) => Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    const context = await browser.newContext();
    try {
      const page = await openTab(context, proxy.chatUrl, serve);
      const key = `platform-webchat:${proxy.chatUrl}`;
      const stored = await page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? '{}'), key);
      const client = new ChatClient({ chatUrl: platform.chatUrl, userKey: stored.userKey });
      const { conversationId } = stored;
      await pause(3_000);
      return await use(page, (text) =>
        client.createMessage({ conversationId, payload: { type: 'text', text } }),
      );
    } finally {
      await context.close();
    }
  }
  const outage = (isSending: boolean) =>
    asVisitor(async (page, say) => {
      proxy.disconnect();
      await pause(36_000);
      await say('said during the outage');
      proxy.reconnect();
      if (isSending) void page.evaluate(() => (window.platform as Platform).sendMessage('own'));
      return shown(page, 'said during the outage');
    });
  try {
    const wakesUp = await asVisitor(async (page, say) => {
      proxy.silenceStreams();
      await pause(33_000);
      await say('said during the silence');
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      return shown(page, 'said during the silence');
    });
    const most = await asVisitor(async (page) => {
      let streams = 0;
      const timer = setInterval(() => {
        streams = Math.max(streams, proxy.openStreams);
      }, 5);
      for (let i = 1; i < 14; i++) await openTab(page.context(), proxy.chatUrl, serve);
      await pause(2_000);
      clearInterval(timer);
      return streams;
    });
    return {
      'wakes up 33 s into a half-open connection': wakesUp,
      'the server was unreachable for 36 s': await outage(false),
      'the server was unreachable for 36 s, and the visitor sends a message': await outage(true),
      'streams of fourteen tabs, at most': [most, ''],
    };
  } finally {
    await proxy.close();
  }
}

export const recoveryCases: Case[] = [{ name: 'recovery', times: 1, isNamedOnly: true, run: measure }];
