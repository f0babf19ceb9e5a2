// Transcript and composer: scrolling, history, drafts, keys.
import { ChatClient } from '../../src/client/index.ts';
import { expect, test } from '../support/fixtures.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';

/** Fills the visitor's conversation with texts, as an earlier session would have. */
async function fill(chat: import('../support/chat-page.ts').ChatPage, count: number): Promise<void> {
  const { userKey, conversationId = '' } = await chat.storedSession();
  const client = new ChatClient({ chatUrl: chat.platform.chatUrl, userKey });
  for (let i = 0; i < count; i++) {
    await client.createMessage({ conversationId, payload: { type: 'text', text: `Line ${i}` } });
  }
}

test('the transcript follows the newest message, and a reader further up keeps the position and sees a notice', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.send('long');
  // Markdown has another height until it is rendered.
  await expect(chat.botRows.nth(1).getByRole('heading').first()).toBeAttached();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  const viewport = chat.window.locator('.viewport');
  // The pointer of a reader loads the extras, which make the messages taller.
  await viewport.hover();
  await expect(chat.window.getByRole('button', { name: /^Copy/ }).first()).toBeAttached();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await chat.page.mouse.wheel(0, -500);
  // Waits for the end of a smooth scroll.
  await expect.poll(() => chat.distanceFromEnd()).toBeGreaterThan(495);
  const before = await viewport.evaluate((e) => e.scrollTop);
  const { userKey, conversationId = '' } = await chat.storedSession();
  const client = new ChatClient({ chatUrl: chat.platform.chatUrl, userKey });
  await client.createMessage({ conversationId, payload: { type: 'text', text: 'text' } });
  const pill = chat.window.getByRole('button', { name: '1 new message' });
  await expect(pill).toBeVisible();
  expect(await viewport.evaluate((e) => e.scrollTop)).toBe(before);
  await pill.click();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(pill).toBeHidden();
});

test('when the newest message that a reader has seen is deleted, only newer ones count as new', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.send('long');
  await expect(chat.botRows.nth(1).getByRole('heading').first()).toBeAttached();
  await chat.exchange('Seen');
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  const viewport = chat.window.locator('.viewport');
  await viewport.hover();
  await chat.page.mouse.wheel(0, -700);
  await expect.poll(() => chat.distanceFromEnd()).toBeGreaterThan(495);
  await expect(chat.window.getByRole('button', { name: 'Go to the newest message' })).toBeVisible();
  const { conversationId = '' } = await chat.storedSession();
  const { runtime } = await botClientsOf(chat.platform);
  const newest = (await chat.serverMessages()).at(-1);
  await runtime.deleteMessage({ id: newest?.id ?? '' });
  await expect(chat.botRows).toHaveCount(2);
  await expect(chat.window.getByRole('button', { name: 'Go to the newest message' })).toBeVisible();
  await runtime.createMessage({ conversationId, payload: { type: 'text', text: 'Another' } });
  await expect(chat.window.getByRole('button', { name: '1 new message' })).toBeVisible();
});

test('content that shrinks and grows within one frame does not scroll away from the newest message', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.send('long');
  await expect(chat.botRows.nth(1).getByRole('heading').first()).toBeAttached();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await chat.window.locator('.viewport').evaluate(async (viewport) => {
    const content = viewport.querySelector('.rows');
    if (!(content instanceof HTMLElement)) throw new Error('There is no content.');
    const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await frames();
    // The content shrinks, is measured, and grows before the scroll event is dispatched.
    content.style.paddingBottom = '400px';
    viewport.scrollTop -= 300;
    await frames();
  });
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(chat.window.getByRole('button', { name: 'Go to the newest message' })).toHaveCount(0);
});

test('the visitor’s own messages always scroll into view', async ({ chat }) => {
  await chat.startConversation();
  await chat.send('long');
  await expect(chat.botRows).toHaveCount(2);
  await chat.window.locator('.viewport').evaluate((e) => e.scrollTo(0, 0));
  await chat.exchange('Here I am');
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(chat.rows.last()).toBeInViewport();
});

