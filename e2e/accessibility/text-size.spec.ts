// Text size and density: nothing overlaps or is cut off, also with the largest text at 400 % zoom.
import { expect, test } from '../support/fixtures.ts';

const sizes = [
  { attributes: 'data-text-size="12" data-density="compact"', font: 12 },
  { attributes: 'data-text-size="24" data-bot-description="At your service" data-delete-data', font: 24 },
];

const viewports = [
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
  { width: 320, height: 256 },
];
const described = viewports.map(({ width, height }) => `${width} x ${height}`).join(', ');

for (const { attributes, font } of sizes) {
  test.describe(attributes, () => {
    test.use({ attributes });

    test(`text of ${font} px fits into pages of ${described} px`, async ({ chat, page }) => {
      await chat.startConversation();
      // The bundle that sets it may load after the chat.
      await expect(chat.window.locator('.bubble').first()).toHaveCSS('font-size', `${font}px`);
      const layout = () =>
        chat.window.evaluate((window) => {
          const find = (selector: string) => window.querySelector(selector) as HTMLElement;
          const [header, viewport, description] = [find('.header'), find('.viewport'), find('.who')];
          viewport.scrollTop = 0;
          return {
            pageWidth: innerWidth,
            belowHeader:
              find('.top').getBoundingClientRect().top >= header.getBoundingClientRect().bottom - 1,
            textInHeader: description.getBoundingClientRect().bottom <= header.getBoundingClientRect().bottom,
            isWide: viewport.scrollWidth > viewport.clientWidth,
          };
        });
      for (const viewport of viewports) {
        await page.setViewportSize(viewport);
        // The styles for a low window come with the extras.
        const fits = { belowHeader: true, textInHeader: true, isWide: false };
        await expect.poll(layout).toEqual({ pageWidth: viewport.width, ...fits });
        await expect(chat.input).toBeInViewport({ ratio: 1 });
        await expect(chat.window.locator('.viewport')).toBeInViewport({ ratio: 0.2 });
        // The menu is in the window as a whole, and scrolls to its first and last entry.
        await chat.window.getByRole('button', { name: 'More' }).click();
        const entries = chat.window.getByRole('menuitem');
        await expect(entries.first()).toBeFocused();
        await expect(chat.window.getByRole('menu')).toBeInViewport({ ratio: 1 });
        for (const [key, entry] of [
          ['End', entries.last()],
          ['Home', entries.first()],
        ] as const) {
          await page.keyboard.press(key);
          await expect(entry).toBeFocused();
          // Apart from the fraction of a pixel to which a scroll position is rounded.
          await expect(entry).toBeInViewport({ ratio: 0.99 });
        }
        await page.keyboard.press('Escape');
      }
    });
  });
}
