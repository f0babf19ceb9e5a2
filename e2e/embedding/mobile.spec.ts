// On a phone the window is a sheet over the whole screen, above the on-screen keyboard, and the page behind is restored.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({
  env: scriptedBot,
  viewport: { width: 390, height: 800 },
  hasTouch: true,
  isMobile: true,
});

/** A page of four screens, with a link at the end. */
const tall = `<p>${'Much text. '.repeat(2_000)}</p><p><a href="#end">The end of the page</a></p>`;

/** The state of the page that the chat must restore. */
const pageState = (page: Page) =>
  page.evaluate(() => ({
    html: [...document.documentElement.attributes].map(({ name, value }) => `${name}=${value}`),
    body: [...document.body.attributes].map(({ name, value }) => `${name}=${value}`),
    sheets: document.adoptedStyleSheets.length,
    overflow: getComputedStyle(document.documentElement).overflow,
    scroll: [scrollX, scrollY],
  }));

/** Swipes with a finger, as native touch input. */
async function swipe(page: Page, from: { x: number; y: number }, pixels: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y: from.y + moved }],
    });
  await touch('touchStart');
  const drawn = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  for (let step = 1; step <= 10; step++) await touch('touchMove', (pixels * step) / 10);
  // The finger rests before it is lifted, which prevents momentum scrolling.
  for (let rest = 0; rest < 4; rest++) {
    await drawn();
    await touch('touchMove', pixels);
  }
  await touch('touchEnd');
  // The scrolled page has been painted.
  await drawn();
  await session.detach();
}

const openSheet = async (chat: ChatPage) => {
  await chat.launcher.tap();
  await expect(chat.botRows).not.toHaveCount(0);
  await expect.poll(() => chat.page.evaluate(() => document.body.inert)).toBe(true);
};
const close = async (chat: ChatPage) => {
  await chat.window.getByRole('button', { name: 'Close chat' }).tap();
  // The click of a tap comes after its touches.
  await expect(chat.window).toBeHidden();
};
const jump = (page: Page, y: number) =>
  page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y);

test('the page behind the open sheet is inert, also under the strictest policy', async ({ chat, page }) => {
  await chat.goto();
  const before = await pageState(page);
  await openSheet(chat);
  const link = page.getByRole('link', { name: 'A link of the page', includeHidden: true });
  await link.evaluate((e: HTMLElement) => e.focus());
  await expect(link).not.toBeFocused();
  // Tab cycles inside the chat and never reaches the page.
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press(key);
      expect(await page.evaluate(() => document.activeElement?.localName)).toMatch(
        /^(platform-webchat|body)$/,
      );
    }
  }
  // The live region is outside of the inert page.
  expect(await page.locator('.live').evaluate((e) => e.closest('[inert]'))).toBe(null);
  await close(chat);
  expect(await pageState(page)).toEqual(before);
  await link.focus();
  await expect(link).toBeFocused();
});

for (const [name, style] of [
  ['a plain page', ''],
  ['a page that scrolls smoothly', 'html { scroll-behavior: smooth }'],
  ['a page whose body would scroll instead', 'html, body { height: 100% } body { overflow-x: hidden }'],
]) {
  test(`closing and destroy restore the page exactly: ${name}`, async ({ chat, page }) => {
    await chat.load('', {
      html: 'lang="en" style="color:teal"',
      bodyAttributes: 'style="--x:1"',
      head: `<style>${style}</style>`,
      body: tall,
      csp: '',
    });
    await jump(page, 700);
    const before = await pageState(page);
    expect(before.scroll).toEqual([0, 700]);
    await openSheet(chat);
    expect((await pageState(page)).overflow).toBe('hidden');
    await close(chat);
    expect(await pageState(page)).toEqual(before);
    await openSheet(chat);
    await chat.call('destroy');
    expect(await pageState(page)).toEqual(before);
  });
}

