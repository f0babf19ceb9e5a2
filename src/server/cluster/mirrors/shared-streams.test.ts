// Tests of answers that a bot writes through the Runtime API, of one process and of several: each request goes to the next one.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assembleStreams } from '../../../protocol/assemble-stream.testing.ts';
import { limits } from '../../../protocol/limits.ts';
import {
  accept,
  addWebhookBot,
  type Receiver,
  requestAs,
  startReceiver,
  startVisitor,
  type Visitor,
  type WebhookBot,
} from '../../bots/webhooks/testing.ts';
import { sequencesOf } from '../../storage/chat/conversations.ts';
import * as storage from '../../storage/cluster/bot-streams.ts';
import { deleteIdleStreams } from '../../storage/cluster/bot-streams.ts';
import {
  pollOptions,
  readStream,
  recordStatements,
  startTestCluster,
  type TestCluster,
  type TestOptions,
  type TestServer,
  type TestStream,
} from '../../testing.ts';

let cluster: TestCluster;
let receiver: Receiver;
let bot: WebhookBot;
let visitor: Visitor;
let turn: number;
const streams: TestStream[] = [];

/** Starts a server of this many processes. A single one keeps streams in memory. */
async function start(processes: number) {
  turn = 0;
  receiver = await startReceiver(accept);
  const single: TestOptions = processes === 1 ? { relay: undefined } : {};
  const options = { WEBHOOK_PRIVATE: 'first', ANONYMOUS_USER_IDS: 'allow' } satisfies TestOptions;
  cluster = await startTestCluster(processes, { ...options, ...single });
  bot = await addWebhookBot(server(0), receiver.url);
  visitor = await startVisitor(() => server(0), 'away');
}
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.cancel();
  await cluster.close();
  await receiver.close();
});

function server(n: number): TestServer {
  const found = cluster.servers[n % cluster.servers.length];
  if (!found) throw new Error('The cluster has servers.');
  return found;
}

/** Sends a request of the bot to the next process. */
async function request(route: string, body: object = {}) {
  turn += 1;
  return requestAs(server(turn), bot, route.replace(' ', ' /v1/chat'), body);
}

const open = async () =>
  (await request('POST /streams', { conversationId: visitor.conversationId })).body.stream.id as string;
const write = (id: string, delta: string, position?: number) =>
  request(`POST /streams/${id}/deltas`, { delta, ...(position === undefined ? {} : { position }) });
const end = (id: string, body: object = {}) => request(`POST /streams/${id}/end`, body);
const listen = async (n: number) => {
  const stream = readStream(await visitor.listen(server(n)));
  streams.push(stream);
  return stream;
};
const stop = (n: number, streamId: string) =>
  visitor.request(`POST /conversations/${visitor.conversationId}/stop`, { streamId }, server(n));
const textOf = (stream: TestStream) =>
  stream.frames
    .flatMap(({ signal }) => (signal?.type === 'message_stream_delta' ? [signal.data.delta] : []))
    .join('');
/** The frames with half characters, which JSON escapes. */
const halvesOf = (stream: TestStream) => stream.frames.filter(({ data }) => /\\ud[89a-f]/.test(data));
const types = (stream: TestStream) =>
  stream.frames
    .flatMap(({ signal }) => signal?.type ?? [])
    .filter((type, n, all) => type !== 'message_stream_delta' || type !== all[n - 1]);

