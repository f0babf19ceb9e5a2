// Tests of signals between several processes: each subscriber gets each sequence number once and in order, although the
// relay loses, doubles, holds and reverses messages.
import { afterEach, describe, expect, test } from 'vitest';
import {
  pollOptions,
  startTestCluster,
  type TestCluster,
  type TestOptions,
  type TestServer,
  type TestStream,
} from '../../testing.ts';
import type { Fate } from '../relay/memory-relay.testing.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

/** Starts processes; the first user has a conversation. */
async function start(count: number, options?: TestOptions) {
  cluster = await startTestCluster(count, options);
  const servers = cluster.servers as [TestServer, TestServer, ...TestServer[]];
  const { key } = await servers[0].user();
  const id = await servers[0].conversation(key);
  return { servers, hub: cluster.hub, key, id };
}

const numbers = ({ frames }: TestStream) =>
  frames.flatMap(({ id, data }) => (id && data !== 'ping' ? [Number(id)] : []));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
/** Milliseconds between checks of the last frame; never, where a test is about something else. */
const never = { realtimeIntervals: { tail: 1_000_000 } };
const often = { realtimeIntervals: { tail: 50 } };

test('a message of one process is received at another one, with the same bytes', async () => {
  const { servers, key, id } = await start(2, never);
  const [one, other] = servers;
  const streams = [await one.listen(key, id), await other.listen(key, id)];
  await one.sendMessage(key, id, 'Ä \u0000 "\n" 😀');
  await other.sendMessage(key, id, 'back');
  for (const stream of streams) await stream.until((frame) => frame.id === '2');
  expect(streams[1]?.frames).toEqual(streams[0]?.frames);
  for (const stream of streams) await stream.cancel();
});

test('a large message is read from the log at the other process, and everything else arrives in order', async () => {
  const { servers, hub, key, id } = await start(2, never);
  const [one, other] = servers;
  const lengths: number[] = [];
  hub.fate = (_, message) => {
    lengths.push(message.length);
    return 'arrives';
  };
  const streams = [await one.listen(key, id), await other.listen(key, id)];
  for (const size of [10, 50_000, 20, 1_400, 3_000, 1]) await one.sendMessage(key, id, 'x'.repeat(size));
  for (const stream of streams) await stream.until((frame) => frame.id === '6');
  expect(streams[1]?.frames).toEqual(streams[0]?.frames);
  expect(Math.max(...lengths)).toBeLessThan(1_600);
  for (const stream of streams) await stream.cancel();
});

test('the last message, if it is lost, is received by the check of the last sequence number', async () => {
  const { servers, hub, key, id } = await start(2, often);
  const [one, other] = servers;
  const stream = await other.listen(key, id);
  hub.fate = () => 'lost';
  await one.sendMessage(key, id, 'lost');
  await stream.until((frame) => frame.id === '1');
  await stream.cancel();
});

test('after an interruption of the relay, what was lost is read at once', async () => {
  const { servers, hub, key, id } = await start(2, never);
  const [one, other] = servers;
  const stream = await other.listen(key, id);
  hub.fate = () => 'lost';
  await one.sendMessage(key, id, 'lost');
  hub.gap();
  await stream.until((frame) => frame.id === '1');
  await stream.cancel();
});

test('a lost message that was deleted meanwhile leaves no gap that is waited for', async () => {
  const { servers, hub, key, id } = await start(2, never);
  const [one, other] = servers;
  const stream = await other.listen(key, id);
  hub.fate = () => 'lost';
  const first = await one.sendMessage(key, id, 'first');
  await one.call('DELETE', `/messages/${first}`, { key });
  hub.gap();
  await stream.untilType('message_deleted');
  hub.fate = () => 'arrives';
  await one.sendMessage(key, id, 'after');
  await stream.until((frame) => frame.id === '3');
  expect(stream.frames.map(({ signal }) => signal?.type)).toEqual(['message_deleted', 'message_created']);
  await stream.cancel();
});

