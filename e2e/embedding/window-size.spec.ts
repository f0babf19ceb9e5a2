// The size of the window: expanded, docked to the side of the page, and resized by its edges.
import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ viewport: { width: 1200, height: 800 } });

/** Waits until the code of the sizes has loaded: a menu that was opened before does not have their commands. */
const sized = (page: Page) => expect(page.locator('.box[data-size]').first()).toBeAttached();

/** Chooses a command in the menu of the window. */
async function choose(chat: ChatPage, name: string) {
  await sized(chat.page);
  await chat.window.getByRole('button', { name: 'More' }).click();
  await chat.window.getByRole('menuitem', { name }).click();
  await expect(chat.window.getByRole('menu')).toHaveCount(0);
}

/** The window as left, top, right and bottom edge. */
async function edges(chat: ChatPage) {
  const box = await chat.window.boundingBox();
  return box && [box.x, box.y, box.x + box.width, box.y + box.height];
}
/** The commands of the menu without those for sizes. */
const usualCommands = ['Conversations', 'Download conversation', 'Print conversation'];
const normal = [780, 28, 1180, 708];
const expanded = [420, 20, 1180, 708];
const docked = [780, 0, 1200, 800];

const side = (chat: ChatPage) => chat.page.getByRole('separator', { name: 'Width of the window' });
const top = (chat: ChatPage) => chat.page.getByRole('separator', { name: 'Height of the window' });

/** Drags from a point by a distance, in several steps. */
async function drag(page: Page, [x, y]: [number, number], [byX, byY]: [number, number]) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + byX, y + byY, { steps: 5 });
  await page.mouse.up();
}

const stored = (chat: ChatPage) =>
  chat.storedSession().then((session) => (session as { window?: object }).window);

/** The custom properties of the page for a docked window. */
const dockWidths = (page: Page) =>
  page.evaluate(() => {
    const probe = document.createElement('div');
    document.body.append(probe);
    probe.style.cssText = 'position:absolute;left:var(--pw-dock-left,0px);right:var(--pw-dock-right,0px)';
    const { left, right } = getComputedStyle(probe);
    probe.remove();
    return [left, right].map(Number.parseFloat);
  });

test('without the fields there is one size: no command in the menu, no handle, no code and no record', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  expect(await edges(chat)).toEqual(normal);
  await chat.window.getByRole('button', { name: 'More' }).click();
  await expect(chat.window.getByRole('menuitem')).toHaveText(usualCommands);
  await expect(page.getByRole('separator')).toHaveCount(0);
  expect(chat.requests.filter((url) => /\/(host-page|window-size)-/.test(url))).toEqual([]);
  expect(await stored(chat)).toBeUndefined();
});

