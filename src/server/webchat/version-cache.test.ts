// The cache of what is made once per version: one maker at a time, nothing old, and never more bytes than allowed.
import { expect, test } from 'vitest';
import { createVersionCache } from './version-cache.ts';

const cacheOf = (maxBytes = 10_000) => createVersionCache<Uint8Array>(maxBytes, (value) => value.length);
const settled = () => new Promise(setImmediate);

test('requests for one version at the same time share one value', async () => {
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

test('another version is made anew, and takes the place of the one before', async () => {
  const cache = cacheOf();
  const first = await cache.get('a', 1, async () => new Uint8Array(1_000));
  const second = await cache.get('a', 2, async () => new Uint8Array(2_000));
  await settled();
  expect([first.length, second.length, cache.bytes]).toEqual([1_000, 2_000, 2_501]);
  // Who read the version a moment too early gets the later value, and does not bring the old one back.
  expect(await cache.get('a', 1, async () => new Uint8Array(3))).toBe(second);
});

test('a version that comes while the one before is being made does not keep both', async () => {
  const cache = cacheOf();
  let finish = (_: Uint8Array): void => {};
  const slow = cache.get('a', 1, () => new Promise<Uint8Array>((resolve) => (finish = resolve)));
  const second = await cache.get('a', 2, async () => new Uint8Array(20));
  finish(new Uint8Array(10));
  expect((await slow).length).toBe(10);
  await settled();
  expect([await cache.get('a', 2, async () => new Uint8Array(1)), cache.bytes]).toEqual([second, 521]);
});

test('the values that were not used for longest go first, and the bound holds', async () => {
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
  // Without bytes of their own they are bounded by what each entry takes.
  for (let n = 0; n < 1_000; n += 1) await cache.get(`e${n}`, 1, async () => new Uint8Array(0));
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
});

test('a value of more than half of the bound is given out and not kept, and removes no other', async () => {
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

test('what fails is told to all who wait, and tried again by the next', async () => {
  const cache = cacheOf();
  const fail = async (): Promise<Uint8Array> => {
    throw new Error('no');
  };
  const results = await Promise.allSettled([cache.get('a', 1, fail), cache.get('a', 1, fail)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await cache.get('a', 1, async () => new Uint8Array(7))).length).toBe(7);
});
