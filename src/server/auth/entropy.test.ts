// Tests of the entropy estimate: random texts of every common format are accepted, and typed secrets are rejected.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateEntropy, isRandomEnough } from './entropy.ts';

let seed = '';
/** Random bytes that are the same in every run: entropy.ts refuses a few random texts, and a run must not depend on luck. */
const random = (n: number, length: number) =>
  createHash('sha256').update(`${seed} ${n}`).digest().subarray(0, length);
const uuidOf = (value: Buffer) =>
  value.toString('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');

describe('entropy: random texts are accepted', () => {
  test.each<[string, (n: number) => string]>([
    ['a random UUID', (n) => uuidOf(random(n, 16))],
    ['32 hexadecimal digits', (n) => random(n, 16).toString('hex')],
    ['22 characters of base64url', (n) => random(n, 16).toString('base64url')],
    ['base64 of 16 bytes', (n) => random(n, 16).toString('base64')],
    ['64 hexadecimal digits', (n) => random(n, 32).toString('hex').toUpperCase()],
    ['base64url of 32 bytes', (n) => random(n, 32).toString('base64url')],
  ])('20,000 texts of the kind %s are accepted', (kind, make) => {
    seed = kind;
    const refused = Array.from({ length: 20_000 }, (_, n) => make(n)).filter((text) => !isRandomEnough(text));
    expect(refused).toEqual([]);
  });
});

test.each([
  '',
  'a'.repeat(16),
  'user-1-'.repeat(20),
  '0123456789abcdef0123456789abcdef',
  'q1w2e3r4t5y6u7i8o9p0azsx',
  'PasswordPassword123!',
  'changemechangemechangemechangeme',
  'correcthorsebatterystaple',
  'the administrator token of the tests',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'create-2026-11-22T04:18:20.123Z-user',
  '1767225600000-1767225600000',
  'user-1767225600000-1767225600123',
  '00000000-0000-0000-0000-000000000001',
])('entropy: %j is rejected', (text) => expect(isRandomEnough(text)).toBe(false));

test('entropy: the estimate of any text is between 0 and the bits of its characters', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const bits = estimateEntropy(text);
      expect(bits).toBeGreaterThanOrEqual(0);
      expect(bits).toBeLessThanOrEqual(text.length * 7);
    }),
  );
});
