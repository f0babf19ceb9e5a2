// Tests that conversations and users of the Runtime API work with the official client of the hosted product.
import type { Client } from '@botpress/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  differences,
  type HostedBot,
  type HostedServer,
  refuses,
  startHostedServer,
} from './hosted-client.testing.ts';

let hosted: HostedServer;
let bot: HostedBot;
let other: HostedBot;
let client: Client;
beforeAll(async () => {
  hosted = await startHostedServer();
  [bot, other] = [await hosted.addBot('away'), await hosted.addBot('other')];
  client = bot.client;
});
afterAll(() => hosted.close());

let count = 0;
const fresh = () => `value-${++count}`;

describe('conversations', () => {
  test('are created by a bot, and belong to the first user whom it adds', async () => {
    const ticket = fresh();
    const input = { channel: 'channel', tags: { ticket }, properties: { plan: 'pro' } };
    const created = await client.createConversation(input);
    expect(differences('createConversation', created)).toEqual([]);
    const { id } = created.conversation;
    expect(created.conversation).toMatchObject({
      channel: 'channel',
      integration: 'chat',
      messageCount: 0,
      tags: { ticket, owner: bot.userId },
      properties: { plan: 'pro' },
    });
    expect((await client.listParticipants({ id })).participants).toEqual([]);
    const visitor = await bot.visitor();
    const added = await client.addParticipant({ id, userId: visitor.userId });
    expect(differences('addParticipant', added)).toEqual([]);
    expect((await client.getConversation({ id })).conversation.tags.owner).toBe(visitor.userId);
    const message = {
      conversationId: id,
      userId: bot.id,
      type: 'text',
      payload: { text: 'Hello' },
      tags: {},
    };
    await client.createMessage(message);
    // The visitor finds the conversation, which the bot has begun, in the Chat API.
    const response = await hosted.server.fetch('/chat/away/conversations', {
      headers: { 'x-user-key': visitor.key },
    });
    const { conversations } = (await response.json()) as { conversations: { id: string }[] };
    expect(conversations.map((conversation) => conversation.id)).toContain(id);
    for (const call of ['listParticipants', 'getParticipant'] as const) {
      const read = await client[call]({ id, userId: visitor.userId } as never);
      expect(differences(call, read)).toEqual([]);
    }
    const guest = await bot.visitor();
    await client.addParticipant({ id, userId: guest.userId });
    expect((await client.getConversation({ id })).conversation.tags.owner).toBe(visitor.userId);
    expect(await client.removeParticipant({ id, userId: guest.userId })).toEqual({});
    await refuses(client.getParticipant({ id, userId: guest.userId }), /^404 /);
    await refuses(client.removeParticipant({ id, userId: visitor.userId }), /^400 InvalidPayload/);
  });

  test('of visitors have every field that the client declares', async () => {
    const visitor = await bot.visitor();
    await visitor.sendText('one');
    const read = await client.getConversation({ id: visitor.conversationId });
    expect(differences('getConversation', read)).toEqual([]);
    expect(read.conversation).toMatchObject({ channel: 'channel', integration: 'chat', messageCount: 1 });
    expect(differences('listConversations', await client.listConversations({}))).toEqual([]);
  });

  test('are found by every filter of the list, alone and together', async () => {
    const topic = fresh();
    const [first, second] = [await bot.visitor(), await bot.visitor()];
    await client.updateConversation({ id: first.conversationId, tags: { topic, level: '1' } });
    await client.updateConversation({ id: second.conversationId, tags: { topic, level: '2' } });
    await client.addParticipant({ id: first.conversationId, userId: second.userId });
    const bots = (await client.createConversation({ channel: 'mail', tags: { topic } })).conversation;
    await first.sendText('makes the first conversation the one that changed last');
    const ids = { first: first.conversationId, second: second.conversationId, bots: bots.id };
    const list = async (filter: Parameters<Client['list']['conversations']>[0]) => {
      const rows = await client.list.conversations({ pageSize: 1, ...filter }).collect();
      return rows.map(({ id }) => Object.entries(ids).find(([, one]) => one === id)?.[0]);
    };
    const tags = { topic };
    expect(await list({ tags })).toEqual(['bots', 'second', 'first']);
    expect(await list({ tags, sortDirection: 'asc' })).toEqual(['first', 'second', 'bots']);
    expect(await list({ tags, sortField: 'updatedAt' })).toEqual(['first', 'bots', 'second']);
    expect(await list({ tags: { topic, level: '1' } })).toEqual(['first']);
    expect(await list({ tags: { topic, owner: second.userId } })).toEqual(['second']);
    expect(await list({ tags: { topic, fid: 'none' } })).toEqual([]);
    expect(await list({ participantIds: [second.userId] })).toEqual(['second', 'first']);
    expect(await list({ participantIds: [second.userId, first.userId] })).toEqual(['first']);
    expect(await list({ tags, participantIds: [second.userId], sortField: 'updatedAt' })).toEqual([
      'first',
      'second',
    ]);
    expect(await list({ tags, channel: 'mail' })).toEqual(['bots']);
    expect(await list({ tags, integrationName: 'chat' })).toHaveLength(3);
    expect(await list({ tags, integrationName: 'slack' })).toEqual([]);
    expect(await list({ tags, minMessageCount: 1 })).toEqual(['first']);
    expect(await list({ tags, maxMessageCount: 0 })).toEqual(['bots', 'second']);
    const { createdAt } = (await client.getConversation({ id: ids.first })).conversation;
    expect(await list({ tags, afterDate: bots.createdAt })).toEqual([]);
    expect(await list({ tags, beforeDate: createdAt })).toEqual([]);
    expect(
      await list({ tags, afterDate: '2020-01-01T00:00:00Z', beforeDate: '2100-01-01T00:00:00Z' }),
    ).toEqual(['bots', 'second', 'first']);
    expect(await other.client.list.conversations({ tags }).collect()).toEqual([]);
    expect(await other.client.list.conversations({ participantIds: [second.userId] }).collect()).toEqual([]);
    await refuses(client.listConversations({ afterDate: 'x' }), /^400 InvalidQuery: afterDate/);
    await refuses(client.listConversations({ minMessageCount: -1 }), /^400 InvalidQuery: minM/);
    await refuses(client.listConversations({ nextToken: 'x' }), /^400 InvalidQuery: nextToken/);
  });

  test('are listed once each while others are created, changed and deleted', async () => {
    const topic = fresh();
    for (let n = 0; n < 5; n += 1) await client.createConversation({ channel: `${n}`, tags: { topic } });
    const seen: string[] = [];
    for await (const { channel, id } of client.list.conversations({ tags: { topic }, pageSize: 2 })) {
      seen.push(channel);
      await client.createConversation({ channel: 'new', tags: { topic } });
      await client.updateConversation({ id, tags: { seen: 'yes' } });
      if (channel === '4') await client.deleteConversation({ id });
    }
    expect(seen).toEqual(['4', '3', '2', '1', '0']);
  });

  test('change their tags and properties, and are deleted', async () => {
    const { conversationId: id, ...visitor } = await bot.visitor();
    await visitor.sendText('one');
    const changed = await client.updateConversation({ id, tags: { a: '1', b: '2' }, properties: { c: '3' } });
    expect(differences('updateConversation', changed)).toEqual([]);
    expect(changed.conversation).toMatchObject({ tags: { a: '1', b: '2' }, properties: { c: '3' } });
    const again = await client.updateConversation({
      id,
      tags: { ...changed.conversation.tags, a: null },
      properties: { c: '' },
    });
    expect(again.conversation.tags).toEqual({ b: '2', owner: visitor.userId });
    expect(again.conversation.updatedAt > changed.conversation.updatedAt).toBe(true);
    const unchanged = await client.updateConversation({ id, tags: { b: '2' } });
    expect(unchanged.conversation.updatedAt).toBe(again.conversation.updatedAt);
    expect(again.conversation.properties).toBeUndefined();
    const stolen = { id, tags: { owner: 'somebody' } };
    await refuses(client.updateConversation(stolen), /^400 InvalidPayload: tags.owner: /);
    await refuses(client.updateConversation({ id, tags: { fid: 'x' } }), /^400 .*tags.fid: /);
    await refuses(client.updateConversation({ id, currentTaskId: 'x' }), /^400 .*currentTaskId: /);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, 'x']));
    await refuses(client.updateConversation({ id, tags: many }), /^403 QuotaExceeded: tags/);
    expect((await client.getConversation({ id })).conversation.tags).toEqual({
      b: '2',
      owner: visitor.userId,
    });
    await refuses(other.client.updateConversation({ id, tags: {} }), /^404 /);
    await refuses(other.client.deleteConversation({ id }), /^404 /);
    expect(await client.deleteConversation({ id })).toEqual({});
    await refuses(client.getConversation({ id }), /^404 ResourceNotFound/);
    expect(await client.list.conversations({ tags: { b: '2' } }).collect()).toEqual([]);
    await hosted.server.composition.cleanUp();
    const rows = await hosted.server.db.read((tx) => tx.all('SELECT * FROM tags WHERE resource_id = ?', id));
    expect(rows).toEqual([]);
  });

  test('are created once for their tags, also when two requests arrive at once', async () => {
    const input = { channel: 'channel', tags: { ticket: fresh() } };
    const both = await Promise.all([1, 2].map(() => client.getOrCreateConversation(input)));
    expect(both.map(({ meta }) => meta.created).sort()).toEqual([false, true]);
    expect(new Set(both.map(({ conversation }) => conversation.id)).size).toBe(1);
    for (const response of both) expect(differences('getOrCreateConversation', response)).toEqual([]);
    expect((await client.getOrCreateConversation({ ...input, channel: 'mail' })).meta.created).toBe(true);
    expect((await other.client.getOrCreateConversation(input)).meta.created).toBe(true);
    const more = { ...input, tags: { ...input.tags, level: '2' }, discriminateByTags: ['ticket'] };
    const existing = await client.getOrCreateConversation(more);
    expect(existing).toMatchObject({ meta: { created: false }, conversation: { tags: more.tags } });
    expect(existing.conversation.id).toBe(both[0]?.conversation.id);
    await refuses(client.getOrCreateConversation({ ...input, tags: {} }), /^400 .*tags: /);
    const slack = { ...input, integrationName: 'slack' };
    await refuses(client.getOrCreateConversation(slack), /^400 .*integrationName: /);
  });
});

