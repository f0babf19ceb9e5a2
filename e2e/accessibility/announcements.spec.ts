// Screen reader announcements: the complete list of texts that enter a live region, polite or assertive, in order.
import { Buffer } from 'node:buffer';
import { ChatClient } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { joinChat } from '../support/test-data/participants.ts';

test.use({ env: scriptedBot, attributes: 'data-allow-file-upload data-feedback-enabled' });

const greeting = 'polite: Bot: I am the demo bot’s scripted double.';

/** Compares everything that was announced since the page was loaded, and checks that nothing follows. */
async function expectAnnouncements(chat: ChatPage, texts: string[], optional: string[] = []): Promise<void> {
  const announced = async () => (await announcements(chat.page)).filter((text) => !optional.includes(text));
  await expect.poll(announced).toEqual(texts);
  // After a request to the server and two frames, all pending messages have arrived and are rendered.
  await chat.serverMessages();
  await chat.page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  expect(await announced()).toEqual(texts);
  // The live region is emptied after some seconds, so that a screen reader that reads the page does not find the text twice.
  await chat.page.clock.runFor(10_000);
  await expect(chat.page.locator('.live p')).toHaveCount(0);
}

test.beforeEach(async ({ page }) => {
  await page.clock.install();
  await recordAnnouncements(page);
});

test('the bot’s messages are announced with their sender, and the visitor’s own messages are not', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.send('{"reply":[{"type":"text","text":"An answer"},{"type":"text","text":"And more"}]}');
  await expectAnnouncements(chat, [greeting, 'polite: Bot: An answer', 'polite: Bot: And more']);
});

test('the messages of another participant are announced with the name of that participant', async ({
  chat,
}) => {
  await chat.startConversation();
  const ada = await joinChat(chat, { name: 'Ada' });
  // Her name is loaded with her first message.
  // The bot does not answer these texts.
  await ada.send('{"n":1}');
  await ada.send('{"n":2}');
  await chat.instructBot({ reply: [{ type: 'text', text: 'third' }] });
  const texts = ['polite: Ada: {"n":1}', 'polite: Ada: {"n":2}', 'polite: Bot: third'];
  await expectAnnouncements(chat, [greeting, ...texts]);
});

test('long runs of combining marks are cut in options, in the names of their groups and in announcements', async ({
  chat,
}) => {
  await chat.startConversation();
  const run = `a${'\u0301'.repeat(3_000)}`;
  const cut = `a${'\u0301'.repeat(8)}`;
  await chat.instructBot({
    reply: [
      { type: 'dropdown', text: run, options: [{ label: run, value: 'x' }] },
      { type: 'choice', text: run, options: [{ label: run, value: 'x' }] },
    ],
  });
  await expect(chat.window.getByRole('option', { name: cut, exact: true })).toHaveText(cut);
  await expect(chat.window.getByRole('combobox')).toHaveAttribute('aria-label', cut);
  await expect(chat.window.getByRole('group')).toHaveAttribute('aria-label', cut);
  const option = chat.window.getByRole('button', { name: cut, exact: true });
  await expect(option).toHaveText(cut);
  await expect.poll(async () => (await announcements(chat.page)).length).toBe(3);
  for (const text of (await announcements(chat.page)).slice(1)) expect(text).not.toContain(`${cut}\u0301`);
  // The bot gets the words of the option as it has sent them.
  await option.click();
  await expect
    .poll(async () => (await chat.serverMessages()).map(({ payload }) => payload))
    .toContainEqual({ type: 'text', text: run, value: 'x' });
});

test('a streamed answer is announced once, when it is complete', { tag: '@story' }, async ({ chat }) => {
  await chat.startConversation();
  await chat.instructBot({ stream: ['**One** ', 'two ', 'three.'] });
  await expectAnnouncements(chat, [greeting, 'polite: Bot: One two three.']);
});

test('an aborted answer is announced as far as it arrived, together with the word “Stopped”', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.instructBot({ stream: ['One ', 'two'], abort: true });
  await expectAnnouncements(chat, [greeting, 'polite: Bot: One two: Stopped']);
});

test('an answer that the visitor stops is announced once', async ({ chat, page }) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ stream: ['w0 ', 'w1 ', 'w2 ', { until: gate.url, text: 'word ' }] });
  await expect(chat.botRows.last()).toContainText('w2 ');
  await chat.window.getByRole('button', { name: 'Stop the answer' }).click();
  await expect.poll(async () => (await announcements(page)).length).toBe(2);
  expect((await announcements(page))[1]).toMatch(/^polite: Bot: w0 w1 w2.*: Stopped$/);
  await expect(page.locator('.live p')).toHaveCount(0);
  expect(await announcements(page)).toHaveLength(2);
});

