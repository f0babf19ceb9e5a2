// Accessibility preferences and basics: focus, keyboard, phones, right-to-left, reduced motion, contrast, forced colors.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

test('opening moves the focus into the window, and closing restores it', async ({ chat, page }) => {
  await chat.goto();
  await expect(chat.launcher).toHaveAttribute('aria-expanded', 'false');
  await chat.launcher.focus();
  await page.keyboard.press('Enter');
  await expect(chat.input).toBeFocused();
  await expect(chat.launcher).toHaveAttribute('aria-expanded', 'true');
  await expect(chat.window).toHaveAccessibleName('Chat with Bot');
  await page.keyboard.press('Escape');
  await expect(chat.window).toBeHidden();
  await expect(chat.launcher).toBeFocused();
  const frame = page.locator('.window');
  expect(await frame.evaluate((e: HTMLElement) => [e.hidden, e.inert])).toEqual([true, true]);

  // The page opens the window while a link has the focus: closing returns the focus to the link.
  const link = page.getByRole('link', { name: 'A link of the page' });
  await link.focus();
  await chat.call('open');
  await expect(chat.input).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(link).toBeFocused();
});

test('a whole conversation is possible by keyboard alone', { tag: '@story' }, async ({ chat, page }) => {
  await chat.goto();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(chat.launcher).toBeFocused();
  await page.keyboard.press('Space');
  await expect(chat.input).toBeFocused();
  await expect(chat.botRows).toHaveCount(1);
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await expect(chat.window.getByRole('button', { name: 'Send message' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.botRows.filter({ hasText: '“By keyboard”' })).toHaveCount(1);
  await expect(chat.input).toBeFocused();
  // Shift+Tab: the actions of the newest message, the transcript, the header.
  await page.keyboard.press('Shift+Tab');
  await expect(chat.botRows.nth(1).getByRole('button', { name: 'Menu', exact: true })).toBeFocused();
  // The actions of a message appear with the focus.
  const copy = chat.botRows.nth(1).getByRole('button', { name: 'Copy: You said: “By keyboard”' });
  await expect(copy).toBeAttached();
  await page.keyboard.press('Tab');
  await expect(copy).toBeFocused();
  const messages = chat.window.getByRole('region', { name: 'Messages' });
  for (let i = 0; i < 12 && !(await messages.evaluate((e) => e.matches(':focus'))); i++) {
    await page.keyboard.press('Shift+Tab');
  }
  await expect(messages).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(chat.window.getByRole('button', { name: 'Close chat' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(chat.window.getByRole('button', { name: 'Start a new conversation' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = chat.window.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.window.getByRole('button', { name: 'Start a new conversation' })).toBeFocused();
});

test('a dialog that is answered at once gives the focus back to its button', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.exchange('Hello');
  const restart = chat.window.getByRole('button', { name: 'Start a new conversation' });
  // In the task that moves the focus: before the browser draws the dialog.
  await page.evaluate(() => {
    const root = document.querySelector('platform-webchat')?.shadowRoot;
    root?.addEventListener('focusin', ({ target }) => {
      const button = (target as Element).closest<HTMLElement>('[role="alertdialog"] button');
      queueMicrotask(() => button?.click());
    });
  });
  await restart.focus();
  await page.keyboard.press('Enter');
  await expect(chat.window.getByRole('alertdialog')).toHaveCount(0);
  await expect(restart).toBeFocused();
});

test('animations run only when reduced motion is not requested', async ({ chat, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await chat.startConversation();
  /** The animated elements, read in the frame in which the typing indicator appears: it is shown for only two seconds. */
  const animated = () =>
    page.evaluate(async () => {
      for (;;) {
        const root = document.querySelector('platform-webchat')?.shadowRoot;
        if (root?.querySelector('.typing [role="img"][aria-label="Bot is typing"]'))
          return root.getAnimations().map(({ effect }) => {
            const { target } = effect as KeyframeEffect;
            return target?.closest('.typing') ? 'typing' : target?.className;
          });
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
  const reduced = animated();
  await chat.send('typing');
  expect(await reduced).toEqual([]);
  await expect(chat.botRows.filter({ hasText: 'That took two seconds' })).toHaveCount(1);
  await expect(chat.window.locator('.typing')).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const usual = animated();
  await chat.send('typing');
  expect(await usual).toContain('typing');
});

test('with forced colors everything that was marked by color alone has a border, and the focus is visible', {
  tag: '@story',
}, async ({ chat, page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await chat.startConversation();
  const style = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((e, name) => getComputedStyle(e).getPropertyValue(name), property);
  for (const selector of ['.launcher', '.window', '.bubble', '.composer', '.send', '.option']) {
    expect(await style(selector, 'border-top-style'), selector).toBe('solid');
    expect(Number.parseFloat(await style(selector, 'border-top-width')), selector).toBeGreaterThanOrEqual(1);
  }
  // Read in the frame in which the indicator appears, because it is shown for only some seconds.
  const typingColour = page.evaluate(async () => {
    for (;;) {
      const dot = document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.typing i');
      if (dot) return getComputedStyle(dot).backgroundColor;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  await chat.send('typing');
  const text = await style('.box', 'color');
  expect(await typingColour).toBe(text);
  await expect(chat.input).toBeFocused();
  expect(await style('.composer', 'outline-style')).toBe('solid');
  await page.emulateMedia({ forcedColors: 'none' });
  expect(await style('.composer', 'outline-style')).toBe('none');
});

for (const themeMode of ['light', 'dark']) {
  test.describe(() => {
    test.use({ attributes: `data-theme-mode="${themeMode}" data-bot-description="Here to help"` });

    test(`with more contrast, lines have the color of the text, ${themeMode}`, async ({ chat, page }) => {
      await chat.startConversation();
      const styles = () =>
        page.evaluate(() => {
          const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
          const of = (selector: string) => getComputedStyle(root.querySelector(selector) as Element);
          return {
            text: of('.name').color,
            muted: [of('.description').color, of('.meta').color, of('.day').color],
            lines: [of('.header').borderBottomColor, of('.bubble').borderTopColor],
            bubble: of('.bubble').borderTopWidth,
          };
        });
      const plain = await styles();
      expect(plain.muted).not.toContain(plain.text);
      expect(plain.bubble).toBe('0px');
      await page.emulateMedia({ contrast: 'more' });
      const more = await styles();
      expect([...more.muted, ...more.lines]).toEqual(Array(5).fill(plain.text));
      expect(more.bubble).toBe('1px');
    });
  });
}

test('the name of the launcher has the unread count, and its picture stays', async ({ chat, page }) => {
  await chat.goto();
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
  const icon = () =>
    page.locator('.launcher .talk').evaluate((e) => {
      const { padding, backgroundColor, fill, stroke, width, height } = getComputedStyle(e);
      return { padding, backgroundColor, fill, stroke, width, height };
    });
  // The style sheet of the chat, which is loaded later, must not change it.
  const before = await icon();
  for (const [count, name] of [
    [1, 'Open chat, 1 unread message'],
    [12, 'Open chat, 12 unread messages'],
    [0, 'Open chat'],
  ] as const) {
    await page.evaluate((unread) => (window.platform as Platform).setUnreadMessageCount(unread), count);
    await expect(chat.launcher).toHaveAccessibleName(name);
  }
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await expect(chat.launcher).toHaveAccessibleName('Close chat');
  await page.keyboard.press('Escape');
  expect(await icon()).toEqual(before);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

  test('the window is a sheet above the keyboard, with inputs of 16 px', async ({ chat, page }) => {
    await chat.goto();
    await chat.launcher.tap();
    await expect(chat.botRows).toHaveCount(1);
    // The sheet slides up, so it is measured when it has stopped.
    await expect.poll(() => chat.window.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
    await expect(chat.launcher).toBeHidden();
    // The text box is not focused, because that would open the on-screen keyboard.
    await expect(chat.window).toBeFocused();
    await expect(chat.input).toHaveCSS('font-size', '16px');
    // The on-screen keyboard covers the lower part of the screen.
    await page.setViewportSize({ width: 390, height: 420 });
    await expect.poll(async () => (await chat.window.boundingBox())?.height).toBe(420);
    await expect(chat.input).toBeInViewport({ ratio: 1 });
    await expect(chat.botRows.first()).toBeInViewport();
    await chat.send('From a phone');
    await expect(chat.input).toBeFocused();
    await chat.window.getByRole('button', { name: 'Close chat' }).tap();
    await expect(chat.launcher).toBeVisible();
  });
});

test('the focus stays in the chat after retry, discard, scrolling and closing', async ({ chat, page }) => {
  await chat.startConversation();
  await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
  await chat.send('first');
  await chat.send('second');
  const viewport = chat.window.getByRole('region', { name: 'Messages' });
  await chat.window.getByRole('button', { name: 'Try again: first' }).press('Enter');
  await expect(viewport).toBeFocused();
  await chat.window.getByRole('button', { name: 'Discard: second' }).press('Enter');
  await expect(viewport).toBeFocused();
  // The second attempt was refused, too: after this it would be answered.
  await expect(chat.window.getByRole('button', { name: 'Try again: first' })).toBeVisible();
  await page.unroute(/\/messages$/);

  await chat.send('long');
  await expect(chat.botRows).toHaveCount(2);
  // The transcript has scrolled to the end of the answer.
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await viewport.evaluate((e) => e.scrollTo(0, 0));
  await chat.window.getByRole('button', { name: 'Go to the newest message' }).press('Enter');
  await expect(viewport).toBeFocused();

  await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
  await expect(chat.window.getByRole('alertdialog')).toBeVisible();
  await chat.call('close');
  await expect(chat.window).toBeHidden();
  await expect(page.getByRole('alertdialog', { includeHidden: true })).toHaveCount(0);
  await chat.call('open');
  await expect(chat.input).toBeFocused();
  chat.ignoreConsoleErrors('400');
});
