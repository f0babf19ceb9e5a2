// The badge of the launcher is readable, and it stays within the page, with a number and with a sentence. axe does not
// check it, because it is hidden from screen readers.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { contrast } from '../../src/widget/launcher/theme.ts';
import { expect, test } from '../support/fixtures.ts';

type Rgb = Parameters<typeof contrast>[0];

const badgeOf = (page: Page) => page.locator('.badge');
const showCount = (page: Page, count: number) =>
  page.evaluate((unread) => (window.platform as Platform).setUnreadMessageCount(unread), count);

/** Waits until the whole badge is within the viewport. */
async function expectInPage(page: Page): Promise<void> {
  await expect(badgeOf(page)).toBeInViewport({ ratio: 1 });
}

for (const position of ['left', 'right']) {
  test.describe(`launcher on the ${position}`, () => {
    // The narrowest and lowest page that is supported (1.4.10).
    // On a slow machine the page is idle, and the chat fetched, before the test blocks it.
    test.use({
      attributes: `data-position="${position}" data-prefetch="false"`,
      viewport: { width: 320, height: 256 },
    });

    test('the badge has a contrast of at least 4.5 : 1, number and problem are within the page, and the problem is above the launcher', {
      tag: position === 'left' ? '@story' : [],
    }, async ({ chat, page }) => {
      await chat.goto();
      await showCount(page, 3);
      await expect(badgeOf(page)).toHaveText('3');
      await expectInPage(page);
      const [ground, text] = await badgeOf(page).evaluate((e) => {
        const { backgroundColor, color } = getComputedStyle(e);
        return [backgroundColor, color];
      });
      const rgb = (css = '') => (css.match(/\d+/g) ?? []).map(Number) as Rgb;
      // Three channels: a translucent badge would depend on the page.
      expect([rgb(ground).length, rgb(text).length]).toEqual([3, 3]);
      expect(contrast(rgb(ground), rgb(text))).toBeGreaterThanOrEqual(4.5);
      await showCount(page, 100);
      await expect(badgeOf(page)).toHaveText('99+');
      await expectInPage(page);

      await page.route(/\/webchat\/chat-.*\.js/, (route) => route.abort());
      await chat.launcher.click();
      await expect(badgeOf(page)).toHaveText(/could not be loaded/);
      await expectInPage(page);
      const problem = await badgeOf(page).boundingBox();
      const button = await chat.launcher.boundingBox();
      expect((problem?.y ?? 0) + (problem?.height ?? 0)).toBeLessThan(button?.y ?? 0);
      chat.ignoreConsoleErrors(/ERR_FAILED/);
    });
  });
}