describe.each([
  ['one process', 1],
  ['several processes', 3],
])('%s', (_, processes) => {
  beforeEach(() => start(processes));

  test('an answer of a block alone is a message, also when the visitor stops it, and an empty one is not', async () => {
    const part = { id: 'b', type: 'block', name: 'order', data: { id: 'A-1' }, fallback: 'Order A-1' };
    const [ended, stopped, empty] = [await open(), await open(), await open()];
    for (const id of [ended, stopped]) await request(`POST /streams/${id}/deltas`, { part });
    const { body } = await request(`POST /streams/${ended}/end`);
    expect(body.message).toMatchObject({ payload: { type: 'text', text: 'Order A-1' }, parts: [part] });
    await stop(turn, stopped);
    expect((await request(`POST /streams/${empty}/end`)).status).toBe(400);
    expect(await visitor.texts()).toEqual(['Order A-1', 'Order A-1']);
  });

  test('pieces to any process are shown at every process, and the end at another one stores one message', async () => {
    const early = [await listen(0), await listen(1)];
    const id = await open();
    const pieces = ['One ', 'two ', '\ud83d', '\ude00', ' ', 'x'.repeat(3_000), '\u0000', ' end'];
    let position = 0;
    for (const [n, piece] of pieces.entries()) {
      position += piece.length;
      expect((await write(id, piece, position - piece.length)).body).toEqual({ position, stopped: false });
      if (n === 3) early.push(await listen(2));
    }
    const whole = pieces.join('');
    for (const stream of early) await expect.poll(() => textOf(stream), pollOptions).toBe(whole);
    const payload = { type: 'text', text: 'done' };
    const ended = await end(id, { payload, metadata: { m: 1 } });
    expect(ended.body.message).toMatchObject({ payload, metadata: { m: 1, streamId: id } });
    for (let n = 0; n < 3; n += 1) expect((await end(id)).body).toEqual(ended.body);
    expect(await visitor.texts()).toEqual(['done']);
    for (const stream of early) {
      await stream.until(({ signal }) => signal?.type === 'message_created');
      expect(types(stream)).toEqual(['message_stream_delta', 'message_stream_complete', 'message_created']);
      const complete = await stream.untilType('message_stream_complete');
      expect(complete.data).toEqual({ streamId: id, message: ended.body.message });
    }
  });

  test('half a character waits for its other half, so that no process sends one', async () => {
    const early = [await listen(0), await listen(1)];
    const id = await open();
    const thought = (textDelta: string) =>
      request(`POST /streams/${id}/deltas`, { part: { id: 'r', textDelta } });
    const startedAt = '2026-01-01T00:00:00.000Z';
    const part = { id: 'r', type: 'reasoning', state: 'streaming', startedAt };
    await request(`POST /streams/${id}/deltas`, { part });
    const long = 'x'.repeat(998);
    const pieces = ['a', '\ud83d', '\ude00b\ud83d', '', '\ude00', '\ud83d', '!', long, '😀😀', '\ud83d'];
    for (const piece of pieces) {
      await write(id, piece);
      if (piece !== '') await thought(piece);
    }
    early.push(await listen(2));
    const whole = `a😀b😀\ufffd!${long}😀😀`;
    for (const stream of early)
      await expect
        .poll(() => assembleStreams(stream.frames.map(({ signal }) => signal)).get(id), pollOptions)
        .toMatchObject({ text: whole, parts: [{ text: whole }] });
    const { body } = await end(id);
    expect(body.message).toMatchObject({ payload: { markdown: whole }, parts: [{ text: whole }] });
    for (const stream of early) {
      await stream.until(({ signal }) => signal?.type === 'message_created');
      expect(halvesOf(stream)).toEqual([]);
    }
  });

  test('an answer that ends with a question at any process is answered at another one, and the webhook receives the answer', async () => {
    const id = await open();
    await request(`POST /streams/${id}/deltas`, {
      part: {
        id: 'refund',
        type: 'tool',
        toolName: 'refund',
        state: 'input-available',
        input: { amount: 20 },
      },
    });
    const interrupts = [{ reason: 'tool_call', message: 'Send it?', toolId: 'refund', state: { n: 1 } }];
    const refused = await end(id, { interrupts: [{ ...interrupts[0], toolId: 'other' }] });
    expect([refused.status, refused.body.type]).toEqual([400, 'InvalidPayload']);
    const unknown = await end(id, { interrupts, userId: 'user_unknown' });
    expect([unknown.status, unknown.body.type]).toEqual([404, 'ResourceNotFound']);
    const [ended, repeated] = [await end(id, { interrupts }), await end(id, { interrupts })];
    expect(repeated.body).toEqual(ended.body);
    const { message } = ended.body;
    expect(message).toMatchObject({
      payload: { type: 'text', text: 'Send it?' },
      parts: [
        { id: 'refund', state: 'approval-requested' },
        { type: 'interrupt', toolName: 'refund', input: { amount: 20 }, state: 'open' },
      ],
    });
    const interruptId = message.parts[1].id as string;
    const answer = (n: number) =>
      visitor.request(
        `POST /interrupts/${interruptId}/response`,
        { status: 'resolved', payload: { approved: true } },
        server(n),
      );
    const answers = await Promise.all([0, 1, 2].map(answer));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const heard = () => receiver.received.filter(({ text }) => text.includes('"resume"'));
    await expect.poll(() => heard().length, pollOptions).toBe(1);
    expect(heard()[0]?.body.event).toMatchObject({
      type: 'resume',
      messageId: message.id,
      payload: {
        interrupts: [
          {
            id: interruptId,
            status: 'resolved',
            by: 'visitor',
            payload: { approved: true },
            state: { n: 1 },
          },
        ],
      },
    });
  });

  test('a question in a conversation with several participants needs the one who is asked', async () => {
    const { userId } = await startVisitor(() => server(0), 'away');
    await request(`POST /conversations/${visitor.conversationId}/participants`, { userId });
    const id = await open();
    const interrupts = [{ reason: 'confirmation', message: 'Sure?' }];
    const refused = await end(id, { interrupts });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('userId')]);
    const { status } = await end(id, { interrupts, userId });
    expect(status).toBe(200);
    const rows = await server(0).db.read((tx) =>
      tx.all<{ userId: string }>('SELECT user_id FROM interrupts'),
    );
    expect(rows).toEqual([{ userId }]);
  });

  test('a piece that is sent twice, also at once, is appended once, and a missing one is reported', async () => {
    const id = await open();
    const twice = await Promise.all(Array.from({ length: 6 }, () => write(id, 'abc', 0)));
    expect(twice.map(({ body }) => body.position)).toEqual([3, 3, 3, 3, 3, 3]);
    expect((await write(id, 'bcde', 1)).body.position).toBe(5);
    expect((await write(id, 'z', 6)).status).toBe(400);
    expect((await end(id)).body.message.payload.markdown).toBe('abcde');
  });

  test('parts that are sent to any process are shown at every process, and stored with the message', async () => {
    const early = [await listen(0), await listen(1)];
    const id = await open();
    const change = (part: object, more: object = {}) =>
      request(`POST /streams/${id}/deltas`, { part, ...more });
    const startedAt = '2026-01-01T00:00:00.000Z';
    await change({ id: 'r', type: 'reasoning', state: 'streaming', startedAt });
    // A repeated piece counts once.
    for (const position of [0, 0, 3]) await change({ id: 'r', textDelta: 'Hm,' }, { textPosition: position });
    await change({ id: 'r', state: 'done', endedAt: startedAt });
    const input = 'x'.repeat(3_900);
    const tool = { id: 't', type: 'tool', toolName: 'find', state: 'input-available', input };
    expect((await change(tool, { delta: 'Text ', position: 0 })).body).toEqual({
      position: 5,
      stopped: false,
    });
    early.push(await listen(2));
    await write(id, 'more', 5);
    await change({ id: 's', type: 'status', text: 'Searching' });
    for (const stream of early)
      await expect
        .poll(() => assembleStreams(stream.frames.map(({ signal }) => signal)).get(id), pollOptions)
        .toMatchObject({
          text: 'Text more',
          parts: [
            { id: 'r', at: 0, text: 'Hm,Hm,', state: 'done' },
            { id: 't', at: 5, toolName: 'find', input },
            { id: 's', at: 9, text: 'Searching' },
          ],
        });
    for (const [part, more] of [
      [{ id: 'r', textDelta: 'x' }, { textPosition: 99 }],
      [{ id: 'q', type: 'source', title: 'Q', url: 'javascript:alert(1)' }, {}],
      [{ id: 'q', type: 'nothing' }, {}],
      [{ id: 'a b', type: 'status', text: '' }, {}],
    ] as const)
      expect((await change(part, more)).status).toBe(400);
    expect((await request(`POST /streams/${id}/deltas`, {})).status).toBe(400);
    const { body } = await end(id);
    expect(body.message.payload.markdown).toBe('Text more');
    expect(body.message.parts).toMatchObject([{ id: 'r' }, { id: 't', state: 'cancelled' }]);
    expect(body.message.parts).toHaveLength(2);
  });

  test('two ends at once store one message', async () => {
    const id = await open();
    await write(id, 'once');
    const ends = await Promise.all([end(id), end(id), end(id)]);
    expect(ends.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(ends.map(({ body }) => body.message.id)).size).toBe(1);
    expect(await visitor.texts()).toEqual(['once']);
  });

  test('an abort at another process ends it everywhere', async () => {
    const stream = await listen(0);
    const id = await open();
    await write(id, 'half');
    await stream.untilType('message_stream_delta');
    expect((await request(`POST /streams/${id}/abort`)).status).toBe(200);
    await stream.untilType('message_stream_abort');
    expect((await write(id, 'more')).status).toBe(404);
    expect((await end(id)).status).toBe(404);
    const silent = await open();
    expect((await end(silent)).status).toBe(400);
    expect(await visitor.texts()).toEqual([]);
  });

  test('a visitor stops it at any process: its text is kept, and the bot is told', async () => {
    const stream = await listen(2);
    const id = await open();
    await write(id, 'so far');
    expect((await stop(0, id)).status).toBe(200);
    await stream.untilType('message_stream_complete');
    for (let n = 0; n < 3; n += 1) {
      expect((await write(id, ' and more')).body).toEqual({ position: 6, stopped: true });
    }
    const { body } = await end(id, { payload: { type: 'text', text: 'all of it' } });
    expect(body.message).toMatchObject({ payload: { markdown: 'so far' }, metadata: { stopped: true } });
    expect(await visitor.texts()).toEqual(['so far']);
    const silent = await open();
    expect((await stop(1, silent)).status).toBe(200);
    expect((await end(silent)).status).toBe(410);
  });

  test('the limits count at all processes', async () => {
    const id = await open();
    const half = 'x'.repeat(limits.streamCharacters / 2);
    await write(id, half);
    await write(id, half);
    expect((await write(id, 'x')).status).toBe(413);
    for (let n = 1; n < limits.openStreams; n += 1) await open();
    expect((await request('POST /streams', { conversationId: visitor.conversationId })).status).toBe(403);
  });

  test('nothing is stored when its conversation was deleted', async () => {
    const id = await open();
    await write(id, 'half');
    await visitor.request(`DELETE /conversations/${visitor.conversationId}`);
    expect((await end(id)).status).toBe(404);
  });
});

