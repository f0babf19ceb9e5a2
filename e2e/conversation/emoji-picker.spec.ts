// The list of emoji: loading, mouse, keyboard, touch, search, recently used emoji, and low windows.
import type { Locator, Page } from '@playwright/test';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot, attributes: 'data-emoji-picker' });

const button = (chat: ChatPage) => chat.window.getByRole('button', { name: 'Emoji', exact: true });
const search = (chat: ChatPage) => chat.window.getByRole('searchbox', { name: 'Search emoji' });
const cells = (chat: ChatPage) => chat.window.getByRole('gridcell');
const cell = (chat: ChatPage, name: string) => chat.window.getByRole('gridcell', { name, exact: true });
const setCaret = (chat: ChatPage, ...range: [number, number]) =>
  chat.input.evaluate((e: HTMLTextAreaElement, [start, end]) => e.setSelectionRange(start, end), range);
const isLoaded = (chat: ChatPage) => chat.requests.some((url) => /\/emoji-[\w-]+\.js$/.test(url));

async function open(chat: ChatPage): Promise<void> {
  await button(chat).click();
  await expect(cells(chat).first()).toBeVisible();
}
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement?.shadowRoot?.activeElement;
    return element?.getAttribute('aria-label') ?? element?.localName;
  });

test('an emoji is inserted at the caret or for the selection, and the box has the focus', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.input.fill('Hello you there');
  expect(isLoaded(chat)).toBe(false);
  await setCaret(chat, 6, 9);
  await open(chat);
  expect(isLoaded(chat)).toBe(true);
  await cell(chat, 'waving hand').click();
  await expect(chat.input).toBeFocused();
  await expect(chat.input).toHaveValue('Hello 👋 there');
  await expect(cells(chat)).toHaveCount(0);
  await expect(button(chat)).toHaveAttribute('aria-expanded', 'false');
  // The caret is behind it.
  await chat.page.keyboard.type('!');
  await expect(chat.input).toHaveValue('Hello 👋! there');
  expect((await chat.storedSession()).draft).toBe('Hello 👋! there');

  // Shift keeps the list open, for several.
  await open(chat);
  await chat.page.keyboard.down('Shift');
  await cell(chat, 'grinning face').click();
  await cell(chat, 'thumbs up').click();
  await chat.page.keyboard.up('Shift');
  await expect(chat.input).toHaveValue('Hello 👋!😀👍 there');
  await chat.window.getByRole('button', { name: 'Send message' }).click();
  await expect(chat.input).toHaveValue('');
  await expect.poll(() => chat.serverTexts()).toContain('Hello 👋!😀👍 there');
});

