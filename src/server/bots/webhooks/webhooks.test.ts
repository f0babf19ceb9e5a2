// Tests of events sent to webhooks: in order, at least once, whatever the receiver does, without blocking other bots.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../admin/first-start.ts';
import { listBotLogs } from '../../storage/bots/bot-logs.ts';
import { deliveryStates } from '../../storage/bots/deliveries.ts';
import { type HeldLimits, heldLimit, holdLimits } from '../../testing/held-timers.testing.ts';
import { pollOptions, startTestServer, type TestOptions, type TestServer } from '../../testing.ts';
import {
  accept,
  addWebhookBot,
  answerJson,
  type Receiver,
  refuse,
  startReceiver,
  startVisitor,
  type WebhookBot,
} from './testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
const clock = { offset: 0 };
const failureText = 'Sorry, no answer came. Please try again.';

/** Returns the bytes of the heap in use after a garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  return process.memoryUsage().heapUsed;
}

/** A plan like the real one with shorter delays. */
const webhookTimes = {
  timeLimit: 10_000,
  plan: { blocking: [5, 5], deferred: [5, 5, 5] },
} satisfies TestOptions['webhookTimes'];
/** The time of an attempt, for receivers that do not answer in time. */
let limits: HeldLimits;
const quick: TestOptions = {
  WEBHOOK_PRIVATE: 'first',
  webhookTimes,
  now: () => Date.now() + clock.offset,
};

