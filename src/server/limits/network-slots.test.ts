// Tests of slots by network: all IPv6 networks of one site share a limit, and other networks are unaffected.
import { expect, test } from 'vitest';
import { createNetworkSlots } from './network-slots.ts';

const slash64 = (n: number, site = '1') => `2001:db8:${site}:${n.toString(16)}::/64`;

test('network slots: a /48 has four times the slots of a /64; other networks are unaffected', () => {
  const slots = createNetworkSlots(10);
  const taken = Array.from({ length: 1_000 }, (_, n) => slots.acquire(slash64(n)));
  expect(taken.filter((release) => release !== undefined)).toHaveLength(40);
  expect(slots.acquire(slash64(5_000))).toBeUndefined();
  for (let n = 0; n < 10; n += 1) expect(slots.acquire(slash64(1, '2'))).toBeDefined();
  expect(slots.acquire(slash64(1, '2'))).toBeUndefined();
  expect(slots.acquire(slash64(2, '2'))).toBeDefined();
  // A released slot of any /64 is free for the whole /48.
  taken[3]?.();
  expect(slots.acquire(slash64(900))).toBeDefined();
  expect(slots.acquire(slash64(901))).toBeUndefined();
});

test('network slots: an IPv4 address has its own slots only', () => {
  const slots = createNetworkSlots(3);
  for (let n = 0; n < 100; n += 1) expect(slots.acquire(`192.0.2.${n}`)).toBeDefined();
  for (let n = 0; n < 2; n += 1) expect(slots.acquire('192.0.2.1')).toBeDefined();
  expect(slots.acquire('192.0.2.1')).toBeUndefined();
});

test('network slots: a slot is released once, a rejected request takes none, and no memory remains', () => {
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
  // All unknown addresses count as one.
  expect([slots.acquire('') !== undefined, slots.acquire('')]).toEqual([true, undefined]);
});
