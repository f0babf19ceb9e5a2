// Tests of the version cache: one creation at a time, no outdated value, bounded memory.
import { expect, test } from 'vitest';
import { createVersionCache } from './version-cache.ts';

const cacheOf = (maxBytes = 10_000) => createVersionCache<Uint8Array>(maxBytes, (value) => value.length);
const settled = () => new Promise(setImmediate);

test('version cache: concurrent requests for one version share one value', async () => {
  const cache = cacheOf();
  let made = 0;
  const make = async () => {
    made += 1;
    await settled();
    return new Uint8Array(10);
  };
  const values = await Promise.all(Array.from({ length: 20 }, () => cache.get('a', 1, make)));
  expect([made, new Set(values).size]).toEqual([1, 1]);
  await cache.get('a', 1, make);
  expect(made).toBe(1);
});

test('version cache: a new version is created and replaces the previous one', async () => {
  const cache = cacheOf();
  const first = await cache.get('a', 1, async () => new Uint8Array(1_000));
  const second = await cache.get('a', 2, async () => new Uint8Array(2_000));
  await settled();
  expect([first.length, second.length, cache.bytes]).toEqual([1_000, 2_000, 2_501]);
  // A request with an outdated version gets the newer value and does not replace it.
  expect(await cache.get('a', 1, async () => new Uint8Array(3))).toBe(second);
});

test('version cache: a version that is requested while the previous one is created replaces it', async () => {
  const cache = cacheOf();
  let finish = (_: Uint8Array): void => {};
  const slow = cache.get('a', 1, () => new Promise<Uint8Array>((resolve) => (finish = resolve)));
  const second = await cache.get('a', 2, async () => new Uint8Array(20));
  finish(new Uint8Array(10));
  expect((await slow).length).toBe(10);
  await settled();
  expect([await cache.get('a', 2, async () => new Uint8Array(1)), cache.bytes]).toEqual([second, 521]);
});

test('version cache: the least recently used values are evicted, and the bound holds', async () => {
  const cache = cacheOf(10_000);
  const get = (key: string) => cache.get(key, 1, async () => new Uint8Array(2_499));
  const first = await get('a');
  for (const key of ['b', 'c']) await get(key);
  expect(await get('a')).toBe(first);
  await get('d');
  await settled();
  expect(cache.bytes).toBe(9_000);
  expect(await get('a')).toBe(first);
  for (let n = 0; n < 1_000; n += 1) {
    await cache.get(`k${n}`, 1, async () => new Uint8Array(n));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
  }
  // Empty values are bounded by the overhead of each entry.
  for (let n = 0; n < 1_000; n += 1) await cache.get(`e${n}`, 1, async () => new Uint8Array(0));
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
});

test('version cache: a value of more than half of the bound is returned, not cached, and evicts no other', async () => {
  const cache = cacheOf(10_000);
  const small = await cache.get('small', 1, async () => new Uint8Array(100));
  expect((await cache.get('large', 1, async () => new Uint8Array(6_000))).length).toBe(6_000);
  await settled();
  expect(await cache.get('small', 1, async () => new Uint8Array(1))).toBe(small);
  let made = 0;
  await cache.get('large', 1, async () => {
    made += 1;
    return new Uint8Array(6_000);
  });
  expect(made).toBe(1);
});

test('version cache: a failure rejects all waiting requests, and the next request tries again', async () => {
  const cache = cacheOf();
  const fail = async (): Promise<Uint8Array> => {
    throw new Error('no');
  };
  const results = await Promise.allSettled([cache.get('a', 1, fail), cache.get('a', 1, fail)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await cache.get('a', 1, async () => new Uint8Array(7))).length).toBe(7);
});