test('the list works with the keyboard, and Escape leads back to the button', async ({ chat, page }) => {
  await chat.startConversation();
  await button(chat).focus();
  await page.keyboard.press('Enter');
  await expect(search(chat)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cells(chat).first()).toBeFocused();
  // The rows that are not visible are rendered later.
  const count = await chat.window.getByRole('grid').evaluate((e) => Number(e.ariaRowCount));
  await expect(chat.window.getByRole('grid').getByRole('row')).toHaveCount(count);
  const last = (await cells(chat).count()) - 1;
  for (const [key, index] of [
    ['ArrowRight', 1],
    ['ArrowDown', 9],
    ['ArrowLeft', 8],
    ['ArrowUp', 0],
    // At an edge nothing moves.
    ['ArrowUp', 0],
    ['ArrowLeft', 0],
    ['End', 7],
    ['Home', 0],
    ['Control+End', last],
    ['ArrowDown', last],
    ['Control+Home', 0],
  ] as const) {
    await page.keyboard.press(key);
    await expect(cells(chat).nth(index), key).toBeFocused();
  }
  // One stop for the Tab key in the grid, one in the groups.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+Tab');
  await expect(chat.window.getByRole('tab', { name: 'Smileys and people' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  const nature = chat.window.getByRole('tab', { name: 'Animals and nature' });
  await expect(nature).toBeFocused();
  await expect(nature).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+Tab');
  await expect(search(chat)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(cell(chat, 'monkey face')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button(chat)).toBeFocused();
  await expect(cells(chat)).toHaveCount(0);
  await expect(chat.window).toBeVisible();

  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(chat.input).toBeFocused();
  await expect(chat.input).toHaveValue('😀');

  // Also in the text box, Escape closes the list first.
  await open(chat);
  await chat.input.focus();
  await page.keyboard.press('Escape');
  await expect(button(chat)).toBeFocused();
  await expect(chat.window).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.launcher).toBeFocused();
});

test('Escape closes the list as soon as it is there, and then the window', async ({ chat, page }) => {
  await chat.startConversation();
  await open(chat);
  await page.keyboard.press('Escape');
  await expect(button(chat)).toBeFocused();
  // Within one frame.
  const afterFirst = await chat.window.evaluate(async (window) => {
    const root = window.getRootNode() as ShadowRoot;
    const press = () =>
      root.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true }),
      );
    const changed = (isThere: boolean) =>
      new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          if (!window.querySelector('.picker') === isThere) return;
          observer.disconnect();
          resolve();
        }).observe(window, { childList: true, subtree: true });
      });
    const opened = changed(true);
    (root.activeElement as HTMLElement).click();
    await opened;
    const closed = changed(false);
    press();
    await closed;
    const label = root.activeElement?.getAttribute('aria-label');
    press();
    return label;
  });
  expect(afterFirst).toBe('Emoji');
  await expect(chat.launcher).toBeFocused();
  await expect(chat.window).toBeHidden();
});

test('the search finds words of the name and others, and Enter takes the first', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.input.fill('So ');
  await open(chat);
  await page.keyboard.type('Red HEA');
  await expect(cells(chat).first()).toHaveAccessibleName('red heart');
  await search(chat).fill('lol');
  await expect(cell(chat, 'rolling on the floor laughing')).toBeVisible();
  await search(chat).fill('.*<qqq>\\');
  await expect(chat.window.getByRole('status').filter({ hasText: 'Nothing found' })).toBeVisible();
  // There is nothing to take.
  await page.keyboard.press('Enter');
  await expect(chat.input).toHaveValue('So ');
  await search(chat).fill('');
  await expect(cell(chat, 'grinning face')).toBeVisible();
  // Without a search, Enter takes nothing.
  await page.keyboard.press('Enter');
  await expect(chat.input).toHaveValue('So ');
  await search(chat).fill('red heart');
  await expect(cells(chat)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(chat.input).toHaveValue('So ❤️');
  await expect(chat.rows.filter({ hasText: 'So' })).toHaveCount(0);
});

test('recently used emoji are a group, stored after the first choice', async ({ chat, page }) => {
  await chat.startConversation();
  const stored = () =>
    page.evaluate(
      (key) => JSON.parse(localStorage.getItem(key) ?? '{}').emoji,
      `platform-webchat:${chat.platform.chatUrl}`,
    );
  await open(chat);
  expect(await stored()).toBe(undefined);
  await expect(chat.window.getByRole('tab', { name: 'Recently used' })).toHaveCount(0);
  await page.keyboard.down('Shift');
  for (const name of ['grinning face', 'thumbs up', 'grinning face']) await cell(chat, name).click();
  await page.keyboard.up('Shift');
  expect(await stored()).toEqual(['😀', '👍']);
  await button(chat).click();
  await open(chat);
  const recent = chat.window.getByRole('tab', { name: 'Recently used' });
  // Two are not worth hiding the others.
  await expect(recent).toHaveAttribute('aria-selected', 'false');
  await recent.click();
  await expect(cells(chat)).toHaveText(['😀', '👍']);
  await button(chat).click();
});

