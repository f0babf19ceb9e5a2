// Tests that messages of the Runtime API work with the official client of the hosted product.
import type { Client } from '@botpress/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../protocol/limits.ts';
import { payloadExamples } from '../protocol/operations/examples.ts';
import { readStream } from '../server/testing.ts';
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
beforeAll(async () => {
  hosted = await startHostedServer();
  [bot, other] = [await hosted.addBot('away'), await hosted.addBot('other')];
  client = bot.client;
});
afterAll(() => hosted.close());

/** A message as bots send it that were written for the hosted product. */
const message = (conversationId: string, text: string, tags: Record<string, string> = {}) => ({
  conversationId,
  userId: bot.id,
  type: 'text',
  payload: { text },
  tags,
});

describe('createMessage', () => {
  test('a call with the type next to the payload sends a message that the visitor sees', async () => {
    const visitor = await bot.visitor();
    const stream = readStream(await visitor.listen());
    const response = await client.createMessage(message(visitor.conversationId, 'Hello', { step: 'one' }));
    expect(differences('createMessage', response)).toEqual([]);
    expect(response.message).toMatchObject({
      type: 'text',
      payload: { type: 'text', text: 'Hello' },
      direction: 'outgoing',
      userId: bot.userId,
      tags: { step: 'one' },
    });
    const { data } = await stream.untilType('message_created');
    expect(data).toMatchObject({ id: response.message.id, isBot: true, payload: { text: 'Hello' } });
    await stream.cancel();
  });

  test('sends every type of payload, with the type beside it, in it, or both', async () => {
    const { conversationId } = await bot.visitor();
    for (const payload of payloadExamples) {
      const { type, ...rest } = payload;
      const common = { conversationId, userId: bot.id, tags: {} };
      for (const input of [
        { ...common, type, payload: rest },
        { ...common, type, payload },
      ]) {
        const response = await client.createMessage(input);
        expect(differences('createMessage', response)).toEqual([]);
        expect(response.message).toMatchObject({ type, payload });
      }
      const withoutType = { ...common, payload } as unknown as Parameters<Client['createMessage']>[0];
      expect((await client.createMessage(withoutType)).message).toMatchObject({ type, payload });
    }
    const { conversation } = await client.getConversation({ id: conversationId });
    expect(conversation.messageCount).toBe(3 * payloadExamples.length);
  });

  test('refuses a type that contradicts the payload, an unknown type, and a schedule', async () => {
    const input = message((await bot.visitor()).conversationId, 'x');
    const wrong = { ...input, payload: { type: 'markdown', markdown: 'x' } };
    await refuses(client.createMessage(wrong), /^400 InvalidPayload: type: /);
    await refuses(client.createMessage({ ...input, type: 'custom' }), /^400 InvalidPayload: type: /);
    const later = { ...input, schedule: { delay: 5 } };
    await refuses(client.createMessage(later), /^400 InvalidPayload: schedule: /);
    for (const payload of [[], null, 'x', {}])
      await refuses(client.createMessage({ ...input, payload: payload as never }), /^400 /);
    const large = { ...input, payload: { text: 'x'.repeat(limits.payloadBytes) } };
    await refuses(client.createMessage(large), /^413 PayloadTooLarge: /);
  });

  test('takes the bot, its user and participants as the author, and no other user', async () => {
    const visitor = await bot.visitor();
    const input = message(visitor.conversationId, 'x');
    const agent = await client.createUser({ name: 'Agent', tags: {} });
    const asAgent = { ...input, userId: agent.user.id };
    await refuses(client.createMessage(asAgent), /^400 InvalidPayload: userId: /);
    await client.addParticipant({ id: visitor.conversationId, userId: agent.user.id });
    const sent = (await client.createMessage(asAgent)).message;
    expect(sent).toMatchObject({ userId: agent.user.id, direction: 'outgoing' });
    const asItself = await client.createMessage({ ...input, userId: bot.userId });
    expect(asItself.message.userId).toBe(bot.userId);
    for (const userId of [other.id, other.userId, (await other.visitor()).userId, 'user_none'])
      await refuses(client.createMessage({ ...input, userId }), /^400 InvalidPayload: userId: /);
  });

  test('refuses conversations of other bots, and tags with names of prototypes', async () => {
    const input = message((await bot.visitor()).conversationId, 'x');
    const theirs = { ...input, conversationId: (await other.visitor()).conversationId };
    await refuses(client.createMessage(theirs), /^404 ResourceNotFound: /);
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const tags = JSON.parse(`{"${name}": "x"}`) as Record<string, string>;
      // The client drops the first of these names.
      const response = await fetch(`${hosted.apiUrl}/v1/chat/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bot.token}`,
          'x-bot-id': bot.id,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...input, tags }),
      });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('"tags: ')]);
    }
    for (const tags of [{ a: 7 }, [], 'x', { a: 'x'.repeat(501) }, { ['x'.repeat(101)]: 'x' }, { '': 'x' }]) {
      await refuses(client.createMessage({ ...input, tags: tags as never }), /^400 /);
    }
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, 'x']));
    await refuses(client.createMessage({ ...input, tags: many }), /^400 InvalidPayload: tags/);
    const tags = { toString: 'x', hasOwnProperty: 'y' } as unknown as Record<string, string>;
    expect((await client.createMessage({ ...input, tags })).message.tags).toEqual(tags);
  });

  test('keeps its mark of synthetic messages', async () => {
    const input = message((await bot.visitor()).conversationId, 'x');
    const sent = (await client.createMessage({ ...input, origin: 'synthetic' })).message;
    expect(sent.origin).toBe('synthetic');
    expect((await client.getMessage({ id: sent.id })).message).toEqual(sent);
  });
});

