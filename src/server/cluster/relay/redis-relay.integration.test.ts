// Tests of the relay by a real Redis.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedis } from '../../../../scripts/services/redis.mjs';
import { pollOptions } from '../../../polling.testing.ts';
import { connectRedisRelay } from './redis-relay.ts';
import { testRelay } from './relay.contract.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

async function restart(): Promise<void> {
  const { port } = redis;
  await redis.stop();
  redis = await startRedis(port);
}

testRelay('Redis', () => ({ connect: () => connectRedisRelay(redis.url, 'one'), interrupt: restart }));

test('two servers on one Redis do not hear each other', async () => {
  const relays = [
    await connectRedisRelay(redis.url, 'one'),
    await connectRedisRelay(redis.url, 'two'),
    await connectRedisRelay(redis.url, 'one'),
  ];
  const received: string[] = [];
  for (const [n, relay] of relays.entries()) await relay.subscribe('a', () => received.push(`${n}`)).ready;
  relays[0]?.publish('a', 'x');
  await expect.poll(() => received, pollOptions).toEqual(['2']);
  for (const relay of relays) await relay.close();
});

test('while Redis is away, nothing waits, and a subscription of that time receives messages afterwards', async () => {
  const [one, two] = [await connectRedisRelay(redis.url, 'one'), await connectRedisRelay(redis.url, 'one')];
  const gaps: string[] = [];
  one.onGap(() => gaps.push('one'));
  two.onGap(() => gaps.push('two'));
  const { port } = redis;
  await redis.stop();
  const received: string[] = [];
  one.publish('a', 'lost');
  const subscription = two.subscribe('a', (message) => received.push(message));
  await subscription.ready;
  redis = await startRedis(port);
  await expect.poll(() => new Set(gaps), pollOptions).toEqual(new Set(['one', 'two']));
  // The connection for publishing may need longer.
  await expect
    .poll(() => {
      one.publish('a', 'after');
      return received.at(-1);
    }, pollOptions)
    .toBe('after');
  expect(received).not.toContain('lost');
  await one.close();
  await two.close();
});

test('a start without Redis is refused in one line', async () => {
  await expect(connectRedisRelay('redis://127.0.0.1:1', 'x')).rejects.toThrow(
    /^RELAY_URL: Redis cannot be reached: .*ECONNREFUSED/,
  );
});
