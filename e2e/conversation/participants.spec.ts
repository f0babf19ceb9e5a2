// Another participant of a conversation, who is not a bot: the name in the window and in the download.
import { readFile } from 'node:fs/promises';
import type { ChatPage } from '../support/chat-page.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { joinChat, type OtherParticipant } from '../support/test-data/participants.ts';

test.use({ env: scriptedBot });

/** The bot does not answer these texts. */
const moreThanOnePage = Array.from({ length: 60 }, (_, i) => `{"n":${i}}`);
const last = '{"n":59}';

/** Visits another page meanwhile, opens the chat again, and waits for the last message. */
async function reopenAfter(chat: ChatPage, author: OtherParticipant): Promise<void> {
  await chat.page.goto('about:blank');
  for (const text of moreThanOnePage) await author.send(text);
  await chat.goto();
  await chat.launcher.click();
  await expect(chat.rows.last()).toContainText(last);
}

test('after a reload the messages of another participant carry their name, also where those of the bot are not loaded', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  const ada = await joinChat(chat, { name: 'Ada' });
  await reopenAfter(chat, ada);
  await expect(chat.botRows.last().locator('.bubble')).toHaveText(/^Ada.*: {"n":59}$/);
  await expect(chat.window.locator('.speaker').first()).toHaveText('Ada');
  await expect(chat.window.locator('.bubble', { hasText: 'Bot: ' })).toHaveCount(0);
});

test('until the names of participants are loaded, their messages do not carry the name of the bot', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const ada = await joinChat(chat, { name: 'Ada' });
  await ada.send('{"n":1}');
  const release = await holdRequests(page, '**/conversations/*/participants*');
  const requested = page.waitForRequest('**/conversations/*/participants*');
  await page.reload();
  await chat.launcher.click();
  await requested;
  const bubble = chat.botRows.last().locator('.bubble');
  await expect(bubble).toHaveText('{"n":1}');
  await expect(chat.botRows.last().locator('.avatar')).toHaveText('');
  await expect(chat.botRows.first().locator('.bubble')).toContainText('Bot: ');
  release();
  await expect(bubble).toHaveText(/^Ada.*: {"n":1}$/);
  await expect(chat.botRows.last().locator('.avatar')).toHaveText('A');
});

test('the typing indicator carries the name of the participant who types', async ({ chat }) => {
  await chat.startConversation();
  const ada = await joinChat(chat, { name: 'Ada' });
  const typing = chat.window.locator('.typing .bubble');
  await ada.type(true);
  await expect(typing).toHaveAccessibleName('Ada is typing');
  await ada.type(false);
  await expect(typing).toHaveCount(0);
});

test('the download has the name of a participant whose messages are not loaded', async ({ chat, page }) => {
  await chat.startConversation();
  const ada = await joinChat(chat, { name: 'Ada' });
  await ada.send('{"n":"first"}');
  const ben = await joinChat(chat, { name: 'Ben' });
  await reopenAfter(chat, ben);
  await expect(chat.botRows.last().locator('.bubble')).toHaveText(/^Ben/);
  await chat.window.getByRole('button', { name: 'More' }).click();
  const downloading = page.waitForEvent('download');
  await chat.window.getByRole('menuitem', { name: 'Download conversation' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text).toContain('] Bot:\nI am the demo bot');
  expect(text).toContain('] Ada:\n{"n":"first"}\n');
  expect(text).toContain(`] Ben:\n${last}\n`);
});

test.describe('with feedback', () => {
  test.use({ attributes: 'data-feedback-enabled' });

  test('only messages of the bot can be rated, because the server refuses feedback on others', async ({
    chat,
  }) => {
    await chat.startConversation();
    const ada = await joinChat(chat, { name: 'Ada' });
    await ada.send('{"n":1}');
    // The answer of the bot is the next row.
    await expect(chat.botRows).toHaveCount(2);
    await chat.botReplies({ type: 'text', text: 'An answer' });
    const button = (name: string) => chat.botRows.getByRole('button', { name });
    await expect(button('Good answer: An answer')).toHaveCount(1);
    await expect(button('Copy: {"n":1}')).toHaveCount(1);
    await expect(button('Good answer: {"n":1}')).toHaveCount(0);
  });
});
