// Tests that values which a row cannot keep exactly are refused or reported with their row and column.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InexactNumber, parseExact, readNumber } from './exact-json.ts';
import { createTablesFixture, type TablesFixture } from './testing.ts';

const exact = ['-0', '1.10', '007', '1E+3', '9007199254740994', '0.30000000000000004', '5e-324', '0e999'];
const inexact = ['9007199254740993', '-1e400', '1e-400', '1.1000000000000001', '1e99999999999999999999'];

describe('a number', () => {
  test.each(exact)('%s is kept', (text) => {
    expect(readNumber(text)).toBe(Number(text));
  });

  test.each(inexact)('%s is marked', (text) => {
    expect(readNumber(text)).toEqual(new InexactNumber(text));
  });

  test('of JSON is marked where it is, and texts are not', () => {
    const text =
      '{"a": [1, 9007199254740993, "9007199254740993 \\" 1e400"], "1e400": {"b": 1e400}, "c": 0.5}';
    expect(parseExact(text)).toEqual({
      a: [1, new InexactNumber('9007199254740993'), '9007199254740993 " 1e400'],
      '1e400': { b: new InexactNumber('1e400') },
      c: 0.5,
    });
  });

  test('of text that is not JSON fails as before', () => {
    for (const text of ['{"a": 9007199254740993', '[1e400,]', '{1e400: 1}', '[9007199254740993 1]'])
      expect(() => parseExact(text)).toThrow(SyntaxError);
  });
});

