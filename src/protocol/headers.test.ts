// Tests how the header with the languages and the time zone of a user is read, with every kind of hostile value.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from './any-text.testing.ts';
import { readLocale as readHeaders, type VisitorLocale } from './headers.ts';

const encode = (fields: Record<string, string>) => `${new URLSearchParams(fields)}`;

const readLocale = (header: string | null) => readHeaders({ get: () => header });

describe('readLocale', () => {
  test('returns canonical tags and the time zone', () => {
    const sent = { page: 'PT-br', chat: 'zh-hant-tw', timeZone: 'America/Sao_Paulo' };
    expect(readLocale(encode(sent))).toEqual({
      page: 'pt-BR',
      chat: 'zh-Hant-TW',
      timeZone: 'America/Sao_Paulo',
    });
  });

  test.each([
    ['nothing', null],
    ['an empty header', ''],
    ['empty values', 'page=&chat=&timeZone='],
    ['unknown names', 'language=de&zone=Europe%2FBerlin'],
    ['text that is not encoded', '{"page":"de"}'],
    ['more than 500 characters', encode({ page: 'de', more: 'x'.repeat(500) })],
  ])('returns undefined for %s', (_, header) => {
    expect(readLocale(header)).toBeUndefined();
  });

  test.each([
    'englischsprachig',
    'pt_BR',
    'de, en',
    'de\n',
    '日本語',
    '<script>',
    'undefined',
    `de-${'x'.repeat(40)}`,
    `de-${Array.from({ length: 12 }, () => 'abcde').join('-')}`,
    '\u0000',
    '%',
  ])('leaves out the language %j, and keeps the others', (page) => {
    expect(readLocale(encode({ page, chat: 'de', timeZone: 'UTC' }))).toEqual({
      chat: 'de',
      timeZone: 'UTC',
    });
  });

  test.each([
    'Europe/Nowhere',
    '+01:00',
    '-0300',
    'Europe/Berlin ',
    'Europe/Berlin\r\nx: y',
    '../../etc/passwd',
    'undefined',
    'null',
    '__proto__',
    `Europe/${'x'.repeat(60)}`,
  ])('leaves out the time zone %j, and keeps the others', (timeZone) => {
    expect(readLocale(encode({ page: 'de', timeZone }))).toEqual({ page: 'de' });
  });

  test('keeps the name of a time zone that has two', () => {
    for (const timeZone of [
      'Asia/Kolkata',
      'Asia/Calcutta',
      'UTC',
      'Etc/GMT+12',
      'America/Argentina/Buenos_Aires',
    ]) {
      expect(readLocale(encode({ timeZone }))).toEqual({ timeZone });
    }
  });

  test('uses the first of repeated values', () => {
    expect(readLocale('page=de&page=fr&chat=x!&chat=fr')).toEqual({ page: 'de' });
  });

  /** Whether an implementation of Intl accepts the values, and a second reading returns the same ones. */
  const isUsable = (locale: VisitorLocale | undefined) => {
    if (!locale) return true;
    const { page, chat, timeZone, ...more } = locale;
    for (const tag of [page, chat]) if (tag !== undefined) new Intl.Locale(tag);
    if (timeZone !== undefined) new Intl.DateTimeFormat(page, { timeZone });
    expect(readLocale(encode({ ...locale }))).toEqual(locale);
    return Object.keys(more).length === 0;
  };
  const tag = fc.oneof(
    fc.string(),
    anyText(),
    fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,9}$/), { maxLength: 6 }).map((parts) => parts.join('-')),
    fc.constantFrom('de', 'sr-Latn-RS', 'ar-u-nu-latn', 'x-private', 'i-klingon', 'und', 'iw'),
  );
  const zone = fc.oneof(
    fc.string(),
    fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'utc', 'GMT', '+01:00'),
  );

  test('never throws, and returns only what Intl accepts, for any header', () => {
    fc.assert(fc.property(anyText({ maxLength: 600 }), (header) => isUsable(readLocale(header))));
  });

  test('never throws, and returns only what Intl accepts, for any values', () => {
    fc.assert(
      fc.property(tag, tag, zone, (page, chat, timeZone) =>
        isUsable(readLocale(encode({ page, chat, timeZone }))),
      ),
      { numRuns: 1_000 },
    );
  });
});