test('Markdown is announced as plain text, code and tables by name, other payloads by kind', async ({
  chat,
}) => {
  await chat.startConversation();
  const image = { type: 'image', imageUrl: 'ftp://example.org/a.png' };
  const options = [{ label: 'Yes', value: '1' }];
  const actions = [{ action: 'say', label: 'Buy', value: 'buy' }];
  await chat.instructBot({
    reply: [
      {
        type: 'markdown',
        markdown:
          '## So\n\n**Run** [this](https://example.org):\n\n```js\nrun();\n```\n\n|A|B|\n|-|-|\n|1|2|',
      },
      { ...image, title: 'A drawing' },
      image,
      { type: 'card', title: 'Plan', subtitle: 'For one', actions },
      {
        type: 'carousel',
        items: [
          { title: 'A', actions },
          { title: 'B', actions },
        ],
      },
      { type: 'choice', text: 'Which?', options },
      { type: 'bloc', items: [{ type: 'text', text: 'Look:' }, image] },
      { type: 'text', text: 'Last' },
    ],
  });
  await expectAnnouncements(chat, [
    greeting,
    'polite: Bot: So Run this: Code: js Table: A, B',
    'polite: Bot: Picture: A drawing',
    'polite: Bot: Picture',
    'polite: Bot: Plan For one Buy',
    'polite: Bot: Cards: A, B',
    'polite: Bot: Which? Yes',
    'polite: Bot: Look: Picture',
    'polite: Bot: Last',
  ]);
});

test('typing is not announced', async ({ chat, page }) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ typing: true, stream: [{ until: gate.url }, 'Slow'] });
  await expect(page.locator('.typing')).toBeVisible();
  gate.open();
  await expect(chat.botRows).toHaveCount(2);
  await expectAnnouncements(chat, [greeting, 'polite: Bot: Slow']);
  expect(await page.locator('.typing').count()).toBe(0);
});

test('history is not announced, neither after a reload nor when older pages are loaded', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const { userKey, conversationId = '' } = await chat.storedSession();
  const client = new ChatClient({ chatUrl: chat.platform.chatUrl, userKey });
  const text = JSON.stringify({ reply: [{ type: 'text', text: 'x' }] });
  for (let i = 0; i < 30; i++)
    await client.createMessage({ conversationId, payload: { type: 'text', text } });
  await expect.poll(async () => (await chat.serverMessages()).length).toBe(61);
  await page.reload();
  await chat.launcher.click();
  // The newest page is drawn in several tasks. What is drawn above keeps the position, so that the start is not reached.
  await expect(chat.rows).toHaveCount(50);
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
  await chat.window.locator('.viewport').evaluate((e) => e.scrollTo(0, 0));
  await expect(chat.rows).toHaveCount(61);
  await expectAnnouncements(chat, []);
});

test('a lost connection is announced, and after it only the missed messages', async ({ chat, context }) => {
  await chat.startConversation();
  await context.setOffline(true);
  await expect(chat.window.getByText(/You are offline/)).toBeVisible();
  await chat.instructBot({ reply: [{ type: 'text', text: 'Missed' }] });
  await context.setOffline(false);
  await expect(chat.botRows).toHaveCount(2);
  // An outage of more than five seconds is also announced as an interruption. Its duration depends on the machine.
  await expectAnnouncements(
    chat,
    [greeting, 'polite: You are offline. Messages will go out when you are back.', 'polite: Bot: Missed'],
    ['polite: The connection is interrupted. Trying again…'],
  );
  // A request during the outage fails with a console message.
  chat.ignoreConsoleErrors('ERR_INTERNET_DISCONNECTED');
});

test('while the window is closed a new message is announced and counted on the launcher', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await chat.instructBot({ reply: [{ type: 'text', text: 'Still there?' }] });
  await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 unread message');
  await expectAnnouncements(chat, [greeting, 'polite: Bot: Still there?']);
});

test('a message that cannot be sent is announced assertively, once for each attempt', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
  await chat.send('Hello');
  const retry = chat.window.getByRole('button', { name: 'Try again: Hello' });
  await expect(retry).toBeVisible();
  await expectAnnouncements(chat, [greeting, 'assertive: Not sent']);
  await retry.click();
  await expectAnnouncements(chat, [greeting, 'assertive: Not sent', 'assertive: Not sent']);
  chat.ignoreConsoleErrors('400');
});

test('an unreachable or refusing server is announced assertively', async ({ chat, page }) => {
  await page.route(/\/users$/, (route) => route.abort());
  await chat.goto();
  await chat.launcher.click();
  await expect(chat.window.getByRole('alert')).toBeVisible();
  await page.unroute(/\/users$/);
  await expect(chat.botRows).toHaveCount(1);
  await expectAnnouncements(chat, ['assertive: The chat cannot be reached. Trying again…', greeting]);
  await page.evaluate(() => localStorage.clear());
  await page.route(/\/users$/, (route) => route.fulfill({ status: 400, json: {} }));
  await page.reload();
  await chat.launcher.click();
  await expect.poll(() => announcements(page)).toEqual(['assertive: This chat is not available.']);
  await expect(chat.window.getByText('Connecting…')).toHaveCount(0);
  // A refusal can be over, as that of a proxy while the server is replaced: a message tries again.
  await page.unroute(/\/users$/);
  await chat.send('Hello again');
  await expect(chat.window.locator('[data-side="visitor"]')).toHaveAttribute('data-status', 'sent');
  chat.ignoreConsoleErrors(/Failed to load/);
});

