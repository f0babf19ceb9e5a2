// Tests of event streams: no gap or duplicate between replayed and live signals, and no access after a removal.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { conversationById } from '../storage/chat/conversations.ts';
import type { Database, Tx } from '../storage/database.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import {
  base,
  pollOptions,
  readStream,
  recordStatements,
  startTestServer,
  type TestServer,
  type TestStream,
} from '../testing.ts';
import { openEventStream } from './event-stream.ts';
import { createPresence } from './presence.ts';
import { createLocalFanOut } from './pub-sub.ts';
import { pingBytes } from './sse-frames.ts';

let server: TestServer;
let key: string;
let conversationId: string;
beforeEach(async () => {
  server = await startTestServer();
  key = (await server.user()).key;
  conversationId = await server.conversation(key);
});
afterEach(() => server.close());

const texts = (stream: TestStream) =>
  stream.frames.flatMap(({ signal }) =>
    signal?.type === 'message_created' && signal.data.payload.type === 'text'
      ? [signal.data.payload.text]
      : [],
  );
const untilText = (stream: TestStream, text: string) =>
  stream.until(
    ({ signal }) => signal?.type === 'message_created' && JSON.stringify(signal).includes(`"${text}"`),
  );

test('event stream: headers and first bytes are sent at once', async () => {
  const response = await server.fetch(`${base}/conversations/${conversationId}/listen`, {
    headers: { 'x-user-key': key },
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'last-event-id': '0',
  });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^:.*\n\n$/);
  await reader?.cancel();
  expect(server.composition.pubSub.size).toBe(0);
});

test('event stream: one that is opened while the server stops ends at once', async () => {
  server.composition.pubSub.closeAll();
  const response = await server.fetch(`${base}/conversations/${conversationId}/listen`, {
    headers: { 'x-user-key': key },
  });
  expect(response.status).toBe(200);
  await response.text();
  expect(server.composition.pubSub.size).toBe(0);
});

test('event stream: a message is published with its sequence number, also to its sender, before the POST is answered', async () => {
  const stream = await server.listen(key, conversationId);
  const id = await server.sendMessage(key, conversationId, 'one');
  const { id: sequence, data } = await untilText(stream, 'one');
  expect(sequence).toBe('1');
  expect(JSON.parse(data)).toMatchObject({
    type: 'message_created',
    data: { id, isBot: false, conversationId },
  });
  await stream.cancel();
});

test('event stream: signals use foreign ids, also message_deleted', async () => {
  const user = await server.user({ id: 'me' });
  const other = await server.user({ id: 'you' });
  await server.conversation(user.key, 'our/room');
  // Existing clients do not percent-encode the id in this address.
  const response = await server.fetch(`${base}/conversations/our/room/listen`, {
    headers: { 'x-user-key': user.key },
  });
  expect(response.status).toBe(200);
  await response.body?.cancel();
  const stream = await server.listen(user.key, 'our/room');
  const path = '/conversations/our%2Froom/participants';
  await server.join(user.key, 'our/room', other);
  await server.call('DELETE', `${path}/you`, { key: user.key });
  const id = await server.sendMessage(user.key, 'our/room', 'x');
  await server.call('DELETE', `/messages/${id}`, { key: user.key });
  const deleted = await stream.untilType('message_deleted');
  expect(deleted.data).toEqual({ id, conversationId: 'our/room', userId: 'me' });
  const ids = { conversationId: 'our/room', participantId: 'you' };
  expect((await stream.untilType('participant_added')).data).toEqual(ids);
  expect((await stream.untilType('participant_removed')).data).toEqual(ids);
  expect(other.id).toBe('you');
  // A replay has the same signals without the deleted message.
  const replay = await server.listen(user.key, 'our/room', 0);
  await replay.untilType('message_deleted');
  expect(replay.frames.map(({ data }) => data)).toEqual(
    stream.frames.filter(({ signal }) => signal?.type !== 'message_created').map(({ data }) => data),
  );
  await Promise.all([stream.cancel(), replay.cancel()]);
});