beforeEach(async () => {
  clock.offset = 0;
  receiver = await startReceiver(accept);
  server = await startTestServer(quick);
  bot = await addWebhookBot(server, receiver.url);
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

type Responder = Parameters<Receiver['answer']>[0];

interface Delivery {
  id: string;
  state: string;
  attempts: number;
  reason: string | null;
}
const deliveries = () =>
  server.db.read((tx) =>
    tx.all<Delivery>('SELECT event_id AS id, state, attempts, reason FROM deliveries ORDER BY event_id'),
  );
/** Milliseconds until the next attempt is due. */
const untilDue = async () => {
  const row = await server.db.read((tx) => tx.get<{ due: number }>('SELECT due_at AS due FROM deliveries'));
  return (row?.due ?? 0) - Date.now();
};
const states = async () => (await deliveries()).map(({ state }) => state);
const previews = (from = receiver) => from.received.map(({ body }) => body.event.preview);
const logOf = (botId = bot.id) => server.db.read((tx) => listBotLogs(tx, botId, undefined, 2_000));
const kinds = async () => (await logOf()).map(({ kind }) => kind).reverse();

test('webhook: sends the event with user, conversation and message, and a signature of Standard Webhooks', async () => {
  const visitor = await startVisitor(() => server, 'away');
  const messageId = await visitor.sendText('Hello');
  await expect.poll(() => receiver.received.length, pollOptions).toBe(2);
  const [start, delivered] = receiver.received;
  expect(start?.body).toMatchObject({ event: { type: 'conversation_started' } });
  expect(start?.body.message).toBeUndefined();
  const { event } = delivered?.body ?? {};
  const { conversationId, userId } = visitor;
  expect(delivered?.body).toEqual({
    event: {
      ...{ id: expect.stringMatching(/^evt_/), botId: bot.id, conversationId, userId, messageId },
      ...{ createdOn: expect.stringMatching(/^\d{4}-.*Z$/), direction: 'incoming', integration: 'chat' },
      ...{ type: 'text', payload: { type: 'text', text: 'Hello' }, preview: 'Hello' },
      state: { conversation: {}, user: {} },
      tags: { conversation: { owner: userId }, message: {}, user: {} },
    },
    conversation: expect.objectContaining({ id: conversationId }),
    user: expect.objectContaining({ id: userId }),
    message: expect.objectContaining({ id: messageId }),
  });
  expect(delivered?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': event?.id,
    'webhook-attempt': '1',
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  });
  // Computed as the specification says, without code of the server.
  const key = Buffer.from(bot.secret.replace('whsec_', ''), 'base64');
  const signed = `${delivered?.headers['webhook-id']}.${delivered?.headers['webhook-timestamp']}.${delivered?.text}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  expect(delivered?.headers['webhook-signature']).toBe(`v1,${signature}`);
  await expect.poll(states, pollOptions).toEqual([]);
  expect(await logOf()).toEqual([]);
});

test('webhook: sends the messages of the response to the visitor', async () => {
  receiver.answer((response, { body }) => {
    const text = { payload: { type: 'text', text: `You said ${body.event.preview}` }, metadata: { n: 1 } };
    void answerJson({
      messages: body.message ? [text, { payload: { type: 'markdown', markdown: '*2*' } }] : [],
    })(response, { headers: {}, text: '', body });
  });
  const visitor = await startVisitor(() => server, 'away');
  await visitor.sendText('Hello');
  await expect.poll(visitor.texts, pollOptions).toEqual(['Hello', 'You said Hello', '*2*']);
});

test.each([
  ['no JSON', 'application/json', 'hello {'],
  ['other JSON', 'application/json', '["messages"]'],
  ['no messages', 'application/json', '{"ok":true}'],
  ['a page', 'text/html', '<p>'],
])('webhook: a response that is %s sends no message, and the event is delivered', async (_, type, text) => {
  receiver.answer((response) => void response.writeHead(200, { 'content-type': type }).end(text));
  const visitor = await startVisitor(() => server, 'away');
  await expect.poll(states, pollOptions).toEqual([]);
  expect([await visitor.texts(), await logOf()]).toEqual([[], []]);
});

test.each([
  [{ messages: [{ payload: { type: 'text', text: '' } }] }],
  [{ messages: 'all' }],
  [{ messages: [{ payload: { type: 'text', text: 'a' }, metadata: 7 }] }],
  [{ messages: Array(21).fill({ payload: { type: 'text', text: 'a' } }) }],
])('webhook: invalid messages in a response are logged, and the visitor is notified: %j', async (answer) => {
  receiver.answer(answerJson(answer));
  const visitor = await startVisitor(() => server, 'away');
  await expect.poll(visitor.texts, pollOptions).toEqual([failureText]);
  expect(await states()).toEqual([]);
  expect(await logOf()).toMatchObject([{ kind: 'webhook_answer_refused', reason: 'answer_invalid' }]);
});

describe('webhook: a receiver that does not accept an event', () => {
  const cut: Responder = (response) => void response.socket?.destroy();
  const writes =
    (text: string): Responder =>
    (response) =>
      void response.socket?.write(text);
  test.each<[string, Responder, string]>([
    ['says 500', refuse(500), '500'],
    ['says 304', refuse(304), '304'],
    ['cuts the connection', cut, 'ECONNRESET'],
    ['never answers', () => limits.latest().elapse(), 'timeout'],
    [
      'cuts its head',
      (response) => {
        response.socket?.write('HTTP/1.1 200 O');
        setImmediate(() => response.socket?.destroy());
      },
      'ECONNRESET',
    ],
    ['speaks garbage', (response) => void response.socket?.end('garbage\r\n\r\n'), 'HPE_INVALID_CONSTANT'],
    [
      'has a head without end',
      writes(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`),
      'HPE_HEADER_OVERFLOW',
    ],
    [
      'upgrades to something else',
      writes('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
      'connection_closed',
    ],
    [
      'ends the answer too early',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"messages":');
        setTimeout(() => response.socket?.destroy(), 20);
      },
      'ECONNRESET',
    ],
    [
      'answers byte by byte without end',
      (response) => {
        // That of the whole attempt, and not one that begins again with each byte.
        const limit = limits.latest();
        response.writeHead(200, { 'content-type': 'application/json' });
        let written = 0;
        const timer = setInterval(() => {
          response.write(' ');
          written += 1;
          if (written === 5) limit.elapse();
        }, 10);
        response.on('close', () => clearInterval(timer));
      },
      'timeout',
    ],
  ])(
    '%s: the event is sent again with the same id, and the next event waits for it',
    async (_, failure, reason) => {
      if (reason === 'timeout') {
        limits = holdLimits();
        server = await server.restart({ webhookTimes: { ...webhookTimes, timeLimit: heldLimit } });
      }
      let failures = 2;
      receiver.answer((response, received) => {
        if (received.body.event.preview !== 'first' || failures === 0) return accept(response, received);
        failures -= 1;
        return failure(response, received);
      });
      const visitor = await startVisitor(() => server, 'away');
      await visitor.sendText('first');
      await visitor.sendText('second');
      await expect.poll(states, pollOptions).toEqual([]);
      expect(previews()).toEqual(['', 'first', 'first', 'first', 'second']);
      const firsts = receiver.received.filter(({ body }) => body.event.preview === 'first');
      expect(new Set(firsts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(firsts.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3']);
      expect(await kinds()).toEqual(['webhook_failed', 'webhook_failed', 'webhook_delivered']);
      const [, , entry] = await logOf();
      expect(entry?.reason ?? String(entry?.status)).toBe(reason);
      expect(await visitor.texts()).toEqual(['first', 'second']);
    },
  );

  test('webhook: a response of a gigabyte is not read', async () => {
    let sent = 0;
    receiver.answer(async (response) => {
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(64_000, ' ');
      while (sent < 1_000_000_000 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) {
          await once(response, 'drain', { signal: gone.signal }).catch(() => {});
        }
      }
      response.end();
    });
    const visitor = await startVisitor(() => server, 'away');
    await expect.poll(visitor.texts, pollOptions).toEqual([failureText]);
    expect(await kinds()).toEqual(['webhook_answer_refused']);
    expect(receiver.received).toHaveLength(1);
    // The buffers of the two sockets.
    expect(sent).toBeLessThan(20_000_000);
  });

  test('for a while: the visitor is notified once, later events are sent, and retries continue', async () => {
    let isUp = false;
    let allSent = () => {};
    const areAllSent = new Promise<void>((resolve) => {
      allSent = resolve;
    });
    receiver.answer(async (response, received) => {
      const isRefused = received.body.event.preview === 'first' && !isUp;
      // The visitor is notified after the second message.
      if (isRefused) await areAllSent;
      await (isRefused ? refuse(503) : accept)(response, received);
    });
    // The deferred attempts follow the clock of the process. Where several share the database, they follow its clock.
    const plan = { blocking: [5], deferred: [60_000, 60_000, 60_000] };
    server = await server.restart({ webhookTimes: { ...webhookTimes, plan }, relay: undefined });
    const visitor = await startVisitor(() => server, 'away');
    await visitor.sendText('first');
    await visitor.sendText('second');
    allSent();
    await expect.poll(() => previews(), pollOptions).toEqual(['', 'first', 'first', 'second']);
    await expect.poll(states, pollOptions).toEqual([deliveryStates.deferred]);
    expect(await visitor.texts()).toEqual(['first', 'second', failureText]);
    clock.offset += 100_000;
    // A restart polls at once; otherwise the clock is read every half minute.
    server = await server.restart({ webhookTimes: { ...webhookTimes, plan } });
    await expect.poll(() => previews().length, pollOptions).toBe(5);
    // An attempt counts from its beginning. Its failure decides when the next one is due, by the clock that changes below.
    await expect.poll(async () => (await logOf()).length, pollOptions).toBe(3);
    const third = { state: deliveryStates.deferred, attempts: 3 };
    await expect.poll(deliveries, pollOptions).toMatchObject([third]);
    isUp = true;
    clock.offset += 100_000;
    server = await server.restart({ webhookTimes: { ...webhookTimes, plan } });
    await expect.poll(states, pollOptions).toEqual([]);
    expect(previews().slice(4)).toEqual(['first', 'first']);
    expect(await visitor.texts()).toEqual(['first', 'second', failureText]);
  });

  test('at any attempt the event becomes a dead letter, for status 410 at once', async () => {
    receiver.answer(refuse(500));
    const visitor = await startVisitor(() => server, 'away');
    await expect.poll(states, pollOptions).toEqual([deliveryStates.deadLetter]);
    expect(receiver.received).toHaveLength(6);
    // The visitor has sent no message that waits for an answer.
    expect(await visitor.texts()).toEqual([]);
    receiver.answer(refuse(410));
    await visitor.sendText('Hello?');
    await expect.poll(states, pollOptions).toEqual([deliveryStates.deadLetter, deliveryStates.deadLetter]);
    expect(receiver.received).toHaveLength(7);
    expect(await deliveries()).toMatchObject([{ reason: '500' }, { reason: '410', attempts: 1 }]);
    expect(await visitor.texts()).toEqual(['Hello?', failureText]);
    expect((await kinds()).filter((kind) => kind === 'webhook_given_up')).toHaveLength(2);
    const written = JSON.stringify([server.log, await logOf()]);
    expect(written).not.toContain('Hello?');
  });

  test('and sends Retry-After: the event is sent again after that time', async () => {
    receiver.answer(refuse(429, { 'retry-after': '3000' }));
    await startVisitor(() => server, 'away');
    await expect.poll(states, pollOptions).toEqual([deliveryStates.deferred]);
    expect(await untilDue()).toBeGreaterThan(2_900_000);
  });
});

