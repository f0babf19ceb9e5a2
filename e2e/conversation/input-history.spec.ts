// The arrow keys in the composer bring back the sent texts and the draft, and otherwise move the caret as usual.
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';

// The handler is part of a bundle that the uploads load early.
test.use({ attributes: 'data-allow-file-upload' });
const attach = (chat: ChatPage) => chat.window.getByRole('button', { name: 'Attach files' });
test.beforeEach(async ({ chat }) => {
  await chat.startConversation();
  const button = attach(chat);
  if (test.info().titlePath.includes('without uploads')) await expect(button).toHaveCount(0);
  else await expect(button).toBeVisible();
});

const caret = (chat: ChatPage) => chat.input.evaluate((e: HTMLTextAreaElement) => e.selectionStart);
const setCaret = (chat: ChatPage, start: number, end = start) =>
  chat.input.evaluate((e: HTMLTextAreaElement, range) => e.setSelectionRange(...range), [start, end] as [
    number,
    number,
  ]);

/** Presses a key twice for which nothing changes, the second time certainly after the first was handled. */
async function pressInVain(chat: ChatPage, key: string, value: string): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await chat.input.press(key);
    await expect(chat.input).toHaveValue(value);
  }
}

test('the arrow keys walk through the sent texts, and bring back the draft', { tag: '@story' }, async ({
  chat,
}) => {
  await pressInVain(chat, 'ArrowUp', '');
  for (const text of ['one', 'two']) await chat.exchange(text);
  await chat.input.fill('a draft');
  for (const text of ['two', 'one']) {
    await chat.input.press('ArrowUp');
    await expect(chat.input).toHaveValue(text);
    expect(await caret(chat)).toBe(text.length);
  }
  await pressInVain(chat, 'ArrowUp', 'one');
  await chat.input.press('ArrowDown');
  await expect(chat.input).toHaveValue('two');
  await chat.input.press('ArrowDown');
  await expect(chat.input).toHaveValue('a draft');
  await pressInVain(chat, 'ArrowDown', 'a draft');

  // The texts of the bot are not the visitor's. A text that was brought back is sent like any other.
  await chat.input.press('ArrowUp');
  await expect(chat.input).toHaveValue('two');
  await chat.input.press('Enter');
  await expect(chat.botRows.filter({ hasText: 'You said: “two”' })).toHaveCount(2);
  await expect(chat.input).toHaveValue('');
  // Twice in a row counts once.
  for (const text of ['two', 'one']) {
    await chat.input.press('ArrowUp');
    await expect(chat.input).toHaveValue(text);
  }
});

test('a text that was brought back and changed is the new draft', async ({ chat }) => {
  for (const text of ['one', 'two']) await chat.exchange(text);
  await chat.input.fill('half');
  await chat.input.press('ArrowUp');
  await expect(chat.input).toHaveValue('two');
  await expect.poll(async () => (await chat.storedSession()).draft).toBe('half');
  await chat.reopen();
  await expect(chat.input).toHaveValue('half');
  await expect(chat.rows.filter({ hasText: 'two' }).first()).toBeVisible();
  // A key that is pressed before the bundle has loaded only moves the caret.
  await expect(attach(chat)).toBeVisible();
  await chat.input.press('ArrowUp');
  await expect(chat.input).toHaveValue('two');
  await chat.input.press('s');
  await expect(chat.input).toHaveValue('twos');
  await chat.input.press('ArrowUp');
  await expect(chat.input).toHaveValue('two');
  await chat.input.press('ArrowDown');
  await expect(chat.input).toHaveValue('twos');
  expect((await chat.storedSession()).draft).toBe('twos');
});

test('in a text of several or wrapped lines the keys first move the caret', async ({ chat }) => {
  await chat.exchange('sent');
  const long = 'A line that is so long that it cannot be in one line of the box of this composer here';
  for (const text of ['first\nsecond', long, `${'x'.repeat(20)} ${'y'.repeat(200)}`]) {
    await chat.input.fill(text);
    await chat.input.press('ArrowUp');
    // The caret has moved up, and nothing else has happened.
    await expect.poll(() => caret(chat)).toBeLessThan(text.length);
    await expect(chat.input).toHaveValue(text);
    await setCaret(chat, 0);
    await chat.input.press('ArrowUp');
    await expect(chat.input).toHaveValue('sent');
    await chat.input.press('ArrowDown');
    await expect(chat.input).toHaveValue(text);
    // Down in the first line moves the caret too, although a text has been brought back before.
    await chat.input.press('ArrowUp');
    await setCaret(chat, 0);
    await chat.input.press('ArrowDown');
    await expect.poll(() => caret(chat)).toBeGreaterThan(0);
    await expect(chat.input).toHaveValue(text);
    await chat.input.fill('');
  }
});

test('with a selection, a modifier or an IME composition the keys keep their meaning', async ({ chat }) => {
  await chat.exchange('sent');
  await chat.input.fill('word');
  await setCaret(chat, 0, 4);
  // The first press ends the selection.
  await chat.input.press('ArrowUp');
  await expect(chat.input).toHaveValue('word');
  for (const key of ['Shift+ArrowUp', 'Control+ArrowUp', 'Alt+ArrowUp', 'Meta+ArrowUp']) {
    await setCaret(chat, 4);
    await pressInVain(chat, key, 'word');
  }
  await setCaret(chat, 4);
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
    await chat.input.evaluate((e, more) => {
      e.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true, ...more }),
      );
    }, init);
  }
  await expect(chat.input).toHaveValue('word');
  await chat.input.press('ArrowUp');
  await expect(chat.input).toHaveValue('sent');
});

test('a new conversation has no texts of the one before, and a button sends none', async ({ chat }) => {
  await chat.exchange('before');
  await chat.send('choice');
  const question = chat.botRows.filter({ hasText: 'Which one?' });
  await question.getByRole('group').getByRole('button').first().click();
  await expect(chat.rows.filter({ hasText: 'You chose' }).or(chat.botRows.nth(3))).toBeVisible();
  await chat.input.press('ArrowUp');
  await expect(chat.input).toHaveValue('choice');
  await chat.input.fill('');
  await chat.call('restartConversation');
  await expect(chat.rows).toHaveCount(1);
  await chat.input.focus();
  await pressInVain(chat, 'ArrowUp', '');
});

test.describe('without uploads', () => {
  test.use({ attributes: '' });
  // The bundle is loaded by the first arrow key.

  test('the first arrow key brings back a text in the empty text box only', async ({ chat, page }) => {
    await chat.exchange('sent');
    const loaded = page.waitForResponse(/\/extras-/);
    await chat.input.fill('a draft');
    await chat.input.press('ArrowUp');
    await loaded;
    await expect(chat.input).toHaveValue('a draft');
    await chat.reopen();
    await expect(chat.rows.filter({ hasText: 'sent' }).first()).toBeVisible();
    await chat.input.fill('');
    await chat.input.press('ArrowUp');
    await expect(chat.input).toHaveValue('sent');
  });
});
