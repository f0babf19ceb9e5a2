// The event `analytics` in a real browser: it counts actions of the visitor, and contains no texts.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot, attributes: 'data-feedback-enabled data-allow-file-upload' });

declare global {
  interface Window {
    counted: { name: string }[];
  }
}

test('what the visitor does is counted in order, without a text, an address or an id', {
  tag: '@story',
}, async ({ chat, page }) => {
  await page.addInitScript(() => {
    window.counted = [];
    window.platform = [
      (platform) => platform.on('analytics', (event) => window.counted.push(event)),
    ] as NonNullable<Window['platform']>;
  });
  await chat.startConversation();
  const names = () => page.evaluate(() => window.counted.map(({ name }) => name));
  await expect.poll(names).toContain('message_received');
  const question = {
    type: 'choice',
    text: 'Which one is secret?',
    options: [{ label: 'This secret', value: 'secret' }],
  };
  await chat.send(JSON.stringify({ reply: [question] }));
  await chat.window.getByRole('button', { name: 'This secret', exact: true }).click();
  await expect.poll(names).toContain('button_clicked');
  await chat.botRows
    .first()
    .getByRole('button', { name: /^Good answer/ })
    .click();
  await expect.poll(names).toContain('feedback_given');
  await page.locator('input[type=file]').setInputFiles({
    name: 'secret-plan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4 secret'),
  });
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect.poll(names).toContain('file_sent');
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await expect.poll(names).toContain('closed');

  const counted = await page.evaluate(() => window.counted);
  expect(counted.slice(0, 4)).toEqual([
    { name: 'loaded' },
    { name: 'opened' },
    { name: 'conversation_started' },
    { name: 'message_received', type: 'text' },
  ]);
  expect(counted).toContainEqual({ name: 'feedback_given', value: 'positive' });
  expect(counted).toContainEqual({ name: 'message_received', type: 'choice', replyMs: expect.any(Number) });
  const all = JSON.stringify(counted);
  const { userId = '', conversationId = '', userKey = '' } = await chat.storedSession();
  for (const text of ['secret', 'Which', 'plan', 'http', userId, conversationId, userKey]) {
    expect(all).not.toContain(text);
  }
});

test('a handler that unsubscribes counts nothing more, and without a handler no code is loaded', async ({
  chat,
  page,
}) => {
  await chat.goto();
  expect(chat.requests.filter((url) => url.includes('/host-page-'))).toEqual([]);
  const release = await holdRequests(page, /\/host-page-/);
  await page.evaluate(() => {
    window.counted = [];
    const platform = window.platform as Platform;
    const off = platform.on('analytics', (event) => {
      window.counted.push(event);
      if (event.name === 'opened') off();
    });
  });
  // Later events also wait for the code.
  await chat.openWindow();
  release();
  const last = () => page.evaluate(() => window.counted.at(-1)?.name);
  await expect.poll(last).toBe('opened');
  await chat.send('Hello');
  await expect(chat.botRows).toHaveCount(2);
  expect(await last()).toBe('opened');
});