test('several processes: idle streams are removed, and a piece after the end is refused', async () => {
  await start(3);
  const id = await open();
  await write(id, 'half');
  const { db } = server(0);
  expect(await db.write((tx) => deleteIdleStreams(tx, 10))).toBe(0);
  await db.write((tx) => tx.run('UPDATE bot_streams SET idle_until = 1'));
  expect((await write(id, 'late')).status).toBe(404);
  expect(await db.write((tx) => deleteIdleStreams(tx, 10))).toBe(1);
  expect(await db.read((tx) => tx.all('SELECT 1 FROM bot_stream_pieces'))).toEqual([]);
  const ended = await open();
  await write(ended, 'whole');
  await end(ended);
  expect((await write(ended, 'more')).status).toBe(404);
});

test('every query of streams uses an index', async () => {
  await start(3);
  const { db } = server(0);
  const statements = recordStatements(db);
  const row = { id: 'stream_1', botId: 'bot_1', conversationId: 'conv_1', createdAt: 1 };
  const dialect = await db.write(async (tx) => {
    await storage.insertBotStream(tx, row, 1);
    await storage.setStreamParts(tx, row.id, '[]');
    await storage.countBotStreams(tx, row.botId);
    await storage.holdBotStream(tx, row.botId, row.id, 1);
    await storage.appendPiece(tx, row.id, 0, 'x');
    await storage.textOfStream(tx, row.id);
    await storage.openStreamsOf(tx, row.conversationId);
    await storage.stopBotStream(tx, row.conversationId, row.id);
    await storage.deleteIdleStreams(tx, 1);
    await storage.deleteStreamsOfBot(tx, row.botId, 1);
    await sequencesOf(tx, [row.conversationId]);
    return tx.dialect;
  });
  if (dialect !== 'sqlite') return;
  const plans: string[] = [];
  for (const sql of new Set(statements.filter((text) => !text.includes('deliveries')))) {
    const rows = await db.read((tx) => tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`));
    plans.push(...rows.map(({ detail }) => `${detail}: ${sql}`));
  }
  expect(plans.length).toBeGreaterThan(8);
  expect(plans.filter((plan) => /^SCAN (?!CONSTANT|json_each)|TEMP B-TREE/.test(plan))).toEqual([]);
});
