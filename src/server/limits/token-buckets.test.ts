// Tests of token buckets, per key and by network: the limit holds for any sequence of requests, and the memory is bounded.
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { createBuckets, createNetworkBuckets, type NetworkBuckets } from './token-buckets.ts';

/** Buckets with a clock that only the test moves. */
function start(limit: number, maxKeys?: number) {
  let time = 1_000;
  const buckets = createBuckets(limit, () => time, maxKeys);
  const wait = (ms: number): void => {
    time += ms;
  };
  return { buckets, wait };
}

test('token bucket: a full bucket allows a burst, then one request per refill', () => {
  const { buckets, wait } = start(60);
  const taken = Array.from({ length: 61 }, () => buckets.take('a').isAllowed);
  expect(taken.filter((isAllowed) => isAllowed)).toHaveLength(60);
  expect(buckets.take('a')).toEqual({ isAllowed: false, limit: 60, remaining: 0, reset: 60, retryAfter: 1 });
  wait(999);
  expect(buckets.take('a').isAllowed).toBe(false);
  wait(1);
  expect(buckets.take('a').isAllowed).toBe(true);
  expect(buckets.take('a').isAllowed).toBe(false);
});

test('token bucket: Retry-After is the shortest sufficient time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(70_000), (limit, pause) => {
      const { buckets, wait } = start(limit);
      buckets.charge('a', limit);
      wait(pause);
      while (buckets.take('a').isAllowed);
      const { retryAfter } = buckets.take('a');
      expect(retryAfter).toBeGreaterThan(0);
      wait(retryAfter * 1_000);
      expect(buckets.take('a').isAllowed).toBe(true);
    }),
  );
});

test('token bucket: in any minute at most two full buckets are used', () => {
  const steps = fc.array(fc.tuple(fc.nat(3_000), fc.integer({ min: 1, max: 5 })), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), steps, (limit, asks) => {
      const { buckets, wait } = start(limit);
      let time = 0;
      const passed: number[] = [];
      for (const [pause, times] of asks) {
        wait(pause);
        time += pause;
        for (let n = 0; n < times; n += 1) {
          const level = buckets.take('a');
          expect(level.remaining).toBeGreaterThanOrEqual(0);
          expect(level.remaining).toBeLessThanOrEqual(limit);
          if (level.isAllowed) passed.push(time);
        }
      }
      for (const from of passed) {
        const inMinute = passed.filter((at) => at >= from && at < from + 60_000);
        expect(inMinute.length).toBeLessThanOrEqual(2 * limit);
      }
    }),
  );
});

test('token bucket: keys do not share buckets', () => {
  const { buckets } = start(2);
  buckets.charge('a', 99);
  expect([buckets.take('a').isAllowed, buckets.take('b').isAllowed]).toEqual([false, true]);
});

test('token bucket: the number of buckets is bounded, and a busy key is not evicted for new ones', () => {
  const { buckets } = start(1, 100);
  buckets.take('busy');
  for (let n = 0; n < 1_000_000; n += 1) {
    if (n % 50 === 0) expect(buckets.take('busy').isAllowed).toBe(false);
    buckets.take(`new ${n}`);
  }
  expect(buckets.size).toBeLessThanOrEqual(100);
});

test('token bucket: dropping unused buckets does not change any result', () => {
  const steps = fc.array(fc.tuple(fc.nat(40_000), fc.nat(5), fc.integer({ min: 1, max: 8 })), {
    maxLength: 100,
  });
  fc.assert(
    fc.property(steps, (asks) => {
      const { buckets, wait } = start(10);
      // A model with one limiter per key that drops nothing.
      const alone = Array.from({ length: 6 }, () => start(10));
      for (const [pause, key, times] of asks) {
        for (const one of [{ wait }, ...alone]) one.wait(pause);
        for (let n = 0; n < times; n += 1) {
          const expected = alone[key]?.buckets.take('a');
          expect(buckets.take(`${key}`)).toEqual(expected);
        }
      }
    }),
  );
});

test('token bucket: a bucket is dropped after two unused minutes', () => {
  const { buckets, wait } = start(10);
  for (let n = 0; n < 1_000; n += 1) buckets.take(`old ${n}`);
  for (let minute = 0; minute < 2; minute += 1) {
    wait(60_000);
    for (let n = 0; n < 1_000; n += 1) buckets.take('a');
  }
  expect(buckets.size).toBe(1);
  expect(buckets.take('old 1')).toMatchObject({ isAllowed: true, remaining: 9 });
});

let time: number;
let buckets: NetworkBuckets;
beforeEach(() => {
  time = 0;
  buckets = createNetworkBuckets(60, () => time);
});
const slash64 = (n: number, site = '1') => `2001:db8:${site}:${n.toString(16)}::/64`;
const passed = (networks: string[]) => networks.filter((network) => buckets.take(network).isAllowed).length;

test('network buckets: a /48 is limited to four times the limit of a /64; other networks are unaffected', () => {
  expect(passed(Array.from({ length: 1_000 }, (_, n) => slash64(n)))).toBe(240);
  expect(passed(Array(100).fill(slash64(1, '2')))).toBe(60);
  expect(passed(Array(100).fill(slash64(2, '2')))).toBe(60);
  // It refills as fast as four of them.
  time += 1_000;
  expect(passed(Array.from({ length: 100 }, (_, n) => slash64(n + 2_000)))).toBe(4);
});

test('network buckets: a rejected request takes no token from the /64 or the /48', () => {
  passed(Array(1_000).fill(slash64(1)));
  expect(passed(Array.from({ length: 500 }, (_, n) => slash64(n + 2)))).toBe(180);
  passed(Array(1_000).fill(slash64(400)));
  time += 60_000;
  expect(buckets.take(slash64(400)).remaining).toBe(59);
});

test('network buckets: rejected networks of an exhausted /48 use no memory', () => {
  for (let n = 0; n < 10_000; n += 1) buckets.take(slash64(n));
  expect(buckets.size).toBe(241);
});

test('network buckets: the returned level is the lower one of both buckets', () => {
  expect(buckets.take(slash64(1))).toMatchObject({ limit: 60, remaining: 59 });
  for (let n = 0; n < 220; n += 1) buckets.take(slash64(n + 2));
  expect(buckets.take(slash64(300))).toMatchObject({ limit: 240, remaining: 18 });
  expect(buckets.charge(slash64(301), 100)).toMatchObject({ limit: 60, remaining: 0 });
  expect(buckets.take(slash64(302))).toMatchObject({ isAllowed: false, limit: 240, retryAfter: 1 });
});

test('network buckets: an IPv4 address and an unknown address have one bucket each', () => {
  for (const network of ['192.0.2.1', '']) {
    expect(passed(Array(100).fill(network))).toBe(60);
    expect(buckets.charge(network, 5)).toMatchObject({ limit: 60, remaining: 0 });
  }
  expect(buckets.size).toBe(2);
});
