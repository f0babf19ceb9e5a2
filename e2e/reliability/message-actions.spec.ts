// Race conditions and failures of a visitor's actions on a message: feedback, copying, choices.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
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

test.describe('choices', () => {
  const question = {
    type: 'choice',
    text: 'Which?',
    options: ['A', 'B'].map((label) => ({ label, value: label })),
  };

  test('a choice can be answered again after its answer failed and was discarded', async ({ chat, page }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ ...question, disableFreeText: true });
    await page.route(/\/messages$/, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: {}, headers: cors })
        : route.fallback(),
    );
    await row.getByRole('button', { name: 'A', exact: true }).click();
    await expect(row.getByRole('button', { name: 'B', exact: true })).toBeDisabled();
    await chat.window.getByRole('button', { name: 'Discard: A' }).click();
    await expect(row.getByRole('button', { name: 'B', exact: true })).toBeEnabled();
    await page.unroute(/\/messages$/);
    await expect(chat.input).not.toBeEditable();
    await page.evaluate(() => (window.platform as Platform).sendMessage('From the page'));
    await expect(chat.botRows.last()).toContainText('From the page');
    await expect(chat.input).toBeEditable();
    chat.ignoreConsoleErrors(/400/);
  });

  test('a choice is locked when it was answered in another tab or by another client', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const [first, second] = [await chat.botReplies(question), await chat.botReplies(question)];
    const { userKey, conversationId } = await chat.storedSession();
    await page.evaluate(
      async ([url, key, id]) => {
        await fetch(`${url}/messages`, {
          method: 'POST',
          headers: { 'x-user-key': key as string, 'content-type': 'application/json' },
          body: JSON.stringify({ conversationId: id, payload: { type: 'text', text: 'A', value: 'A' } }),
        });
      },
      [chat.platform.chatUrl, userKey, conversationId],
    );
    await expect(second.getByRole('button', { name: 'A', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    const old = first.getByRole('button', { name: 'A', exact: true });
    await expect(old).toBeDisabled();
    await expect(old).not.toHaveAttribute('aria-pressed');
  });
});