test('scrolling up loads older messages and keeps the reading position', async ({ chat, page }) => {
  test.slow();
  await chat.startConversation();
  await fill(chat, 60);
  await expect.poll(async () => (await chat.serverMessages()).length).toBe(121);
  await page.reload();
  await chat.launcher.click();
  await expect(chat.rows.last()).toBeInViewport();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  // The newest page; its rows are drawn in several tasks.
  await expect(chat.rows).toHaveCount(50);

  const viewport = chat.window.locator('.viewport');
  // The pointer of a reader who scrolls has loaded the extras, which add buttons to the messages.
  await viewport.hover();
  await expect(chat.window.getByRole('button', { name: /^Copy/ }).first()).toBeAttached();

  // The first visible row is the same before and after the older page is inserted, at the same position.
  const moved = await viewport.evaluate(
    (element) =>
      new Promise<number[]>((resolve) => {
        element.scrollTop = 500;
        const top = () => element.getBoundingClientRect().top;
        requestAnimationFrame(() => {
          const count = () => element.querySelectorAll('.row').length;
          const rows = [...element.querySelectorAll('.row')];
          const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top()) as Element;
          const before = row.getBoundingClientRect().top;
          const distances: number[] = [];
          // After the observer of the transcript, which keeps the position before each painting.
          const observer = new ResizeObserver(() => {
            if (count() === 50) return;
            distances.push(Math.round(row.getBoundingClientRect().top - before));
            if (count() < 100) return;
            observer.disconnect();
            resolve(distances);
          });
          observer.observe(element.querySelector(':scope > :nth-child(2)') as Element);
          element.scrollTop = 200;
        });
      }),
  );
  // The test itself scrolled by 300 px (500 to 200); the inserted history must not move anything, at no time.
  expect(moved.length).toBeGreaterThan(0);
  for (const distance of moved) expect(Math.abs(distance - 300)).toBeLessThanOrEqual(1);

  // The rows of a page are drawn in several tasks, and the position is kept at each of them.
  await expect
    .poll(async () => {
      await viewport.evaluate((e) => e.scrollTo(0, 0));
      return chat.rows.count();
    })
    .toBe(121);
  const texts = await chat.texts();
  expect(texts.filter((text) => /^Line \d+$/.test(text))).toEqual(
    [...Array(60).keys()].map((i) => `Line ${i}`),
  );
});

test('Enter sends, Shift+Enter inserts a line break, an IME composition is not sent, and the text box grows', async ({
  chat,
}) => {
  await chat.startConversation();
  await expect(chat.input).toBeFocused();
  await chat.input.press('Enter');
  await expect(chat.rows).toHaveCount(1);
  await chat.input.pressSequentially('one');
  const height = async () => (await chat.input.boundingBox())?.height ?? 0;
  const single = await height();
  await chat.input.press('Shift+Enter');
  await chat.input.pressSequentially('two');
  await expect.poll(height).toBeGreaterThan(single);
  // An IME confirms with Enter: Chrome sets isComposing, Safari sends keyCode 229 after the composition.
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

test('a draft survives a reload and is removed once it is sent', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  await chat.startConversation();
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

test('text messages show markup as text and turn URLs into links', async ({ chat, page }) => {
  await chat.startConversation();
  const hostile = '<img src=x onerror=alert(1)> javascript:alert(1) https://example.org/a?b=(c). **no**';
  await chat.send(hostile);
  const row = chat.rows.nth(1);
  await expect(row.locator('.text')).toHaveText(hostile);
  const link = row.getByRole('link');
  await expect(link).toHaveCount(1);
  await expect(link).toHaveAttribute('href', 'https://example.org/a?b=(c)');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  expect(await page.locator('img').count()).toBe(0);
});

test('the typing indicator is shown until the bot’s answer arrives', async ({ chat }) => {
  await chat.startConversation();
  // It is shown for two seconds, which a slow test can miss: the page itself looks, from before the message.
  await chat.window.evaluate((frame) => {
    const shown = new Promise<void>((resolve) => {
      new MutationObserver((_, observer) => {
        const found = frame.querySelector('[role="img"][aria-label="Bot is typing"]');
        if (!found?.checkVisibility()) return;
        observer.disconnect();
        resolve();
      }).observe(frame, { childList: true, subtree: true, attributes: true });
    });
    Object.assign(window, { shown });
  });
  await chat.send('typing');
  const typing = chat.window.getByRole('img', { name: 'Bot is typing' });
  await chat.page.evaluate(() => (window as unknown as { shown: Promise<void> }).shown);
  await expect(chat.botRows.nth(1)).toContainText('two seconds of typing');
  await expect(typing).toHaveCount(0);
});

test('messages are separated by day, and the last message of a group shows the time', async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('first');
  await expect(chat.window.locator('.rows .day')).toHaveText(['Today']);
  const last = chat.rows.last();
  await expect(last).toHaveAttribute('data-last', 'true');
  await expect(last.locator('time')).toHaveAttribute('datetime', /^\d{4}-.*Z$/);
});