test('a stream that has missed too much is ended, so that the client lists the messages', async () => {
  const { servers, hub, key, id } = await start(2, never);
  const [one, other] = servers;
  const stream = await other.listen(key, id);
  hub.fate = () => 'lost';
  for (let n = 0; n < 6; n += 1) await one.sendMessage(key, id, 'x'.repeat(400_000));
  hub.gap();
  await stream.ended;
  expect(stream.frames).toEqual([]);
  expect(other.composition.pubSub.size).toBe(0);
});

test('the streams of a deleted conversation end, also when nothing arrives', async () => {
  const { servers, hub, key, id } = await start(2, often);
  const stream = await servers[1].listen(key, id);
  hub.fate = () => 'lost';
  await servers[0].call('DELETE', `/conversations/${id}`, { key });
  await stream.ended;
});

test('a process hears the messages of a conversation only while it has subscribers', async () => {
  const { servers, hub, key, id } = await start(2, never);
  const [one, other] = servers;
  const stream = await other.listen(key, id);
  await stream.cancel();
  await one.sendMessage(key, id, 'nobody');
  const second = await other.listen(key, id, 0);
  await second.until((frame) => frame.id === '1');
  hub.fate = () => 'lost';
  await one.sendMessage(key, id, 'lost');
  hub.fate = () => 'arrives';
  await one.sendMessage(key, id, 'arrives');
  await second.until((frame) => frame.id === '3');
  expect(numbers(second)).toEqual([1, 2, 3]);
  await second.cancel();
});

/** A random generator (LCG) from 0 to below 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe('whatever the relay does, each subscriber gets each sequence number once and in order', () => {
  test.each([1, 2, 3, 4])('seed %i', async (seed) => {
    const { servers, hub, key, id } = await start(3, {
      realtimeIntervals: { tail: 100 },
      // The streams of one user at all servers.
      streamsPerUser: 100,
      MAX_STREAMS_PER_ADDRESS: 100,
    });
    const chance = random(seed * 7_919);
    const fates: Fate[] = ['arrives', 'arrives', 'lost', 'doubled', 'held'];
    hub.fate = () => fates[Math.floor(chance() * fates.length)] ?? 'arrives';
    const streams: { stream: TestStream; after: number }[] = [];
    const listen = async (server: TestServer, from?: number) => {
      const stream = await server.listen(key, id, from);
      expect(stream.response.status).toBe(200);
      streams.push({ stream, after: Number(stream.response.headers.get('last-event-id')) });
    };
    for (const server of servers) await listen(server, 0);
    let sent = 0;
    const writer = async (server: TestServer) => {
      for (let n = 0; n < 25; n += 1) {
        const size = chance() < 0.1 ? 2_000 : 1;
        const message = await server.sendMessage(key, id, 'x'.repeat(size));
        sent += 1;
        if (chance() < 0.1) {
          await server.call('DELETE', `/messages/${message}`, { key });
          sent += 1;
        }
        if (chance() < 0.3) hub.release({ isReversed: chance() < 0.5 });
      }
    };
    const reader = async () => {
      for (let n = 0; n < 6; n += 1) {
        const server = servers[Math.floor(chance() * servers.length)];
        // Some continue, some begin at the end, several at once.
        if (server) await Promise.all([listen(server, 0), listen(server), listen(server, sent)]);
      }
    };
    await Promise.all([...servers.map(writer), writer(servers[0]), reader()]);
    hub.release({ isReversed: true });
    hub.fate = () => 'arrives';
    const present = new Set(
      (
        await servers[0].db.read((tx) =>
          tx.all<{ seq: number }>(
            'SELECT seq FROM messages WHERE conversation_id = ? UNION SELECT seq FROM signals WHERE conversation_id = ?',
            id,
            id,
          ),
        )
      ).map(({ seq }) => seq),
    );
    expect(present.has(sent)).toBe(true);
    for (const { stream, after } of streams) {
      await expect.poll(() => numbers(stream).at(-1) ?? after, pollOptions).toBe(sent);
      const seen = numbers(stream);
      // Once, in order, nothing before the beginning, and of what still exists all.
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
      expect(seen.every((seq) => seq > after)).toBe(true);
      expect(range(after + 1, sent).filter((seq) => present.has(seq) && !seen.includes(seq))).toEqual([]);
    }
    for (const { stream } of streams) await stream.cancel();
  });
});
