// Tests `npm run cluster` in a real browser: it starts everything, its address shows the demo, the visitor of the demo page notices
// nothing while random processes are killed and come back, everything ends with Ctrl-C, and the data stays.
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProgram, provide } from '../../scripts/browser.mjs';
import { ApiError, ChatClient } from '../../src/client/index.ts';
import { pollOptions } from '../../src/server/testing.ts';
import { pollUntil } from '../support/poll.ts';
import { createRandom } from '../support/random.ts';
import { type ClusterFolder, createClusterFolder, isRunning, type LocalCluster } from './local-cluster.ts';
import { usualProcesses } from './usual-processes.ts';

/** How many processes are killed while the visitor writes. */
const killCount = 8;
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_000);

let folder: ClusterFolder;
let cluster: LocalCluster;
let browser: Browser;
beforeAll(async () => {
  provide('headless');
  folder = await createClusterFolder();
  cluster = await folder.start();
  browser = await chromium.launch({ executablePath: findProgram('headless'), args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  await folder?.dispose();
});

/**
 * Records every problem that the page shows from now on, also one that is gone a moment later, and errors for the page, except
 * those of requests that are sent again.
 */
const watchProblems = (page: Page) =>
  page.evaluate(() => {
    const { platform } = window as unknown as {
      platform: { on(type: string, handler: (error: unknown) => void): void };
    };
    const problems: string[] = [];
    Object.assign(window, { problems });
    const root = [...document.querySelectorAll('*')].find(({ shadowRoot }) => shadowRoot)?.shadowRoot;
    if (!root) throw new Error('The page has no chat.');
    const note = () => {
      for (const element of root.querySelectorAll('.notice, [role="alert"], [data-status="failed"]')) {
        const text = element.textContent?.trim();
        if (text && problems.at(-1) !== text) problems.push(text);
      }
    };
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(note).observe(root, all);
    platform.on('error', (error) => {
      // No proxy can repeat a request that a killed process had begun to handle, and none is ready while the last one begins:
      // the chat sends it again, which the page is told of, and the visitor is not.
      if (!/The server answered 50[234]\.$/.test(String(error))) problems.push(String(error));
    });
  });

const problemsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { problems: string[] }).problems);

test(`npm run cluster: a visitor who writes while processes are killed sees no problem, and each message once; Ctrl-C ends all, and the data stays (SEED=${seed})`, async () => {
  const random = createRandom(seed);
  const page = await browser.newPage();
  await page.goto(cluster.demoUrl);
  await page.locator('.launcher').click();
  const rows = page.locator('.row[data-status]');
  await expect
    .poll(() => rows.allInnerTexts(), pollOptions)
    .toContainEqual(expect.stringContaining('I am the demo bot'));
  await watchProblems(page);

  let kills = 0;
  const sent: string[] = [];
  /** The answers of the bot that have arrived. */
  const answered = () =>
    page.locator('.row[data-side="bot"][data-status]').filter({ hasText: 'You said: “' }).count();
  while (kills < killCount) {
    const text = `Message ${sent.length}`;
    sent.push(text);
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill(text);
    await box.press('Enter');
    const running = cluster.pids().filter(isRunning);
    // One process remains, whichever it is; the others come back.
    if (running.length > 1 && random.below(3) === 0) {
      process.kill(running[random.below(running.length)] as number, 'SIGKILL');
      kills += 1;
    }
    // Some messages are sent while the answer to the one before is under way.
    if (random.below(3) > 0) await expect.poll(answered, pollOptions).toBe(sent.length);
  }
  await expect.poll(answered, pollOptions).toBe(sent.length);

  const { userKey, conversationId } = await page.evaluate(
    (chatUrl) => JSON.parse(localStorage.getItem(`platform-webchat:${chatUrl}`) ?? '{}'),
    new URL('/chat/demo', cluster.demoUrl).href,
  );
  const client = new ChatClient({ chatUrl: new URL('/chat/demo', cluster.demoUrl).href, userKey });
  // The last process may have been killed a moment ago, and the client repeats no request by itself.
  const stored = await pollUntil('the stored messages are read', () =>
    client.list
      .messages({ conversationId })
      .collect()
      .then((messages) => messages.reverse())
      .catch((error: unknown) => {
        if (error instanceof ApiError && [502, 503, 504].includes(error.code)) return undefined;
        throw error;
      }),
  );
  const storedIds = stored.map(({ id }) => id);
  const own = stored.flatMap(({ payload }) =>
    payload.type === 'text' && /^Message \d+$/.test(payload.text) ? [payload.text] : [],
  );
  expect(own).toEqual(sent);
  const shown = await rows.locator('.text').allInnerTexts();
  for (const text of sent) {
    expect(shown.filter((one) => one.trim() === text)).toEqual([text]);
    expect(shown.filter((one) => one.includes(`You said: “${text}”`))).toHaveLength(1);
  }
  expect(new Set(storedIds).size).toBe(storedIds.length);
  await expect.poll(() => rows.count(), pollOptions).toBe(stored.length);
  expect(await problemsOf(page)).toEqual([]);
  await expect.poll(() => cluster.pids().length, pollOptions).toBe(usualProcesses + kills);

  await page.close();
  await cluster.stop();
  expect(cluster.pids().filter(isRunning)).toEqual([]);
  await expect(fetch(new URL('/healthz', cluster.demoUrl))).rejects.toThrow();
  cluster = await folder.start();
  const again = new ChatClient({ chatUrl: new URL('/chat/demo', cluster.demoUrl).href, userKey });
  const messages = await again.list.messages({ conversationId }).collect();
  expect(messages.map(({ id }) => id).reverse()).toEqual(storedIds);
});