describe('messages', () => {
  test('are read one by one, and listed by conversation, tags and time', async () => {
    const visitor = await bot.visitor();
    const { conversationId } = visitor;
    await visitor.sendText('incoming');
    const sent = [];
    for (const step of ['one', 'two', 'three'])
      sent.push(
        (await client.createMessage(message(conversationId, step, { step, list: conversationId }))).message,
      );
    const [one, two, three] = sent;
    const got = await client.getMessage({ id: one?.id ?? '' });
    expect(differences('getMessage', got)).toEqual([]);
    expect(got.message).toEqual(one);
    const page = await client.listMessages({ conversationId });
    expect(differences('listMessages', page)).toEqual([]);
    expect(page.messages.map(({ direction }) => direction)).toEqual([
      'outgoing',
      'outgoing',
      'outgoing',
      'incoming',
    ]);
    const idsOf = async (filter: Parameters<Client['list']['messages']>[0]) =>
      (await client.list.messages({ pageSize: 1, ...filter }).collect()).map(({ id }) => id);
    expect(await idsOf({ conversationId, tags: { step: 'two' } })).toEqual([two?.id]);
    expect(await idsOf({ tags: { list: conversationId } })).toEqual([three?.id, two?.id, one?.id]);
    expect(await idsOf({ tags: { list: conversationId, step: 'one' } })).toEqual([one?.id]);
    expect(await idsOf({ tags: { list: conversationId, step: 'none' } })).toEqual([]);
    const between = { afterDate: one?.createdAt ?? '', beforeDate: three?.createdAt ?? '' };
    expect(await idsOf({ conversationId, ...between })).toEqual([two?.id]);
    expect(await idsOf({ tags: { list: conversationId }, ...between })).toEqual([two?.id]);
    expect(await other.client.list.messages({ tags: { list: conversationId } }).collect()).toEqual([]);
    await refuses(client.listMessages({}), /^400 InvalidQuery: conversationId: /);
    await refuses(
      client.listMessages({ conversationId, afterDate: 'today' }),
      /^400 InvalidQuery: afterDate: /,
    );
    await refuses(other.client.listMessages({ conversationId }), /^404 /);
  });

  test('are listed once each while others are sent and deleted', async () => {
    const { conversationId } = await bot.visitor();
    const tags = { iterated: conversationId };
    for (let n = 0; n < 6; n += 1) await client.createMessage(message(conversationId, `${n}`, tags));
    for (const filter of [{ conversationId }, { tags }]) {
      const seen: string[] = [];
      for await (const { id, payload } of client.list.messages({ pageSize: 2, ...filter })) {
        seen.push(String(payload.text));
        await client.createMessage(message(conversationId, 'new', tags));
        if (payload.text === '5') await client.getMessage({ id });
      }
      expect(seen.filter((text) => text !== 'new')).toEqual(['5', '4', '3', '2', '1', '0']);
    }
  });

  test('can be tagged; only those of the bot can be changed and deleted', async () => {
    const visitor = await bot.visitor();
    const stream = readStream(await visitor.listen());
    const id = (await client.createMessage(message(visitor.conversationId, 'before', { a: '1', b: '2' })))
      .message.id;
    const changed = await client.updateMessage({ id, tags: { a: '', c: '3' }, payload: { text: 'after' } });
    expect(differences('updateMessage', changed)).toEqual([]);
    expect(changed.message).toMatchObject({
      payload: { type: 'text', text: 'after' },
      tags: { b: '2', c: '3' },
    });
    expect(changed.message.tags).toEqual({ b: '2', c: '3' });
    expect(changed.message.updatedAt > changed.message.createdAt).toBe(true);
    const { data } = await stream.untilType('message_updated');
    expect(data).toMatchObject({ id, payload: { text: 'after' } });
    await stream.cancel();
    expect((await client.updateMessage({ id, tags: { b: null } })).message.tags).toEqual({ c: '3' });
    for (const payload of [{ type: 'markdown', markdown: 'x' }, { text: '' }, {}])
      await refuses(client.updateMessage({ id, payload }), /^400 InvalidPayload: (type|payload\.text): /);
    const theirs = await visitor.sendText('mine');
    expect(await failure(client.createMessage({} as never))).toBe(
      '400 InvalidPayload: conversationId: Required.',
    );
    const dotted = await client.updateMessage({ id: theirs, tags: { 'a.b': 'yes' } });
    expect(dotted.message.updatedAt >= dotted.message.createdAt).toBe(true);
    expect((await client.listMessages({ tags: { 'a.b': 'yes' } })).messages).toEqual([dotted.message]);
    await client.updateMessage({ id: theirs, tags: { 'a.b': '' } });
    expect((await client.updateMessage({ id: theirs, tags: { seen: 'yes' } })).message.tags).toEqual({
      seen: 'yes',
    });
    await refuses(client.updateMessage({ id: theirs, payload: { text: 'x' } }), /^403 Forbidden/);
    await refuses(client.deleteMessage({ id: theirs }), /^403 Forbidden/);
    await refuses(other.client.updateMessage({ id, tags: { a: 'x' } }), /^404 /);
    await refuses(other.client.deleteMessage({ id }), /^404 /);
    expect(await client.deleteMessage({ id })).toEqual({});
    await refuses(client.getMessage({ id }), /^404 ResourceNotFound/);
    expect(await client.list.messages({ tags: { c: '3' } }).collect()).toEqual([]);
    const { conversation } = await client.getConversation({ id: visitor.conversationId });
    expect(conversation.messageCount).toBe(1);
  });
});

