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

/** Clicks the launcher. Returns the milliseconds until the composer has been painted, and the longest task. */
const openByClick = ({ page }: ChatPage) =>
  page.evaluate(async () => {
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
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
    return { composer, greeting, longest };
  });

const open = (prefetch: boolean): Case => ({
  name: `slow phone, ${prefetch ? 'after an idle time' : 'without prefetch'}`,
  times: 3,
  run: ({ inPage }) =>
    inPage(
      async (chatPage) => {
        await reloadSlowly(chatPage);
        const launcher = await untilLauncher(chatPage);
        await chatPage.page.waitForLoadState('networkidle');
        if (prefetch) {
          const isLoaded = () =>
            performance.getEntriesByType('resource').some(({ name }) => /chat-\w+\.js$/.test(name));
          await chatPage.page.waitForFunction(isLoaded);
        }
        const { composer, greeting, longest } = await openByClick(chatPage);
        return {
          'launcher visible': [launcher, 'ms'],
          'click to composer': [composer, 'ms'],
          'click to greeting': [greeting, 'ms'],
          'longest task of opening': [longest, 'ms'],
        };
      },
      { prefetch },
    ),
});

export const phoneCases: Case[] = [open(false), open(true)];
