// Tests of rate limits by network: all IPv6 networks of one site share a limit, and a rejection takes no token.
import { beforeEach, expect, test } from 'vitest';
import { createNetworkBuckets, type NetworkBuckets } from './network-buckets.ts';

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
