// Race conditions and failures of a visitor's actions on a message: feedback, copying, choices.
import { cors, scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';

test.use(scriptedChat);

test.describe('feedback', () => {
  test('feedback that is given faster than the server refuses it ends in the state of the server', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'An answer' });
    const good = row.getByRole('button', { name: 'Good answer' });
    const bad = row.getByRole('button', { name: 'Bad answer' });
    const waiting: (() => Promise<void>)[] = [];
    await page.route(/\/feedback$/, (route) => {
      waiting.push(() => route.fulfill({ status: 500, json: {}, headers: cors }));
    });
    await good.click();
    await bad.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    // Every request is refused, also after the first refusal.
    let refused = 0;
    await expect(async () => {
      for (; refused < waiting.length; refused++) await waiting[refused]?.();
      expect(await good.getAttribute('aria-pressed')).toBe('false');
      expect(await bad.getAttribute('aria-pressed')).toBe('false');
      expect(refused).toBe(2);
    }).toPass();
    chat.ignoreConsoleErrors(/500/);
  });

  test('feedback that is clicked twice is set and removed, in this order', async ({ chat }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'An answer' });
    for (let i = 1; i <= 5; i++) {
      // In the page: the answer to the first click moves the button, and a second press could miss it.
      await row.getByRole('button', { name: 'Good answer' }).evaluate(async (button: HTMLElement) => {
        button.click();
        await new Promise((resolve) => setTimeout(resolve));
        button.click();
      });
      await expect(chat.botRows).toHaveCount(2 + 2 * i);
    }
    await expect(row.getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'false');
    await expect(async () => {
      const message = (await chat.serverMessages()).find(
        ({ payload }) => 'text' in payload && payload.text === 'An answer',
      );
      expect(message?.feedback).toBeUndefined();
      // Set five times and removed five times; the bot has answered each change.
      await expect(chat.botRows).toHaveCount(12);
    }).toPass();
    await expect(row.getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'false');
  });
});

test.describe('copying', () => {
  test('a failed copy is not reported as copied', async ({ chat, page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'Some words' });
    await row.hover();
    const copy = row.getByRole('button', { name: 'Copy: Some words' });
    await copy.click();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    // Checked at once, because a wrong label would disappear after two seconds.
    expect(await row.getByRole('button', { name: /^Copied/ }).count()).toBe(0);
    await expect(copy).toBeFocused();
    expect(await row.locator('textarea').count()).toBe(0);
  });
});