describe('getOrCreateMessage', () => {
  test('sends a message once for its tags, also when two requests arrive at once', async () => {
    const visitor = await bot.visitor();
    const input = message(visitor.conversationId, 'Welcome', { step: 'welcome' });
    const responses = await Promise.all([client.getOrCreateMessage(input), client.getOrCreateMessage(input)]);
    for (const response of responses) expect(differences('getOrCreateMessage', response)).toEqual([]);
    expect(responses.map(({ meta }) => meta.created).sort()).toEqual([false, true]);
    expect(new Set(responses.map(({ message: { id } }) => id)).size).toBe(1);
    expect(await visitor.texts()).toEqual(['Welcome']);
  });

  test('compares all tags, or those that discriminateByTags lists', async () => {
    const { conversationId } = await bot.visitor();
    const create = (tags: Record<string, string | null>, discriminateByTags?: string[]) =>
      client.getOrCreateMessage({
        ...message(conversationId, 'x'),
        tags,
        ...(discriminateByTags ? { discriminateByTags } : {}),
      });
    const first = await create({ a: '1', b: '2' });
    expect((await create({ a: '1' })).meta.created).toBe(true);
    expect((await create({ b: '2', a: '1' })).message.id).toBe(first.message.id);
    const changed = await create({ a: '9', b: '2', c: '3' }, ['b']);
    expect(changed).toMatchObject({ meta: { created: false }, message: { id: first.message.id } });
    expect(changed.message.tags).toEqual({ a: '9', b: '2', c: '3' });
    // A found message needs no payload, and one in another conversation is not found.
    const { payload: _, ...withoutPayload } = message(conversationId, '', { b: '2' });
    const search = { ...withoutPayload, discriminateByTags: ['b'] };
    expect((await client.getOrCreateMessage(search)).message.id).toBe(first.message.id);
    const elsewhere = { ...search, conversationId: (await bot.visitor()).conversationId };
    await refuses(client.getOrCreateMessage(elsewhere), /^400 InvalidPayload: payload: /);
    await refuses(create({}), /^400 InvalidPayload: tags: /);
    await refuses(create({ a: '' }), /^400 InvalidPayload: tags: /);
    for (const names of [['missing'], []])
      await refuses(create({ a: '1' }, names), /^400 InvalidPayload: discriminateByTags/);
  });
});
