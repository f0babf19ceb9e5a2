// Tests of the merge of an anonymous user into a user whom an application has identified: what moves, who may do it, and
// what happens at the same time.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BotEvent } from '../../protocol/bot.ts';
import { limits } from '../../protocol/limits.ts';
import type { Message } from '../../protocol/message.ts';
import { createBot } from '../admin/first-start.ts';
import { requesterFor } from '../admin/testing.ts';
import { createUserKeys } from '../auth/user-keys.ts';
import { allDelivered } from '../testing/settled-rows.testing.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { allRows, pollOptions, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let events: BotEvent[];
beforeEach(async () => {
  events = [];
  server = await startTestServer({
    PARTICIPANTS: 'direct',
    handler: async (event, bot) => {
      events.push(event);
      if (event.preview === 'question') await bot.reply({ type: 'text', text: 'answer' });
    },
  });
});
afterEach(() => server.close());

/** A user whom the application has identified. */
async function customer(id = 'customer-7') {
  const key = server.sign(id);
  await server.call('POST', '/users/get-or-create', { key, body: {} });
  return { id, key };
}
const merge = (key: string, userKey: string, headers = {}) =>
  server.call('POST', '/users/me/merge', { key, body: { userKey }, headers });
const messagesOf = async (key: string, conversationId: string) =>
  (await server.call('GET', `/conversations/${conversationId}/messages`, { key })).body.messages as Message[];
const conversationsOf = async (key: string) =>
  ((await server.call('GET', '/conversations', { key })).body.conversations as { id: string }[]).map(
    ({ id }) => id,
  );
const status = async (key: string) => (await server.call('GET', '/users/me', { key })).status;
const usage = (id: string) =>
  server.db.read((tx) => tx.get('SELECT messages, files, bytes FROM usage WHERE id = ?', id));
/** The tables with a row that contains the text, and the columns. */
async function placesOf(text: string): Promise<string[]> {
  const rows = Object.entries(await allRows(server.db));
  return rows.flatMap(([table, all]) =>
    all.flatMap((row) =>
      Object.entries(row as object)
        .filter(([, value]) => String(value).includes(text))
        .map(([column]) => `${table}.${column}`),
    ),
  );
}
const serverIdOf = async (foreignId: string) =>
  String(
    (
      await server.db.read((tx) =>
        tx.get<{ id: string }>('SELECT id FROM users WHERE foreign_id = ?', foreignId),
      )
    )?.id,
  );

/** An anonymous user with something in every table. */
async function anonymousUser() {
  const { id, key } = await server.user({ name: 'Anonymous' });
  const first = await server.conversation(key);
  const second = await server.conversation(key);
  await server.sendMessage(key, second, 'question', { 'idempotency-key': randomUUID() });
  await server.call('POST', '/events', { key, body: { conversationId: second, payload: { note: 1 } } });
  await allDelivered(server.db);
  const answer = (await messagesOf(key, second)).find(
    ({ payload }) => payload.type === 'text' && payload.text === 'answer',
  );
  await server.call('PUT', `/messages/${answer?.id}/feedback`, { key, body: { value: 'positive' } });
  const { file } = (await server.call('POST', '/files', { key, body: { key: 'a.txt', size: 3 } })).body as {
    file: { id: string; uploadUrl: string; url: string };
  };
  await server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: 'abc' });
  await allDelivered(server.db);
  events.length = 0;
  return { id, key, first, second, file, answerId: answer?.id as string };
}

