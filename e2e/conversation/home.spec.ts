// The home screen: before the conversation, without creating anything on the server.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test } from '../support/fixtures.ts';

const content = {
  title: 'Hello!',
  text: 'Ask us anything.\nWe answer in a minute.',
  links: [
    { title: 'Help pages', link: '/help' },
    { title: 'Write to us', link: 'mailto:help@shop.test' },
  ],
};
const attributesOf = (home: unknown) =>
  `data-home='${JSON.stringify(home)}' data-starters='["Prices","Hours"]'`;

const screen = (chat: ChatPage) => chat.window.locator('.home');
// In the screen: the conversation behind it is inert, which the locators do not know.
const begin = (chat: ChatPage) => screen(chat).getByRole('button', { name: 'Start a new conversation' });
const resume = (chat: ChatPage) => screen(chat).getByRole('button', { name: /^Continue the conversation/ });
const back = (chat: ChatPage) => chat.window.getByRole('button', { name: 'Home', exact: true });

/** Requests to the server except for files. */
const calls = (chat: ChatPage) =>
  chat.requests.filter(
    (url) => url.startsWith(chat.platform.url) && !url.includes('/webchat/') && !url.endsWith('/webchat.js'),
  );
const stored = (page: Page) => page.evaluate(() => localStorage.length + sessionStorage.length);

