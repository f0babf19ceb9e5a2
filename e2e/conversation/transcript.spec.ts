// Transcript and composer: scrolling, history, drafts, keys.
import { expect, test } from '../support/fixtures.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';

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
  // Not the position of the scroll bar: the time of the message above goes when the next one of its minute arrives.
  const read = async () => (await chat.botRows.nth(1).locator('.bubble').boundingBox())?.y;
  const before = await read();
  await chat.sendElsewhere('text');
  const pill = chat.window.getByRole('button', { name: '1 new message' });
  await expect(pill).toBeVisible();
  expect(await read()).toBeCloseTo(before ?? Number.NaN, 0);
  await pill.click();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await expect(pill).toBeHidden();
});

test('a message does not break its lines anew when another one follows', async ({ chat }) => {
  await chat.startConversation();
  const { conversationId = '' } = await chat.storedSession();
  const { runtime } = await botClientsOf(chat.platform);
  await runtime.createMessage({ conversationId, payload: { type: 'text', text: 'word '.repeat(60) } });
  const row = chat.botRows.nth(1);
  await expect(row).toHaveAttribute('data-last', 'true');
  const before = await row.locator('.bubble').boundingBox();
  await runtime.createMessage({ conversationId, payload: { type: 'text', text: 'Another' } });
  await expect(row).toHaveAttribute('data-last', 'false');
  const after = await row.locator('.bubble').boundingBox();
  expect(after?.width).toBeCloseTo(before?.width ?? Number.NaN, 0);
  expect(after?.height).toBe(before?.height);
});

test('only newer messages count as new after the deletion of a seen one', async ({ chat }) => {
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

test('content that shrinks and grows within a frame does not scroll', async ({ chat }) => {
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

test('Enter sends, Shift+Enter breaks the line, and a composition is not sent', async ({ chat }) => {
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

test('a draft survives a reload and is removed once it is sent', { tag: '@story' }, async ({ chat }) => {
  await chat.startConversation();
  await chat.input.fill('An unfinished thou');
  await chat.reopen();
  await expect(chat.input).toHaveValue('An unfinished thou');
  await chat.input.press('Enter');
  await expect(chat.botRows.filter({ hasText: 'unfinished' })).toHaveCount(1);
  await chat.reopen();
  await expect(chat.rows).toHaveCount(3);
  await expect(chat.input).toHaveValue('');
});
