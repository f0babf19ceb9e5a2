// Requests by network: a site with many IPv6 networks is limited as a whole, and a refusal costs nothing in any bucket.
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

test('a thousand /64s of one /48 are refused after four times the limit of one; another /48 is not touched', () => {
  expect(passed(Array.from({ length: 1_000 }, (_, n) => slash64(n)))).toBe(240);
  expect(passed(Array(100).fill(slash64(1, '2')))).toBe(60);
  expect(passed(Array(100).fill(slash64(2, '2')))).toBe(60);
  // It fills as fast as four of them do.
  time += 1_000;
  expect(passed(Array.from({ length: 100 }, (_, n) => slash64(n + 2_000)))).toBe(4);
});

test('what a /64 is refused costs the /48 nothing, and the other way round', () => {
  passed(Array(1_000).fill(slash64(1)));
  expect(passed(Array.from({ length: 500 }, (_, n) => slash64(n + 2)))).toBe(180);
  passed(Array(1_000).fill(slash64(400)));
  time += 60_000;
  expect(buckets.take(slash64(400)).remaining).toBe(59);
});

test('refused networks of an exhausted /48 are not remembered', () => {
  for (let n = 0; n < 10_000; n += 1) buckets.take(slash64(n));
  expect(buckets.size).toBe(241);
});

test('the level is that of the bucket with less in it', () => {
  expect(buckets.take(slash64(1))).toMatchObject({ limit: 60, remaining: 59 });
  for (let n = 0; n < 220; n += 1) buckets.take(slash64(n + 2));
  expect(buckets.take(slash64(300))).toMatchObject({ limit: 240, remaining: 18 });
  expect(buckets.charge(slash64(301), 100)).toMatchObject({ limit: 60, remaining: 0 });
  expect(buckets.take(slash64(302))).toMatchObject({ isAllowed: false, limit: 240, retryAfter: 1 });
});

test('an IPv4 address, and one that cannot be told, have one bucket each', () => {
  for (const network of ['192.0.2.1', '']) {
    expect(passed(Array(100).fill(network))).toBe(60);
    expect(buckets.charge(network, 5)).toMatchObject({ limit: 60, remaining: 0 });
  }
  expect(buckets.size).toBe(2);
});