test.describe('expandable and dockable', () => {
  test.use({ attributes: 'data-expandable data-dockable' });

  test('the menu expands the window, docks it and returns to the normal size, and the focus stays at the menu', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await chat.startConversation();
    const more = chat.window.getByRole('button', { name: 'More' });
    await choose(chat, 'Expand window');
    expect(await edges(chat)).toEqual(expanded);
    await expect(more).toBeFocused();
    await choose(chat, 'Dock to the side');
    expect(await edges(chat)).toEqual(docked);
    // It would be above the composer.
    await expect(chat.launcher).toBeHidden();
    await more.click();
    await expect(chat.window.getByRole('menuitem')).toHaveText([
      'Restore normal size',
      'Expand window',
      ...usualCommands,
    ]);
    await page.keyboard.press('Enter');
    await expect.poll(() => edges(chat)).toEqual(normal);
    await expect(chat.launcher).toBeVisible();
    await expect(page.getByRole('separator')).toHaveCount(0);
    await chat.exchange('Still here');
  });

  test('the choice is remembered, another tab takes it when it opens the window, and nothing is stored before', async ({
    chat,
    page,
    context,
  }) => {
    await chat.goto();
    const other = await context.newPage();
    await other.goto(chat.url);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await chat.openWindow();
    expect(await stored(chat)).toBeUndefined();
    await choose(chat, 'Dock to the side');
    expect(await stored(chat)).toEqual({ size: 'docked' });
    await sized(other);
    await other.locator('.launcher').click();
    const box = await other.getByRole('dialog').boundingBox();
    expect(box).toEqual({ x: 780, y: 0, width: 420, height: 800 });
    await other.close();
    await page.reload();
    await chat.openWindow();
    await expect.poll(() => edges(chat)).toEqual(docked);
    // After a logout the record is gone, and the window of the next visitor has its usual size.
    await chat.call('logout');
    await expect(chat.window).toBeHidden();
    await chat.openWindow();
    expect(await edges(chat)).toEqual(normal);
  });

  test('a docked window covers the page, which keeps its layout; the page learns the width and can make room', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const text = page.getByRole('heading', { name: 'A page' });
    const before = await text.boundingBox();
    expect(await dockWidths(page)).toEqual([0, 0]);
    await choose(chat, 'Dock to the side');
    expect(await text.boundingBox()).toEqual(before);
    expect(await dockWidths(page)).toEqual([0, 420]);
    await page.emulateMedia({ media: 'print' });
    expect(await dockWidths(page)).toEqual([0, 0]);
    await page.emulateMedia({ media: 'screen' });
    await chat.configure({ position: 'left' });
    await expect.poll(() => dockWidths(page)).toEqual([420, 0]);
    expect(await edges(chat)).toEqual([0, 0, 420, 800]);
    await page.setViewportSize({ width: 500, height: 800 });
    await expect.poll(() => dockWidths(page)).toEqual([380, 0]);
    await page.setViewportSize({ width: 360, height: 640 });
    await expect.poll(() => dockWidths(page)).toEqual([0, 0]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect.poll(() => dockWidths(page)).toEqual([420, 0]);
    await chat.call('close');
    expect(await dockWidths(page)).toEqual([0, 0]);
    await chat.call('open');
    expect(await dockWidths(page)).toEqual([420, 0]);
    await chat.call('destroy');
    expect(await dockWidths(page)).toEqual([0, 0]);
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  });

  test('on a small screen the window fills it, without commands; with room again it has the chosen size', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await choose(chat, 'Dock to the side');
    for (const [width, height] of [
      [360, 640],
      // A page of 1280 x 1024 at 400 %.
      [320, 256],
      [900, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => edges(chat)).toEqual([0, 0, width, height]);
      await chat.window.getByRole('button', { name: 'More' }).click();
      await expect(chat.window.getByRole('menuitem')).toHaveText(usualCommands);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect.poll(() => edges(chat)).toEqual(docked);
  });

  test('a size that the site no longer allows is not used, and is back when it is allowed again', async ({
    chat,
  }) => {
    await chat.startConversation();
    await choose(chat, 'Expand window');
    await chat.configure({ expandable: false });
    await expect.poll(() => edges(chat)).toEqual(normal);
    await chat.configure({ expandable: null, dockable: false });
    await expect.poll(() => edges(chat)).toEqual(expanded);
    await chat.configure({ windowSize: 'docked', expandable: false });
    await expect.poll(() => edges(chat)).toEqual(docked);
    await chat.window.getByRole('button', { name: 'More' }).click();
    // The only size that the site allows.
    await expect(chat.window.getByRole('menuitem')).toHaveText(usualCommands);
  });

  test('an embedded chat has one size', async ({ chat, page, platform }) => {
    await chat.load('data-target="#place" data-window-size="docked" data-expandable data-resizable', {
      body: '<div id="place"></div>',
      csp: `default-src 'none'; script-src 'nonce-n0nce'; connect-src ${platform.url}; require-trusted-types-for 'script'; trusted-types platform-webchat`,
    });
    const region = page.getByRole('region', { name: 'Chat with' });
    await expect(region.locator('.row[data-status]')).toHaveCount(1);
    expect(await region.boundingBox()).toMatchObject({ height: 480 });
    await region.getByRole('button', { name: 'More' }).click();
    await expect(region.getByRole('menuitem')).toHaveText(usualCommands);
    await expect(page.getByRole('separator')).toHaveCount(0);
    expect(chat.requests.filter((url) => /\/window-size-/.test(url))).toEqual([]);
  });
});

