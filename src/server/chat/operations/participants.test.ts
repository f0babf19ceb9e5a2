// Tests of attacks on participants: reading profiles, probing ids, adding others to a conversation, closing their streams.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBot } from '../../admin/first-start.ts';
import type { WriteTx } from '../../storage/database.ts';
import { allDelivered } from '../../testing/settled-rows.testing.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

let server: TestServer;
let owner: { id: string; key: string };
let mainConversation: string;
let now: number;

beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z');
  server = await startTestServer({ now: () => now });
  owner = await server.user({ name: 'Owner' });
  mainConversation = await server.conversation(owner.key);
});
afterEach(() => server.close());

const people = (conversationId = mainConversation) => `/conversations/${conversationId}/participants`;
const add = (userId: string, conversationId = mainConversation) =>
  server.call('POST', people(conversationId), { key: owner.key, body: { userId } });
const get = (userId: string, conversationId = mainConversation) =>
  server.call('GET', `${people(conversationId)}/${userId}`, { key: owner.key });
const remove = (userId: string, key = owner.key, conversationId = mainConversation) =>
  server.call('DELETE', `${people(conversationId)}/${userId}`, { key });
const botId = async () => {
  const row = await server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots ORDER BY id'));
  return row?.id ?? '';
};
/** Sends a request of the bot to the Runtime API. */
const asBot = async (path: string) => {
  const headers = { authorization: `Bearer ${server.admin.token}`, 'x-bot-id': await botId() };
  return (await server.fetch(`/v1/chat${path}`, { headers })).json();
};

test('adding a user does not return their profile until they have joined', async () => {
  const profile = { name: 'canary', pictureUrl: 'https://canary.example', profile: 'canary' };
  now -= 1_000;
  const victim = await server.user({ ...profile, id: 'victim' });
  now += 1_000;
  const time = new Date(now).toISOString();
  const answer = await add(victim.id);
  expect([answer.status, answer.body]).toEqual([
    200,
    { participant: { id: 'victim', createdAt: time, updatedAt: time } },
  ]);
  expect(JSON.stringify((await get(victim.id)).body)).not.toContain('canary');
  await server.call('POST', `/invitations/${mainConversation}`, { key: victim.key, body: {} });
  expect((await add(victim.id)).body.participant).toMatchObject({ id: 'victim', ...profile });
  expect((await get(victim.id)).body.participant).toMatchObject({ id: 'victim', ...profile });
});