describe('users', () => {
  test('are created, read, changed and deleted', async () => {
    const created = await client.createUser({
      name: 'Ann',
      pictureUrl: 'https://example.com/a.png',
      tags: { crm: '1', toString: 'x' } as Record<string, string>,
      attributes: { plan: 'pro' },
      properties: { shared: 'yes' },
    });
    expect(differences('createUser', created)).toEqual([]);
    const { id } = created.user;
    expect(created.user).toMatchObject({ name: 'Ann', tags: { crm: '1' }, attributes: { plan: 'pro' } });
    const read = await client.getUser({ id });
    expect(differences('getUser', read)).toEqual([]);
    expect(read).toEqual(created);
    const changed = await client.updateUser({
      id,
      name: null,
      pictureUrl: null,
      tags: { crm: '', toString: null },
    });
    expect(differences('updateUser', changed)).toEqual([]);
    expect(changed.user).toMatchObject({
      tags: {},
      attributes: { plan: 'pro' },
      properties: { shared: 'yes' },
    });
    expect(changed.user).not.toHaveProperty('name');
    expect(changed.user).not.toHaveProperty('pictureUrl');
    expect((await client.updateUser({ id, name: 'Bea' })).user.name).toBe('Bea');
    await refuses(client.updateUser({ id, tags: { fid: 'x' } }), /^400 .*tags.fid: /);
    await refuses(client.updateUser({ id, name: 'x'.repeat(201) }), /^400 .*name: /);
    for (const call of ['getUser', 'updateUser', 'deleteUser'] as const)
      await refuses(other.client[call]({ id }), /^404 ResourceNotFound/);
    expect(await client.deleteUser({ id })).toEqual({});
    await refuses(client.getUser({ id }), /^404 ResourceNotFound/);
    const rows = await hosted.server.db.read((tx) => tx.all('SELECT * FROM tags WHERE resource_id = ?', id));
    expect(rows).toEqual([]);
  });

  test('the id of the bot is that of its own user, which cannot be deleted', async () => {
    expect((await client.getUser({ id: bot.id })).user.id).toBe(bot.userId);
    await refuses(client.deleteUser({ id: bot.id }), /^403 Forbidden/);
    await refuses(client.getUser({ id: other.id }), /^404 /);
    await refuses(client.getUser({ id: other.userId }), /^404 /);
  });

  test('the deletion of a visitor ends their key and removes their conversations', async () => {
    const visitor = await bot.visitor();
    await client.deleteUser({ id: visitor.userId });
    await refuses(client.getConversation({ id: visitor.conversationId }), /^404 /);
    const response = await hosted.server.fetch('/chat/away/users/me', {
      headers: { 'x-user-key': visitor.key },
    });
    expect(response.status).toBe(401);
  });

  test('are found by every filter of the list', async () => {
    const team = fresh();
    const made = [];
    for (const role of ['a', 'b', 'a']) made.push((await client.createUser({ tags: { team, role } })).user);
    const [first, second, third] = made.map(({ id }) => id);
    const list = async (filter: Parameters<Client['list']['users']>[0]) =>
      (await client.list.users({ pageSize: 1, ...filter }).collect()).map(({ id }) => id);
    expect(await list({ tags: { team } })).toEqual([third, second, first]);
    expect(await list({ tags: { team }, sortDirection: 'asc' })).toEqual([first, second, third]);
    expect(await list({ tags: { team, role: 'a' } })).toEqual([third, first]);
    expect(await list({ tags: { team, role: 'c' } })).toEqual([]);
    await client.updateUser({ id: first ?? '', name: 'changed last' });
    expect(await list({ tags: { team }, sortField: 'updatedAt' })).toEqual([first, third, second]);
    const since = made[2]?.updatedAt ?? '';
    expect(await list({ tags: { team }, rangeField: 'updatedAt', afterDate: since })).toEqual([first]);
    const { id } = (await client.createConversation({ channel: 'channel', tags: {} })).conversation;
    await client.addParticipant({ id, userId: second ?? '' });
    expect(await list({ conversationId: id })).toEqual([second]);
    expect(await list({ conversationId: id, tags: { role: 'a' } })).toEqual([]);
    expect(await other.client.list.users({ tags: { team } }).collect()).toEqual([]);
    expect(differences('listUsers', await client.listUsers({ tags: { team } }))).toEqual([]);
  });

  test('are created once for their tags, also when two requests arrive at once', async () => {
    const input = { tags: { crm: fresh() }, name: 'Ann' };
    const both = await Promise.all([1, 2].map(() => client.getOrCreateUser(input)));
    for (const response of both) expect(differences('getOrCreateUser', response)).toEqual([]);
    expect(both.map(({ meta }) => meta.created).sort()).toEqual([false, true]);
    const id = both[0]?.user.id;
    expect(both[1]?.user.id).toBe(id);
    const more = { tags: { ...input.tags, plan: 'pro' }, name: 'Bea', discriminateByTags: ['crm'] };
    const existing = await client.getOrCreateUser(more);
    expect(existing).toMatchObject({ meta: { created: false }, user: { id, name: 'Bea', tags: more.tags } });
    expect((await client.getOrCreateUser(input)).meta.created).toBe(true);
    await refuses(client.getOrCreateUser({ tags: { fid: 'x' } }), /^400 .*tags.fid: /);
    await refuses(client.getOrCreateUser({ tags: [] as never }), /^400 .*tags: /);
  });
});
