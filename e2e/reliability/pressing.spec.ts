// Presses of a visitor while messages arrive: a press takes about a tenth of a second, and a message can arrive meanwhile.
import type { Locator } from '@playwright/test';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';

test.use({ env: scriptedBot });

/** A button of the last message, below a long one, with the pointer over it. */
async function hoverButton(chat: ChatPage): Promise<Locator> {
  await chat.startConversation();
  await chat.botReplies({ type: 'text', text: 'line\n'.repeat(40) });
  await chat.botReplies({ type: 'choice', text: 'Which?', options: [{ label: 'This one', value: 'this' }] });
  const button = chat.window.getByRole('button', { name: 'This one' });
  await button.hover();
  // The actions of messages are loaded by the first hover, and take their place.
  await expect(chat.botRows.last().getByRole('button', { name: /^Copy/ })).toBeAttached();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await button.hover();
  return button;
}

test('a button stays under the pointer while it is pressed, and the transcript follows the newest message afterwards', async ({
  chat,
  page,
}) => {
  const button = await hoverButton(chat);
  const before = await button.boundingBox();
  await page.mouse.down();
  // Not as an answer to a message: one would end the question.
  const { runtime } = await botClientsOf(chat.platform);
  const { conversationId = '' } = await chat.storedSession();
  const payload = { type: 'text', text: 'meanwhile\n'.repeat(10) } as const;
  await runtime.createMessage({ conversationId, payload });
  await expect(chat.botRows.last()).toContainText('meanwhile');
  expect(await button.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect.poll(() => chat.serverTexts()).toContain('This one');
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
});

test('a button stays under the pointer when what is above it grows while it is pressed', async ({
  chat,
  page,
}) => {
  const button = await hoverButton(chat);
  const before = await button.boundingBox();
  await page.mouse.down();
  // As the actions of messages do, or a picture, or a person who joins.
  await chat.botRows.first().evaluate(
    (row) =>
      new Promise<void>((resolve) => {
        row.style.paddingBottom = '100px';
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );
  expect(await button.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect.poll(() => chat.serverTexts()).toContain('This one');
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
});

test('messages do not move when their actions are loaded', async ({ chat }) => {
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'text', text: 'One' });
  await expect(row.locator('.meta')).toBeVisible();
  const height = () => chat.window.locator('.viewport').evaluate((viewport) => viewport.scrollHeight);
  const before = await height();
  await expect(row.locator('.act')).toHaveCount(0);
  await row.hover();
  await expect(row.getByRole('button', { name: 'Copy: One' })).toBeVisible();
  expect(await height()).toBe(before);
});

test('a press that opens a menu of the browser, whose end the page is not told, does not hold the transcript', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'text', text: 'line\n'.repeat(40) });
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await row.hover();
  await page.mouse.down({ button: 'right' });
  await chat.botReplies({ type: 'text', text: 'meanwhile\n'.repeat(10) });
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
});
