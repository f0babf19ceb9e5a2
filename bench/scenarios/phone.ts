// Measures a new visitor on a slow phone: until the launcher is visible, and from the click to a usable composer.
import type { ChatPage } from '../chat-page.ts';
import { besideFloor } from '../floor.ts';
import type { Case } from '../measure.ts';

const slowness = 4;
/** Browsers report only longer tasks. */
const longTaskMs = 50;
/** Milliseconds of a round trip of {@link network}. */
const latency = 562;
/** Chrome's preset "Fast 3G" in DevTools: 1.44 Mbit/s after its factor of 0.9, and 562 ms. */
const network = { offline: false, latency, downloadThroughput: 180_000, uploadThroughput: 84_000 };

async function reloadSlowly(chatPage: ChatPage): Promise<void> {
  await chatPage.cdp.send('Network.enable');
  await chatPage.cdp.send('Network.emulateNetworkConditions', network);
  await chatPage.throttle(slowness);
  await chatPage.page.reload({ waitUntil: 'commit' });
}

/** Returns the milliseconds since the navigation began until the launcher is visible. */
const untilLauncher = ({ page }: ChatPage) =>
  page.evaluate(async () => {
    const isVisible = () => {
      const button = document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.launcher');
      return button?.checkVisibility() === true;
    };
    while (!isVisible()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now();
  });

/**
 * Clicks the launcher. Returns the milliseconds until the composer has been painted, the longest task, and the blocking
 * time: of each task the part over `longTaskMs`. @param hasBot waits for the greeting of the bot.
 */
const openByClick = ({ page }: ChatPage, hasBot: boolean) =>
  page.evaluate(
    async ([waits, limit]) => {
      let longest = 0;
      let blocking = 0;
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          longest = Math.max(longest, duration);
          blocking += duration - limit;
        }
      });
      observer.observe({ type: 'longtask' });
      const root = window.sampler.root();
      const start = performance.now();
      root.querySelector<HTMLButtonElement>('.launcher')?.click();
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      while (!root.querySelector<HTMLTextAreaElement>('textarea:enabled')) await frame();
      await frame();
      const composer = performance.now() - start;
      while (waits && !root.querySelector('.row[data-side="bot"]')) await frame();
      const greeting = performance.now() - start;
      observer.disconnect();
      return { composer, greeting, longest, blocking };
    },
    [hasBot, longTaskMs] as const,
  );

const open = (prefetch: boolean): Case => ({
  name: `slow phone, ${prefetch ? 'after an idle time' : 'without prefetch'}`,
  times: 2,
  async run(environment) {
    const [chat, floor] = await besideFloor(
      environment,
      { prefetch },
      async (chatPage) => {
        await reloadSlowly(chatPage);
        const launcher = await untilLauncher(chatPage);
        await chatPage.page.waitForLoadState('networkidle');
        if (prefetch) {
          await chatPage.page.waitForFunction(() =>
            performance.getEntriesByType('resource').some(({ name }) => /chat-\w+\.js$/.test(name)),
          );
        }
        return { launcher, ...(await openByClick(chatPage, true)) };
      },
      async (chatPage) => {
        await reloadSlowly(chatPage);
        const launcher = await untilLauncher(chatPage);
        return { launcher, ...(await openByClick(chatPage, false)) };
      },
    );
    return {
      'launcher visible': [chat.launcher, 'ms', floor.launcher],
      // Without an early load, the code needs a round trip.
      'click to composer': [chat.composer, 'ms', floor.composer + (prefetch ? 0 : latency)],
      // The stream needs the key of the user, which the first request creates.
      'click to greeting': [chat.greeting, 'ms', floor.composer + (prefetch ? 2 : 3) * latency],
      'longest task of opening': [chat.longest, 'ms', Math.max(floor.longest, longTaskMs)],
      'blocking time of opening': [chat.blocking, 'ms'],
    };
  },
});

export const phoneCases: Case[] = [open(false), open(true)];