describe('a merge', () => {
  test('moves tags and states that the user does not have, and what the bot sent in the name of the anonymous user', async () => {
    const one = await anonymousUser();
    const { key } = await customer();
    const customerId = await serverIdOf('customer-7');
    const bot = await server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
    const { workspaceId, token } = server.admin;
    const runtime = async (method: string, path: string, body?: unknown) => {
      const response = await server.fetch(`/v1/chat/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'x-workspace-id': workspaceId,
          'x-bot-id': bot?.id ?? '',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect([path, response.status < 300]).toEqual([path, true]);
      return (await response.json()) as Record<'user' | 'state' | 'message', Record<string, unknown>>;
    };
    for (const [id, who] of [
      [one.id, 'anonymous'],
      [customerId, 'customer'],
    ]) {
      await runtime('PUT', `users/${id}`, { tags: { both: who, [String(who)]: 'x' } });
      for (const name of ['both', who])
        await runtime('POST', `states/user/${id}/${name}`, { payload: { who } });
    }
    const payload = { type: 'text', text: 'in the name' };
    await runtime('POST', 'messages', { conversationId: one.second, userId: one.id, payload });
    expect((await merge(key, one.key)).status).toBe(200);
    await allDelivered(server.db);
    const { user } = await runtime('GET', `users/${customerId}`);
    expect(user.tags).toMatchObject({ both: 'customer', customer: 'x', anonymous: 'x' });
    const whose = async (name: string) =>
      (await runtime('GET', `states/user/${customerId}/${name}`)).state.payload;
    expect([await whose('both'), await whose('customer'), await whose('anonymous')]).toEqual([
      { who: 'customer' },
      { who: 'customer' },
      { who: 'anonymous' },
    ]);
    await server.composition.cleanUp();
    expect(new Set(await placesOf(one.id))).toEqual(new Set(['signals.data']));
  });

  test('moves conversations, messages, events, feedback, files, participations and usage, and leaves nothing behind', async () => {
    const one = await anonymousUser();
    const { key } = await customer();
    const own = await server.conversation(key);
    await server.sendMessage(key, own, 'mine');
    const [before, added] = [await usage(await serverIdOf('customer-7')), await usage(one.id)];
    expect(await merge(key, one.key)).toMatchObject({ status: 200, body: { merged: true } });
    await allDelivered(server.db);

    expect((await conversationsOf(key)).sort()).toEqual([one.first, one.second, own].sort());
    const messages = await messagesOf(key, one.second);
    expect(
      messages.find(({ payload }) => payload.type === 'text' && payload.text === 'question')?.userId,
    ).toBe('customer-7');
    expect(messages.find(({ id }) => id === one.answerId)?.feedback).toMatchObject({ value: 'positive' });
    expect((await server.call('GET', '/users/me', { key })).body.user).not.toHaveProperty('name');
    expect(await (await server.fetch(new URL(one.file.url).pathname)).text()).toBe('abc');
    const sum = (name: string) => Number(Object(before)[name] ?? 0) + Number(Object(added)[name]);
    expect(await usage(await serverIdOf('customer-7'))).toEqual({
      messages: sum('messages'),
      files: sum('files'),
      bytes: sum('bytes'),
    });
    // The log of signals says who has left, by the id that no longer leads anywhere.
    expect(new Set(await placesOf(one.id))).toEqual(new Set(['signals.data']));
    expect(await status(one.key)).toBe(401);
  });

  test('the export and the deletion of the user afterwards are complete', async () => {
    const one = await anonymousUser();
    const { key } = await customer();
    await merge(key, one.key);
    await allDelivered(server.db);
    const userId = await serverIdOf('customer-7');
    const bot = await server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
    const { workspaceId, token = '' } = server.admin;
    const owner = requesterFor(server, token, workspaceId);
    const { items } = (await owner('GET', `/bots/${bot?.id}/users/customer-7/export?pageSize=50`)).body;
    const kinds = (items as { type: string }[]).map(({ type }) => type);
    expect([...new Set(kinds)].sort()).toEqual([
      'conversation',
      'event',
      'feedback',
      'file',
      'message',
      'user',
    ]);
    for (const text of ['question', 'answer', one.file.id]) expect(JSON.stringify(items)).toContain(text);

    expect((await server.call('DELETE', '/users/me', { key })).status).toBe(200);
    await server.composition.cleanUp();
    for (const id of [one.first, one.second, one.file.id]) expect(await placesOf(id)).toEqual([]);
    expect(await placesOf('question')).toEqual([]);
    expect(await placesOf(userId)).toEqual([]);
    expect((await server.fetch(new URL(one.file.url).pathname)).status).toBe(404);
  });

  test('the bot receives user_merged once, with both ids, in the newest conversation, and later events of the new user', async () => {
    const one = await anonymousUser();
    const { key } = await customer();
    await merge(key, one.key);
    await server.sendMessage(key, one.first, 'after');
    await allDelivered(server.db);
    const userId = await serverIdOf('customer-7');
    expect(events.map(({ type }) => type).sort()).toEqual(['text', 'user_merged']);
    expect(events.find(({ type }) => type === 'user_merged')).toMatchObject({
      conversationId: one.second,
      userId,
      payload: { previousUserId: one.id },
      tags: { conversation: { owner: userId }, user: { fid: 'customer-7' } },
    });
    expect(events.find(({ type }) => type === 'text')).toMatchObject({ conversationId: one.first, userId });
  });

  test('events that the bot has not handled yet are those of the new user', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const seen: BotEvent[] = [];
    server = await server.restart({
      handler: async (event) => {
        seen.push(event);
        if (event.preview === 'first') await held;
      },
    });
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    await server.sendMessage(key, conversationId, 'first');
    await server.sendMessage(key, conversationId, 'second');
    await expect.poll(() => seen.some(({ preview }) => preview === 'first'), pollOptions).toBe(true);
    const target = await customer();
    expect((await merge(target.key, key)).body).toEqual({ merged: true });
    release();
    await allDelivered(server.db);
    const second = seen.find(({ preview }) => preview === 'second');
    expect(second?.userId).toBe(await serverIdOf('customer-7'));
  });

  test('streams of the anonymous user end', async () => {
    const one = await anonymousUser();
    const own = await server.listen(one.key, one.second);
    const { key } = await customer();
    await merge(key, one.key);
    await own.ended;
  });

  test('a message that was acknowledged before the merge is answered', async () => {
    for (let n = 0; n < 10; n += 1) {
      const { key } = await server.user();
      const conversationId = await server.conversation(key);
      const target = await customer(`customer-${n}`);
      await server.sendMessage(key, conversationId, 'question');
      expect((await merge(target.key, key)).body).toEqual({ merged: true });
      await allDelivered(server.db);
      const texts = (await messagesOf(target.key, conversationId)).map(({ payload }) => Object(payload).text);
      expect(texts.sort()).toEqual(['answer', 'question']);
    }
  });

  test('a message whose response was lost is not stored twice when it is sent again with the new key', async () => {
    const { id, key } = await server.user();
    const conversationId = await server.conversation(key);
    const body = { conversationId, payload: { type: 'text', text: 'once' } };
    const headers = { 'idempotency-key': randomUUID() };
    const sent = await server.call('POST', '/messages', { key, body, headers });
    const target = await customer();
    await merge(target.key, key);
    const again = await server.call('POST', '/messages', { key: target.key, body, headers });
    expect((again.body.message as Message).id).toBe((sent.body.message as Message).id);
    expect(again.body.message).toMatchObject({ userId: 'customer-7' });
    expect(JSON.stringify(again.body)).not.toContain(id);
    expect(await messagesOf(target.key, conversationId)).toHaveLength(1);
  });

  test('a conversation in which both take part has the user once', async () => {
    const { id, key } = await server.user();
    const target = await customer();
    const conversationId = await server.conversation(target.key);
    await server.call('POST', `/conversations/${conversationId}/participants`, {
      key: target.key,
      body: { userId: id },
    });
    await server.sendMessage(key, conversationId, 'from the other one');
    expect((await merge(target.key, key)).status).toBe(200);
    const people = await server.call('GET', `/conversations/${conversationId}/participants`, {
      key: target.key,
    });
    expect((people.body.participants as { id: string }[]).map(({ id: one }) => one)).toEqual(['customer-7']);
    expect(await conversationsOf(target.key)).toEqual([conversationId]);
  });

  test('invitations of the anonymous user are those of the new user', async () => {
    server = await server.restart({ PARTICIPANTS: 'invited' });
    const { id, key } = await server.user();
    const owner = await server.user();
    const conversationId = await server.conversation(owner.key);
    await server.call('POST', `/conversations/${conversationId}/participants`, {
      key: owner.key,
      body: { userId: id },
    });
    const target = await customer();
    await merge(target.key, key);
    expect((await server.call('GET', '/invitations', { key: target.key })).body.invitations).toMatchObject([
      { conversationId },
    ]);
    expect(
      (await server.call('POST', `/invitations/${conversationId}`, { key: target.key, body: {} })).status,
    ).toBe(200);
  });
});

describe('repeated and at the same time', () => {
  test('a repeated merge moves nothing and says so, also with another user', async () => {
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const [target, thief] = [await customer(), await customer('thief')];
    expect((await merge(target.key, key)).body).toEqual({ merged: true });
    await allDelivered(server.db);
    const before = await allRows(server.db, ['requests']);
    expect((await merge(target.key, key)).body).toEqual({ merged: false });
    expect((await merge(thief.key, key)).body).toEqual({ merged: false });
    expect(await allRows(server.db, ['requests'])).toEqual(before);
    expect(await conversationsOf(target.key)).toEqual([conversationId]);
  });

  test('of many merges at once exactly one moves something, and with an Idempotency-Key all tell the same', async () => {
    const { key } = await server.user();
    await server.conversation(key);
    const target = await customer();
    const others = await Promise.all(['a', 'b', 'c'].map((id) => customer(id)));
    const answers = await Promise.all([target, ...others, target].map((one) => merge(one.key, key)));
    expect(answers.filter(({ body }) => body.merged === true)).toHaveLength(1);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    const another = await server.user();
    const headers = { 'idempotency-key': 'one merge' };
    const same = await Promise.all([1, 2, 3].map(() => merge(target.key, another.key, headers)));
    expect(same.map(({ body }) => body)).toEqual([{ merged: true }, { merged: true }, { merged: true }]);
  });

  test('a message is either in the moved conversation or refused, whatever arrives first', async () => {
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const target = await customer();
    const send = (n: number) =>
      server.call('POST', '/messages', {
        key,
        body: { conversationId, payload: { type: 'text', text: `${n}` } },
      });
    const [, ...answers] = await Promise.all([
      merge(target.key, key),
      ...Array.from({ length: 20 }, (_, n) => send(n)),
    ]);
    const stored = await messagesOf(target.key, conversationId);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(stored.length);
    expect(answers.every((answer) => [201, 401].includes(answer.status))).toBe(true);
    expect(stored.every(({ userId }) => userId === 'customer-7')).toBe(true);
  });

  test('an anonymous user who was deleted meanwhile is not restored', async () => {
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    await server.call('DELETE', '/users/me', { key });
    const target = await customer();
    expect((await merge(target.key, key)).body).toEqual({ merged: false });
    expect(await messagesOf(target.key, conversationId)).toBeUndefined();
  });
});

testOnSqlite('a key of another bot moves nothing, with the same secret or with one of its own', async () => {
  const { workspaceId } = server.composition;
  await server.db.write(async (tx) => {
    const common = { workspaceId, now: Date.now(), name: 'Another' } as const;
    await createBot(tx, { ...common, ownKeys: 0, webhookId: 'shared' });
    await createBot(tx, { ...common, ownKeys: 1, webhookId: 'own' });
  });
  const target = await customer();
  for (const [webhookId, expected] of [
    ['shared', { merged: false }],
    ['own', { type: 'Forbidden' }],
  ] as const) {
    const response = await server.fetch(`/chat/${webhookId}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstConversation: true }),
    });
    const { key } = (await response.json()) as { key: string };
    await allDelivered(server.db);
    const before = await allRows(server.db, ['requests']);
    expect((await merge(target.key, key)).body).toMatchObject(expected);
    expect(await allRows(server.db, ['requests'])).toEqual(before);
  }
});

