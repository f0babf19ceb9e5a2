// Tests of messages that take the place of earlier ones: what is stored, published and listed, and what bots still handle.
import { expect, test } from 'vitest';
import type { BotEvent } from '../../protocol/bot.ts';
import type { Message } from '../../protocol/message.ts';
import { closing, startCluster, startServer } from '../testing/servers.testing.ts';
import { allDelivered } from '../testing/settled-rows.testing.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';

const text = (value: string) => ({ type: 'text', text: value }) as const;

/** A bot that answers every text, and waits with its answer to `wait` until it is released. */
function createBot() {
  const events: BotEvent[] = [];
  const aborted: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    events,
    aborted,
    release,
    async handler(event: BotEvent, bot: Parameters<import('../../protocol/bot.ts').BotHandler>[1]) {
      if (event.type !== 'text') return;
      events.push(event);
      bot.signal.addEventListener('abort', () => aborted.push(event.preview));
      if (event.preview === 'stream') {
        const answer = bot.stream();
        answer.write('The first half');
        await released;
        answer.write(' and the second one.');
        await answer.end();
        return;
      }
      if (event.preview === 'wait') await released;
      await bot.reply(text(`Answer to ${event.preview}`));
    },
  };
}

async function start() {
  const bot = createBot();
  const server = await startServer({ handler: bot.handler });
  const { key } = await server.user();
  const id = await server.conversation(key);
  return { server, bot, key, id, ...talk(server, key, id) };
}

function talk(server: TestServer, key: string, conversationId: string) {
  return {
    send: (value: string, supersedes?: unknown, headers = {}) =>
      server.call('POST', '/messages', {
        key,
        headers,
        body: { conversationId, payload: text(value), ...(supersedes === undefined ? {} : { supersedes }) },
      }),
    /** Oldest first: the text, and whether it is superseded. */
    async list() {
      const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
      return (body.messages as Message[])
        .map(
          ({ payload, supersededBy }) =>
            `${supersededBy ? '- ' : ''}${'text' in payload ? payload.text : payload.type}`,
        )
        .reverse();
    },
  };
}
const idOf = ({ body }: { body: Record<string, unknown> }) => (body.message as Message).id;

test('superseding: a message takes the place of an earlier one and of all that followed, and the bot answers it', async () => {
  const { server, bot, key, id, send, list } = await start();
  await send('one');
  await expect.poll(list, pollOptions).toHaveLength(2);
  const second = await send('two');
  await expect.poll(list, pollOptions).toHaveLength(4);
  await send('three');
  await expect.poll(list, pollOptions).toHaveLength(6);
  const stream = await server.listen(key, id);
  const edited = await send('two, edited', idOf(second));
  expect([edited.status, edited.body.message]).toMatchObject([201, { supersedes: idOf(second) }]);
  await expect
    .poll(list, pollOptions)
    .toEqual([
      'one',
      'Answer to one',
      '- two',
      '- Answer to two',
      '- three',
      '- Answer to three',
      'two, edited',
      'Answer to two, edited',
    ]);
  const { data } = await stream.untilType('message_created');
  expect(data).toMatchObject({ id: idOf(edited), supersedes: idOf(second), isBot: false });
  expect(bot.events.at(-1)).toMatchObject({ preview: 'two, edited', supersedes: idOf(second) });
  expect(bot.events[0]).not.toHaveProperty('supersedes');
  const replayed = await server.listen(key, id, 0);
  expect((await replayed.until(({ data }) => data.includes('two, edited'))).data).toContain(idOf(second));
  const old = await server.call('GET', `/messages/${idOf(second)}`, { key });
  expect(old.body.message).toMatchObject({ supersededBy: idOf(edited) });
});