describe('the existence of an id is not revealed', () => {
  /** Ids of every kind that a caller can know or guess; none belongs to a participant. */
  async function idsOfAllKinds(): Promise<Record<string, string>> {
    const canary = await server.user({ name: 'canary' });
    const foreign = await server.user({ id: 'chosen', profile: 'canary' });
    const [gone, goneForeign] = [await server.user(), await server.user({ id: 'gone' })];
    for (const { key } of [gone, goneForeign]) await server.call('DELETE', '/users/me', { key });
    const bot = await server.db.read((tx) => tx.get<{ id: string }>('SELECT user_id AS id FROM bots'));
    const other = await server.db.write((tx) =>
      createBot(tx, {
        workspaceId: server.admin.workspaceId,
        webhookId: 'other',
        name: 'Other',
        ownKeys: 0,
        now,
      }),
    );
    const created = await server.fetch('/chat/other/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { user: elsewhere } = (await created.json()) as { user: { id: string } };
    const serverIdOf = async (foreignId: string) =>
      (
        await server.db.read((tx) =>
          tx.get<{ id: string }>('SELECT id FROM users WHERE foreign_id = ?', foreignId),
        )
      )?.id ?? '';
    return {
      known: canary.id,
      chosen: foreign.id,
      'the server id of a user with a foreign id': await serverIdOf('chosen'),
      unknown: 'user_none',
      'deleted, of the server': gone.id,
      'deleted, chosen': 'gone',
      'of the bot': bot?.id ?? '',
      'of another bot’s user': elsewhere.id,
      'of another bot': other.userId,
    };
  }
  /** Returns everything that the owner can observe about an id, with the id and the error ids replaced. */
  async function probe(id: string): Promise<string> {
    const conversationId = await server.conversation(owner.key);
    const steps = [add, add, get, remove, remove, get, add, get, remove];
    const seen: unknown[] = [];
    for (const step of steps) {
      const { status, headers, body } =
        step === remove ? await remove(id, owner.key, conversationId) : await step(id, conversationId);
      seen.push([status, [...headers].filter(([name]) => name !== 'content-length'), body]);
    }
    const text = JSON.stringify(seen).replaceAll(/err_\w+/g, 'ERROR');
    return text.replaceAll(id, 'ID').replaceAll(conversationId, 'CONVERSATION');
  }

  test('the responses to adding, reading and removing a participant do not reveal whether an id exists', async () => {
    const ids = Object.entries(await idsOfAllKinds());
    const [, first = ''] = ids[0] ?? [];
    const expected = await probe(first);
    expect(expected).toContain('ID');
    expect(expected).not.toContain('canary');
    for (const [kind, id] of ids) expect([kind, await probe(id)]).toEqual([kind, expected]);
  });

  test('the number of SQL statements of a request, and so its duration, does not reveal whether an id exists', async () => {
    const ids = Object.entries(await idsOfAllKinds());
    const statementsOf = async (request: () => Promise<unknown>) => {
      const statements: string[] = [];
      const note =
        <A extends unknown[], R>(run: (sql: string, ...values: A) => R) =>
        (sql: string, ...values: A): R => {
          statements.push(sql);
          return run(sql, ...values);
        };
      const write = server.db.write.bind(server.db);
      const spy = vi.spyOn(server.db, 'write').mockImplementation((work) =>
        write((tx) => {
          // Only the last run of a work counts.
          statements.length = 0;
          const noted = {
            ...tx,
            get: note(tx.get.bind(tx)),
            all: note(tx.all.bind(tx)),
            run: note(tx.run.bind(tx)),
          };
          return work(noted as WriteTx);
        }),
      );
      await request();
      spy.mockRestore();
      return statements;
    };
    const conversationIds = new Map<string, string>();
    for (const [kind] of ids) conversationIds.set(kind, await server.conversation(owner.key));
    await allDelivered(server.db);
    // Statements of the background cleanup job are not a part of a request.
    await server.composition.cleanUp();
    for (const step of [add, add, (id: string, at?: string) => remove(id, owner.key, at)]) {
      const all = [];
      for (const [kind, id] of ids) all.push(await statementsOf(() => step(id, conversationIds.get(kind))));
      expect(all[0]?.length).toBeGreaterThan(2);
      for (const statements of all) expect(statements).toEqual(all[0]);
    }
  });

  test('by the state of an invitation: it looks open after it was declined and after its user was deleted', async () => {
    const [waits, declines, leaves] = [await server.user(), await server.user(), await server.user()];
    const answers = [];
    for (const { id, key } of [waits, declines, leaves]) {
      const conversationId = await server.conversation(owner.key);
      const first = await add(id, conversationId);
      if (key === declines.key) await server.call('DELETE', `/invitations/${conversationId}`, { key });
      if (key === leaves.key) await server.call('DELETE', '/users/me', { key });
      const rest = [await add(id, conversationId), await get(id, conversationId)];
      const last = [await remove(id, owner.key, conversationId), await remove(id, owner.key, conversationId)];
      const seen = [first, ...rest, ...last].map(({ status, body }) => [status, body]);
      answers.push(
        JSON.stringify(seen)
          .replaceAll(/err_\w+/g, 'ERROR')
          .replaceAll(id, 'ID'),
      );
    }
    expect(new Set(answers).size).toBe(1);
  });
});

test('a user cannot put a conversation into the lists of another user', async () => {
  const victim = await server.user({ name: 'canary' });
  const own = await server.conversation(victim.key);
  const listed = async () => {
    const { conversations } = await asBot(`/conversations?userId=${victim.id}`);
    return conversations.map(({ id }: { id: string }) => id);
  };
  await add(victim.id);
  expect(await listed()).toEqual([own]);
  const { body } = await server.call('GET', people(), { key: owner.key });
  expect((body.participants as unknown[]).length).toBe(1);
  expect((await asBot(`/users?conversationId=${mainConversation}`)).users).toHaveLength(1);
  expect((await server.call('GET', `/conversations/${mainConversation}`, { key: victim.key })).status).toBe(
    403,
  );
  await server.call('POST', `/invitations/${mainConversation}`, { key: victim.key, body: {} });
  expect((await listed()).sort()).toEqual([own, mainConversation].sort());
});

test.each(['ada@example.com', 'auth0|5f7c', 'ada.lovelace', '100%41', 'a/b?c#d', '...', 'x'.repeat(80)])(
  'every operation on participants takes the id %s of an application',
  async (id) => {
    const guest = await server.user({ id });
    const conversationId = await server.conversation(owner.key);
    const of = `/conversations/${conversationId}/participants`;
    const invited = await server.call('POST', of, { key: owner.key, body: { userId: id } });
    expect([invited.status, invited.body.participant]).toEqual([200, expect.objectContaining({ id })]);
    await server.call('POST', `/invitations/${conversationId}`, { key: guest.key });
    const address = `${of}/${encodeURIComponent(id)}`;
    const found = await server.call('GET', address, { key: owner.key });
    expect([found.status, found.body.participant]).toEqual([200, expect.objectContaining({ id })]);
    await server.sendMessage(guest.key, conversationId, 'Hello');
    const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, {
      key: owner.key,
    });
    expect(body.messages).toEqual([expect.objectContaining({ userId: id })]);
    expect((await server.call('DELETE', address, { key: owner.key })).status).toBe(200);
  },
);

