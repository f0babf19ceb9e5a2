// Tests of the origins that have requested a chat: which headers name one, the bounds, and other processes.
import { expect, test } from 'vitest';
import type { Broadcasts } from '../jobs/processes.ts';
import { createBotOrigins } from './origins.ts';

const alone: Broadcasts = { everywhere: (_, action) => action };
const page = (origin: string) => new Headers({ origin });

test('an origin is taken from Origin, or else from Referer without its path', () => {
  const origins = createBotOrigins(alone, () => 1);
  origins.note('a', new Headers({ origin: 'https://a.example', referer: 'https://b.example/path?x=1' }));
  origins.note('a', new Headers({ referer: 'https://c.example:8443/account/42?token=secret' }));
  expect(origins.list('a')).toEqual([
    { origin: 'https://c.example:8443', seenAt: 1 },
    { origin: 'https://a.example', seenAt: 1 },
  ]);
  expect(origins.list('b')).toEqual([]);
});

test.each([
  'null',
  '',
  'file:///home',
  'javascript:1',
  'https://',
  'x',
  `https://${'a'.repeat(400)}.example`,
])('the header %j names no page', (value) => {
  const origins = createBotOrigins(alone, () => 1);
  origins.note('a', new Headers({ referer: value }));
  expect(origins.list('a')).toEqual([]);
});

test('the newest 50 origins of a bot are kept, with the time of the last request', () => {
  let time = 0;
  const origins = createBotOrigins(alone, () => time);
  for (let n = 0; n < 60; n += 1) {
    time += 1;
    origins.note('a', page(`https://s${n}.example`));
  }
  time += 10_000;
  origins.note('a', page('https://s30.example'));
  const listed = origins.list('a');
  expect(listed).toHaveLength(50);
  expect(listed[0]).toEqual({ origin: 'https://s30.example', seenAt: time });
  expect(listed.some(({ origin }) => origin === 'https://s9.example')).toBe(false);
});

test('other processes are told at once, then once a minute, and not of any number of origins', () => {
  let time = 100_000;
  const told: unknown[][] = [];
  const broadcasts: Broadcasts = {
    everywhere:
      (_, action) =>
      (...args) => {
        told.push(args);
        action(...args);
      },
  };
  const origins = createBotOrigins(broadcasts, () => time);
  for (let n = 0; n < 8; n += 1) {
    origins.note('a', page('https://a.example'));
    time += 10_000;
  }
  expect(told).toEqual([
    ['a', 'https://a.example', 100_000],
    ['a', 'https://a.example', 160_000],
  ]);
  for (let n = 0; n < 200; n += 1) origins.note('a', page(`https://s${n}.example`));
  expect(told).toHaveLength(101);
  expect(origins.list('a')).toHaveLength(50);
});
