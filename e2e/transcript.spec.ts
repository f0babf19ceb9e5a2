// The transcript and the composer under a visitor's hands: scrolling, history, drafts, keys.
import { ChatClient } from '../src/client/index.ts';
import { expect, test } from './fixtures.ts';

/** Fills the conversation of the page's visitor with texts, as an earlier visit would have. */
async function fill(chat: import('./fixtures.ts').ChatPage, count: number): Promise<void> {
  const { userKey, conversationId = '' } = await chat.stored();
  const client = new ChatClient({ chatUrl: chat.platform.chatUrl, userKey });
  for (let i = 0; i < count; i++) {
    await client.createMessage({ conversationId, payload: { type: 'text', text: `Line ${i}` } });
  }
}

test('stays at the newest message; a reader further up is left alone and told', async ({ chat }) => {
  await chat.start();
  await chat.say('long');
  // Formatted: before that it is another height.
  await expect(chat.botRows.nth(1).getByRole('heading').first()).toBeAttached();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  const viewport = chat.window.locator('.viewport');
  await viewport.hover();
  await chat.page.mouse.wheel(0, -500);
  // All of it: a wheel may scroll smoothly.
  await expect.poll(() => chat.distanceFromEnd()).toBeGreaterThan(495);
  const before = await viewport.evaluate((e) => e.scrollTop);
  const { userKey, conversationId = '' } = await chat.stored();
  const client = new ChatClient({ chatUrl: chat.platform.chatUrl, userKey });
  await client.createMessage({ conversationId, payload: { type: 'text', text: 'text' } });
  const pill = chat.window.getByRole('button', { name: '1 new message' });
  await expect(pill).toBeVisible();
  expect(await viewport.evaluate((e) => e.scrollTop)).toBe(before);
  await pill.click();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(pill).toBeHidden();
});

test('content that shrinks and grows in one moment takes nobody from the newest message', async ({
  chat,
}) => {
  await chat.start();
  await chat.say('long');
  await expect(chat.botRows.nth(1).getByRole('heading').first()).toBeAttached();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await chat.window.locator('.viewport').evaluate(async (viewport) => {
    const content = viewport.querySelector('.rows');
    if (!(content instanceof HTMLElement)) throw new Error('There is no content.');
    const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await frames();
    // As when something shrinks, is measured, and grows, before the browser tells that it has moved.
    content.style.paddingBottom = '400px';
    viewport.scrollTop -= 300;
    await frames();
  });
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(chat.window.getByRole('button', { name: 'Go to the newest message' })).toHaveCount(0);
});

test('own messages always scroll into view', async ({ chat }) => {
  await chat.start();
  await chat.say('long');
  await expect(chat.botRows).toHaveCount(2);
  await chat.window.locator('.viewport').evaluate((e) => e.scrollTo(0, 0));
  await chat.exchange('Here I am');
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(chat.rows.last()).toBeInViewport();
});

test('older history loads on scroll up and keeps the reading position', async ({ chat, page }) => {
  test.slow();
  await chat.start();
  await fill(chat, 60);
  await expect.poll(async () => (await chat.serverMessages()).length).toBe(121);
  await page.reload();
  await chat.launcher.click();
  await expect(chat.rows.last()).toBeInViewport();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  const first = await chat.rows.count();
  expect(first).toBeLessThan(121);

  // The first row in view before and after the page above it has come: the same, in the same place.
  const viewport = chat.window.locator('.viewport');
  const moved = await viewport.evaluate(
    (element) =>
      new Promise<{ key: string | null; before: number; after: number }>((resolve) => {
        element.scrollTop = 500;
        const top = () => element.getBoundingClientRect().top;
        requestAnimationFrame(() => {
          const rows = [...element.querySelectorAll('.row')];
          const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top()) as Element;
          const before = row.getBoundingClientRect().top;
          const count = rows.length;
          const observer = new MutationObserver(() => {
            if (element.querySelectorAll('.row').length === count) return;
            observer.disconnect();
            requestAnimationFrame(() =>
              requestAnimationFrame(() =>
                resolve({ key: row.textContent, before, after: row.getBoundingClientRect().top }),
              ),
            );
          });
          observer.observe(element, { childList: true, subtree: true });
          element.scrollTop = 200;
        });
      }),
  );
  // The reader moved 300 px themselves (500 to 200); the history that came moved nothing.
  expect(Math.abs(moved.after - moved.before - 300)).toBeLessThanOrEqual(1);

  for (let i = 0; i < 5 && (await chat.rows.count()) < 121; i++) {
    const count = await chat.rows.count();
    await viewport.evaluate((e) => e.scrollTo(0, 0));
    await expect.poll(() => chat.rows.count()).not.toBe(count);
  }
  await expect(chat.rows).toHaveCount(121);
  const texts = await chat.texts();
  expect(texts.filter((text) => /^Line \d+$/.test(text))).toEqual(
    [...Array(60).keys()].map((i) => `Line ${i}`),
  );
});

