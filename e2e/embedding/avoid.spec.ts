// The launcher and the window keep clear of elements of the page (`avoid`) and of the launchers of other chats.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

declare global {
  interface Window {
    shifted: number;
    second: Platform;
    watched: Set<Element>;
    /** How often the chat has measured the elements to avoid. */
    measurements: number;
  }
}

/** A bar at the bottom of the page: its height, and more styles. */
const addBar = (page: Page, height: number, style = '') =>
  page.evaluate(
    ([height, style]) => {
      const bar = document.createElement('div');
      bar.className = 'bar';
      bar.style.cssText = `position: fixed; inset: auto 0 0; height: ${height}px; background: gray; ${style}`;
      document.body.append(bar);
    },
    [height, style] as const,
  );

/** Pixels between the lower edge of the launcher and that of the page. */
const below = (page: Page, index = 0) =>
  page.evaluate((index) => {
    const host = document.querySelectorAll('html > platform-webchat')[index];
    const launcher = host?.shadowRoot?.querySelector('.launcher');
    return innerHeight - (launcher?.getBoundingClientRect().bottom ?? 0);
  }, index);

interface Shift {
  value: number;
  sources: { node: Element | null }[];
}

/** Adds up the layout shifts of the page from now on, except those of the bar itself, which grows upwards. */
const recordShifts = (page: Page) =>
  page.evaluate(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as Shift[]) {
        if (!sources.every(({ node }) => node?.className === 'bar')) window.shifted += value;
      }
    }).observe({ type: 'layout-shift' });
  });

const frames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const withBars = 'data-avoid=".bar, [data-banner]"';

test('the launcher rises above a bar that appears, follows its size and returns when the bar vanishes, without a layout shift', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.load(withBars);
  expect(await below(page)).toBe(20);
  await recordShifts(page);
  await addBar(page, 60);
  await expect.poll(() => below(page)).toBe(72);
  await page.locator('.bar').evaluate((bar) => {
    bar.style.height = '100px';
  });
  await expect.poll(() => below(page)).toBe(112);
  await page.locator('.bar').evaluate((bar) => {
    bar.style.display = 'none';
  });
  await expect.poll(() => below(page)).toBe(20);
  await page.locator('.bar').evaluate((bar) => {
    bar.style.display = 'block';
  });
  await expect.poll(() => below(page)).toBe(112);
  await page.locator('.bar').evaluate((bar) => bar.remove());
  await expect.poll(() => below(page)).toBe(20);
  await frames(page);
  expect(await page.evaluate(() => window.shifted)).toBe(0);
});

test('an element that begins to match, one that is only invisible, and one that slides in are followed', async ({
  chat,
  page,
}) => {
  await chat.load(withBars);
  await addBar(page, 60, 'visibility: hidden');
  // A lower bar that is visible, to know that the first one was measured.
  await addBar(page, 40);
  await expect.poll(() => below(page)).toBe(52);
  const bar = page.locator('div').first();
  await bar.evaluate((element: HTMLElement) => {
    element.style.visibility = '';
  });
  await expect.poll(() => below(page)).toBe(72);
  await bar.evaluate((element: HTMLElement) => {
    element.className = 'other';
  });
  await expect.poll(() => below(page)).toBe(52);
  await bar.evaluate((element) => element.toggleAttribute('data-banner'));
  await expect.poll(() => below(page)).toBe(72);
  await bar.evaluate((element: HTMLElement) => {
    element.style.transform = 'translateY(100%)';
  });
  await expect.poll(() => below(page)).toBe(52);
  await bar.evaluate((element) => {
    element.animate([{ transform: 'translateY(100%)' }, { transform: 'none' }], {
      duration: 50,
      fill: 'forwards',
    });
  });
  await expect.poll(() => below(page)).toBe(72);
});

test('without a launcher the open window keeps clear of a bar, and not of one that has vanished meanwhile', async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 1000, height: 700 });
  await chat.load(withBars);
  await chat.openWindow();
  await chat.call('hide');
  const belowWindow = async () => {
    const box = await chat.window.boundingBox();
    return box && 700 - box.y - box.height;
  };
  await addBar(page, 150);
  await expect.poll(belowWindow).toBe(162);
  await expect(chat.input).toBeInViewport();
  await page.locator('.bar').evaluate((bar) => bar.remove());
  await expect.poll(belowWindow).toBe(92);
  // Hidden while a bar has raised it: the place of that time is forgotten.
  await page.evaluate(() => {
    const platform = window.platform as Platform;
    platform.close();
    platform.show();
  });
  await addBar(page, 150);
  await expect.poll(() => below(page)).toBe(162);
  await chat.call('hide');
  await page.locator('.bar').evaluate((bar) => bar.remove());
  await chat.call('open');
  await expect.poll(belowWindow).toBe(92);
});