test('of two chats the page stays covered until the windows of both are closed', async ({ chat, page }) => {
  await chat.goto();
  const before = await pageState(page);
  await openSheet(chat);
  await close(chat);
  await page.evaluate(() => {
    const second = (window.platform as Platform).create({ instance: 'second' });
    Object.assign(window, { second });
    second.open();
  });
  const isInert = () => page.evaluate(() => document.body.inert);
  await expect(chat.botRows).not.toHaveCount(0);
  await expect.poll(isInert).toBe(true);
  /** Does something with the second chat, and returns whether the page is covered then. */
  const afterwards = (method: 'open' | 'close' | 'destroy') =>
    page.evaluate((name) => {
      (window as unknown as { second: Platform }).second[name]();
      visualViewport?.dispatchEvent(new Event('resize'));
      return document.body.inert;
    }, method);
  expect(await afterwards('close')).toBe(false);
  await chat.call('open');
  await expect.poll(isInert).toBe(true);
  expect(await afterwards('open')).toBe(true);
  expect(await afterwards('close')).toBe(true);
  expect(await afterwards('open')).toBe(true);
  expect(await afterwards('destroy')).toBe(true);
  await close(chat);
  expect(await pageState(page)).toEqual(before);
});

test('changes that the page makes while it is covered are kept', async ({ chat, page }) => {
  await chat.load('', { body: tall, csp: '' });
  await jump(page, 300);
  await openSheet(chat);
  await jump(page, 900);
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--page', 'on');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, new CSSStyleSheet()];
  });
  await close(chat);
  expect(await pageState(page)).toMatchObject({
    html: ['lang=en', 'style=--page: on;'],
    body: [],
    sheets: 1,
    scroll: [0, 900],
  });
  // A page that was inert before stays inert.
  await page.evaluate(() => {
    document.body.inert = true;
    (window.platform as Platform).open();
  });
  await chat.call('close');
  expect((await pageState(page)).body).toEqual(['inert=']);
});

test('the page behind does not scroll, neither from the ends of the transcript nor from header, composer or keys', async ({
  chat,
  page,
}) => {
  await chat.load('', { body: tall, csp: '' });
  await jump(page, 500);
  // Without the sheet a swipe scrolls the page.
  await swipe(page, { x: 100, y: 400 }, -100);
  await expect.poll(async () => (await pageState(page)).scroll[1]).toBeGreaterThan(500);
  await jump(page, 500);
  await openSheet(chat);
  const viewport = chat.window.locator('.viewport');
  for (const text of ['', Array.from({ length: 60 }, (_, i) => `Line ${i}`).join('\n')]) {
    if (text) await chat.botReplies({ type: 'text', text });
    for (const y of [30, 400, 770]) {
      for (const pixels of y === 30 ? [300] : y === 770 ? [-300] : [-300, 300]) {
        await viewport.evaluate((e, up) => e.scrollTo(0, up ? 0 : e.scrollHeight), pixels > 0);
        await swipe(page, { x: 150, y }, pixels);
        expect((await pageState(page)).scroll).toEqual([0, 500]);
      }
    }
  }
  // A swipe scrolls the transcript.
  await viewport.evaluate((e) => e.scrollTo(0, 0));
  await swipe(page, { x: 150, y: 400 }, -300);
  await expect.poll(() => viewport.evaluate((e) => e.scrollTop)).toBeGreaterThan(100);
  await chat.window.getByRole('button', { name: 'Close chat' }).focus();
  for (const key of ['ArrowDown', 'PageDown', 'End']) await page.keyboard.press(key);
  expect((await pageState(page)).scroll).toEqual([0, 500]);
});

test('the composer is above the on-screen keyboard, and the newest message above the composer', {
  tag: '@story',
}, async ({ chat, page }) => {
  // This browser has no on-screen keyboard, so the visual viewport is shrunk, as iOS does.
  await page.addInitScript(() => {
    const real = visualViewport as VisualViewport;
    Object.assign(window, { keyboard: 0 });
    Object.defineProperty(VisualViewport.prototype, 'height', {
      get: () => innerHeight - (window as unknown as { keyboard: number }).keyboard,
    });
    Object.defineProperty(VisualViewport.prototype, 'offsetTop', {
      get: () => (window as unknown as { keyboard: number }).keyboard && 40,
    });
    Object.assign(window, {
      raise(pixels: number) {
        Object.assign(window, { keyboard: pixels });
        real.dispatchEvent(new Event('resize'));
      },
    });
  });
  const raise = (pixels: number) =>
    page.evaluate((height) => (window as unknown as { raise(height: number): void }).raise(height), pixels);
  await chat.goto();
  await openSheet(chat);
  for (let i = 0; i < 12; i++) await chat.botReplies({ type: 'text', text: `Answer ${i}` });
  await raise(340);
  await expect.poll(() => chat.window.boundingBox()).toEqual({ x: 0, y: 40, width: 390, height: 460 });
  const box = await chat.input.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(500);
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  const last = await chat.botRows.last().boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  await raise(0);
  await expect.poll(async () => (await chat.window.boundingBox())?.height).toBe(800);
});

