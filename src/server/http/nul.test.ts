// Tests of texts that SQLite would truncate or change: they are refused, and never read as another text.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

test('a key for an id with a NUL is not accepted for the id before the NUL', async () => {
  const victim = await server.user({ id: 'victim9', name: 'Victim' });
  const forged = server.sign('victim9\0x');
  expect((await server.call('GET', '/conversations', { key: forged })).status).toBe(401);
  expect(
    (await server.call('POST', '/users/get-or-create', { key: forged, body: { name: 'HACK' } })).status,
  ).toBe(401);
  const { body } = await server.call('GET', '/users/me', { key: victim.key });
  expect(body).toMatchObject({ user: { name: 'Victim' } });
});

test('no conversation has an id with a NUL', async () => {
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  expect((await server.call('GET', `/conversations/${conversationId}%00zz`, { key })).status).toBe(404);
  expect((await server.call('GET', `/conversations/${conversationId}%00zz/listen`, { key })).status).toBe(
    404,
  );
});

test('a text of a profile with a NUL or half a character is refused, not changed', async () => {
  for (const name of ['a\0b', '\ud800x', 'x\udc00'])
    expect((await server.call('POST', '/users', { body: { name } })).status).toBe(400);
  const { body } = await server.call('POST', '/users', { body: { name: 'whole 😀' } });
  expect(body.user).toMatchObject({ name: 'whole 😀' });
});

test('a message can contain any character and is returned unchanged', async () => {
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  const id = await server.sendMessage(key, conversationId, 'a\0b \ud800');
  const { body } = await server.call('GET', `/messages/${id}`, { key });
  expect((body.message as { payload: { text: string } }).payload.text).toBe('a\0b \ud800');
});

test('a user with the id `listen` can be requested, and a compressed body is not read', async () => {
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  await server.join(key, conversationId, await server.user({ id: 'listen' }));
  const { status, body } = await server.call('GET', `/conversations/${conversationId}/participants/listen`, {
    key,
  });
  expect([status, body]).toMatchObject([200, { participant: { id: 'listen' } }]);
  const headers = { 'content-encoding': 'gzip' };
  expect((await server.call('POST', '/users', { body: {}, headers })).status).toBe(415);
});