describe('is refused, and changes nothing', () => {
  const refused = async (key: string, userKey: unknown, expected: number) => {
    await allDelivered(server.db);
    const before = await allRows(server.db, ['requests']);
    const answer = await server.call('POST', '/users/me/merge', { key, body: { userKey } });
    expect(answer.status).toBe(expected);
    expect(await allRows(server.db, ['requests'])).toEqual(before);
    return answer.body;
  };

  testOnSqlite(
    'without the key of the anonymous user: an id, a forged, a changed or a revoked key',
    async () => {
      const { id, key } = await server.user();
      await server.conversation(key);
      const target = await customer();
      const forged = createUserKeys('another secret, which is long').sign(id);
      for (const userKey of [id, 'x', forged, `${key.slice(0, -4)}AAAA`, `${key}x`])
        expect(await refused(target.key, userKey, 403)).toMatchObject({ type: 'Forbidden' });
      await server.call('DELETE', '/users/me/key', { key });
      await refused(target.key, key, 403);
    },
  );

  testOnSqlite(
    'without the key of an identified user: anonymous, expired, or of a user who does not exist yet',
    async () => {
      const one = await server.user();
      const other = await server.user();
      await refused(other.key, one.key, 403);
      await refused(one.key, one.key, 403);
      await refused(server.sign('customer-7', { exp: 1 }), one.key, 401);
      await refused(server.sign('nobody-yet'), one.key, 401);
      expect((await server.call('POST', '/users/me/merge', { body: { userKey: one.key } })).status).toBe(401);
    },
  );

  testOnSqlite('for two users whom the application has identified, in both directions', async () => {
    const [one, other] = [await customer(), await customer('customer-8')];
    await refused(one.key, other.key, 403);
    await refused(other.key, one.key, 403);
    await refused(one.key, one.key, 403);
  });

  testOnSqlite(
    'for a user whose id a visitor has chosen (ANONYMOUS_USER_IDS), as either of the two',
    async () => {
      server = await server.restart({ ANONYMOUS_USER_IDS: 'allow' });
      const chosen = (await server.call('POST', '/users', { body: { id: 'chosen' } })).body as {
        key: string;
      };
      const anonymous = await server.user();
      await refused(chosen.key, anonymous.key, 403);
      await refused((await customer()).key, chosen.key, 403);
    },
  );

  test.each([
    { participants: 'direct', state: 'who let another account into the conversation: it would read on' },
    { participants: 'invited', state: 'while an invitation to the conversation is open' },
  ] as const)('for an anonymous user $state', async ({ participants }) => {
    server = await server.restart({ PARTICIPANTS: participants });
    const { key } = await server.user();
    const guest = await server.user();
    const conversationId = await server.conversation(key);
    const path = `/conversations/${conversationId}/participants`;
    await server.call('POST', path, { key, body: { userId: guest.id } });
    const target = await customer();
    await refused(target.key, key, 403);
    await server.call('DELETE', `${path}/${guest.id}`, { key });
    expect((await merge(target.key, key)).body).toEqual({ merged: true });
  });

  testOnSqlite('for an anonymous user in a conversation of another account', async () => {
    const { id, key } = await server.user();
    const owner = await server.user();
    const conversationId = await server.conversation(owner.key);
    const body = { userId: id };
    await server.call('POST', `/conversations/${conversationId}/participants`, { key: owner.key, body });
    await refused((await customer()).key, key, 403);
  });

  testOnSqlite('for an anonymous user with more bytes than one transaction should move', async () => {
    const { id, key } = await server.user();
    await server.conversation(key);
    const target = await customer();
    const set = (bytes: number) =>
      server.db.write((tx) => tx.run('UPDATE usage SET bytes = ? WHERE id = ?', bytes, id));
    await server.sendMessage(key, (await conversationsOf(key))[0] as string, 'one');
    await set(limits.mergedBytes + 1);
    expect(await refused(target.key, key, 403)).toMatchObject({ type: 'QuotaExceeded' });
    await set(limits.mergedBytes);
    expect((await merge(target.key, key)).body).toEqual({ merged: true });
  });

  testOnSqlite('for an anonymous user with more conversations than one transaction should move', async () => {
    const { key } = await server.user();
    for (let n = 0; n <= limits.mergedConversations; n += 1) await server.conversation(key);
    const target = await customer();
    expect(await refused(target.key, key, 403)).toMatchObject({ type: 'QuotaExceeded' });
    const [id] = await conversationsOf(key);
    await server.call('DELETE', `/conversations/${id}`, { key });
    await server.composition.cleanUp();
    expect((await merge(target.key, key)).body).toEqual({ merged: true });
  });
});