describe('event stream: resume', () => {
  test('replays exactly the missed signals, then sends new ones', async () => {
    for (const text of ['a', 'b', 'c']) await server.sendMessage(key, conversationId, text);
    const stream = await server.listen(key, conversationId, 1);
    expect(stream.response.headers.get('last-event-id')).toBe('1');
    await server.sendMessage(key, conversationId, 'd');
    await untilText(stream, 'd');
    expect(texts(stream)).toEqual(['b', 'c', 'd']);
    await stream.cancel();
  });

  test('reads what was missed with few statements: thousands of streams resume after a restart', async () => {
    for (let n = 0; n < 40; n += 1) await server.sendMessage(key, conversationId, `message ${n}`);
    // The bot reads each message, too.
    await expect
      .poll(() => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries')), pollOptions)
      .toEqual([]);
    const statements = recordStatements(server.db);
    const stream = await server.listen(key, conversationId, 8);
    await untilText(stream, 'message 39');
    expect(texts(stream)).toEqual(Array.from({ length: 32 }, (_, n) => `message ${n + 8}`));
    // 32 messages in two portions.
    expect(statements.filter((sql) => sql.includes('FROM messages m'))).toHaveLength(2);
    await stream.cancel();
  });

  test.each(['7', '-1', 'garbage', '1e3', ' ', '99999999999999999999', undefined])(
    'a stream from %s replays nothing and returns the last sequence number',
    async (after) => {
      await server.sendMessage(key, conversationId, 'a');
      const stream = await server.listen(key, conversationId, after);
      expect(stream.response.headers.get('last-event-id')).toBe('1');
      await server.sendMessage(key, conversationId, 'b');
      await untilText(stream, 'b');
      expect(texts(stream)).toEqual(['b']);
      await stream.cancel();
    },
  );

  test('a stream from before the log replays nothing, so that the client lists the messages', async () => {
    for (let n = 0; n < 11; n += 1) {
      await Promise.all(Array.from({ length: 100 }, () => server.sendMessage(key, conversationId, 'x')));
    }
    const old = await server.listen(key, conversationId, 99);
    expect(old.response.headers.get('last-event-id')).toBe('1100');
    const stream = await server.listen(key, conversationId, 100);
    expect(stream.response.headers.get('last-event-id')).toBe('100');
    await stream.until(({ id }) => id === '1100');
    expect(stream.frames).toHaveLength(1_000);
    await Promise.all([old.cancel(), stream.cancel()]);
  });

  test('a too large gap replays nothing, so that the client lists the messages', async () => {
    for (let n = 0; n < 6; n += 1) await server.sendMessage(key, conversationId, 'x'.repeat(400_000));
    const stream = await server.listen(key, conversationId, 0);
    expect(stream.response.headers.get('last-event-id')).toBe('6');
    await stream.cancel();
  });

  test('has no gap in the ids where a message was deleted', async () => {
    const ids = [];
    for (const text of ['a', 'b', 'c']) ids.push(await server.sendMessage(key, conversationId, text));
    await server.call('DELETE', `/messages/${ids[1]}`, { key });
    const response = await server.fetch(`${base}/conversations/${conversationId}/listen`, {
      headers: { 'x-user-key': key, 'last-event-id': '0' },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('id: 4')) text += (await reader?.read())?.value;
    expect(text.match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3', 'id: 4']);
    expect(text).toContain('\nid: 2\n\nid: 3\n');
    await reader?.cancel();
  });

  test('sends messages from just before and just after the reading of the log once', async () => {
    // With the fan-out of one process; fan-out.test.ts tests several.
    server = await server.restart({ relay: undefined });
    let reads = 0;
    const db: Database = {
      ...server.db,
      async read(work) {
        reads += 1;
        if (reads !== 2) return server.db.read(work);
        await server.sendMessage(key, conversationId, 'before');
        const backlog = await server.db.read(work);
        await server.sendMessage(key, conversationId, 'after');
        return backlog;
      },
    };
    const { pubSub } = server.composition;
    const admit = async (tx: Tx) => {
      const conversation = await conversationById(tx, conversationId);
      if (!conversation) throw new Error('no room');
      return { conversation, userId: conversation.ownerId, keyHash: '' };
    };
    const entry = { acquireSlot: async () => () => {}, isValid: () => true, accepts: () => true };
    const stream = readStream(
      await openEventStream(
        { db, pubSub, fanOut: createLocalFanOut(pubSub), presence: createPresence(pubSub) },
        admit,
        0,
        entry,
      ),
    );
    await server.sendMessage(key, conversationId, 'live');
    await untilText(stream, 'live');
    expect(texts(stream)).toEqual(['before', 'after', 'live']);
    await stream.cancel();
  });

  test('has no gap and no duplicate between replayed and live signals', async () => {
    let after = 0;
    const sending = Promise.all(
      Array.from({ length: 200 }, (_, n) => server.sendMessage(key, conversationId, `m${n}`)),
    );
    const all: (string | undefined)[] = [];
    for (let n = 0; n < 20; n += 1) {
      const stream = await server.listen(key, conversationId, after);
      expect(stream.response.headers.get('last-event-id')).toBe(String(after));
      await stream.until(({ id }) => Number(id) >= Math.min(200, after + 10));
      await stream.cancel();
      all.push(...stream.frames.map(({ id }) => id));
      after = Number(stream.frames.at(-1)?.id);
      if (after === 200) break;
    }
    await sending;
    if (after < 200) {
      const rest = await server.listen(key, conversationId, after);
      await rest.until(({ id }) => id === '200');
      all.push(...rest.frames.map(({ id }) => id));
      await rest.cancel();
    }
    expect(all).toEqual(Array.from({ length: 200 }, (_, n) => String(n + 1)));
  });
});

test('event stream: signals of another conversation are not sent', async () => {
  const other = await server.user();
  const otherConversationId = await server.conversation(other.key);
  const [mine, theirs] = await Promise.all([
    server.listen(key, conversationId),
    server.listen(other.key, otherConversationId),
  ]);
  await server.sendMessage(key, conversationId, 'mine');
  await server.sendMessage(other.key, otherConversationId, 'theirs');
  await untilText(mine, 'mine');
  await untilText(theirs, 'theirs');
  expect([texts(mine), texts(theirs)]).toEqual([['mine'], ['theirs']]);
  await Promise.all([mine.cancel(), theirs.cancel()]);
});

testOnSqlite(
  'event stream: a reader with 4 MB of unread data is disconnected and delays no other',
  async () => {
    const slow = await server.fetch(`${base}/conversations/${conversationId}/listen`, {
      headers: { 'x-user-key': key },
    });
    const quick = await server.listen(key, conversationId);
    expect(server.composition.pubSub.size).toBe(2);
    for (let n = 0; n < 10; n += 1)
      await server.sendMessage(key, conversationId, `${n}${'x'.repeat(600_000)}`);
    await quick.until(({ id }) => id === '10');
    expect(server.composition.pubSub.size).toBe(1);
    await slow.body?.cancel();
    await quick.cancel();
  },
);

testOnSqlite(
  'event stream: readers that never read share 24 MB; those that read notice nothing',
  async () => {
    const megabyte = 1_048_576;
    const { pubSub } = server.composition;
    const quick = await server.listen(key, conversationId);
    // Each one has less than its own limit of 4 MB.
    const perReader = 3 * megabyte;
    const text = 'x'.repeat(120_000);
    const slow: Response[] = [];
    for (let n = 0; n < 10; n += 1) {
      const reader = await server.user();
      const id = await server.conversation(reader.key);
      slow.push(
        await server.fetch(`${base}/conversations/${id}/listen`, { headers: { 'x-user-key': reader.key } }),
      );
      for (let sent = 0; sent < perReader; sent += text.length)
        await server.sendMessage(reader.key, id, text);
      expect(pubSub.backlog.bytes).toBeLessThan(25 * megabyte);
    }
    expect(pubSub.backlog.bytes).toBeGreaterThan(20 * megabyte);
    // The first eight have their messages; the others were disconnected when they had more than their fair part.
    expect(pubSub.size).toBe(1 + 7);
    await server.sendMessage(key, conversationId, 'quick');
    await quick.until(({ data }) => data.includes('quick'));
    for (const { body } of slow) await body?.cancel();
    expect(pubSub.backlog.bytes).toBe(0);
    await quick.cancel();
  },
);

test('event stream: a ping is sent every 30 s as a message frame', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  try {
    const timed = await startTestServer();
    const { key } = await timed.user();
    const conversationId = await timed.conversation(key);
    const stream = await timed.listen(key, conversationId);
    vi.advanceTimersByTime(30_000);
    await stream.until(({ data }) => data === 'ping');
    expect(new TextDecoder().decode(pingBytes(7))).toBe('id: 7\nevent: message\ndata: ping\n\n');
    // The position of the stream shows a client that it has lost the frame before the ping.
    await timed.sendMessage(key, conversationId, 'one');
    vi.advanceTimersByTime(30_000);
    await stream.until(({ id, data }) => data === 'ping' && id === '1');
    expect(stream.frames.map(({ id }) => id)).toEqual(['0', '1', '1']);
    await timed.close();
  } finally {
    vi.useRealTimers();
  }
});

test('event stream: closing the server ends all streams', async () => {
  const stream = await server.listen(key, conversationId);
  await server.composition.close();
  await stream.ended;
});