test('after a restart only the new greeting is announced', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.botReplies({ type: 'text', text: 'Before' });
  await page.evaluate(() => (window.platform as Platform).restartConversation());
  await expect(chat.botRows).toHaveCount(1);
  await expectAnnouncements(chat, [greeting, 'polite: Bot: Before', greeting]);
});

test('a refused file is announced assertively and an uploaded one politely, both by name', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await expect(chat.window.getByRole('button', { name: 'Attach files' })).toBeVisible();
  const pick = (name: string, content: string) =>
    page
      .locator('input[type="file"]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  await pick('empty.txt', '');
  await pick('notes.txt', 'notes');
  await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
  await expectAnnouncements(chat, [
    greeting,
    'assertive: empty.txt: This file is empty',
    'polite: notes.txt is uploaded',
  ]);
});

test('thanks for a comment and the copying of a message are announced', async ({ chat, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const row = chat.botRows.first();
  await row.hover();
  await row.getByRole('button', { name: /^Bad answer/ }).click();
  await page.keyboard.type('Too short');
  await row.getByRole('button', { name: 'Send', exact: true }).click();
  // The scripted bot reports the event that it received.
  await expect(chat.botRows).toHaveCount(3);
  await row.getByRole('button', { name: /^Copy/ }).click();
  await expect.poll(() => announcements(page)).toContain('polite: Copied');
  const texts = await announcements(page);
  expect(texts.filter((text) => !text.startsWith('polite: Bot: '))).toEqual([
    'polite: Thank you',
    'polite: Copied',
  ]);
  expect(texts).toHaveLength(5);
});

test('the copy button of code announces that it has copied, and nothing when its label changes back', async ({
  chat,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'markdown', markdown: '```js\nrun();\n```' });
  const copy = row.locator('.copy');
  await copy.click();
  // It is the label of the button, which changes back after two seconds.
  await expect.poll(() => announcements(page)).toContain('polite: Copied');
  await expect(copy).toHaveText('Copy');
  await expectAnnouncements(chat, [greeting, 'polite: Bot: Code: js', 'polite: Copied']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('run();');
});

test('of a run with a status, reasoning, three steps, sources and an approval, only the answer and the question are announced', async ({
  chat,
  page,
}) => {
  await page.clock.install();
  await chat.startConversation();
  // Otherwise the clock goes on between the steps, on a busy machine by more than the seconds between two statuses.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const gates = [await startRequestGate(), await startRequestGate()];
  const question = 'Shall I send the mail?';
  await chat.instructBot({
    stream: [
      { status: 'Searching' },
      { reasoning: 'The visitor wants a mail.' },
      { tool: { name: 'search', title: 'Search orders' } },
      { until: gates[0]?.url },
      { done: 'search' },
      { tool: { name: 'read', title: 'Read the order' } },
      { failed: 'read', text: 'Gone' },
      { status: 'Writing' },
      'The mail is ',
      { until: gates[1]?.url },
      'ready.',
      { source: { title: 'Orders', url: 'https://example.com/orders' } },
      { source: { title: 'Prices', url: 'https://example.com/prices' } },
      { tool: { name: 'send', title: 'Send the mail', input: { to: 'ada@example.com' } } },
    ],
    ask: [{ reason: 'tool_call', message: question, tool: 'send' }],
  });
  const answer = chat.botRows.last();
  /** Draws in frames of this clock, until the answer contains the text. */
  const draws = (text: string) =>
    expect
      .poll(async () => {
        await page.clock.runFor(50);
        return answer.textContent();
      })
      .toContain(text);
  await draws('Search orders');
  await page.clock.runFor(5_000);
  await expect.poll(() => announcements(page)).toEqual([greeting, 'polite: Bot: Searching']);
  gates[0]?.open();
  await draws('The mail is');
  // The next status is said 15 seconds after the first one at the earliest.
  await page.clock.runFor(9_000);
  expect(await announcements(page)).toEqual([greeting, 'polite: Bot: Searching']);
  gates[1]?.open();
  // The reasoning is one of the steps of the fold, too.
  const asked = [
    greeting,
    'polite: Bot: Searching',
    `polite: Bot: The mail is ready. 4 steps, 2 sources ${question} An answer is needed`,
  ];
  const drawn = async () => {
    await page.clock.runFor(100);
    return announcements(page);
  };
  await expect.poll(drawn).toEqual(asked);
  await chat.window.getByRole('button', { name: 'Approve: Send the mail' }).click();
  await expect.poll(drawn).toEqual([...asked, expect.stringMatching(/^polite: Bot: received resume /)]);
  await page.clock.runFor(20_000);
  expect(await announcements(page)).toHaveLength(asked.length + 1);
});
