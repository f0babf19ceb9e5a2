// Tests of the message in a row of the inbox that a human wrote last, after which the bot may have written.
import { expect, test } from 'vitest';
import type { Bot, BotEvent } from '../../protocol/bot.ts';
import { useInbox } from './testing.ts';

const start = useInbox();

const echo = async (event: BotEvent, bot: Bot) => {
  if (event.type === 'text') await bot.reply({ type: 'text', text: `You said: ${event.preview}` });
};

test('a row has the last words of the visitor, after which the bot has answered', async () => {
  const inbox = await start(echo);
  const ada = await inbox.member('Ada');
  await inbox.send('I was charged twice');
  await inbox.idle();
  const said = { lastAuthor: 'bot', humanMessage: { preview: 'I was charged twice', author: 'visitor' } };
  // While the bot answers, a row has the last message of both.
  const [ofBot] = (await ada.call('GET', '/conversations?list=bot')).body.conversations;
  expect(ofBot).toMatchObject({ preview: 'You said: I was charged twice', lastAuthor: 'bot' });
  expect(ofBot).not.toHaveProperty('humanMessage');
  await inbox.runtime('POST', '/handoff', {});
  const { conversations } = (await ada.call('GET', '/conversations?list=unassigned')).body;
  expect(conversations).toMatchObject([{ ...said, preview: 'You said: I was charged twice' }]);
});

test('a row has no other message than the last one, if the visitor wrote that', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('Hello');
  await inbox.runtime('POST', '/handoff', {});
  const [row] = (await ada.call('GET', '/conversations?list=unassigned')).body.conversations;
  expect(row).toMatchObject({ preview: 'Hello', lastAuthor: 'visitor' });
  expect(row).not.toHaveProperty('humanMessage');
});

test('a row names the colleague who wrote last, but no member without a name', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('Hello');
  await inbox.runtime('POST', '/handoff', {});
  await ada.act('POST', '/take', {});
  await ada.reply('On its way');
  const humanMessage = { preview: 'On its way', author: 'person', name: 'Ada' };
  expect((await ada.act('GET', '')).body.conversation).toMatchObject({ lastAuthor: 'person', humanMessage });
  const nobody = await inbox.member(null, 'manager');
  await nobody.act('POST', '/assign', { memberId: nobody.id });
  await nobody.reply('I look after it');
  expect((await ada.act('GET', '')).body.conversation.humanMessage).toEqual({
    preview: 'I look after it',
    author: 'person',
  });
});

test('a message that the visitor has deleted is in no row', async () => {
  const inbox = await start(echo);
  const ada = await inbox.member('Ada');
  await inbox.send('My card is 4111');
  await inbox.idle();
  await inbox.runtime('POST', '/handoff', {});
  const sent = (await inbox.messages()).find(({ userId }) => userId === inbox.visitor.id);
  const deleted = await inbox.request('DELETE', `/chat/demo/messages/${sent?.id}`, {
    'x-user-key': inbox.key,
  });
  expect(deleted.status).toBeLessThan(300);
  const [row] = (await ada.call('GET', '/conversations?list=unassigned')).body.conversations;
  expect(row.lastAuthor).toBe('bot');
  expect(row).not.toHaveProperty('humanMessage');
});
