// Tests of pings: each stream gets them, and never all streams at once.
import { expect, test } from 'vitest';
import { createPubSub } from './pub-sub.ts';

function fixture(count: number) {
  const pubSub = createPubSub();
  const pings = new Map<number, number>();
  const invalid = new Set<number>();
  for (let n = 0; n < count; n += 1) {
    const remove = pubSub.subscribe({
      botId: 'bot',
      conversationId: `c${n % 7}`,
      ownerId: 'owner',
      userId: `u${n}`,
      keyHash: '',
      accepts: () => true,
      isValid: () => !invalid.has(n),
      send: () => void pings.set(n, (pings.get(n) ?? 0) + 1),
      close: () => remove(),
    });
  }
  return { pubSub, pings, invalid };
}

const always = Number.POSITIVE_INFINITY;

test('pings: one step reaches a part of the streams, and the steps reach each stream once', () => {
  const { pubSub, pings } = fixture(90);
  for (let step = 1; step <= 30; step += 1) {
    pubSub.ping(always, 1 / 30);
    expect(pings.size).toBe(3 * step);
  }
  expect([...new Set(pings.values())]).toEqual([1]);
  pubSub.ping(always, 1 / 30);
  expect([...pings.values()].filter((count) => count === 2)).toHaveLength(3);
});

test('pings: fewer streams than steps are pinged, one at a time', () => {
  const { pubSub, pings } = fixture(2);
  pubSub.ping(always, 1 / 30);
  expect(pings.size).toBe(1);
  pubSub.ping(always, 1 / 30);
  expect([...pings]).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test('pings: a stream that was just opened or pinged is left alone', () => {
  const { pubSub, pings } = fixture(10);
  pubSub.ping(performance.now() - 60_000);
  expect(pings.size).toBe(0);
  pubSub.ping(always, 0.5);
  expect(pings.size).toBe(5);
  pubSub.ping(performance.now() - 60_000);
  expect(pings.size).toBe(5);
});

test('pings: a stream whose key is no longer valid is closed instead', () => {
  const { pubSub, pings, invalid } = fixture(3);
  invalid.add(1);
  pubSub.ping(always);
  expect(pubSub.size).toBe(2);
  expect([...pings.keys()]).toEqual([0, 2]);
});
