// Measures how long a chat needs after a bad connection, and how many streams many tabs hold. It waits for real time,
// about two minutes, so it is not part of the benchmark. Imported by recovery.mjs; prints the table of delivery.md.
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { startFaultProxy } from '../e2e/support/faults/fault-proxy.ts';
import { pageHtml, startHostSite } from '../e2e/support/host-page.ts';
import { startPlatform } from '../e2e/support/server.ts';
import config from '../playwright.config.ts';
import { findProgram } from '../scripts/browser.mjs';
import { ChatClient } from '../src/client/index.ts';
import type { Platform } from '../src/protocol/page-api/page-api.ts';

const seconds = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms * 1_000));
const text = (content: string) => ({ type: 'text' as const, text: content });

const platform = await startPlatform({ BOT: 'e2e/support/bots/scripted-bot.js' });
const proxy = await startFaultProxy(platform.url);
const site = await startHostSite();
const executablePath = findProgram('chromium');
const browser = await chromium.launch({
  ...config.use?.launchOptions,
  ...(executablePath && { executablePath }),
});

/** Opens a page of a new visitor with the chat open. */
async function openVisitor() {
  const context = await browser.newContext();
  const page = await openTab(context);
  const key = `platform-webchat:${proxy.chatUrl}`;
  const stored = await page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? '{}'), key);
  const client = new ChatClient({ chatUrl: platform.chatUrl, userKey: stored.userKey });
  const sendText = (content: string) =>
    client.createMessage({ conversationId: stored.conversationId, payload: text(content) });
  return { context, page, sendText };
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const script = `<script src="${proxy.chatUrl}/webchat.js"></script>`;
  await page.goto(site.page('/', pageHtml(script), {}));
  await page.evaluate(() => (window.platform as Platform).open());
  await page.locator('.row[data-side="bot"]').first().waitFor();
  return page;
}

/** Seconds from now until the page shows the text. */
async function shown(page: Page, content: string): Promise<string> {
  const start = performance.now();
  await page.locator('.row', { hasText: content }).first().waitFor({ timeout: 120_000 });
  return ((performance.now() - start) / 1_000).toFixed(1);
}

const wake = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

const results: Record<string, string> = {};
{
  const { context, page, sendText } = await openVisitor();
  await seconds(3);
  proxy.silenceStreams();
  await seconds(33);
  await sendText('said during the silence');
  await wake(page);
  results['wakes up 33 s into a half-open connection'] = await shown(page, 'said during the silence');
  await context.close();
}
for (const isSending of [false, true]) {
  const { context, page, sendText } = await openVisitor();
  await seconds(3);
  proxy.disconnect();
  await seconds(36);
  await sendText('said during the outage');
  proxy.reconnect();
  if (isSending) void page.evaluate(() => (window.platform as Platform).sendMessage('own'));
  const label = `the server was unreachable for 36 s${isSending ? ', and the visitor sends a message' : ''}`;
  results[label] = await shown(page, 'said during the outage');
  await context.close();
}
{
  const { context } = await openVisitor();
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, proxy.openStreams);
  }, 5);
  for (let i = 1; i < 14; i++) await openTab(context);
  await seconds(2);
  clearInterval(timer);
  results['streams of fourteen tabs: now, and at most'] = `${proxy.openStreams}, ${most}`;
  await context.close();
}
for (const [label, value] of Object.entries(results)) console.log(`${label.padEnd(75)} ${value}`);

await browser.close();
await proxy.close();
await site.close();
await platform.dispose();