test('a list that cannot be loaded is tried again with the next click', async ({ chat, page }) => {
  await chat.startConversation();
  await page.route(/\/emoji-[\w-]+\.js$/, (route) => route.abort());
  const failing = page.waitForEvent('requestfailed');
  await button(chat).click();
  await failing;
  await expect(button(chat)).toHaveAttribute('aria-expanded', 'false');
  await chat.send('still here');
  await expect.poll(() => chat.serverTexts()).toContain('still here');
  await page.unroute(/\/emoji-[\w-]+\.js$/);
  // The browser may remember the failure of a module until the page is loaded again.
  await chat.reopen();
  await open(chat);
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('while only a button can answer, the list closes and its button is disabled', async ({ chat }) => {
  await chat.startConversation();
  await open(chat);
  await chat.botReplies({
    type: 'choice',
    text: 'Which?',
    options: [{ label: 'This', value: 'this' }],
    disableFreeText: true,
  });
  await expect(button(chat)).toBeDisabled();
  await expect(cells(chat)).toHaveCount(0);
  await chat.window.getByRole('button', { name: 'This', exact: true }).click();
  await open(chat);
  await chat.call('close');
  await chat.launcher.click();
  await expect(chat.input).toBeFocused();
  await expect(cells(chat)).toHaveCount(0);
});

test.describe('right to left', () => {
  test.use({ attributes: 'data-emoji-picker data-locale="he"' });
  test('the arrow keys follow the direction, and emoji have no English names', async ({ chat, page }) => {
    await chat.open();
    const window = page.locator('.window');
    await window.locator('[part="emoji"]').click();
    await expect(window.locator('.picker input')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    const at = (index: number) => window.locator(`[data-index="${index}"]`);
    await expect(at(0)).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(at(1)).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(at(0)).toBeFocused();
    const [first, second] = await Promise.all([at(0).boundingBox(), at(1).boundingBox()]);
    expect(first?.x).toBeGreaterThan(second?.x ?? 0);
    expect(await at(0).getAttribute('aria-label')).toBe(null);
    await expect(at(0)).toHaveAccessibleName('😀');
  });
});

/** The part of an element that is visible in the window. */
const isInside = async (page: Page, element: Locator) => {
  const [outer, inner] = await Promise.all([page.locator('.window').boundingBox(), element.boundingBox()]);
  if (!outer || !inner) return false;
  return (
    inner.x >= outer.x - 1 &&
    inner.y >= outer.y - 1 &&
    inner.x + inner.width <= outer.x + outer.width + 1 &&
    inner.y + inner.height <= outer.y + outer.height + 1
  );
};

for (const [name, viewport] of [
  ['a phone of 320 pixels', { width: 320, height: 568 }],
  ['a page zoomed to 400 %', { width: 320, height: 256 }],
  ['256 by 192 pixels', { width: 256, height: 192 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport, hasTouch: true, isMobile: true });
    test(`${name}: the list fits, stays open, and opens no keyboard`, async ({ chat, page }) => {
      await recordAnnouncements(page);
      await chat.goto();
      await chat.launcher.tap();
      await expect(chat.botRows).toHaveCount(1);
      await button(chat).tap();
      // The focus in a text field would open the on-screen keyboard over the list.
      await expect.poll(() => focused(page)).toBe('grinning face');
      for (const element of [
        chat.input,
        button(chat),
        chat.window.getByRole('button', { name: 'Send message' }),
      ])
        expect(await isInside(page, element)).toBe(true);
      for (const emoji of ['grinning face', 'grinning face with big eyes']) {
        await cell(chat, emoji).scrollIntoViewIfNeeded();
        expect(await isInside(page, cell(chat, emoji))).toBe(true);
        await cell(chat, emoji).tap();
      }
      await expect(chat.input).toHaveValue('😀😃');
      await expect(chat.input).not.toBeFocused();
      await expect.poll(() => announcements(page)).toContain('polite: 😃');
      expect(await page.locator('.picker').evaluate((e) => e.scrollWidth <= e.clientWidth)).toBe(true);
      await button(chat).tap();
      await expect(cells(chat)).toHaveCount(0);
    });
  });
}
