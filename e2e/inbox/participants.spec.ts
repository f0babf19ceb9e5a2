// Another participant of a visitor's conversation in the inbox.
import { joinConversation } from '../support/test-data/participants.ts';
import { expect, test } from './inbox-page.ts';

test('the messages of each participant carry the name', async ({ member, openInbox, visitor, platform }) => {
  const lena = await visitor('Lena');
  const ben = await joinConversation(platform.chatUrl, lena.client, lena.conversationId, { name: 'Ben' });
  const guest = await joinConversation(platform.chatUrl, lena.client, lena.conversationId, {});
  await lena.say('It is for both of us.');
  await ben.send('And it is urgent.');
  await guest.send('Yes.');
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${lena.conversationId}`);
  const authorOf = (text: string) => inbox.entries.filter({ hasText: text }).locator('.author');
  await expect(authorOf('It is for both of us.')).toHaveText('Lena');
  await expect(authorOf('And it is urgent.')).toHaveText('Ben');
  // As the visitor sees a participant without a name.
  await expect(authorOf('Yes.')).toHaveText(guest.user.id);
  await lena.say('Please hurry.');
  await ben.send('Please.');
  await expect(authorOf('Please hurry.')).toHaveText('Lena');
  await expect(authorOf('Please.')).toHaveText('Ben');
});
