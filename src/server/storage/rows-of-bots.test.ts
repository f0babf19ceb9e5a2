// Tests that the rows of a bot are found without reading those of others: each row of a conversation has its bot.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer, tableNames } from '../testing.ts';
import { checkBotsOfRows, conversationTables } from './rows-of-bots.testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('every table with rows of conversations has their bot, except for the index of words', async () => {
  const ofConversations = await tableNames(server.db, 'conversation_id');
  expect(ofConversations.filter((name) => name !== 'inbox_words')).toEqual(conversationTables);
  expect(await tableNames(server.db, 'bot_id')).toEqual(expect.arrayContaining(conversationTables));
});

test('a row of a conversation without its bot is an error of the test that stored it', async () => {
  const { key } = await server.user();
  const id = await server.conversation(key);
  await checkBotsOfRows(server.db);
  await server.db.write((tx) =>
    tx.run('UPDATE participants SET bot_id = NULL WHERE conversation_id = ?', id),
  );
  const error = 'The bot of the conversation is missing in rows of: participants.';
  await expect(checkBotsOfRows(server.db)).rejects.toThrow(error);
  await server.db.write((tx) =>
    tx.run(
      'UPDATE participants SET bot_id = (SELECT bot_id FROM conversations WHERE id = ?) WHERE conversation_id = ?',
      id,
      id,
    ),
  );
});
