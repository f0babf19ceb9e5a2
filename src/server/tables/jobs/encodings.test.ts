// Tests of imports in the encodings that spreadsheets and old programs write.
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTablesFixture, type TablesFixture } from '../testing.ts';

let fixture: TablesFixture;
beforeAll(async () => {
  fixture = await createTablesFixture();
});
afterAll(() => fixture.server.close());

const schema = {
  type: 'object',
  properties: { Ort: { type: 'string' }, Preis: { type: 'string' } },
};

async function imported(bytes: Uint8Array, contentType: string) {
  const table = await fixture.table(schema);
  const { job, rows } = await fixture.imported(table, `${table}.csv`, bytes, contentType);
  return {
    status: job.status,
    warnings: job.warnings ?? [],
    rows: rows.map(({ Ort, Preis }: Record<string, unknown>) => [Ort, Preis ?? null]),
  };
}

describe('an import', () => {
  test.each<[string, string, Uint8Array]>([
    ['DOS with a declaration', 'text/csv; charset=cp850', iconv.encode('Ort\r\nKöln\r\n', 'cp850')],
  ])('of %s stores the text without a warning', async (_, type, bytes) => {
    expect(await imported(bytes, type)).toEqual({
      status: 'completed',
      warnings: [],
      rows: [['Köln', null]],
    });
  });

  test.each<[string, string, string]>([
    ['utf-16le', '\t', '\ufeff'],
    ['utf-16be', '\t', '\ufeff'],
    ['utf-32le', ',', '\ufeff'],
    ['utf-16le', ';', ''],
    ['windows-1252', ';', ''],
    ['utf-8', ',', '\ufeff'],
  ])('of %s with "%s" keeps quoted fields and the euro sign', async (charset, delimiter, mark) => {
    const text = `${mark}Ort${delimiter}Preis\r\n"Köln${delimiter} ""Alt""\r\nstadt"${delimiter}5 €\r\nZürich${delimiter}10 €\r\n`;
    expect(await imported(iconv.encode(text, charset), 'text/csv')).toEqual({
      status: 'completed',
      warnings: [],
      rows: [
        [`Köln${delimiter} "Alt"\r\nstadt`, '5 €'],
        ['Zürich', '10 €'],
      ],
    });
  });

  test('names the rows whose characters could not be read', async () => {
    const rows = 'Zürich,größer\n'.repeat(3);
    const bytes = Buffer.concat([
      Buffer.from(`Ort,Preis\n${rows}K`),
      Buffer.of(0xff),
      Buffer.from(`ln,1\n${rows}`),
    ]);
    const result = await imported(bytes, 'text/csv');
    expect(result.rows).toContainEqual(['K\ufffdln', '1']);
    expect(result.warnings).toEqual([
      'Row 4: Ort has characters that could not be read; they are stored as \ufffd.',
    ]);
  });

  test('of JSON Lines in another encoding stores the text', async () => {
    const bytes = iconv.encode('{"Ort": "Köln", "Preis": "5 €"}\n', 'windows-1252');
    expect(await imported(bytes, 'application/json')).toMatchObject({
      warnings: [],
      rows: [['Köln', '5 €']],
    });
  });
});