describe('removing a participant', () => {
  test('50 times after adding them closes no other stream of the user', async () => {
    const victim = await server.user();
    const stream = await server.listen(victim.key, await server.conversation(victim.key));
    for (let n = 0; n < 50; n += 1) {
      expect([(await add(victim.id)).status, (await remove(victim.id)).status]).toEqual([200, 200]);
    }
    expect(server.composition.pubSub.size).toBe(1);
    await stream.cancel();
  });

  test('closes the streams of that user in that conversation, and no others', async () => {
    const guest = await server.user();
    await server.join(owner.key, mainConversation, guest);
    const own = await server.conversation(guest.key);
    const [theirs, again, elsewhere, host] = [
      await server.listen(guest.key, mainConversation),
      await server.listen(guest.key, mainConversation),
      await server.listen(guest.key, own),
      await server.listen(owner.key, mainConversation),
    ];
    expect((await remove(guest.id)).status).toBe(200);
    await Promise.all([theirs.ended, again.ended]);
    await server.sendMessage(owner.key, mainConversation, 'canary');
    await server.sendMessage(guest.key, own, 'still here');
    await elsewhere.untilType('message_created');
    await host.untilType('message_created');
    expect([theirs.frames, again.frames]).toEqual([[], []]);
    expect(server.composition.pubSub.size).toBe(2);
    await Promise.all([elsewhere.cancel(), host.cancel()]);
  });

  test.each([
    // The last two reads of a stream request check the permission to listen.
    ['before it is registered', 1, 403],
    ['while its backlog is read', 0, 200],
  ])('closes a stream that is being opened: %s', async (_, readsLeft, status) => {
    // Of a server that is one process; access.test.ts tests several.
    server = await server.restart({ relay: undefined });
    const guest = await server.user();
    await server.join(owner.key, mainConversation, guest);
    await allDelivered(server.db);
    const read = server.db.read.bind(server.db);
    let reads = 0;
    let act: (() => Promise<void>) | undefined;
    // The runner of the bot may still read, for what was delivered last: only the reads of the request are counted.
    const request = new AsyncLocalStorage<boolean>();
    const spy = vi.spyOn(server.db, 'read').mockImplementation(async (work) => {
      const found = await read(work);
      if (!request.getStore()) return found;
      reads += 1;
      await act?.();
      return found;
    });
    const listen = () => request.run(true, () => server.listen(guest.key, mainConversation));
    await (await listen()).cancel();
    const stage = reads - readsLeft;
    reads = 0;
    act = async () => {
      if (reads !== stage) return;
      spy.mockRestore();
      expect((await remove(guest.id)).status).toBe(200);
      // A user who joins again has to open a new stream, too.
      if (status === 200) await server.join(owner.key, mainConversation, guest);
    };
    const stream = await listen();
    await stream.ended;
    expect([stream.response.status, stream.frames, server.composition.pubSub.size]).toEqual([status, [], 0]);
  });

  test('is refused for the owner and to other participants', async () => {
    const [guest, other] = [await server.user(), await server.user()];
    await server.join(owner.key, mainConversation, guest);
    await server.join(owner.key, mainConversation, other);
    expect((await remove(owner.id)).body.type).toBe('InvalidPayload');
    expect((await remove(other.id, guest.key)).body.type).toBe('Forbidden');
    expect((await remove(owner.id, guest.key)).body.type).toBe('Forbidden');
    expect((await remove('user_none', guest.key)).body.type).toBe('Forbidden');
  });
});

