// Leak tests of `destroy()`: fifty instances leave no more listeners, timers, observers, nodes, connections, globals or
// memory than one, in any state of the chat.
import type { CDPSession, Page, Request } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';

test.use({
  env: scriptedBot,
  attributes: 'data-allow-file-upload data-feedback-enabled data-sound-enabled',
  csp: strictCsp('PLATFORM', { media: true }),
});

interface Held {
  listeners: number;
  timers: number;
  observers: number;
}

/** Counts what is registered: listeners on objects that outlive the chat, timers, frames, observers. */
function count(): void {
  const listeners = new Map<string, number>();
  const ids = new WeakMap<object, number>();
  let last = 0;
  const idOf = (value: object) => {
    if (!ids.has(value)) ids.set(value, ++last);
    return ids.get(value);
  };
  const lasting = (target: EventTarget | null) =>
    target === null ||
    [window, document, document.documentElement, document.body, visualViewport].some(
      (one) => one === target,
    ) ||
    target instanceof MediaQueryList;
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    add.call(this, type, listener, options);
    // One is registered by the page (support/host-page.ts).
    if (!listener || !lasting(this) || type === 'securitypolicyviolation') return;
    const {
      capture = false,
      once = false,
      signal,
    } = typeof options === 'object' ? options : { capture: options };
    const key = `${idOf(this ?? window)} ${type} ${idOf(listener)} ${capture}`;
    if (signal?.aborted) return;
    listeners.set(key, 1);
    if (signal) add.call(signal, 'abort', () => void listeners.delete(key));
    if (once) add.call(this, type, () => void listeners.delete(key), options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    remove.call(this, type, listener, options);
    const capture = typeof options === 'object' ? (options.capture ?? false) : (options ?? false);
    if (listener) listeners.delete(`${idOf(this ?? window)} ${type} ${idOf(listener)} ${capture}`);
  };

  const timers = new Set<unknown>();
  const all = window as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [start, stop] of [
    ['setTimeout', 'clearTimeout'],
    ['setInterval', 'clearInterval'],
    ['requestIdleCallback', 'cancelIdleCallback'],
    ['requestAnimationFrame', 'cancelAnimationFrame'],
  ] as const) {
    const [begin, end] = [all[start], all[stop]] as ((...args: unknown[]) => unknown)[];
    all[start] = (task, ...rest) => {
      const run = (...args: unknown[]) => {
        if (start !== 'setInterval') timers.delete(handle);
        (task as (...args: unknown[]) => void)(...args);
      };
      const number = begin?.call(window, run, ...rest);
      const handle = `${start} ${number}`;
      timers.add(handle);
      return number;
    };
    all[stop] = (number) => {
      timers.delete(`${start} ${number}`);
      end?.call(window, number);
    };
  }

  // The browser's resource timing buffer grows with every request, up to 250 entries.
  performance.setResourceTimingBufferSize(0);
  const observers = new Set<object>();
  for (const name of ['ResizeObserver', 'IntersectionObserver', 'MutationObserver', 'PerformanceObserver']) {
    const { prototype } = (
      window as unknown as Record<string, { prototype: Record<string, (...args: unknown[]) => unknown> }>
    )[name] as { prototype: Record<string, (...args: unknown[]) => unknown> };
    const { observe, disconnect } = prototype;
    prototype.observe = function (this: object, ...args: unknown[]) {
      observers.add(this);
      return observe?.apply(this, args);
    };
    prototype.disconnect = function (this: object) {
      observers.delete(this);
      return disconnect?.apply(this);
    };
  }
  Object.assign(window, {
    held: () => ({ listeners: listeners.size, timers: timers.size, observers: observers.size }),
  });
}

const held = (page: Page) => page.evaluate(() => (window as unknown as { held(): Held }).held());

/** The browser's counters after garbage collection. */
async function measure(
  cdp: CDPSession,
): Promise<{ nodes: number; jsEventListeners: number; documents: number; heap: number }> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners, documents } = await cdp.send('Memory.getDOMCounters');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return { nodes, jsEventListeners, documents, heap: usedSize };
}

/** The actions of an instance before it is destroyed. The last one begins as an open chat that shows messages. */
const scenarios: [name: string, reach: 'nothing' | 'loading' | 'everything'][] = [
  ['was never opened', 'nothing'],
  ['was still loading', 'loading'],
  ['was open with Markdown, code, pictures, a player, an upload and a menu', 'everything'],
];