test.describe('with a greeting, starters and links', () => {
  test.use({ attributes: attributesOf(content) });

  test('it comes first; nothing is created, requested or stored until the visitor begins', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await chat.goto();
    await chat.recordEvents();
    await chat.launcher.click();
    await expect(screen(chat).getByRole('heading', { name: 'Hello!', level: 2 })).toBeVisible();
    await expect(screen(chat).locator('.greeting-words')).toHaveText(content.text);
    await expect(begin(chat)).toBeVisible();
    // The dialog has the focus, so that a screen reader reads its name and the screen.
    await expect(chat.window).toBeFocused();
    await page.waitForLoadState('networkidle');
    expect(calls(chat)).toEqual([]);
    expect(await stored(page)).toBe(0);
    await expect.poll(() => chat.eventTypes()).toContain('webchat:ready');
    // Of the conversation, only the composer can be reached.
    for (const name of ['.header', '.transcript'])
      await expect(chat.window.locator(`.panel ${name}`)).toBeHidden();
    await expect(chat.input).toBeVisible();
    await begin(chat).click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.input).toBeFocused();
    await expect(screen(chat)).toHaveCount(0);
    await chat.exchange('Hello');
  });

  test('Tab reaches every control in the order in which it is seen', async ({ chat, page }) => {
    await chat.goto();
    await chat.launcher.focus();
    await page.keyboard.press('Enter');
    await expect(begin(chat)).toBeVisible();
    const names: string[] = [];
    for (let i = 0; i < 7; i++) {
      await page.keyboard.press('Tab');
      const focused = chat.window.locator(':focus');
      names.push(
        (await focused.getAttribute('aria-label')) ?? (await focused.innerText()).replace(/\s+/g, ' '),
      );
    }
    expect(names).toEqual([
      'Close chat',
      'Start a new conversation',
      'Prices',
      'Hours',
      'Help pages (opens in a new tab)',
      'Write to us (opens in a new tab)',
      'Message',
    ]);
    await page.keyboard.press('Escape');
    await expect(chat.window).toBeHidden();
    await expect(chat.launcher).toBeFocused();
    expect(calls(chat)).toEqual([]);
  });

  test('a text that is written on it keeps its focus on the way to the conversation, and begins it when sent', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await chat.goto();
    await chat.launcher.click();
    await chat.input.click();
    await page.keyboard.type('Where is');
    await expect(screen(chat)).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(calls(chat)).toEqual([]);
    await begin(chat).click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.input).toBeFocused();
    await expect(chat.input).toHaveValue('Where is');
    await back(chat).click();
    await expect(chat.input).toHaveValue('Where is');
    await chat.input.click();
    await page.keyboard.press('End');
    await page.keyboard.type(' my order?');
    await page.keyboard.press('Enter');
    await expect(screen(chat)).toHaveCount(0);
    await expect(chat.botRows.filter({ hasText: 'You said: “Where is my order?”' })).toHaveCount(1);
    await expect(chat.input).toBeFocused();
    await expect(chat.input).toHaveValue('');
  });

  test('a starter begins the conversation with its message', { tag: '@story' }, async ({ chat }) => {
    await chat.open();
    await screen(chat).getByRole('button', { name: 'Prices' }).click();
    await expect(chat.botRows.filter({ hasText: 'You said: “Prices”' })).toHaveCount(1);
    await expect(screen(chat)).toHaveCount(0);
  });

  test('a button leads back to it and its last message, and the draft is kept', async ({ chat, page }) => {
    await chat.open();
    await begin(chat).click();
    await chat.exchange('Where is my order?');
    await chat.input.fill('A draft');
    await back(chat).click();
    await expect(screen(chat).getByRole('heading', { name: 'Hello!' })).toBeFocused();
    await expect(resume(chat)).toContainText('You said: “Where is my order?”');
    await expect(resume(chat).locator('time')).toHaveText(/\d:\d\d/);
    await expect(begin(chat)).toHaveCount(0);
    await resume(chat).click();
    await expect(chat.input).toBeFocused();
    await expect(chat.input).toHaveValue('A draft');
    await page.keyboard.press('Shift+Tab');
    // Two instances of it would be a second way back.
    await expect(back(chat)).toHaveCount(1);
  });

  test('a conversation continues for half an hour; then the screen comes first', async ({ chat, page }) => {
    await chat.open();
    await begin(chat).click();
    await chat.exchange('One');
    await chat.reopen();
    await expect(chat.rows).toHaveCount(3);
    await expect(screen(chat)).toHaveCount(0);
    // 31 minutes later.
    await page.addInitScript(() => {
      const { now } = Date;
      Date.now = () => now.call(Date) + 31 * 60_000;
    });
    await chat.reopen();
    await expect(resume(chat)).toContainText('You said: “One”');
    await resume(chat).click();
    await expect(chat.rows).toHaveCount(3);
    await expect(chat.input).toBeFocused();
  });

  test('sendMessage and prefill of the page lead to the conversation', async ({ chat, page }) => {
    await chat.goto();
    await page.evaluate(() => void (window.platform as Platform).prefill('A question'));
    await chat.launcher.click();
    await expect(chat.input).toHaveValue('A question');
    await expect(chat.botRows).toHaveCount(1);
    await expect(screen(chat)).toHaveCount(0);
    await back(chat).click();
    await page.evaluate(() => (window.platform as Platform).sendMessage('From the page'));
    await expect(chat.botRows.filter({ hasText: 'From the page' })).toHaveCount(1);
    await expect(screen(chat)).toHaveCount(0);
    await chat.input.fill('');
    await back(chat).click();
    await expect(resume(chat)).toBeVisible();
    await page.evaluate(() => (window.platform as Platform).prefill('Another one'));
    await expect(screen(chat)).toHaveCount(0);
    await expect(chat.input).toHaveValue('Another one');
  });

  test('a message that arrived in a closed window leads to the conversation', async ({ chat, page }) => {
    await chat.open();
    await begin(chat).click();
    await chat.exchange('One');
    await back(chat).click();
    await page.keyboard.press('Escape');
    await expect(chat.window).toBeHidden();
    await chat.launcher.click();
    await expect(resume(chat)).toBeVisible();
    await page.keyboard.press('Escape');
    // The bot answers.
    await chat.sendElsewhere('Two');
    await expect(page.locator('.badge')).toHaveText('1');
    await chat.launcher.click();
    await expect(chat.botRows.filter({ hasText: '“Two”' })).toHaveCount(1);
    await expect(screen(chat)).toHaveCount(0);
  });

  test('after a logout the screen comes first, and nobody is created', async ({ chat, page }) => {
    await chat.open();
    await begin(chat).click();
    await chat.exchange('One');
    await chat.call('logout');
    await expect(chat.window).toBeHidden();
    const before = calls(chat).length;
    await chat.launcher.click();
    await expect(begin(chat)).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(calls(chat).length).toBe(before);
    expect((await chat.storedSession()).userKey).toBeUndefined();
  });

  test('the window says that it is loading, and can be closed meanwhile', async ({ chat, page }) => {
    const release = await holdRequests(page, /\/webchat\/start-/);
    await chat.goto();
    const requested = page.waitForRequest(/\/webchat\/start-/);
    await chat.launcher.click();
    await requested;
    await expect(chat.window).toBeFocused();
    expect(await chat.window.evaluate((frame) => getComputedStyle(frame, '::before').content)).toBe('"…"');
    await page.keyboard.press('Escape');
    await expect(chat.window).toBeHidden();
    release();
    await chat.launcher.click();
    await expect(begin(chat)).toBeVisible();
    expect(calls(chat)).toEqual([]);
  });

  test('the screen follows the configuration: other words, no screen, and a screen', async ({ chat }) => {
    await chat.open();
    await chat.configure({ home: { title: 'Welcome', starters: false } });
    await expect(screen(chat).getByRole('heading', { name: 'Welcome' })).toBeVisible();
    await expect(screen(chat).getByRole('button', { name: 'Prices' })).toHaveCount(0);
    await expect(screen(chat).getByRole('link')).toHaveCount(0);
    await chat.configure({ home: false });
    await expect(chat.botRows).toHaveCount(1);
    await expect(back(chat)).toHaveCount(0);
    await chat.configure({ home: true });
    await expect(resume(chat)).toBeVisible();
    // Without a greeting of its own: the name of the bot.
    await expect(screen(chat).getByRole('heading', { name: 'Bot' })).toBeVisible();
  });
});