test('a page that changes all the time is measured at most ten times a second, and destroy ends it', async ({
  chat,
  page,
}) => {
  await chat.load(withBars);
  await addBar(page, 60);
  await expect.poll(() => below(page)).toBe(72);
  const { searches, elapsed } = await page.evaluate(async () => {
    let searches = 0;
    const original = document.querySelectorAll.bind(document);
    document.querySelectorAll = ((selector: string) => {
      if (selector.includes('.bar')) searches++;
      return original(selector);
    }) as typeof document.querySelectorAll;
    const start = performance.now();
    for (let i = 0; i < 60; i++) {
      document.body.className = `change-${i}`;
      await new Promise(requestAnimationFrame);
    }
    return { searches, elapsed: performance.now() - start };
  });
  expect(searches).toBeGreaterThan(0);
  expect(searches).toBeLessThanOrEqual(elapsed / 100 + 2);
  const after = await page.evaluate(async () => {
    (window.platform as Platform).destroy();
    let searches = 0;
    const original = document.querySelectorAll.bind(document);
    document.querySelectorAll = ((selector: string) => {
      searches++;
      return original(selector);
    }) as typeof document.querySelectorAll;
    document.body.className = 'after';
    for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame);
    return searches;
  });
  expect(after).toBe(0);
});

test('a selector that is none is reported once, and the chat stays where it is', async ({ chat, page }) => {
  await chat.goto();
  await chat.recordEvents();
  const message = "Configuration: 'avoid' must be a selector.";
  for (let i = 0; i < 2; i++) {
    await chat.configure({ avoid: '..[' });
  }
  await expect
    .poll(async () => (await chat.events()).map(({ payload }) => (payload as Error | undefined)?.message))
    .toContain(message);
  await chat.configure({ avoid: '.bar' });
  await addBar(page, 60);
  await expect.poll(() => below(page)).toBe(72);
  expect((await chat.events()).filter(({ type }) => type === 'error')).toHaveLength(1);
  expect(chat.consoleErrors.splice(0)).toEqual([`[platform] ${message}`]);
});

test('of two chats in one corner the later launcher is beside the earlier one, also above a bar', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await recordShifts(page);
  const place = (index: number) => page.locator('.launcher').nth(index).boundingBox();
  await page.evaluate(() => {
    window.second = (window.platform as Platform).create({
      instance: 'sales',
      configuration: { avoid: '.bar' },
    });
  });
  const { width = 0 } = page.viewportSize() ?? {};
  await expect.poll(async () => (await place(1))?.x).toBe(width - 20 - 56 - 12 - 56);
  expect((await place(0))?.x).toBe(width - 20 - 56);
  await addBar(page, 80);
  // Only the second was asked to keep clear of the bar: above it nothing is in its way.
  await expect.poll(async () => [await below(page, 1), (await place(1))?.x]).toEqual([92, width - 76]);
  await chat.configure({ avoid: '.bar', position: 'right' });
  await expect.poll(() => below(page, 0)).toBe(92);
  await expect.poll(async () => (await place(1))?.x).toBe(width - 144);
  // Without the first one it returns into the corner.
  await chat.call('hide');
  await expect.poll(async () => (await place(0))?.x ?? (await place(1))?.x).toBe(width - 76);
  await chat.call('show');
  await expect.poll(async () => (await place(1))?.x).toBe(width - 144);
  await chat.call('destroy');
  await expect.poll(async () => (await place(0))?.x).toBe(width - 76);
  expect(await page.evaluate(() => window.shifted)).toBe(0);
});

test('on a phone the later launcher is hidden while the window of the earlier chat fills the screen', async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.goto();
  await page.evaluate(() => {
    window.second = (window.platform as Platform).create({ instance: 'sales' });
  });
  const second = page.locator('.launcher').nth(1);
  await expect.poll(async () => (await second.boundingBox())?.x).toBe(360 - 144);
  await chat.call('open');
  await expect(second).toBeHidden();
  await expect(chat.botRows).toHaveCount(1);
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await expect(second).toBeVisible();
  await second.click();
  await expect(chat.botRows).toHaveCount(1);
  await expect(chat.window).toBeInViewport({ ratio: 1 });
});

test('on a page written from right to left the later launcher is to the right of the earlier one', async ({
  chat,
  page,
}) => {
  await chat.load('', { html: 'lang="ar" dir="rtl"' });
  await page.evaluate(() => {
    (window.platform as Platform).create({ instance: 'sales' });
  });
  await expect.poll(async () => (await page.locator('.launcher').nth(1).boundingBox())?.x).toBe(88);
  await page.locator('.launcher').nth(1).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  // The window of the later chat is above both launchers.
  const box = await page.getByRole('dialog').boundingBox();
  const { height = 0 } = page.viewportSize() ?? {};
  expect(box && height - box.y - box.height).toBe(92);
});

test('of many elements only the first ones are watched', async ({ chat, page }) => {
  await page.addInitScript(() => {
    window.watched = new Set();
    window.measurements = 0;
    const { observe } = IntersectionObserver.prototype;
    IntersectionObserver.prototype.observe = function (element) {
      window.watched.add(element);
      if (element.matches('.launcher')) window.measurements += 1;
      observe.call(this, element);
    };
  });
  await chat.load('data-avoid="*"');
  // The second one follows the first report of the sizes. Later ones need a change of the page.
  await expect.poll(() => page.evaluate(() => window.measurements)).toBe(2);
  await page.evaluate(() => {
    window.watched.clear();
    for (let i = 0; i < 3_000; i++) document.body.append(document.createElement('span'));
  });
  await expect.poll(() => page.evaluate(() => window.watched.size)).toBeGreaterThan(90);
  expect(await page.evaluate(() => window.watched.size)).toBeLessThan(110);
  await expect(chat.launcher).toBeVisible();
});
