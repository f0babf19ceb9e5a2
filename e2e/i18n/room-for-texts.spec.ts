// The room for texts: in every language and on a narrow phone, no text is cut off and nothing lies outside of the window.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import { catalogues } from '../../src/widget/i18n/load-catalogue.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { box, configure, frame, rows } from '../support/translated-chat.ts';

test.use({ env: scriptedBot });

/**
 * The texts that are cut off, lie outside of the window, or are broken within a word for lack of room, in what is visible
 * now.
 */
const cutOff = (page: Page) =>
  page.locator('.window').evaluate((root) => {
    const outer = root.getBoundingClientRect();
    const found: string[] = [];
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      // Parts that scroll by themselves, and parts that only screen readers see.
      if (
        element.closest('.carousel, pre, .visually-hidden') ||
        !element.checkVisibility({ visibilityProperty: true })
      )
        continue;
      const isInput = element instanceof HTMLTextAreaElement;
      const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
      if (!hasText && !isInput && element.tagName !== 'BUTTON') continue;
      const { left, right, width } = element.getBoundingClientRect();
      const text = `${element.tagName} ${element.className}: ${isInput ? element.placeholder : element.textContent}`;
      if (width === 0) continue;
      for (const node of element.childNodes) {
        // Texts of people and bots, and addresses, may be broken.
        if (!(node instanceof Text) || element.matches('.text, a')) continue;
        // Languages that write without spaces break anywhere.
        for (const { 0: word, index } of node.data.matchAll(
          /[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]+/gu,
        )) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(tops).size > 1) found.push(`broken: ${text}`);
        }
      }
      if (left < outer.left - 1 || right > outer.right + 1) found.push(`outside: ${text}`);
      // Inline elements have no width of their own.
      if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
        found.push(`too wide: ${text}`);
      const clips = getComputedStyle(element).overflowY !== 'visible';
      if (clips && !isInput && element.scrollHeight > element.clientHeight + 1)
        found.push(`too high: ${text}`);
    }
    return found;
  });

/** The texts inside of controls that need more than the control has: the browser cuts them off without a trace. */
const cutOffInControls = (page: Page) =>
  page.locator('.window').evaluate((root) => {
    const found: string[] = [];
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('No canvas.');
    for (const area of root.querySelectorAll('textarea')) {
      const style = getComputedStyle(area);
      context.font = style.font;
      const textWidth =
        area.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const lines = Math.floor(area.clientHeight / Number.parseFloat(style.lineHeight));
      if (context.measureText(area.placeholder).width > textWidth * Math.max(lines, 1))
        found.push(area.placeholder);
    }
    for (const select of root.querySelectorAll('select')) {
      const { offsetWidth } = select;
      select.style.cssText = 'flex: none; max-width: none';
      if (select.offsetWidth > offsetWidth + 1) found.push(`select: ${select.textContent}`);
      select.style.cssText = '';
    }
    return found;
  });

/** Shows the chat in each language. Returns what is cut off in any. */
async function inEveryLanguage(page: Page): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const locale of Object.keys(catalogues)) {
    await configure(page, { locale });
    await expect.poll(async () => (await box(page))[0]).toBe(locale);
    const here = [...(await cutOff(page)), ...(await cutOffInControls(page))];
    if (here.length > 0) found[locale] = here;
  }
  await configure(page, { locale: 'en' });
  await expect.poll(async () => (await box(page))[0]).toBe('en');
  return found;
}

test('in every language no text is cut off in a window of 320 pixels', async ({ chat, page }) => {
  test.slow();
  await page.setViewportSize({ width: 320, height: 640 });
  await chat.startConversation();
  await configure(page, { allowFileUpload: true, feedbackEnabled: true, soundEnabled: true });
  await chat.instructBot({
    reply: [
      { type: 'markdown', markdown: '```\n1\n```\n\n![](https://127.0.0.2/3)' },
      { type: 'file', fileUrl: `${chat.platform.url}/` },
      { type: 'location', latitude: 1, longitude: 2 },
      { type: 'dropdown', text: '9', options: [{ label: '1', value: '1' }] },
    ],
  });
  await expect(frame(page).getByRole('combobox')).toBeVisible();
  const files = [{ name: '1.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }];
  await page.locator('input[type="file"]').setInputFiles(files);
  await expect(frame(page).getByRole('alert')).toBeVisible();
  await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
  await chat.send('12');
  await expect(rows(page).last()).toHaveAttribute('data-status', 'failed');
  // The form of a vote: what was wrong with the greeting.
  const greeting = rows(page).first();
  await greeting.hover();
  await greeting.locator('.act').nth(2).click();
  await expect(frame(page).locator('textarea')).toHaveCount(2);
  await page.context().setOffline(true);
  await expect(frame(page).locator('.notice p')).toBeVisible();
  await page.context().setOffline(false);
  expect(await inEveryLanguage(page)).toEqual({});
  // The search itself finds texts that are too long.
  const long = 'W'.repeat(99);
  await configure(page, { strings: { placeholder: long, choose: long, retry: long } });
  await expect(frame(page).getByRole('button', { name: long })).toBeVisible();
  expect(await cutOff(page)).toEqual([expect.stringContaining(long)]);
  expect(await cutOffInControls(page)).toEqual([long, expect.stringContaining(long)]);
  await configure(page, { strings: {} });

  await page.keyboard.press('Escape');
  await frame(page).locator('[part="more"]').click();
  await expect(frame(page).getByRole('menu')).toBeVisible();
  expect(await inEveryLanguage(page)).toEqual({});
  await page.keyboard.press('Escape');

  await frame(page).locator('[part="restart"]').click();
  await expect(frame(page).getByRole('alertdialog')).toBeVisible();
  expect(await inEveryLanguage(page)).toEqual({});
  chat.consoleErrors = [];
});
