// Tests of imports in the encodings that spreadsheets and old programs write.
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pollOptions } from '../../testing.ts';
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
  const announce = await fixture.server.fetch('/v1/files', {
    method: 'PUT',
    headers: { ...fixture.own, 'content-type': 'application/json' },
    body: JSON.stringify({ key: `${table}.csv`, size: bytes.length, contentType }),
  });
  const { file } = await announce.json();
  await fixture.server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: bytes as BodyInit });
  await fixture.call('POST', `/${table}/import`, { fileId: file.id });
  const newest = async () => (await fixture.call('GET', `/${table}/jobs`)).body.jobs[0];
  await expect.poll(async () => (await newest())?.status, pollOptions).toMatch(/^(?:completed|failed)$/);
  const { rows } = (await fixture.find(table)).body;
  const job = await newest();
  return {
    status: job.status,
    warnings: job.warnings ?? [],
    rows: rows.map(({ Ort, Preis }: Record<string, unknown>) => [Ort, Preis ?? null]),
  };
}

describe('an import', () => {
  test.each<[string, string, Uint8Array]>([
    ['Windows-1252', 'text/csv', Buffer.from('Ort\r\nK\xf6ln\r\n', 'latin1')],
    [
      'Windows-1252 with a declaration',
      'text/csv; charset=windows-1252',
      Buffer.from('Ort\r\nK\xf6ln\r\n', 'latin1'),
    ],
    [
      'ISO-8859-1 with a declaration',
      'text/csv; charset=ISO-8859-1',
      Buffer.from('Ort\r\nK\xf6ln\r\n', 'latin1'),
    ],
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

  test('says that a text is not in the declared UTF-8', async () => {
    const bytes = Buffer.from('Ort\r\nK\xf6ln\r\n', 'latin1');
    expect(await imported(bytes, 'text/csv; charset=utf-8')).toEqual({
      status: 'completed',
      warnings: ['The text is declared as utf-8, which it is not; it was read as windows-1252.'],
      rows: [['Köln', null]],
    });
  });
});