test.describe('with a proactive message', () => {
  test.use({ attributes: `data-home data-proactive-message="Need help?" data-proactive-delay="0"` });

  test('a visitor who clicks on it is led to the conversation', async ({ chat, page }) => {
    await chat.goto();
    await page.getByRole('button', { name: 'Need help?' }).click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(screen(chat)).toHaveCount(0);
  });
});

test.describe('on a phone', () => {
  test.use({
    attributes: attributesOf(content),
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  });

  test('it fills the screen, and beginning does not open the keyboard', async ({ chat }) => {
    await chat.goto();
    await chat.launcher.tap();
    await expect(begin(chat)).toBeVisible();
    expect(await screen(chat).boundingBox()).toMatchObject({ x: 0, y: 0, width: 360 });
    expect(await chat.window.boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 640 });
    await expect(chat.input).toBeInViewport({ ratio: 1 });
    await begin(chat).tap();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.input).not.toBeFocused();
    await expect(chat.window.locator('.viewport')).toBeFocused();
  });

  test('a message that is sent from it leaves the keyboard open', async ({ chat, page }) => {
    await chat.goto();
    await chat.launcher.tap();
    await chat.input.tap();
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    await expect(chat.botRows.filter({ hasText: 'You said: “Hello”' })).toHaveCount(1);
    await expect(screen(chat)).toHaveCount(0);
    await expect(chat.input).toBeFocused();
  });

  for (const [textSize, botName] of [
    [15, 'Customer Service'],
    [24, 'Ask us now'],
  ] as const) {
    test(`next to all buttons ${botName} is not cut off at ${textSize} px`, async ({ chat }) => {
      await chat.goto();
      const email = { title: 'help@shop.test', link: 'mailto:help@shop.test' };
      await chat.configure({ textSize, botName, botDescription: 'Answers questions', email });
      await chat.launcher.tap();
      await begin(chat).tap();
      await expect(chat.botRows).toHaveCount(1);
      await expect(chat.window.getByRole('button', { name: 'Contact' })).toBeVisible();
      await expect(chat.window.locator('.bubble').first()).toHaveCSS('font-size', `${textSize}px`);
      const layout = () =>
        chat.window.evaluate((window) => {
          const find = (selector: string) => window.querySelector(selector) as HTMLElement;
          const [name, header] = [find('.name'), find('.header')];
          const { bottom } = header.getBoundingClientRect();
          find('.viewport').scrollTop = 0;
          return {
            isCut: name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight,
            isInHeader: name.getBoundingClientRect().bottom <= bottom,
            isHeaderAbove: bottom <= find('.top').getBoundingClientRect().top + 1,
          };
        });
      // The styles for long names come with the extras.
      await expect.poll(layout).toEqual({ isCut: false, isInHeader: true, isHeaderAbove: true });
    });
  }
});