test.describe('resizable', () => {
  test.use({ attributes: 'data-resizable data-expandable data-dockable' });

  /** Starts a conversation in a window with handles at its edges: their code may load after that of the chat. */
  const start = async (chat: ChatPage) => {
    await chat.startConversation();
    await expect(chat.page.getByRole('separator')).toHaveCount(2);
  };

  test('dragging an edge or the corner resizes the window, stores it once at the end, and a double click resets it', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await start(chat);
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      window.seen.events = [];
      Storage.prototype.setItem = function (key, value) {
        if (value.includes('"window"')) window.seen.events.push({ type: key, payload: value });
        setItem.call(this, key, value);
      };
    });
    await drag(page, [779, 400], [-100, 30]);
    expect(await edges(chat)).toEqual([680, 28, 1180, 708]);
    expect(await stored(chat)).toEqual({ size: 'normal', width: 500, height: 680 });
    expect(await page.evaluate(() => window.seen.events.length)).toBe(1);
    await drag(page, [900, 27], [50, 100]);
    expect(await edges(chat)).toEqual([680, 128, 1180, 708]);
    await drag(page, [681, 129], [-30, -40]);
    expect(await edges(chat)).toEqual([650, 88, 1180, 708]);
    await page.reload();
    await chat.openWindow();
    await expect.poll(() => edges(chat)).toEqual([650, 88, 1180, 708]);
    await page.mouse.dblclick(649, 400);
    expect(await edges(chat)).toEqual(normal);
    expect(await stored(chat)).toEqual({ size: 'normal' });
  });

  test('the window stays between its least size and the edges of the page, also when the page becomes smaller', async ({
    chat,
    page,
  }) => {
    await start(chat);
    await drag(page, [781, 29], [-2_000, -2_000]);
    expect(await edges(chat)).toEqual([20, 20, 1180, 708]);
    await page.setViewportSize({ width: 700, height: 600 });
    await expect.poll(() => edges(chat)).toEqual([20, 20, 680, 508]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect.poll(() => edges(chat)).toEqual([20, 20, 1180, 708]);
    await drag(page, [21, 21], [1_170, 780]);
    expect(await edges(chat)).toEqual([860, 348, 1180, 708]);
    await expect(chat.input).toBeInViewport();
  });

  test('the arrow keys move an edge in their direction, Home and End go to the limits, Enter resets, and the values are announced', async ({
    chat,
    page,
  }) => {
    await start(chat);
    await side(chat).focus();
    await expect(side(chat)).toHaveAttribute('aria-orientation', 'vertical');
    await expect(side(chat)).toHaveAttribute('aria-controls', 'platform-window');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await edges(chat)).toEqual([740, 28, 1180, 708]);
    for (const [name, value] of Object.entries({ now: 440, min: 320, max: 1160 }))
      await expect(side(chat)).toHaveAttribute(`aria-value${name}`, String(value));
    await page.keyboard.press('Shift+ArrowRight');
    expect(await edges(chat)).toEqual([840, 28, 1180, 708]);
    await page.keyboard.press('Home');
    await expect(side(chat)).toHaveAttribute('aria-valuenow', '320');
    await page.keyboard.press('End');
    expect(await edges(chat)).toEqual([20, 28, 1180, 708]);
    await top(chat).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await edges(chat)).toEqual([20, 20, 1180, 708]);
    await page.keyboard.press('Shift+ArrowDown');
    expect(await edges(chat)).toEqual([20, 120, 1180, 708]);
    await page.keyboard.press('Enter');
    expect(await edges(chat)).toEqual(normal);
    await page.keyboard.press('Control+ArrowUp');
    expect(await edges(chat)).toEqual(normal);
    await page.keyboard.press('Escape');
    await expect(chat.window).toBeHidden();
    await expect(page.getByRole('separator')).toHaveCount(0);
    await expect(chat.launcher).toBeFocused();
  });

  test('a docked window is resized at its free side; an expanded one becomes one of its own size', async ({
    chat,
    page,
  }) => {
    await start(chat);
    await choose(chat, 'Dock to the side');
    await expect(top(chat)).toBeHidden();
    await drag(page, [779, 300], [-80, 0]);
    expect(await edges(chat)).toEqual([700, 0, 1200, 800]);
    expect(await dockWidths(page)).toEqual([0, 500]);
    await drag(page, [699, 300], [-1_000, 0]);
    // A part of the page stays visible.
    expect(await edges(chat)).toEqual([120, 0, 1200, 800]);
    await choose(chat, 'Expand window');
    expect(await edges(chat)).toEqual(expanded);
    await drag(page, [419, 300], [20, 0]);
    expect(await edges(chat)).toEqual([440, 20, 1180, 708]);
    await choose(chat, 'Dock to the side');
    await page.mouse.dblclick(119, 300);
    expect(await edges(chat)).toEqual(docked);
    await choose(chat, 'Restore normal size');
    expect(await edges(chat)).toEqual([440, 20, 1180, 708]);
  });

  test('Escape ends a drag with the size before it, and the window stays open', async ({ chat, page }) => {
    await start(chat);
    await page.mouse.move(779, 400);
    await page.mouse.down();
    await page.mouse.move(600, 400, { steps: 3 });
    expect(await edges(chat)).toEqual([601, 28, 1180, 708]);
    await page.keyboard.press('Escape');
    expect(await edges(chat)).toEqual(normal);
    await page.mouse.move(500, 400);
    await page.mouse.up();
    expect(await edges(chat)).toEqual(normal);
    await expect(chat.window).toBeVisible();
    expect(await stored(chat)).toBeUndefined();
  });

  test('a window that is closed or destroyed during a drag leaves nothing behind', async ({ chat, page }) => {
    await start(chat);
    await page.mouse.move(779, 400);
    await page.mouse.down();
    await page.mouse.move(700, 400, { steps: 3 });
    await chat.call('close');
    await page.mouse.move(500, 400);
    await page.mouse.up();
    await chat.call('open');
    expect(await edges(chat)).toEqual([701, 28, 1180, 708]);
    await page.mouse.move(700, 400);
    await page.mouse.down();
    await chat.call('destroy');
    await page.mouse.move(500, 400);
    await page.mouse.up();
    await expect(page.getByRole('separator')).toHaveCount(0);
  });

  test('axe finds no violation in the handles and the menu, and a handle shows the focus', async ({
    chat,
    page,
  }) => {
    await start(chat);
    await chat.window.getByRole('button', { name: 'More' }).click();
    await expect(chat.window.getByRole('menuitem')).toHaveCount(5);
    for (const themeMode of ['light', 'dark']) {
      await chat.configure({ themeMode });
      expect(await violations(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    // The handles are before the window.
    await top(chat).focus();
    await page.keyboard.press('Tab');
    await expect(side(chat)).toBeFocused();
    const grip = await side(chat).evaluate((e) => {
      const { opacity, outlineStyle, outlineWidth } = getComputedStyle(e, '::after');
      return [opacity, outlineStyle, outlineWidth];
    });
    expect(grip).toEqual(['1', 'solid', '2px']);
    await page.keyboard.press('Tab');
    await expect(chat.window.locator(':focus')).toHaveCount(1);
  });

  test('a window at the left side of the page has its handles at the right', async ({ chat, page }) => {
    await start(chat);
    await chat.configure({ position: 'left' });
    await expect.poll(() => edges(chat)).toEqual([20, 28, 420, 708]);
    // The window has moved before its handles.
    await expect(page.locator('.box[data-left]')).toHaveCount(1);
    await drag(page, [421, 400], [100, 0]);
    expect(await edges(chat)).toEqual([20, 28, 520, 708]);
    await side(chat).focus();
    await page.keyboard.press('ArrowRight');
    expect(await edges(chat)).toEqual([20, 28, 540, 708]);
    await drag(page, [539, 29], [20, 40]);
    expect(await edges(chat)).toEqual([20, 68, 560, 708]);
    await choose(chat, 'Dock to the side');
    await drag(page, [421, 400], [100, 0]);
    expect(await edges(chat)).toEqual([0, 0, 520, 800]);
  });

  test('an invalid record is ignored', async ({ chat, page }) => {
    await start(chat);
    const invalid = { size: '"; }', width: -5, height: '400; color: red', dockWidth: 'Infinity' };
    for (const record of [invalid, null, 'x', []]) {
      await page.evaluate(
        ([key, values]) => {
          const session = JSON.parse(localStorage.getItem(key as string) ?? '{}');
          localStorage.setItem(key as string, JSON.stringify({ ...session, window: values }));
        },
        [`platform-webchat:${chat.platform.chatUrl}`, record],
      );
      await chat.call('close');
      await chat.call('open');
      expect(await edges(chat)).toEqual(normal);
      await choose(chat, 'Expand window');
      expect(await edges(chat)).toEqual(expanded);
    }
  });
});

test('the site chooses the first size, and a click opens the window in it', async ({ chat, page }) => {
  await chat.load('data-window-size="docked"');
  await expect(page.locator('.box[data-size="docked"]')).toHaveCount(1);
  await chat.launcher.click();
  expect(await edges(chat)).toEqual(docked);
  await expect(chat.botRows).toHaveCount(1);
  await expect(chat.launcher).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(chat.launcher).toBeFocused();
  expect(await stored(chat)).toBeUndefined();
});