/** Creates and destroys `times` instances in the page. */
const createInstances = (page: Page, reach: string, times: number) =>
  page.evaluate(
    async ([extent, count]) => {
      const { kept } = window as unknown as { kept: Platform };
      const root = () => document.querySelector('platform-webchat')?.shadowRoot;
      const until = async (condition: () => unknown) => {
        while (!condition()) await new Promise((resolve) => requestAnimationFrame(resolve));
      };
      for (let i = 0; i < count; i++) {
        kept.init();
        if (extent !== 'nothing') {
          kept.open();
          // Each time at a different moment of loading.
          if (extent === 'loading')
            for (let wait = 0; wait < i % 9; wait++) await new Promise((r) => requestAnimationFrame(r));
          else {
            await new Promise<void>((resolve) => kept.on('webchat:ready', resolve));
            await until(() => root()?.querySelector('.row[data-status]'));
          }
        }
        if (extent === 'everything') {
          await until(() =>
            ['strong', 'pre', 'img', 'audio'].every((name) => root()?.querySelector(`.row ${name}`)),
          );
          const transfer = new DataTransfer();
          transfer.items.add(new File(['words'], `words-${i}.txt`, { type: 'text/plain' }));
          const clipboard = new ClipboardEvent('paste', {
            clipboardData: transfer,
            bubbles: true,
            composed: true,
            cancelable: true,
          });
          root()?.querySelector('textarea')?.dispatchEvent(clipboard);
          await until(() => root()?.textContent?.includes(`words-${i}.txt`));
          await until(() => root()?.querySelector('[part="more"]'));
          root()?.querySelector<HTMLElement>('[part="more"]')?.click();
          await until(() => root()?.querySelector('[role="menu"]'));
        }
        kept.destroy();
      }
    },
    [reach, times] as const,
  );

for (const [name, reach] of scenarios) {
  test(`fifty instances of a chat that ${name} leave no listener, timer, node, connection or memory`, async ({
    chat,
    page,
    platform,
  }) => {
    // Seventy instances in sequence.
    test.slow();
    await page.addInitScript(count);
    let streams = 0;
    const isStream = (request: Request) => request.url().endsWith('/listen');
    const onEnd = (request: Request) => {
      if (isStream(request)) streams--;
    };
    page.on('request', (request) => {
      if (isStream(request)) streams++;
    });
    page.on('requestfailed', onEnd);
    page.on('requestfinished', onEnd);
    await chat.goto();
    const globals = () => page.evaluate(() => Object.getOwnPropertyNames(window).sort());
    const attributes = () =>
      page.evaluate(() => (document.documentElement.cloneNode(false) as Element).outerHTML);
    if (reach === 'everything') {
      await chat.openWindow();
      await chat.botReplies({
        type: 'markdown',
        markdown: 'Some **bold** words\n\n```js\nconst code = 1;\n```',
      });
      await chat.botReplies({
        type: 'image',
        imageUrl: `${platform.url}/demo/media/photo.svg`,
        title: 'A picture',
      });
      await chat.botReplies({
        type: 'audio',
        audioUrl: `${platform.url}/demo/media/tone.wav`,
        title: 'A tone',
      });
    }
    await page.evaluate(() => {
      const { platform: kept } = window as { platform?: Platform };
      Object.assign(window, { kept });
      kept?.destroy();
    });
    const cdp = await page.context().newCDPSession(page);
    // The first instances load chunks, compile, and fill caches: 600 KB in the first fifty, 20 in the next
    await createInstances(page, reach, 20);
    // Chromium keeps the last opened window, with 8 to 30 listeners, until another instance takes its place.
    await createInstances(page, 'nothing', 1);
    const before = { globals: await globals(), attributes: await attributes(), ...(await measure(cdp)) };
    await createInstances(page, reach, 50);
    await createInstances(page, 'nothing', 1);

    await expect.poll(() => streams).toBe(0);
    // Preact's own timer for effects ends with the next frame.
    await expect.poll(() => held(page)).toEqual({ listeners: 0, timers: 0, observers: 0 });
    await expect(page.locator('platform-webchat')).toHaveCount(0);
    // Chromium 156 frees some nodes with their listeners only when more frames have been drawn.
    await expect
      .poll(async () => (await measure(cdp)).jsEventListeners)
      .toBeLessThanOrEqual(before.jsEventListeners);
    const after = { globals: await globals(), attributes: await attributes(), ...(await measure(cdp)) };
    expect(after.globals).toEqual(before.globals);
    expect(after.globals).toContain('platform');
    expect(after.attributes).toBe(before.attributes);
    expect(after.documents).toBeLessThanOrEqual(before.documents);
    expect(after.jsEventListeners).toBeLessThanOrEqual(before.jsEventListeners);
    expect(after.nodes).toBeLessThanOrEqual(before.nodes + 20);
    expect(after.heap).toBeLessThan(before.heap + 400_000);
    // The chat can be initialized again and works.
    await page.evaluate(() => (window as unknown as { kept: Platform }).kept.init());
    await chat.launcher.click();
    await expect(chat.botRows.first()).toContainText('scripted double');
    chat.ignoreConsoleErrors(/net::ERR_ABORTED/);
  });
}
