// Another participant of a conversation, who is not a bot, in the window.
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { joinChat } from '../support/test-data/participants.ts';

test.use({ env: scriptedBot, attributes: 'data-feedback-enabled' });

test('messages of another participant carry their name after a reload, and only those of the bot can be rated', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  const ada = await joinChat(chat, { name: 'Ada' });
  // Visits another page meanwhile. The messages of the bot are not on the newest page; it does not answer these texts.
  await chat.page.goto('about:blank');
  for (let n = 0; n < 60; n++) await ada.send(`{"n":${n}}`);
  await chat.open();
  await expect(chat.botRows.last().locator('.bubble')).toHaveText(/^Ada.*: {"n":59}$/);
  await expect(chat.window.locator('.speaker').first()).toHaveText('Ada');
  await expect(chat.window.locator('.bubble', { hasText: 'Bot: ' })).toHaveCount(0);
  // The server refuses feedback on the others.
  await chat.instructBot({ reply: [{ type: 'text', text: 'An answer' }] });
  const button = (name: string) => chat.botRows.getByRole('button', { name });
  await expect(button('Good answer: An answer')).toHaveCount(1);
  await expect(button('Copy: {"n":59}')).toHaveCount(1);
  await expect(button('Good answer: {"n":59}')).toHaveCount(0);
});
