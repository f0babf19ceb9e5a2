// Unit tests of webhooks: one request, the retry plan, the concurrency limiter, the signing secret.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../protocol/limits.ts';
import { readRetryAfter } from '../../api/outgoing-requests.ts';
import { type DeliveryState, deliveryStates } from '../../storage/bots/deliveries.ts';
import { createAddresses } from './addresses.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createSigningSecret, post } from './post.ts';
import { maxDelayMs, planRetry, retryPlan } from './retry.ts';

describe('webhook request', () => {
  const event = {
    headers: {},
    addresses: createAddresses(true),
    timeLimit: 20_000,
    signal: new AbortController().signal,
  };

  test('sends an event of 100 MB, and rejects one byte more', async () => {
    let bytes = 0;
    let requests = 0;
    const server = createServer(async (request, response) => {
      requests += 1;
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const body = 'x'.repeat(limits.webhookBytes);
    expect(await post({ ...event, url, body })).toMatchObject({ status: 200 });
    expect([requests, bytes]).toEqual([1, limits.webhookBytes]);
    await expect(post({ ...event, url, body: `${body}x` })).rejects.toMatchObject({
      reason: 'event_too_large',
    });
    expect(requests).toBe(1);
    await new Promise((resolve) => server.close(resolve));
  });

  test('is not sent when it was cancelled before', async () => {
    const reason = new Error('stopped');
    const signal = AbortSignal.abort(reason);
    await expect(post({ ...event, signal, url: 'http://127.0.0.1:9/', body: '' })).rejects.toBe(reason);
  });
});

describe('webhook retry plan', () => {
  test('ends after about a day', () => {
    let [attempts, total] = [0, 0];
    let state: DeliveryState = deliveryStates.pending;
    const states = [];
    while (state !== deliveryStates.deadLetter) {
      attempts += 1;
      const next = planRetry({ attempts, state, retryAfter: undefined, isFinal: false }, retryPlan, 0.5);
      state = next.state;
      total += next.delay;
      states.push(state);
    }
    expect(attempts).toBe(31);
    const { pending, deferred } = deliveryStates;
    expect(states.slice(0, 4)).toEqual([pending, pending, pending, deferred]);
    expect(total / 3_600_000).toBeGreaterThan(23);
    expect(total / 3_600_000).toBeLessThan(25);
  });

  test('no delay exceeds an hour and its jitter, and none is shorter than Retry-After up to that', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(deliveryStates.pending, deliveryStates.deferred),
        fc.option(fc.integer({ min: 0, max: 1e12 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, state, retryAfter, random) => {
          const next = planRetry({ attempts, state, retryAfter, isFinal: false }, retryPlan, random);
          expect(next.delay).toBeLessThanOrEqual(maxDelayMs);
          if (next.state !== deliveryStates.deadLetter)
            expect(next.delay).toBeGreaterThanOrEqual(Math.min(retryAfter ?? 0, maxDelayMs));
          // A blocking delay is short, and a deferred event never blocks again.
          if (next.state === deliveryStates.pending)
            expect([state, next.delay <= 24_000]).toEqual([next.state, true]);
        },
      ),
    );
  });

  test('Retry-After is read as seconds or as a date', () => {
    const at = Date.parse('2026-01-01T00:00:00Z');
    expect(readRetryAfter('120', at)).toBe(120_000);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', at)).toBe(60_000);
    expect(readRetryAfter('Thu, 01 Jan 2025 00:01:00 GMT', at)).toBe(0);
    for (const header of [undefined, '', 'soon', '-1', '1e9']) {
      const retryAfter = readRetryAfter(header, at);
      expect(retryAfter === undefined || retryAfter >= 0).toBe(true);
    }
  });
});

test('concurrency limiter: never exceeds its limits, and every queued conversation gets a slot', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9 }), fc.boolean()), {
        maxLength: 200,
      }),
      (steps) => {
        const queue: string[] = [];
        const wake = (conversationId: string) => void queue.push(conversationId);
        const limiter = createConcurrencyLimiter({ total: 5, perBot: 3, perFailing: 1, wake });
        const running = new Map<string, string>();
        const served = new Set<string>();
        const botOf = (conversationId: string) => conversationId.slice(0, 1);
        const come = (conversationId: string) => {
          const bot = botOf(conversationId);
          if (running.has(conversationId) || !limiter.acquire(bot, conversationId)) return;
          running.set(conversationId, bot);
          served.add(conversationId);
          expect(running.size).toBeLessThanOrEqual(5);
          expect([...running.values()].filter((one) => one === bot).length).toBeLessThanOrEqual(3);
        };
        const drain = () => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) come(next);
        };
        const leave = (conversationId: string, isGood: boolean) => {
          running.delete(conversationId);
          limiter.recordResult(botOf(conversationId), isGood);
          limiter.release(botOf(conversationId));
          drain();
        };
        const added = new Set<string>();
        for (const [bot, conversation, isGood] of steps) {
          const id = `${bot}${conversation}`;
          if (running.has(id)) leave(id, isGood);
          else {
            added.add(id);
            come(id);
            drain();
          }
        }
        for (let turns = 0; running.size > 0 && turns < 1_000; turns += 1) {
          leave([...running.keys()][0] ?? '', true);
        }
        expect([...served].sort()).toEqual([...added].sort());
      },
    ),
  );
});

