// Screen reader announcements: the complete list of texts that enter a live region, polite or assertive, in order.
import { Buffer } from 'node:buffer';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { joinChat } from '../support/test-data/participants.ts';

test.use({ env: scriptedBot, attributes: 'data-allow-file-upload data-feedback-enabled' });

const greeting = 'polite: Bot: I am the demo bot’s scripted double.';

/** Compares everything that was announced since the page was loaded, and checks that nothing follows. */
async function expectAnnouncements(chat: ChatPage, texts: unknown[], optional: string[] = []): Promise<void> {
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

test('messages of the bot and of others are announced with their sender, and those of the visitor are not', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.send('{"reply":[{"type":"text","text":"An answer"},{"type":"text","text":"And more"}]}');
  await expect(chat.botRows).toHaveCount(3);
  const ada = await joinChat(chat, { name: 'Ada' });
  // Her name is loaded with her first message. The bot does not answer these texts.
  await ada.send('{"n":1}');
  await ada.send('{"n":2}');
  await chat.instructBot({ reply: [{ type: 'text', text: 'third' }] });
  const ofBot = ['An answer', 'And more'].map((text) => `polite: Bot: ${text}`);
  const ofAda = ['polite: Ada: {"n":1}', 'polite: Ada: {"n":2}'];
  await expectAnnouncements(chat, [greeting, ...ofBot, ...ofAda, 'polite: Bot: third']);
});

test('long runs of combining marks are cut in options, names and announcements', async ({ chat }) => {
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

test('an answer that is stopped or aborted is announced once, and typing is not', async ({ chat }) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ typing: true, stream: ['w0 ', 'w1 ', { until: gate.url, text: 'word ' }] });
  await expect(chat.botRows.last()).toContainText('w1 ');
  await chat.window.getByRole('button', { name: 'Stop the answer' }).click();
  const stopped = expect.stringMatching(/^polite: Bot: w0 w1.*: Stopped$/);
  await expectAnnouncements(chat, [greeting, stopped]);
  await chat.instructBot({ stream: ['One ', 'two'], abort: true });
  await expectAnnouncements(chat, [greeting, stopped, 'polite: Bot: One two: Stopped']);
});

test('a message is announced in a closed window too; a restart has the new greeting', async ({ chat }) => {
  await chat.startConversation();
  await chat.call('close');
  await chat.instructBot({ reply: [{ type: 'text', text: 'Still there?' }] });
  await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 unread message');
  await expectAnnouncements(chat, [greeting, 'polite: Bot: Still there?']);
  await chat.launcher.click();
  await chat.call('restartConversation');
  await expect(chat.botRows).toHaveCount(1);
  await expectAnnouncements(chat, [greeting, 'polite: Bot: Still there?', greeting]);
});

test('history is not announced, not even when older pages are loaded', async ({ chat }) => {
  await chat.startConversation();
  const text = JSON.stringify({ reply: [{ type: 'text', text: 'x' }] });
  await chat.sendElsewhere(...Array(30).fill(text));
  await expect.poll(async () => (await chat.serverMessages()).length).toBe(61);
  await chat.reopen();
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

test('a message that is not sent is announced assertively for each attempt', async ({ chat, page }) => {
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
  await chat.open();
  await expect(chat.window.getByRole('alert')).toBeVisible();
  await page.unroute(/\/users$/);
  await expect(chat.botRows).toHaveCount(1);
  await expectAnnouncements(chat, ['assertive: The chat cannot be reached. Trying again…', greeting]);
  await page.evaluate(() => localStorage.clear());
  await page.route(/\/users$/, (route) => route.fulfill({ status: 400, json: {} }));
  await chat.reopen();
  await expect.poll(() => announcements(page)).toEqual(['assertive: This chat is not available. Try again']);
  await expect(chat.window.getByText('Connecting…')).toHaveCount(0);
  await expect(chat.input).not.toBeEditable();
  // A refusal can be over, as that of a proxy while the server is replaced.
  await page.unroute(/\/users$/);
  await chat.window.getByRole('button', { name: 'Try again' }).click();
  await expect(chat.input).toBeFocused();
  await expect(chat.botRows).toHaveCount(1);
  await chat.send('Hello again');
  await expect(chat.window.locator('[data-side="visitor"]')).toHaveAttribute('data-status', 'sent');
  chat.ignoreConsoleErrors(/Failed to load/);
});

test('a refused file is announced assertively and an uploaded one politely', async ({ chat, page }) => {
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

test('the copy button of code announces once that it has copied', async ({ chat, page, context }) => {
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

test('of a run with steps, sources and an approval, answer and question are announced', async ({
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
  await page.clock.runFor(3_000);
  expect(await announcements(page)).toEqual([greeting]);
  await page.clock.runFor(2_000);
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
    `polite: Bot: The mail is ready. 3 steps, 2 sources ${question} An answer is needed`,
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
