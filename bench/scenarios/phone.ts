// Measures a new visitor on a slow phone: until the launcher is visible, and from the click to a usable composer.
import type { ChatPage } from '../chat-page.ts';
import type { Case } from '../measure.ts';

const slowness = 4;
/** Chrome's preset "Slow 3G" in DevTools: 1.44 Mbit/s after its factor of 0.9, and 562 ms. */
const network = { offline: false, latency: 562, downloadThroughput: 180_000, uploadThroughput: 84_000 };

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
 * time: of each task the part over 50 ms.
 */
const openByClick = ({ page }: ChatPage) =>
  page.evaluate(async () => {
    let longest = 0;
    let blocking = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        longest = Math.max(longest, duration);
        blocking += duration - 50;
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
    while (!root.querySelector('.row[data-side="bot"]')) await frame();
    const greeting = performance.now() - start;
    observer.disconnect();
    return { composer, greeting, longest, blocking };
  });

const open = (prefetch: boolean): Case => ({
  name: `slow phone, ${prefetch ? 'after an idle time' : 'without prefetch'}`,
  times: 5,
  run: ({ inPage }) =>
    inPage(
      async (chatPage) => {
        await reloadSlowly(chatPage);
        const launcher = await untilLauncher(chatPage);
        await chatPage.page.waitForLoadState('networkidle');
        if (prefetch) {
          await chatPage.page.waitForFunction(() => window.sampler.root().querySelector('textarea'));
          // Drawn, and measured in the task after that.
          await chatPage.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
        }
        const { composer, greeting, longest, blocking } = await openByClick(chatPage);
        return {
          'launcher visible': [launcher, 'ms'],
          'click to composer': [composer, 'ms'],
          'click to greeting': [greeting, 'ms'],
          'longest task of opening': [longest, 'ms'],
          'blocking time of opening': [blocking, 'ms'],
        };
      },
      { prefetch },
    ),
});

export const phoneCases: Case[] = [open(false), open(true)];