describe('webhook: while an event waits for its next attempt', () => {
  /** A plan without automatic retries. */
  const slow: TestOptions = {
    webhookTimes: { ...webhookTimes, plan: { blocking: [50_000], deferred: [50_000] } },
  };
  beforeEach(async () => {
    server = await server.restart(slow);
    receiver.answer(refuse(503));
  });
  const failed = () => expect.poll(kinds, pollOptions).toEqual(['webhook_failed']);

  test('deleting the conversation deletes the event', async () => {
    const visitor = await startVisitor(() => server, 'away');
    await failed();
    await visitor.request(`DELETE /conversations/${visitor.conversationId}`);
    clock.offset += 100_000;
    server = await server.restart(slow);
    await expect.poll(deliveries, pollOptions).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  test('the next attempt uses a changed address, and none follows after the bot is deleted', async () => {
    const other = await addWebhookBot(server, receiver.url, 'other');
    await startVisitor(() => server, 'away');
    await startVisitor(() => server, 'other');
    await expect.poll(() => receiver.received.length, pollOptions).toBe(2);
    const reasons = async () => (await deliveries()).map(({ reason }) => reason);
    await expect.poll(reasons, pollOptions).toEqual(['503', '503']);
    const moved = await startReceiver(accept);
    await server.db.write(async (tx) => {
      await tx.run('UPDATE bots SET deleted_at = 5 WHERE id = ?', other.id);
      await tx.run('UPDATE bots SET webhook_url = ? WHERE id = ?', moved.url, bot.id);
    });
    clock.offset += 100_000;
    server = await server.restart(slow);
    await expect.poll(states, pollOptions).toEqual([]);
    expect([receiver.received.length, moved.received.length]).toEqual([2, 1]);
    await moved.close();
  });

  test('setting the clock back does not delay the next attempt', async () => {
    clock.offset = 400 * 24 * 60 * 60 * 1_000;
    server = await server.restart(slow);
    await startVisitor(() => server, 'away');
    await failed();
    clock.offset = 0;
    server = await server.restart(slow);
    expect(await untilDue()).toBeLessThan(2 * 60 * 60 * 1_000);
  });

  test('the due time and the number of attempts survive a kill of the server', async () => {
    const visitor = await startVisitor(() => server, 'away');
    await failed();
    await visitor.sendText('second');
    server = await server.restart(slow);
    expect(await deliveries()).toMatchObject([{ attempts: 1, reason: '503' }, { attempts: 0 }]);
    receiver.answer(accept);
    clock.offset += 100_000;
    server = await server.restart(slow);
    await expect.poll(states, pollOptions).toEqual([]);
    expect(previews()).toEqual(['', '', 'second']);
  });
});

test('webhook: an event that was being sent when the server stopped is sent again', async () => {
  receiver.answer(() => {});
  server = await server.restart({ WEBHOOK_PRIVATE: 'first', webhookTimes: { timeLimit: 60_000 } });
  await startVisitor(() => server, 'away');
  await expect.poll(() => receiver.received.length, pollOptions).toBe(1);
  // The first request stays without an answer. The next one can follow before `restart` returns.
  receiver.answer(accept);
  server = await server.restart();
  await expect.poll(states, pollOptions).toEqual([]);
  expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
});

test('webhook: deleting a conversation aborts its request', async () => {
  receiver.answer(() => {});
  server = await server.restart({ WEBHOOK_PRIVATE: 'first', webhookTimes: { timeLimit: 60_000 } });
  const visitor = await startVisitor(() => server, 'away');
  await expect.poll(() => receiver.open(), pollOptions).toBe(1);
  await visitor.request(`DELETE /conversations/${visitor.conversationId}`);
  await expect.poll(() => receiver.open(), pollOptions).toBe(0);
  await expect.poll(deliveries, pollOptions).toEqual([]);
  expect(await logOf()).toEqual([]);
});

test('webhook: conversations that wait for a silent receiver use few connections and do not block other bots', async () => {
  receiver.answer(() => {});
  server = await server.restart({ WEBHOOK_PRIVATE: 'first', webhookTimes: { timeLimit: 60_000 } });
  const awake = await startReceiver(answerJson({ messages: [{ payload: { type: 'text', text: 'Here' } }] }));
  await addWebhookBot(server, awake.url, 'awake');
  const { userId } = await startVisitor(() => server, 'away');
  const count = 10_000;
  await server.db.write(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const id = `conv_many_${n}`;
      const conversation = 'INSERT INTO conversations (id, bot_id, owner_id, seq, created_at, updated_at)';
      await tx.run(`${conversation} VALUES (?, ?, ?, 1, 1, 1)`, id, bot.id, userId);
      await tx.run(
        `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at)
         VALUES (?, ?, ?, 1, ?, 'conversation_started', 1)`,
        ...[`evt_many_${n}`, id, bot.id, userId],
      );
    }
  });
  const before = heldBytes();
  server = await server.restart({ WEBHOOK_PRIVATE: 'first', webhookTimes: { timeLimit: 60_000 } });
  await expect.poll(() => receiver.open(), pollOptions).toBe(10);
  const visitor = await startVisitor(() => server, 'awake');
  await visitor.sendText('Anybody?');
  await expect.poll(visitor.texts, pollOptions).toContain('Here');
  expect(receiver.mostOpen()).toBeLessThanOrEqual(11);
  expect(heldBytes() - before).toBeLessThan(50_000_000);
  await expect.poll(async () => (await states()).length, pollOptions).toBe(count + 1);
  await awake.close();
});