test('concurrency limiter: a slot that a woken conversation cancels goes to the next one', () => {
  const woken: string[] = [];
  const limiter = createConcurrencyLimiter({ total: 1, perBot: 1, wake: (id) => void woken.push(id) });
  expect(['a', 'b', 'c'].map((id) => limiter.acquire('bot', id))).toEqual([true, false, false]);
  limiter.release('bot');
  expect(woken).toEqual(['b']);
  limiter.cancel('b');
  expect(woken).toEqual(['b', 'c']);
  expect(limiter.acquire('bot', 'c')).toBe(true);
});

test('signing secret: has the form that the libraries of Standard Webhooks accept', () => {
  expect(createSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

const names = (bot: string, count: number) => Array.from({ length: count }, (_, n) => `${bot} ${n}`);

test('concurrency limiter: receivers that never answer leave slots to every other bot, whatever they are sent', () => {
  const limiter = createConcurrencyLimiter({ total: 60, perBot: 60, wake() {} });
  const acquired = (bot: string) => names(bot, 100).filter((name) => limiter.acquire(bot, name)).length;
  // Each slow bot takes half of what the ones before it have left.
  expect(['a', 'b', 'c', 'd'].map(acquired)).toEqual([30, 15, 8, 4]);
  expect(limiter.hasFreeSlot('e')).toBe(true);
  expect(limiter.acquire('e', 'e 0')).toBe(true);
});

test('concurrency limiter: a bot that came first gives slots up to those that wait, until none has two more than another', () => {
  const woken: string[] = [];
  const limiter = createConcurrencyLimiter({ total: 20, perBot: 10, wake: (name) => void woken.push(name) });
  const bots = ['a', 'b', 'c', 'd'];
  const active = new Map(bots.map((bot) => [bot, 0]));
  const begin = (name: string) => {
    const bot = name.slice(0, 1);
    if (limiter.acquire(bot, name)) active.set(bot, (active.get(bot) ?? 0) + 1);
  };
  for (const bot of bots) for (const name of names(bot, 100)) begin(name);
  expect(active.get('a')).toBe(10);
  // Every receiver answers one request after the other.
  for (let round = 0; round < 20; round += 1) {
    for (const bot of bots) {
      if (active.get(bot) === 0) continue;
      active.set(bot, (active.get(bot) ?? 0) - 1);
      limiter.release(bot);
      for (const name of woken.splice(0)) begin(name);
    }
  }
  expect([...active.values()].sort()).toEqual([4, 4, 4, 5]);
});

test('concurrency limiter: a bot that fails has fewer slots than others, and its own ones back when it answers', () => {
  const limiter = createConcurrencyLimiter({ wake() {} });
  const acquired = (bot: string) => names(bot, 100).filter((name) => limiter.acquire(bot, name)).length;
  limiter.recordResult('b', false);
  expect([acquired('a'), acquired('b')]).toEqual([10, 2]);
  expect(limiter.hasFreeSlot('a')).toBe(false);
  expect(limiter.isQueued('a 10')).toBe(true);
  expect(limiter.isQueued('a 9')).toBe(false);
});
