// Tests which parts of a text become links, and that no text yields a dangerous link or a slow search.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../protocol/any-text.testing.ts';
import { findLinks } from './find-links.ts';

/** The text with its links in brackets: `see [https://a.test].` */
const drawn = (text: string) =>
  findLinks(text)
    .map((piece) => (typeof piece === 'string' ? piece : `[${piece.text}]`))
    .join('');
const hrefs = (text: string) =>
  findLinks(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.href]));

test.each([
  ['https://a.test', '[https://a.test]'],
  ['See https://a.test/x?y=1&z=%20#h, please.', 'See [https://a.test/x?y=1&z=%20#h], please.'],
  ['HTTPS://A.TEST/X', '[HTTPS://A.TEST/X]'],
  ['https://a.test.', '[https://a.test].'],
  ['https://a.test?!…', '[https://a.test]?!…'],
  ['(https://a.test)', '([https://a.test])'],
  ['(see https://a.test/b).', '(see [https://a.test/b]).'],
  ['https://a.test/wiki/Chat_(software)', '[https://a.test/wiki/Chat_(software)]'],
  ['(https://a.test/wiki/Chat_(software))', '([https://a.test/wiki/Chat_(software)])'],
  ['https://a.test/(a)(b).)', '[https://a.test/(a)(b)].)'],
  [
    '"https://a.test" ‘https://b.test’ «https://c.test»',
    '"[https://a.test]" ‘[https://b.test]’ «[https://c.test]»',
  ],
  ['<https://a.test>', '<[https://a.test]>'],
  ['https://a.test\nhttps://b.test', '[https://a.test]\n[https://b.test]'],
  ['https://bücher.test/ä', '[https://bücher.test/ä]'],
  ['http://[::1]:3000/x', '[http://[::1]:3000/x]'],
  ['http://localhost:3000', '[http://localhost:3000]'],
  ['www.a.test/x.', '[www.a.test/x].'],
  ['me@a.test.', '[me@a.test].'],
  ['Write to first.last+tag@mail.a.test, today', 'Write to [first.last+tag@mail.a.test], today'],
  ['two@a.test;three@b.test', '[two@a.test];[three@b.test]'],
  ['请看https://a.test/x。谢谢', '请看[https://a.test/x]。谢谢'],
  ['（www.a.test）、me@a.testまで', '（[www.a.test]）、[me@a.test]まで'],
])('%s', (text, expected) => expect(drawn(text)).toBe(expected));

test.each([
  ['www.a.test', 'https://www.a.test'],
  ['me@a.test', 'mailto:me@a.test'],
  ['me@www.a.test', 'mailto:me@www.a.test'],
  ['http://a.test/@me', 'http://a.test/@me'],
])('%s leads to %s', (text, href) => expect(hrefs(text)).toEqual([href]));

test.each([
  '',
  'plain text',
  'javascript:alert(1)',
  'JAVASCRIPT://%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://a.test',
  'xhttps://a.test',
  'https://',
  'see https://.',
  'www..',
  'www.',
  'a@b',
  '@name',
  'a@@b.test',
  '1.5',
  'end.Begin',
])('%j is not a link', (text) => expect(hrefs(text)).toEqual([]));

describe('any text', () => {
  const part = fc.constantFrom(
    'https://',
    'http://',
    'www.',
    'a',
    'b.test',
    '@',
    '.',
    ',',
    ')',
    '(',
    ' ',
    '\n',
    '"',
    '<',
    '>',
    ':',
    '/',
    'javascript:',
    'ä',
    '。',
    '请',
    '😀',
  );
  const text = fc.oneof(
    anyText(),
    fc.array(part).map((parts) => parts.join('')),
  );

  test('results in pieces that together are the text', () => {
    fc.assert(
      fc.property(text, (input) => {
        const pieces = findLinks(input);
        expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')).toBe(input);
        expect(pieces).not.toContain('');
      }),
      { numRuns: 500 },
    );
  });

  test('results only in http, https and mailto', () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const href of hrefs(input)) expect(href).toMatch(/^(https?:\/\/.|mailto:[^:]+@)/i);
      }),
      { numRuns: 500 },
    );
  });
});

// Each took 8 to 30 seconds with a quadratic search; the time limit of the test runner is sufficient.
test.each([
  ['a.', 60_000],
  ['a-', 60_000],
  ['a@', 60_000],
  ['www.', 30_000],
  ['https://a.test/b。', 30_000],
  ['https://a.test/b请', 30_000],
])('%s, repeated many times, is searched in linear time', (piece, count) => {
  expect(findLinks(piece.repeat(count)).length).toBeGreaterThan(0);
});
test('very many brackets are searched in linear time', () => {
  expect(drawn(`https://a.test${')'.repeat(120_000)}`)).toBe(`[https://a.test]${')'.repeat(120_000)}`);
});