test('webhook: events are delivered after a receiver was unavailable', async () => {
  const { port } = new URL(receiver.url);
  await receiver.close();
  // Retries continue until the receiver is available again.
  server = await server.restart({
    webhookTimes: { ...webhookTimes, plan: { blocking: Array(10_000).fill(20), deferred: [] } },
  });
  const visitor = await startVisitor(() => server, 'away');
  await visitor.sendText('one');
  await visitor.sendText('two');
  await expect.poll(async () => (await logOf()).length, pollOptions).toBeGreaterThan(1);
  expect((await logOf())[0]).toMatchObject({ status: null, reason: 'ECONNREFUSED' });
  receiver = await startReceiver(accept, Number(port));
  await expect.poll(states, pollOptions).toEqual([]);
  expect(previews()).toEqual(['', 'one', 'two']);
});

test.each(['nonsense', 'http://[::ffff:169.254.169.254]/'])(
  'webhook: an invalid or forbidden address is rejected: %s',
  async (url) => {
    await server.db.write((tx) => tx.run('UPDATE bots SET webhook_url = ? WHERE id = ?', url, bot.id));
    await startVisitor(() => server, 'away');
    await expect.poll(states, pollOptions).toEqual([deliveryStates.deadLetter]);
    expect((await deliveries())[0]?.reason).toMatch(/^address_(invalid|refused)$/);
  },
);

