// Feedback on answers, copying a message, and downloading the transcript.
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

test.describe('feedback', () => {
  test.use({ attributes: 'data-feedback-enabled' });

  test('feedback is given, changed, explained and removed, and the bot receives each change', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'An answer' });
    const good = row.getByRole('button', { name: 'Good answer: An answer' });
    const bad = row.getByRole('button', { name: 'Bad answer: An answer' });
    const feedback = async () =>
      (await chat.serverMessages()).find(({ payload }) => 'text' in payload && payload.text === 'An answer')
        ?.feedback;
    await good.click();
    await expect(good).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(feedback).toEqual({ value: 'positive' });
    await expect(chat.botRows.last()).toContainText('"value":"positive"');

    await bad.click();
    await expect(good).toHaveAttribute('aria-pressed', 'false');
    const comment = row.getByRole('textbox', { name: /What was wrong/ });
    await expect(comment).toBeFocused();
    await expect.poll(feedback).toEqual({ value: 'negative' });
    await page.keyboard.type('Too short');
    await row.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(comment).toHaveCount(0);
    await expect(bad).toBeFocused();
    await expect.poll(feedback).toEqual({ value: 'negative', comment: 'Too short' });

    await chat.reopen();
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    await bad.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'false');
    await expect(comment).toHaveCount(0);
    await expect.poll(feedback).toBeUndefined();
    await expect(chat.botRows.last()).toContainText('"value":"none"');
    // The visitor's own messages have no feedback buttons, and nothing else is offered than the field says.
    const own = chat.window.locator('[data-side="visitor"]');
    await expect(own.getByRole('button', { name: /answer:/ })).toHaveCount(0);
    await expect(chat.window.getByRole('button', { name: /^(Answer again|Edit message): / })).toHaveCount(0);
  });
});

for (const density of ['comfortable', 'compact']) {
  test.describe(`with a mouse, ${density}`, () => {
    test.use({ attributes: `data-feedback-enabled data-density="${density}"` });

    test('the actions of a message cover no time and stay below the header', async ({ chat, page }) => {
      await chat.startConversation();
      const box = async (locator: Locator) => {
        const found = await locator.boundingBox();
        if (!found) throw new Error('It is not visible.');
        return found;
      };
      /** Shows the actions of a message. Returns their area, and how far their middle is from the upper edge of the bubble. */
      const hover = async (row: Locator) => {
        const actions = row.locator('.acts');
        await row.hover();
        await expect(actions).toHaveCSS('opacity', '1');
        const [area, bubble] = [await box(actions), await box(row.locator('.bubble'))];
        return { area, distance: Math.abs(area.y + area.height / 2 - bubble.y) };
      };
      // The first message of the day, below its name, is no longer the last of its group.
      await page.evaluate(() => (window.platform as Platform).sendEvent({ a: 1 }));
      await expect(chat.botRows).toHaveCount(2);
      await expect(chat.botRows.first().locator('.day')).toHaveCount(1);
      expect((await hover(chat.botRows.first())).distance).toBeLessThanOrEqual(4);

      // More of them than fit into the window, which can be scrolled to the first one.
      const reply = Array.from({ length: 20 }, (_, i) => ({ type: 'text', text: `Message ${i}` }));
      await chat.instructBot({ reply });
      await expect(chat.botRows).toHaveCount(22);
      const first = chat.botRows.nth(2);
      const viewport = chat.window.locator('.viewport');
      const scroll = (pixels: number) => viewport.evaluate((e, by) => e.scrollBy(0, by), pixels);
      const header = await box(chat.window.locator('.header'));
      const end = header.y + header.height;
      // The time above the message is visible.
      await scroll((await box(first.locator('.bubble'))).y - end - 60);
      const { area, distance } = await hover(first);
      const time = await box(chat.rows.filter({ hasText: '"reply"' }).last().locator('time'));
      expect(time.y).toBeGreaterThan(end);
      expect(area.y).toBeGreaterThanOrEqual(time.y + time.height);
      expect(distance).toBeLessThanOrEqual(4);
      // Now the header is above the half of the actions.
      await scroll((await box(first.locator('.bubble'))).y - end);
      const { area: partly } = await hover(first);
      expect(partly.y).toBeLessThan(end - 4);
      const top = await page.evaluate(
        ([x, y]) => {
          const root = document.querySelector('platform-webchat')?.shadowRoot;
          return root?.elementFromPoint(x ?? 0, y ?? 0)?.closest('.header, .acts')?.className;
        },
        [partly.x + 10, end - 3],
      );
      expect(top).toBe('header');
    });
  });
}

test('a message can be copied and the whole conversation downloaded', { tag: '@story' }, async ({
  chat,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'markdown', markdown: 'Some **bold** words' });
  await row.hover();
  // The button tells it for two seconds: the page itself looks, from before the click.
  const copied = page.waitForFunction(() =>
    document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.act[aria-label^="Copied"]'),
  );
  await row.getByRole('button', { name: /^Copy/ }).click();
  await copied;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Some **bold** words');

  // More than one page, so that the file also contains messages that were not loaded.
  await chat.sendElsewhere(...Array.from({ length: 60 }, (_, i) => `{"n":${i}}`));
  const more = chat.window.getByRole('button', { name: 'More' });
  await more.click();
  const menu = chat.window.getByRole('menu');
  const items = menu.getByRole('menuitem');
  await expect(items).toHaveText(['Conversations', 'Download conversation', 'Print conversation']);
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Bot.txt');
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d UTC\] Bot:\nI am the demo bot’s scripted double\.\n/);
  expect(text).toContain('Bot:\nSome bold words\n');
  expect(text).toContain('You:\n{"n":0}\n');
  expect(text).toContain('You:\n{"n":59}\n');
  await expect(menu).toHaveCount(0);
});