describe('a row', () => {
  let fixture: TablesFixture;
  beforeAll(async () => {
    fixture = await createTablesFixture();
  });
  afterAll(() => fixture.server.close());

  const schema = {
    type: 'object',
    properties: {
      code: { type: 'string' },
      n: { type: 'number' },
      at: { type: 'string', format: 'date-time' },
      data: { type: 'object' },
      list: { type: 'array' },
    },
  };

  test.each([
    ['POST', '/rows', '{"rows": [{"n": 1}, {"n": VALUE}]}', 'n'],
    ['POST', '/rows', '{"rows": [{"n": 1}, {"data": {"a": [VALUE]}}]}', 'data.a.0'],
    ['POST', '/rows', '{"rows": [{"n": 1}, {"list": [VALUE]}]}', 'list.0'],
    ['PUT', '/rows', '{"rows": [{"id": 1, "n": 2}, {"id": 1, "n": VALUE}]}', 'n'],
    ['POST', '/rows/upsert', '{"rows": [{"n": 3}, {"n": VALUE}]}', 'n'],
  ])(
    'of %s %s with a number that cannot be kept is refused, the others are stored: %s',
    async (method, path, body, column) => {
      const table = await fixture.table(schema);
      await fixture.add(table, [{ n: 0 }]);
      for (const value of inexact) {
        const response = await fixture.call(method, `/${table}${path}`, body.replace('VALUE', value));
        expect(response.status).toBe(200);
        expect(response.body.errors).toEqual([
          `Row 1: ${column}: a number cannot keep ${value} exactly; a text can.`,
        ]);
      }
      const { rows } = (await fixture.find(table)).body;
      expect(rows.every(({ n }: { n: unknown }) => Number.isInteger(n))).toBe(true);
    },
  );

  test('of the API keeps each number that it can', async () => {
    const table = await fixture.table(schema);
    const rows = exact.filter((text) => !/^0\d|E\+/.test(text));
    const body = `{"rows": [${rows.map((text) => `{"n": ${text}}`).join(',')}]}`;
    const response = await fixture.call('POST', `/${table}/rows`, body);
    expect(response.body.errors).toBeUndefined();
    expect(response.body.rows.map(({ n }: { n: number }) => n)).toEqual(rows.map((text) => Number(text) + 0));
  });

  test('with a time of microseconds is stored with a warning', async () => {
    const rows = [
      { at: '2024-05-01T10:00:00.123Z' },
      { at: '2024-05-01T10:00:00.123456Z' },
      { at: '2024-05-01T10:00:00.120000Z' },
    ];
    expect((await fixture.add(await fixture.table(schema), rows)).body.warnings).toEqual([
      'Row 1: at is stored with milliseconds: 2024-05-01T10:00:00.123Z.',
    ]);
  });

  async function imported(key: string, content: string) {
    const { job, rows } = await fixture.imported(await fixture.table(schema), key, Buffer.from(content));
    return { warnings: job.warnings, rows };
  }

  test('of CSV is refused with its number and column, and keeps zeros at the start of texts', async () => {
    const lines = [
      'code,n,at,data',
      '007,1,,',
      'b,9007199254740993,,',
      'c,1e400,,',
      'd,,2024-02-30,',
      'e,,,"{""x"":1e400}"',
    ];
    const { warnings, rows } = await imported('a.csv', lines.join('\n'));
    expect(rows).toMatchObject([{ code: '007', n: 1 }]);
    expect(warnings).toEqual([
      'Row 2: n: a number cannot keep 9007199254740993 exactly; a text can.',
      'Row 3: n: a number cannot keep 1e400 exactly; a text can.',
      'Row 4: at is not a date and time (ISO 8601).',
      'Row 5: data.x: a number cannot keep 1e400 exactly; a text can.',
    ]);
  });

  test('of CSV whose number leaves out signs of the text is stored with a warning', async () => {
    const { warnings, rows } = await imported('b.csv', 'code,n\n00123,00123\na,+49170\nb,-007\nc,0.50\nd,0');
    expect(rows.map(({ code, n }: { code: string; n: number }) => [code, n])).toEqual([
      ['00123', 123],
      ['a', 49_170],
      ['b', -7],
      ['c', 0.5],
      ['d', 0],
    ]);
    expect(warnings).toEqual([
      'Row 1: n: 00123 is stored as the number 123; a column of texts keeps all signs.',
      'Row 2: n: +49170 is stored as the number 49170; a column of texts keeps all signs.',
      'Row 3: n: -007 is stored as the number -7; a column of texts keeps all signs.',
    ]);
  });

  test('is not found or deleted by a number that is only nearby', async () => {
    const table = await fixture.table(schema);
    await fixture.add(table, [{ n: 9007199254740992 }]);
    for (const filter of ['{"n": 9007199254740993}', '{"$or": [{"n": {"$in": [1, 9007199254740993]}}]}']) {
      for (const [method, path] of [
        ['POST', 'rows/find'],
        ['POST', 'rows/delete'],
      ] as const) {
        const response = await fixture.call(method, `/${table}/${path}`, `{"filter": ${filter}}`);
        expect([path, response.status, response.body.message]).toEqual([
          path,
          400,
          expect.stringMatching(/^filter: .*n.*: a number cannot keep 9007199254740993 exactly\.$/),
        ]);
      }
    }
    expect((await fixture.find(table, { filter: { n: 9007199254740992 } })).body.rows).toHaveLength(1);
  });

  test('sums of a group have the decimals of their numbers, and one that is too large is refused', async () => {
    const table = await fixture.table(schema);
    await fixture.add(table, [{ n: 0.1 }, { n: 0.2 }]);
    const group = { n: ['sum', 'avg'] };
    expect((await fixture.find(table, { group })).body.rows).toEqual([{ nSum: 0.3, nAvg: 0.15 }]);
    await fixture.add(table, [{ n: 1e308 }, { n: 1e308 }]);
    const { status, body } = await fixture.find(table, { group });
    expect([status, body.message]).toEqual([400, 'group: nSum is too large for a number.']);
  });

  test('of JSON is refused with its number and column', async () => {
    const { warnings, rows } = await imported(
      'a.json',
      '[{"n": 1}, {"n": 9007199254740993}, {"at": "2024-05-01T10:00:00.1234Z"}]',
    );
    expect(rows).toHaveLength(2);
    expect(warnings).toEqual([
      'Row 3: at is stored with milliseconds: 2024-05-01T10:00:00.123Z.',
      'Row 2: n: a number cannot keep 9007199254740993 exactly; a text can.',
    ]);
  });
});
