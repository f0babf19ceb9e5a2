// Tests when the conditions of proactive messages hold.
import { describe, expect, test } from 'vitest';
import type { ProactiveConditions } from '../../../protocol/page-api/proactive.ts';
import { matchesUrl, type Situation, secondsUntil, textOf } from './rule-conditions.ts';

const situation: Situation = {
  elapsed: 0,
  idle: 0,
  scrolled: 0,
  url: '/',
  hasLeft: false,
  isReturning: false,
  userData: {},
};
const seconds = (when: ProactiveConditions | undefined, now: Partial<Situation> = {}) =>
  secondsUntil({ id: 'a', text: 'Help?', ...(when && { when }) }, { ...situation, ...now });
const never = Number.POSITIVE_INFINITY;

describe('secondsUntil', () => {
  test('a rule without conditions holds after three seconds, one with a delay after that', () => {
    expect(seconds(undefined)).toBe(3);
    expect(seconds({}, { elapsed: 2 })).toBe(1);
    expect(seconds({ delaySeconds: 0 })).toBe(0);
    expect(seconds({ delaySeconds: 60 }, { elapsed: 61 })).toBe(0);
  });

  test('an idle time counts from the last action, and all conditions hold together', () => {
    expect(seconds({ idleSeconds: 20 }, { elapsed: 60, idle: 5 })).toBe(15);
    expect(seconds({ idleSeconds: 20, delaySeconds: 90 }, { elapsed: 60, idle: 5 })).toBe(30);
    expect(seconds({ idleSeconds: 20, scrollPercent: 50 }, { elapsed: 60, idle: 30, scrolled: 49 })).toBe(
      never,
    );
  });

  test.each<[string, ProactiveConditions, Partial<Situation>, Partial<Situation>]>([
    ['scroll', { scrollPercent: 50 }, { scrolled: 50 }, { scrolled: 49.9 }],
    ['url', { url: '/pricing*' }, { url: '/pricing?a=1' }, { url: '/about/pricing' }],
    ['one of several urls', { url: ['/a', '/b'] }, { url: '/b' }, { url: '/c' }],
    ['exit', { exit: true }, { hasLeft: true }, {}],
    ['returning', { returning: true }, { isReturning: true }, {}],
    ['new', { returning: false }, {}, { isReturning: true }],
    ['user', { user: { plan: 'free' } }, { userData: { plan: 'free' } }, { userData: { plan: 'team' } }],
    [
      'one of several values',
      { user: { plan: ['free', 1] } },
      { userData: { plan: 1 } },
      { userData: { plan: '1' } },
    ],
    ['two fields', { user: { a: 1, b: 2 } }, { userData: { a: 1, b: 2 } }, { userData: { a: 1 } }],
  ])('%s', (_, when, holds, fails) => {
    expect(seconds(when, { elapsed: 9, ...holds })).toBe(0);
    expect(seconds(when, { elapsed: 9, ...fails })).toBe(never);
  });
});

test.each([
  ['/', '/', true],
  ['/', '/a', false],
  ['*', '/anything?x', true],
  ['/a*', '/a', true],
  ['/a*a', '/a', false],
  ['*/checkout*', '/en/checkout/2', true],
  ['/*/b/*', '/a/b/c', true],
  ['/*/b/*', '/b/c', false],
  ['/a.c', '/abc', false],
  ['/a*b*b', '/ab', false],
  ['/a?x=1', '/a?x=1', true],
])('the pattern %s and the address %s: %s', (pattern, url, expected) => {
  expect(matchesUrl(pattern, url)).toBe(expected);
});

test('a pattern of a thousand asterisks takes no time', () => {
  expect(matchesUrl(`${'*a'.repeat(1_000)}b`, 'a'.repeat(2_000))).toBe(false);
});

test('the text is that of the language, of its first part, or English; otherwise there is none', () => {
  const text = { de: 'Hilfe?', 'de-AT': 'Servus?', en: 'Help?' };
  const of = (locale: string, texts: string | Record<string, string> = text) =>
    textOf({ id: 'a', text: texts }, locale);
  expect([of('de-AT'), of('de-CH'), of('fr')]).toEqual(['Servus?', 'Hilfe?', 'Help?']);
  expect([of('fr', { de: 'Hilfe?' }), of('constructor', { de: 'Hilfe?' }), of('fr', 'Always')]).toEqual([
    undefined,
    undefined,
    'Always',
  ]);
});