test('Enter sends, Shift+Enter breaks the line, an IME composition is not sent, the box grows', async ({
  chat,
}) => {
  await chat.start();
  await expect(chat.input).toBeFocused();
  await chat.input.press('Enter');
  await expect(chat.rows).toHaveCount(1);
  await chat.input.pressSequentially('one');
  const height = async () => (await chat.input.boundingBox())?.height ?? 0;
  const single = await height();
  await chat.input.press('Shift+Enter');
  await chat.input.pressSequentially('two');
  await expect.poll(height).toBeGreaterThan(single);
  // An IME confirms with Enter: Chrome says isComposing, Safari sends keyCode 229 after the composition.
  await chat.input.evaluate((e) => {
    e.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
    );
    e.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
    );
  });
  await expect(chat.rows).toHaveCount(1);
  await expect(chat.input).toHaveValue('one\ntwo');
  await chat.input.press('Enter');
  await expect(chat.input).toHaveValue('');
  await expect(chat.rows.nth(1).locator('.text')).toHaveText('one\ntwo');
  await expect.poll(height).toBe(single);
  await expect.poll(async () => (await chat.serverTexts())[1]).toBe('one\ntwo');
});

test('a draft is kept over reload, and gone once sent', async ({ chat, page }) => {
  await chat.start();
  await chat.input.fill('An unfinished thou');
  await page.reload();
  await chat.launcher.click();
  await expect(chat.input).toHaveValue('An unfinished thou');
  await chat.input.press('Enter');
  await expect(chat.botRows.filter({ hasText: 'unfinished' })).toHaveCount(1);
  await page.reload();
  await chat.launcher.click();
  await expect(chat.rows).toHaveCount(3);
  await expect(chat.input).toHaveValue('');
});

test('text is shown as text: markup is inert, addresses are links', async ({ chat, page }) => {
  await chat.start();
  const hostile = '<img src=x onerror=alert(1)> javascript:alert(1) https://example.org/a?b=(c). **no**';
  await chat.say(hostile);
  const row = chat.rows.nth(1);
  await expect(row.locator('.text')).toHaveText(hostile);
  const link = row.getByRole('link');
  await expect(link).toHaveCount(1);
  await expect(link).toHaveAttribute('href', 'https://example.org/a?b=(c)');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  expect(await page.locator('img').count()).toBe(0);
});

test('the typing indicator shows while the bot thinks and ends with its answer', async ({ chat }) => {
  await chat.start();
  await chat.say('typing');
  const typing = chat.window.getByRole('img', { name: 'Bot is typing' });
  await expect(typing).toBeVisible();
  await expect(chat.botRows.nth(1)).toContainText('two seconds of typing');
  await expect(typing).toHaveCount(0);
});

test('days and groups: one separator a day, the time under the last of a group', async ({ chat }) => {
  await chat.start();
  await chat.exchange('first');
  await expect(chat.window.locator('.rows .day')).toHaveText(['Today']);
  const last = chat.rows.last();
  await expect(last).toHaveAttribute('data-last', 'true');
  await expect(last.locator('time')).toHaveAttribute('datetime', /^\d{4}-.*Z$/);
});
