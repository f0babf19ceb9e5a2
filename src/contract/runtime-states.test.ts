// Tests that states and events of the Runtime API work with the official client of the hosted product.
import type { Client } from '@botpress/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../protocol/limits.ts';
import { accept, refuse, startReceiver } from '../server/bots/webhooks/testing.ts';
import { pollOptions, readStream } from '../server/testing.ts';
import {
  differences,
  failure,
  type HostedBot,
  type HostedServer,
  refuses,
  startHostedServer,
} from './hosted-client.testing.ts';

let hosted: HostedServer;
let bot: HostedBot;
let other: HostedBot;
let client: Client;
/** Milliseconds by which the clock of the server is ahead. */
let ahead = 0;
beforeAll(async () => {
  hosted = await startHostedServer({ now: () => Date.now() + ahead });
  [bot, other] = [await hosted.addBot('away'), await hosted.addBot('other')];
  client = bot.client;
});
afterAll(() => hosted.close());

const rowsOf = (id: string) =>
  hosted.server.db.read((tx) => tx.all('SELECT * FROM states WHERE owner_id = ?', id));

describe('states', () => {
  test('of a conversation, a user and the bot are stored, read, changed and removed', async () => {
    const visitor = await bot.visitor();
    const owners = {
      conversation: { type: 'conversation', id: visitor.conversationId, field: 'conversationId' },
      user: { type: 'user', id: visitor.userId, field: 'userId' },
      bot: { type: 'bot', id: bot.id, field: 'botId' },
    } as const;
    for (const { type, id, field } of Object.values(owners)) {
      const at = { type, id, name: 'cart' };
      await refuses(client.getState(at), /^404 ResourceNotFound/);
      const stored = await client.setState({ ...at, payload: { items: ['a'], n: 1 } });
      expect(differences('setState', stored)).toEqual([]);
      expect(stored.state).toMatchObject({ name: 'cart', type, botId: bot.id, [field]: id });
      const read = await client.getState(at);
      expect(differences('getState', read)).toEqual([]);
      expect(read.state).toEqual(stored.state);
      const patched = await client.patchState({ ...at, payload: { n: 2, coupon: null } });
      expect(differences('patchState', patched)).toEqual([]);
      expect(patched.state.payload).toEqual({ items: ['a'], n: 2, coupon: null });
      expect(patched.state.id).toBe(stored.state.id);
      const existing = await client.getOrSetState({ ...at, payload: { other: true } });
      expect(differences('getOrSetState', existing)).toEqual([]);
      expect(existing.state.payload).toEqual(patched.state.payload);
      await client.setState({ ...at, payload: null });
      await refuses(client.getState(at), /^404 /);
      expect((await client.getOrSetState({ ...at, payload: { other: true } })).state.payload).toEqual({
        other: true,
      });
      const once = { ...at, name: 'twice' };
      const both = await Promise.all([1, 2].map((n) => client.getOrSetState({ ...once, payload: { n } })));
      expect(both[0]?.state).toEqual(both[1]?.state);
      await Promise.all(
        ['a', 'b', 'c'].map((field) => client.patchState({ ...once, payload: { [field]: 1 } })),
      );
      expect((await client.getState(once)).state.payload).toMatchObject({ a: 1, b: 1, c: 1 });
      const made = { ...at, name: 'patched' };
      expect((await client.patchState({ ...made, payload: { a: 1 } })).state.payload).toEqual({ a: 1 });
    }
  });

  test('expire after their last change, in responses and in the database', async () => {
    const { conversationId: id } = await bot.visitor();
    const at = { type: 'conversation', id, name: 'session' } as const;
    const { state } = await client.setState({ ...at, payload: { a: 1 }, expiry: 60_000 });
    expect(Date.parse(state.expiresAt ?? '') - Date.parse(state.updatedAt)).toBe(60_000);
    ahead += 40_000;
    expect((await client.patchState({ ...at, payload: { b: 2 } })).state.expiry).toBe(60_000);
    ahead += 40_000;
    expect((await client.getState(at)).state.payload).toEqual({ a: 1, b: 2 });
    ahead += 40_000;
    await refuses(client.getState(at), /^404 /);
    expect(await rowsOf(id)).toHaveLength(1);
    await hosted.server.composition.cleanUp();
    expect(await rowsOf(id)).toEqual([]);
    // An expired state is created again: nothing of it returns.
    await client.setState({ ...at, payload: { a: 1 }, expiry: 1 });
    ahead += 10;
    expect((await client.patchState({ ...at, payload: { c: 3 } })).state.payload).toEqual({ c: 3 });
    const forever = await client.setStateExpiry({ ...at, expiry: null });
    expect(differences('setStateExpiry', forever)).toEqual([]);
    expect(forever.state.expiresAt).toBeUndefined();
    await client.setStateExpiry({ ...at, expiry: 5 });
    ahead += 10;
    await refuses(client.setStateExpiry({ ...at, expiry: 5 }), /^404 /);
    for (const expiry of [0, -1, 1.5, 1e18, 'x'])
      await refuses(
        client.setState({ ...at, payload: {}, expiry: expiry as number }),
        /^400 InvalidPayload: expiry/,
      );
  });

  test('take any name and any JSON, up to 128 KB', async () => {
    const visitor = await bot.visitor();
    const at = { type: 'conversation', id: visitor.conversationId } as const;
    for (const name of ['constructor', 'toString', 'a/b c?d=e', 'ü👍', 'x'.repeat(200)]) {
      const payload = { name, deep: { list: [1, null, { a: true }] }, '': 0 };
      await client.setState({ ...at, name, payload });
      expect((await client.getState({ ...at, name })).state).toMatchObject({ name, payload });
    }
    await refuses(client.setState({ ...at, name: 'x'.repeat(201), payload: {} }), /^400 .*name: /);
    const large = { text: 'x'.repeat(limits.stateBytes) };
    await refuses(client.setState({ ...at, name: 'large', payload: large }), /^413 PayloadTooLarge/);
    for (const payload of [[], 'x', 7])
      await refuses(
        client.setState({ ...at, name: 'wrong', payload: payload as never }),
        /^400 InvalidPayload: payload/,
      );
    // Names that the schema library would drop, which the client does not send.
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const response = await fetch(`${hosted.apiUrl}/v1/chat/states/conversation/${at.id}/wrong`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bot.token}`,
          'x-bot-id': bot.id,
          'content-type': 'application/json',
        },
        body: `{"payload": {"${name}": 1}}`,
      });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('"payload: ')]);
    }
    const half = { text: 'x'.repeat(limits.stateBytes - 100) };
    const refused = await failure(
      (async () => {
        for (let n = 0; n < 10; n += 1) await client.setState({ ...at, name: `large ${n}`, payload: half });
      })(),
    );
    expect(refused).toMatch(/^403 QuotaExceeded: States of at most 1000000 bytes/);
  });

  test('a user has a maximum number of states', async () => {
    const { userId: id } = await bot.visitor();
    for (let n = 0; n < limits.states; n += 1)
      await client.setState({ type: 'user', id, name: `${n}`, payload: {} });
    const more = { type: 'user', id, name: 'more', payload: {} } as const;
    await refuses(client.setState(more), /^403 QuotaExceeded/);
    await client.setState({ ...more, name: '7', payload: { a: 1 } });
  });

  test('belong to one bot, and are deleted with their owner', async () => {
    const visitor = await bot.visitor();
    const places = [
      ['conversation', visitor.conversationId],
      ['user', visitor.userId],
      ['bot', bot.id],
    ] as const;
    for (const [type, id] of places) {
      const at = { type, id, name: 'secret' };
      await client.setState({ ...at, payload: { a: 1 } });
      for (const call of [
        () => other.client.getState(at),
        () => other.client.setState({ ...at, payload: {} }),
        () => other.client.patchState({ ...at, payload: {} }),
        () => other.client.getOrSetState({ ...at, payload: {} }),
        () => other.client.setStateExpiry({ ...at, expiry: 1 }),
      ])
        await refuses(call(), /^404 ResourceNotFound/);
      expect((await client.getState(at)).state.payload).toEqual({ a: 1 });
    }
    await client.deleteConversation({ id: visitor.conversationId });
    await client.deleteUser({ id: visitor.userId });
    expect([...(await rowsOf(visitor.conversationId)), ...(await rowsOf(visitor.userId))]).toEqual([]);
  });

  test('of types that this server does not have are answered with 501 and the alternative', async () => {
    const input = { id: 'x', name: 'x' };
    const states = { integration: /^501 .*type bot/, workflow: /^501 .*type conversation/ };
    for (const [type, message] of Object.entries(states)) {
      const failed = client.getState({ ...input, type: type as 'workflow' }).catch((error: Error) => error);
      expect(await failed).toMatchObject({
        name: 'Error',
        message: expect.stringMatching(message.source.slice(5)),
      });
    }
    for (const type of ['constructor', '__proto__', 'x'])
      await refuses(client.getState({ ...input, type: type as 'user' }), /^404 /);
  });
});

describe('events', () => {
  test('are sent to the page, read, and listed by every filter', async () => {
    const visitor = await bot.visitor();
    const { conversationId } = visitor;
    const messageId = await visitor.sendText('one');
    const stream = readStream(await visitor.listen());
    const order = await client.createEvent({
      type: 'order',
      conversationId,
      userId: bot.id,
      messageId,
      payload: { n: 1 },
    });
    expect(differences('createEvent', order)).toEqual([]);
    expect(order.event).toMatchObject({ type: 'order', messageId, status: 'processed', failureReason: null });
    expect((await stream.untilType('event_created')).data).toMatchObject({ payload: { n: 1 }, isBot: true });
    await stream.cancel();
    const read = await client.getEvent({ id: order.event.id });
    expect(differences('getEvent', read)).toEqual([]);
    expect(read).toEqual(order);
    const plain = await client.createEvent({ conversationId, payload: { n: 2 } } as never);
    expect(plain.event).toMatchObject({ type: 'custom', userId: bot.userId });
    expect(differences('listEvents', await client.listEvents({ conversationId }))).toEqual([]);
    const list = async (filter: Parameters<Client['list']['events']>[0]) =>
      (await client.list.events({ conversationId, pageSize: 1, ...filter }).collect()).map(
        ({ payload }) => payload.n,
      );
    expect(await list({})).toEqual([2, 1]);
    expect(await list({ type: 'order' })).toEqual([1]);
    expect(await list({ type: 'custom' })).toEqual([2]);
    expect(await list({ messageId })).toEqual([1]);
    expect(await list({ userId: bot.id })).toEqual([2, 1]);
    expect(await list({ userId: visitor.userId })).toEqual([]);
    expect(await list({ status: 'processed' })).toEqual([2, 1]);
    expect(await list({ status: 'pending' })).toEqual([]);
    expect(await list({ status: 'scheduled' })).toEqual([]);
    await refuses(client.listEvents({ conversationId, workflowId: 'x' }), /^400 .*workflowId: /);
    await refuses(client.listEvents({}), /^400 InvalidQuery: conversationId: /);
    const event = { type: 'order', conversationId, payload: {} };
    await refuses(client.createEvent({ ...event, schedule: { delay: 1 } }), /^400 .*schedule: /);
    await refuses(client.createEvent({ ...event, workflowId: 'x' }), /^400 .*workflowId: /);
    const { conversationId: _, ...withoutConversation } = event;
    await refuses(client.createEvent(withoutConversation), /^400 .*conversationId: /);
    const elsewhere = await (await bot.visitor()).sendText('two');
    await refuses(client.createEvent({ ...event, messageId: elsewhere }), /^400 .*messageId: /);
    const theirs = await (await other.visitor()).sendText('three');
    await refuses(client.createEvent({ ...event, messageId: theirs }), /^404 /);
    await refuses(client.createEvent({ ...event, userId: other.id }), /^400 .*userId: /);
    for (const call of [
      () => other.client.getEvent({ id: order.event.id }),
      () => other.client.listEvents({ conversationId }),
      () => other.client.createEvent(event),
    ])
      await refuses(call(), /^404 ResourceNotFound/);
  });

  test('of the page are pending until the bot has handled them, and say why that failed', async () => {
    const receiver = await startReceiver(refuse(503));
    try {
      const slow = await hosted.addBot('slow', receiver.url);
      const visitor = await slow.visitor();
      const response = await hosted.server.fetch('/chat/slow/events', {
        method: 'POST',
        headers: { 'x-user-key': visitor.key, 'content-type': 'application/json' },
        body: JSON.stringify({ conversationId: visitor.conversationId, payload: { n: 1 } }),
      });
      const { id } = ((await response.json()) as { event: { id: string } }).event;
      const event = async () => (await slow.client.getEvent({ id })).event;
      expect(await event()).toMatchObject({ status: 'pending', type: 'custom', userId: visitor.userId });
      receiver.answer(accept);
      ahead += 60_000;
      await hosted.server.db.write((tx) => tx.run('UPDATE deliveries SET due_at = 0'));
      await visitor.sendText('wakes the conversation');
      await expect.poll(async () => (await event()).status, pollOptions).toBe('processed');
    } finally {
      await receiver.close();
    }
  });
});