describe('leaving a conversation', () => {
  test('is allowed by either id of the participant, who then receives no further events', async () => {
    const guest = await server.user({ id: 'guest' });
    await server.join(owner.key, mainConversation, guest);
    const [host, theirs] = [
      await server.listen(owner.key, mainConversation),
      await server.listen(guest.key, mainConversation),
    ];
    const row = await server.db.read((tx) =>
      tx.get<{ id: string }>("SELECT id FROM users WHERE foreign_id = 'guest'"),
    );
    expect((await remove(row?.id ?? '', guest.key)).body).toEqual({});
    await theirs.ended;
    expect((await host.untilType('participant_removed')).data.participantId).toBe('guest');
    expect((await remove('guest', guest.key)).status).toBe(403);
    expect((await server.call('GET', `/conversations/${mainConversation}`, { key: guest.key })).status).toBe(
      403,
    );
    // They need a new invitation to join again.
    expect(
      (await server.call('POST', `/invitations/${mainConversation}`, { key: guest.key, body: {} })).status,
    ).toBe(404);
    await server.join(owner.key, mainConversation, guest);
    await host.cancel();
  });

  test('is refused to the owner and to users who are not participants', async () => {
    const outsider = await server.user();
    expect((await remove(owner.id)).status).toBe(400);
    expect((await remove(outsider.id, outsider.key)).status).toBe(403);
    await add(outsider.id);
    expect((await remove(outsider.id, outsider.key)).status).toBe(403);
  });
});

test('PARTICIPANTS=direct adds users directly and returns their profile; an unknown id is not found', async () => {
  await server.close();
  server = await startTestServer({ PARTICIPANTS: 'direct' });
  owner = await server.user();
  mainConversation = await server.conversation(owner.key);
  const guest = await server.user({ name: 'Guest', id: 'guest' });
  expect((await add('guest')).body.participant).toMatchObject({ id: 'guest', name: 'Guest' });
  expect((await add('guest')).status).toBe(200);
  expect((await server.call('GET', `/conversations/${mainConversation}`, { key: guest.key })).status).toBe(
    200,
  );
  expect((await add('nobody')).body).toMatchObject({ code: 404, type: 'ResourceNotFound' });
  expect((await remove('guest')).status).toBe(200);
  expect((await remove('guest')).status).toBe(404);
});
