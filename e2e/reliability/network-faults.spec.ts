// Two browsers and the real server with the fault proxy between them: no message is lost, duplicated or out of order.
// `npm run test:stress soak` repeats chaos runs on one page and prints the injected faults and the memory that remains
// in use.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { ChatClient } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { ChatPage } from '../support/chat-page.ts';
import { type FaultProxy, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { createSchedule } from '../support/faults/fault-schedule.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { type HostSite, pageHtml, strictCsp } from '../support/host-page.ts';
import { createRandom } from '../support/random.ts';
import type { PlatformServer } from '../support/server.ts';
import { ChaosError, type ChaosResult, type ChaosSetup, runChaos } from './chaos-run.ts';

test.use({ env: scriptedBot });

const seed = Number(process.env.SEED ?? 1);
const schedules = Number(process.env.SCHEDULES ?? 1);
const minutes = Number(process.env.MINUTES ?? 0);
const isSoak = process.env.SOAK !== undefined;

/** Two browsers in one conversation, behind the proxy; the second is another user, or the same user again. */
async function open(
  {
    page,
    browser,
    platform,
    site,
  }: { page: Page; browser: Browser; platform: PlatformServer; site: HostSite },
  { seed, isOtherUser }: { seed: number; isOtherUser: boolean },
): Promise<ChaosSetup & { proxy: FaultProxy; close(): Promise<void> }> {
  const proxy = await startFaultProxy(platform.url);
  const behind = { ...platform, url: proxy.url, chatUrl: `${proxy.url}/chat/demo` };
  const html = pageHtml(`<script nonce="n0nce" src="${behind.chatUrl}/webchat.js" async></script>`);
  const url = site.page('/faults', html, { 'content-security-policy': strictCsp(proxy.url) });
  await page.clock.install();
  const first = new ChatPage(page, url, behind);
  await first.goto();
  // The session is also created under faults.
  proxy.load(createSchedule(createRandom(seed), 3, ['begin', 'listen']));
  await first.launcher.click();
  await expect(async () => {
    await page.clock.fastForward(5_000);
    expect(await first.botRows.count()).toBe(1);
  }).toPass({ intervals: [50] });
  proxy.clear();
  const stored = await first.storedSession();
  const { userKey, userId, conversationId = '' } = stored;
  let other = { userKey, userId };
  if (isOtherUser) {
    const guest = new ChatClient({ chatUrl: platform.chatUrl });
    const { user, key } = await guest.createUser({ name: 'Other' });
    guest.userKey = key;
    await new ChatClient({ chatUrl: platform.chatUrl, userKey }).addParticipant({
      conversationId,
      userId: user.id,
    });
    await guest.acceptInvitation({ conversationId });
    other = { userKey: key, userId: user.id };
  }
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const secondPage = await context.newPage();
  await secondPage.clock.install();
  await secondPage.addInitScript(
    ([key = '', session = '']) => localStorage.getItem(key) ?? localStorage.setItem(key, session),
    [`platform-webchat:${behind.chatUrl}`, JSON.stringify({ ...other, conversationId })],
  );
  const second = new ChatPage(secondPage, url, behind);
  await second.startConversation();
  return {
    platform,
    proxy,
    first,
    second,
    async close() {
      await context.close();
      await proxy.close();
    },
  };
}

/** Console errors that are not caused by the injected faults. */
const unexpected = ({ consoleErrors }: ChatPage) =>
  consoleErrors.filter((line) => !/Failed to load resource|blocked by CORS policy|net::ERR_/.test(line));

for (let i = 0; i < (isSoak ? 0 : schedules); i++) {
  test(`after random network faults (seed ${seed + i}) both browsers and the server have the same messages`, async ({
    page,
    browser,
    platform,
    site,
  }) => {
    const stage = await open(
      { page, browser, platform, site },
      {
        seed: seed + i,
        isOtherUser: (seed + i) % 2 > 0,
      },
    );
    const tally = await runChaos(seed + i, stage);
    expect(tally.sent).toBeGreaterThan(0);
    expect(Object.values(stage.proxy.injected).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    for (const one of [stage.first, stage.second]) expect(unexpected(one)).toEqual([]);
    await stage.close();
  });
}

test('soak: many runs of random network faults on one page lose no message and leak no memory', async ({
  page,
  browser,
  platform,
  site,
}) => {
  test.skip(!isSoak, 'npm run test:stress soak');
  test.setTimeout(0);
  const mayKill = process.env.KILLS !== '0';
  const until = Date.now() + minutes * 60_000;
  const stage = await open({ page, browser, platform, site }, { seed, isOtherUser: false });
  const session = await page.context().newCDPSession(page);

  /** Measures in a new conversation, so that the number of rendered messages is the same each time. */
  const measure = async () => {
    await page.evaluate(() => (window.platform as Platform).restartConversation());
    await expect(stage.first.rows).toHaveCount(1);
    const { conversationId } = await stage.first.storedSession();
    await stage.second.page.evaluate(
      ([key = '', id = '']) =>
        localStorage.setItem(
          key,
          JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? '{}'), conversationId: id }),
        ),
      [`platform-webchat:${stage.first.platform.chatUrl}`, conversationId ?? ''],
    );
    await stage.second.startConversation();
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    return { heap: usedSize, nodes, listeners: jsEventListeners, rss: rss(platform.pid) };
  };

  const tallies: ChaosResult[] = [];
  const failures: string[] = [];
  let before: Awaited<ReturnType<typeof measure>> | undefined;
  for (let i = 0; i < schedules || Date.now() < until; i++) {
    try {
      tallies.push(await runChaos(seed + i, { ...stage, mayKill }));
    } catch (error) {
      if (!(error instanceof ChaosError)) throw error;
      tallies.push(error.tally);
      failures.push(`${error.message}\n\n${error.cause}`);
    }
    await measure();
    // After three runs all chunks are loaded and the engine's caches are filled.
    if (i === 2) before = await measure();
  }
  const after = await measure();
  const sum = (pick: (tally: ChaosResult) => number) =>
    tallies.reduce((total, tally) => total + pick(tally), 0);
  const injected = Object.fromEntries(Object.entries(stage.proxy.injected).filter(([, count]) => count > 0));
  console.log(
    JSON.stringify(
      {
        runs: tallies.length,
        failures: failures.length,
        seeds: [seed, seed + tallies.length - 1],
        requests: stage.proxy.requests,
        faults: Object.values(injected).reduce((total, count) => total + count, 0),
        injected,
        kills: sum(({ kills }) => kills),
        typed: sum(({ sent: typed }) => typed),
        messages: sum(({ messages }) => messages),
        lost: sum(({ lost }) => lost.length),
        doubled: sum(({ duplicated: doubled }) => doubled.length),
        before,
        after,
      },
      null,
      2,
    ),
  );
  expect(failures.join('\n\n')).toBe('');
  await stage.close();
});

/** Resident bytes of a process. */
const rss = (pid: number) =>
  1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