test('the on-screen keyboard opens only when the visitor focuses the text box, and stays while they write', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await openSheet(chat);
  await expect(chat.input).not.toBeFocused();
  // Answering with a button does not open the on-screen keyboard.
  const row = await chat.botReplies({
    type: 'choice',
    text: 'Which?',
    options: [{ label: 'Yes', value: 'yes' }],
  });
  await row.getByRole('button', { name: 'Yes' }).tap();
  await expect(chat.botRows.last()).toContainText('received text');
  await expect(chat.input).not.toBeFocused();
  await expect(chat.window.getByRole('region', { name: 'Messages' })).toBeFocused();
  // Stopping an answer does not open it either.
  const gate = await startRequestGate();
  await chat.instructBot({ stream: [{ until: gate.url, text: 'word ' }] });
  await chat.window.getByRole('button', { name: 'Stop the answer' }).tap();
  await expect(chat.botRows.last()).toHaveAttribute('data-status', 'aborted');
  await expect(chat.input).not.toBeFocused();

  await chat.input.tap();
  await expect(chat.input).toBeFocused();
  await chat.input.evaluate((e) =>
    e.addEventListener('blur', () => window.seen.events.push({ type: 'blur', payload: 0 })),
  );
  await page.keyboard.type('Hello');
  await chat.window.getByRole('button', { name: 'Send message' }).tap();
  await expect(chat.rows.filter({ hasText: 'Hello' }).first()).toHaveAttribute('data-status', 'sent');
  await expect(chat.input).toBeFocused();
  // The focus never leaves the text box, because that would close and open the keyboard.
  expect(await chat.events()).toEqual([]);
});

test('the button to the newest message covers no action of a message to which the page scrolls', async ({
  chat,
}) => {
  await chat.goto();
  await openSheet(chat);
  const reply = Array.from({ length: 14 }, (_, i) => ({ type: 'text', text: `Message ${i}` }));
  await chat.instructBot({ reply });
  await expect(chat.botRows).toHaveCount(15);
  await chat.window.locator('.viewport').evaluate((e) => e.scrollTo(0, 0));
  const pill = chat.window.getByRole('button', { name: 'Go to the newest message' });
  await expect(pill).toBeVisible();
  const action = chat.window.getByRole('button', { name: 'Copy: Message 9' });
  await action.evaluate((e) => e.scrollIntoView({ block: 'nearest', behavior: 'instant' }));
  const [above, below] = [await action.boundingBox(), await pill.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
});

test('after rotation the sheet still covers the screen and keeps the scroll position', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await openSheet(chat);
  for (let i = 0; i < 12; i++) await chat.botReplies({ type: 'text', text: `Answer ${i}` });
  await page.setViewportSize({ width: 800, height: 390 });
  await expect.poll(() => chat.window.boundingBox()).toEqual({ x: 0, y: 0, width: 800, height: 390 });
  await expect(chat.input).toBeInViewport({ ratio: 1 });
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(chat.botRows.last()).toBeInViewport();
  expect(await page.evaluate(() => document.body.inert)).toBe(true);
  // On a large screen the window is next to the page, and the page is usable again.
  await page.setViewportSize({ width: 1200, height: 900 });
  await expect.poll(() => page.evaluate(() => document.body.inert)).toBe(false);
  expect((await pageState(page)).overflow).toBe('visible');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate(() => document.body.inert)).toBe(true);
});

test('the safe areas of the screen stay free of controls', async ({ chat, page }) => {
  const session = await page.context().newCDPSession(page);
  const insets = { top: 47, topMax: 47, bottom: 34, bottomMax: 34 };
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
  await chat.goto();
  const fab = await chat.launcher.boundingBox();
  expect((fab?.y ?? 0) + (fab?.height ?? 0)).toBeLessThanOrEqual(800 - 34);
  await openSheet(chat);
  for (const button of await chat.window.locator('.header button').all()) {
    expect((await button.boundingBox())?.y).toBeGreaterThanOrEqual(47);
  }
  const composer = await chat.window.locator('.composer').boundingBox();
  expect((composer?.y ?? 0) + (composer?.height ?? 0)).toBeLessThanOrEqual(800 - 34);
  // The header, whose height includes the safe area, does not cover the first message.
  const header = await chat.window.locator('.header').boundingBox();
  const first = await chat.botRows.first().boundingBox();
  expect(first?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
});
