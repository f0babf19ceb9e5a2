// A person answers instead of the bot: asking for one, waiting, who joined and left, and how their messages are shown.
import { InboxClient } from '../../src/client/index.ts';
import type { CardPayload } from '../../src/protocol/message.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { recordAnnouncements } from '../support/announcements.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';
import { ada, closeDesk, openChat, openDesk, waitForPerson } from './desk.ts';

// The picture of a person is on the server.
test.use({ env: scriptedBot, csp: `${strictCsp('PLATFORM')}; img-src PLATFORM` });

// Other tests use the server, too.
test.afterEach(({ platform }) => closeDesk(platform));

const idOf = async (chat: ChatPage) => (await chat.storedSession()).conversationId ?? '';
const activities = (chat: ChatPage) => chat.window.locator('[part="activity"]');
const bar = (chat: ChatPage) => chat.window.locator('[part="handling"]');

test('who answers is shown although its code has failed at first', async ({ chat, page, platform }) => {
  const desk = await openDesk(platform);
  let failed = 0;
  await page.route(/\/(people|background)-[\w-]+\.js$/, (route) => {
    failed++;
    return failed <= 3 ? route.abort() : route.continue();
  });
  await openChat(chat);
  const id = await idOf(chat);
  await desk.requestHandoff({ id, reason: 'refund' });
  await desk.acceptHandoff({ id, person: ada(platform) });
  await expect(activities(chat).last()).toHaveText('Ada joined');
  expect(failed).toBeGreaterThanOrEqual(4);
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('the visitor asks for a person, who answers by name and leaves, and the bot answers again', {
  tag: '@story',
}, async ({ chat, page, platform }) => {
  const desk = await openDesk(platform);
  await recordAnnouncements(page);
  const id = await waitForPerson(chat);
  await expect(activities(chat)).toHaveText(['Asked for a person']);
  expect((await desk.getHandling({ id })).handling.state).toBe('waiting');
  // The bot is silent.
  await chat.send('Where is my order?');
  await expect(chat.rows.last().locator('.status')).toContainText('Sent');
  const description = 'Knows all bicycles';
  await page.evaluate(
    (botDescription) => (window.platform as Platform).config({ configuration: { botDescription } }),
    description,
  );
  await expect(chat.window.getByText(description)).toBeVisible();
  await desk.acceptHandoff({ id, person: ada(platform) });
  await expect(bar(chat)).toHaveCount(0);
  await expect(activities(chat)).toHaveText(['Asked for a person', 'Ada joined']);
  await expect(chat.window.getByRole('heading', { level: 2 })).toHaveText('Ada');
  // It is the one of the bot.
  await expect(chat.window.getByText(description)).toHaveCount(0);
  await desk.createMessage({
    conversationId: id,
    payload: { type: 'text', text: 'It is on its way.' },
    as: 'person',
  });
  const answer = chat.botRows.last();
  await expect(answer).toContainText('It is on its way.');
  await expect(answer.locator('[part="speaker"]')).toHaveText('Ada');
  await expect(answer.locator('.avatar img')).toHaveAttribute('src', ada(platform).pictureUrl);
  await expect(answer.locator('.visually-hidden').first()).toHaveText(/^Ada \(person\):/);
  await expect(chat.botRows).toHaveCount(2);
  await desk.closeHandoff({ id });
  await expect(activities(chat)).toHaveText([
    'Asked for a person',
    'Ada joined',
    'Ada left',
    'The assistant answers again',
  ]);
  await expect(chat.window.getByRole('heading', { level: 2 })).not.toHaveText('Ada');
  await chat.send('{"reply":[{"type":"text","text":"Here I am again."}]}');
  await expect(chat.botRows.last()).toContainText('Here I am again.');
  // Two have answered in this conversation: both have a name.
  await expect(chat.botRows.last().locator('[part="speaker"]')).toHaveText('Bot');
  const announced = await page.evaluate(() => window.announced);
  const waiting = 'polite: Waiting for a person';
  expect(announced).toEqual(
    expect.arrayContaining([waiting, 'polite: Ada joined', 'polite: Ada: It is on its way.']),
  );
  expect(announced.filter((text) => text === waiting)).toHaveLength(1);
});

test('the state survives a reload, and the visitor returns', async ({ chat, page, platform }) => {
  const desk = await openDesk(platform);
  await waitForPerson(chat);
  await page.reload();
  await expect(chat.launcher).toBeVisible();
  if (!(await chat.window.isVisible())) await chat.launcher.click();
  await expect(bar(chat)).toContainText('Waiting for a person');
  await expect(activities(chat)).toHaveText(['Asked for a person']);
  await bar(chat).getByRole('button', { name: 'Back to the assistant' }).click();
  await expect(bar(chat)).toHaveCount(0);
  await expect(activities(chat)).toHaveText(['Asked for a person', 'The assistant answers again']);
  await expect(chat.input).toBeFocused();
  expect((await desk.getHandling({ id: await idOf(chat) })).handling.state).toBe('bot');
});

test('a card asks for a person, and the menu ends the conversation', async ({ chat, platform }) => {
  const desk = await openDesk(platform);
  await openChat(chat);
  const card: CardPayload = {
    type: 'card',
    title: 'Refunds',
    actions: [{ action: 'handoff', label: 'Ask a person', value: 'refund' }],
  };
  await chat.send(JSON.stringify({ reply: [card] }));
  await chat.window.getByRole('button', { name: 'Ask a person' }).click();
  await expect(bar(chat)).toContainText('Waiting for a person');
  const id = await idOf(chat);
  const { handoff } = await desk.getHandling({ id });
  expect(handoff).toMatchObject({ reason: 'refund', requestedBy: 'visitor' });
  // The button asks; it sends no message.
  expect((await chat.serverTexts()).at(-1)).toBe('card');

  await desk.acceptHandoff({ id, person: ada(platform) });
  await expect(activities(chat).last()).toHaveText('Ada joined');
  await chat.choose('End the conversation');
  await expect(activities(chat).last()).toHaveText('The conversation has ended');
  expect((await desk.getHandling({ id })).handling.state).toBe('closed');
});

test.describe('with the notice that an AI answers', () => {
  test.use({ attributes: 'data-ai-notice="true"' });

  test('it is read with the text box, and is away while a person answers', async ({ chat, platform }) => {
    const desk = await openDesk(platform);
    await openChat(chat);
    const notice = chat.window.getByText('You are chatting with an AI assistant.');
    const input = chat.window.getByRole('textbox');
    await expect(notice).toBeVisible();
    await expect(input).toHaveAccessibleDescription('You are chatting with an AI assistant.');
    const id = await idOf(chat);
    await desk.requestHandoff({ id });
    // Until somebody has taken the conversation, the assistant can still write.
    await expect(bar(chat)).toBeVisible();
    await expect(notice).toBeVisible();
    await desk.acceptHandoff({ id, person: ada(platform) });
    await expect(activities(chat).last()).toContainText('Ada');
    await expect(notice).toHaveCount(0);
    await expect(input).toHaveAccessibleDescription('');
    await desk.closeHandoff({ id });
    await expect(notice).toBeVisible();
  });
});

test.describe('with the theme of the system', () => {
  test.use({ attributes: 'data-theme-mode="auto"' });

  test('axe finds nothing while the visitor waits and is answered', async ({ chat, page, platform }) => {
    const desk = await openDesk(platform);
    const id = await waitForPerson(chat);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await desk.acceptHandoff({ id, person: ada(platform) });
    const payload = { type: 'text', text: 'Hello!' } as const;
    await desk.createMessage({ conversationId: id, payload, as: 'person' });
    await expect(chat.botRows.last().locator('[part="speaker"]')).toHaveText('Ada');
    expect(await violationsInBothSchemes(page)).toEqual([]);
  });
});

test('outside of all opening hours, and without mails, nobody can answer', async ({ chat, platform }) => {
  await openDesk(platform);
  const client = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  await client.setOpeningHours({ timeZone: 'UTC', week: {}, exceptions: [] });
  try {
    await openChat(chat);
    await chat.choose('Talk to a person');
    await expect(bar(chat)).toHaveText('Nobody can answer at the moment. The assistant goes on answering.');
    await expect(bar(chat).getByRole('button')).toHaveCount(0);
  } finally {
    await client.setOpeningHours({ timeZone: 'UTC', always: true, week: {}, exceptions: [] });
  }
});