test('superseding: a repeated request with the same Idempotency-Key takes effect once', async () => {
  const { send, list } = await start();
  const first = await send('question');
  await expect.poll(list, pollOptions).toHaveLength(2);
  const headers = { 'idempotency-key': 'again' };
  const answers = await Promise.all([
    send('question', idOf(first), headers),
    send('question', idOf(first), headers),
  ]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  await expect
    .poll(list, pollOptions)
    .toEqual(['- question', '- Answer to question', 'question', 'Answer to question']);
});

test('superseding: of two messages that supersede the same one at once, one is stored, and the other one is told which', async () => {
  const { send, list } = await start();
  const first = await send('question');
  await expect.poll(list, pollOptions).toHaveLength(2);
  const answers = await Promise.all([send('left', idOf(first)), send('right', idOf(first))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const winner = answers.find(({ status }) => status === 201);
  const loser = answers.find(({ status }) => status === 409);
  expect(loser?.body).toMatchObject({
    type: 'RelationConflict',
    metadata: { supersededBy: winner && idOf(winner) },
  });
  await expect.poll(list, pollOptions).toHaveLength(4);
});

test('superseding: the handler of a superseded message is aborted, and nothing that it writes is stored', async () => {
  const { bot, send, list } = await start();
  const first = await send('wait');
  const queued = await send('queued behind it');
  await expect.poll(() => bot.events.length, pollOptions).toBe(1);
  await send('instead', idOf(first));
  await expect.poll(list, pollOptions).toContain('Answer to instead');
  expect(bot.aborted).toContain('wait');
  bot.release();
  const last = await send('the last one');
  await expect.poll(list, pollOptions).toContain('Answer to the last one');
  expect(await list()).toEqual([
    '- wait',
    '- queued behind it',
    'instead',
    'Answer to instead',
    'the last one',
    'Answer to the last one',
  ]);
  expect([queued.status, last.status]).toEqual([201, 201]);
  expect(bot.events.map(({ preview }) => preview)).toEqual(['wait', 'instead', 'the last one']);
});

testOnSqlite(
  'superseding: an answer that waits to be stored behind the new message is not stored',
  async () => {
    const { server, bot, send, list } = await start();
    const first = await send('wait');
    await expect.poll(() => bot.events.length, pollOptions).toBe(1);
    const { write } = server.db;
    let writes = 0;
    let isOpen = false;
    server.db.write = (work) => {
      writes += 1;
      return write(async (tx) => {
        const result = await work(tx);
        if (isOpen) return result;
        // The first write that succeeds is that of the new message. Before its commit, the answer is given to the database.
        isOpen = true;
        const before = writes;
        bot.release();
        await expect.poll(() => writes, pollOptions).toBe(before + 1);
        return result;
      });
    };
    expect((await send('instead', idOf(first))).status).toBe(201);
    await allDelivered(server.db);
    expect(await list()).toEqual(['- wait', 'instead', 'Answer to instead']);
    expect(bot.aborted).toContain('wait');
  },
);

test('superseding: an answer that is being streamed ends without a message', async () => {
  const { server, bot, key, id, send, list } = await start();
  const stream = await server.listen(key, id);
  const first = await send('stream');
  await stream.untilType('message_stream_delta');
  await send('instead', idOf(first));
  await stream.untilType('message_stream_abort');
  bot.release();
  await expect.poll(list, pollOptions).toEqual(['- stream', 'instead', 'Answer to instead']);
});

test('superseding: an open question of the superseded answer is cancelled, and the bot does not go on with it', async () => {
  const events: BotEvent[] = [];
  const server = await startTestServer({
    async handler(event, bot) {
      if (event.type !== 'text' && event.type !== 'resume') return;
      events.push(event);
      if (event.preview === 'refund')
        await bot.stream().interrupt({ reason: 'confirmation', message: 'Refund it?' });
      else await bot.reply(text('Something else'));
    },
  });
  closing(server);
  const { key } = await server.user();
  const id = await server.conversation(key);
  const { send, list } = talk(server, key, id);
  const first = await send('refund');
  await expect.poll(list, pollOptions).toEqual(['refund', 'Refund it?']);
  await send('something else', idOf(first));
  await expect
    .poll(list, pollOptions)
    .toEqual(['- refund', '- Refund it?', 'something else', 'Something else']);
  const { body } = await server.call('GET', `/conversations/${id}/messages`, { key });
  const asked = (body.messages as Message[]).find(({ parts }) => parts);
  expect(asked?.parts).toMatchObject([{ type: 'interrupt', state: 'cancelled', by: 'superseded' }]);
  const answer = { status: 'resolved', payload: { approved: true } };
  const late = await server.call('POST', `/interrupts/${asked?.parts?.[0]?.id}/response`, {
    key,
    body: answer,
  });
  expect(late.status).toBe(409);
  await send('and then');
  await expect.poll(() => events.length, pollOptions).toBe(3);
  expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'text']);
});

test('superseding: in several processes, the one that handles the superseded message stops', async () => {
  const bot = createBot();
  const cluster = await startCluster(2, () => ({ handler: bot.handler }));
  const [one, other] = cluster.servers as [TestServer, TestServer];
  const { key } = await one.user();
  const id = await one.conversation(key);
  const stream = await other.listen(key, id);
  const first = await talk(one, key, id).send('stream');
  await stream.untilType('message_stream_delta');
  const there = talk(other, key, id);
  expect((await there.send('instead', idOf(first))).status).toBe(201);
  await stream.untilType('message_stream_abort');
  bot.release();
  await expect.poll(there.list, pollOptions).toEqual(['- stream', 'instead', 'Answer to instead']);
  expect(bot.events.map(({ preview }) => preview)).toEqual(['stream', 'instead']);
});

testOnSqlite(
  'superseding: an unknown message, one of another conversation, of the bot or of another user, and a superseded one are refused',
  async () => {
    const { server, key, id, send, list } = await start();
    const first = await send('question');
    await expect.poll(list, pollOptions).toHaveLength(2);
    const { body } = await server.call('GET', `/conversations/${id}/messages`, { key });
    const answer = (body.messages as Message[])[0]?.id;
    const elsewhere = await talk(server, key, await server.conversation(key)).send('elsewhere');
    const { key: otherKey } = await server.user();
    const foreign = await talk(server, otherKey, await server.conversation(otherKey)).send('foreign');
    const refused = async (supersedes: unknown) => {
      const { status, body } = await send('instead', supersedes);
      return [status, body.type];
    };
    expect(await refused('msg_unknown')).toEqual([404, 'ResourceNotFound']);
    expect(await refused(idOf(elsewhere))).toEqual([404, 'ResourceNotFound']);
    expect(await refused(idOf(foreign))).toEqual([404, 'ResourceNotFound']);
    expect(await refused(answer)).toEqual([403, 'Forbidden']);
    expect(await list()).toEqual(['question', 'Answer to question']);
    expect((await send('instead', idOf(first))).status).toBe(201);
    expect(await refused(idOf(first))).toEqual([409, 'RelationConflict']);
  },
);