describe('webhook on this machine', () => {
  /** The log entries of the first attempts, and the number of requests that the receiver got. */
  const outcome = async (webhookId: string, botId: string) => {
    const visitor = await startVisitor(() => server, webhookId);
    await visitor.sendText('Hello');
    const reasons = async () => (await logOf(botId)).map(({ reason }) => reason);
    await expect
      .poll(async () => (await reasons()).length + receiver.received.length, pollOptions)
      .toBeGreaterThan(0);
    return { reasons: new Set(await reasons()), hits: receiver.received.length };
  };
  const only = (reason: string) => ({ reasons: new Set([reason]), hits: 0 });

  test('is rejected by default, also for bots of the first workspace', async () => {
    server = await server.restart({ WEBHOOK_PRIVATE: 'refuse' });
    expect(await outcome('away', bot.id)).toEqual(only('address_refused'));
  });

  test('is rejected with `first` for a bot of another workspace, with an open or a closed port', async () => {
    const open = await addWebhookBot(server, receiver.url, 'open');
    const closed = await addWebhookBot(server, 'http://127.0.0.1:1/', 'closed');
    await server.db.write(async (tx) => {
      const { id } = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
      await tx.run('UPDATE bots SET workspace_id = ? WHERE id IN (?, ?)', id, open.id, closed.id);
    });
    expect(await outcome('open', open.id)).toEqual(only('address_refused'));
    expect(await outcome('closed', closed.id)).toEqual(only('address_refused'));
    expect((await outcome('away', bot.id)).hits).toBeGreaterThan(0);
  });
});
