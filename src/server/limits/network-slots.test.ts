// Places by network: who has many IPv6 networks has not many times as much; nobody else is touched.
import { expect, test } from 'vitest';
import { createNetworkSlots } from './network-slots.ts';

const slash64 = (n: number, site = '1') => `2001:db8:${site}:${n.toString(16)}::/64`;

test('a thousand /64s of one /48 get four times as much as one of them; another /48 is not touched', () => {
  const slots = createNetworkSlots(10);
  const taken = Array.from({ length: 1_000 }, (_, n) => slots.acquire(slash64(n)));
  expect(taken.filter((release) => release !== undefined)).toHaveLength(40);
  expect(slots.acquire(slash64(5_000))).toBeUndefined();
  for (let n = 0; n < 10; n += 1) expect(slots.acquire(slash64(1, '2'))).toBeDefined();
  expect(slots.acquire(slash64(1, '2'))).toBeUndefined();
  expect(slots.acquire(slash64(2, '2'))).toBeDefined();
  // A place that is given back, in whichever of them, is free for all of the /48.
  taken[3]?.();
  expect(slots.acquire(slash64(900))).toBeDefined();
  expect(slots.acquire(slash64(901))).toBeUndefined();
});

test('an IPv4 address has its own, and none around it', () => {
  const slots = createNetworkSlots(3);
  for (let n = 0; n < 100; n += 1) expect(slots.acquire(`192.0.2.${n}`)).toBeDefined();
  for (let n = 0; n < 2; n += 1) expect(slots.acquire('192.0.2.1')).toBeDefined();
  expect(slots.acquire('192.0.2.1')).toBeUndefined();
});

test('a place is given back once, one that was refused takes none, and nothing is kept of who has none', () => {
  const slots = createNetworkSlots(1);
  const release = slots.acquire(slash64(1));
  expect(slots.acquire(slash64(1))).toBeUndefined();
  expect(slots.size).toBe(2);
  release?.();
  release?.();
  expect(slots.size).toBe(0);
  const again = slots.acquire(slash64(1));
  expect([again !== undefined, slots.acquire(slash64(1))]).toEqual([true, undefined]);
  again?.();
  // An address that cannot be told counts as one.
  expect([slots.acquire('') !== undefined, slots.acquire('')]).toEqual([true, undefined]);
});
