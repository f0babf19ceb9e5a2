// Tests that files in other encodings than UTF-8 are indexed as their readers see them, through the Files API.
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesFixture, startFilesFixture } from '../testing.ts';

let fixture: FilesFixture;
beforeAll(async () => {
  fixture = await startFilesFixture();
});
afterAll(() => fixture.server.close());

async function indexed(key: string, content: Uint8Array, fields = {}) {
  const { id } = await fixture.put('bot', key, content, { index: true, ...fields });
  const file = await fixture.settled(id);
  const { body } = await fixture.call('bot', 'GET', `/${id}/passages`);
  return { file, texts: (body.passages ?? []).map(({ content }) => content) };
}

// Too short to be detected, and in a set that is not looked for.
const word = 'Größe';

test.each([
  ['a.txt', 'text/plain', word, word],
  ['a.md', 'text/markdown', `# ${word}\n\n${word}`, word],
  ['a.html', 'text/html', `<meta charset="big5"><p>${word}`, word],
  ['a.csv', 'text/csv', `Name;x\n${word};1\n`, `Name: ${word}; x: 1`],
  ['a.json', 'application/json', `{"a": "${word}"}`, `{"a": "${word}"}`],
])('the charset that is announced for %s decodes its text', async (key, type, text, expected) => {
  const bytes = iconv.encode(text, 'cp850');
  const { file, texts } = await indexed(key, bytes, { contentType: `${type}; charset="CP850"` });
  expect(file).toMatchObject({ status: 'indexing_completed', contentType: type });
  expect(file).not.toHaveProperty('warnings');
  expect(texts).toEqual([expected]);
});

test('the charset counts that is sent with the bytes', async () => {
  const bytes = iconv.encode(word, 'cp850');
  const { body } = await fixture.call('bot', 'PUT', '', { key: 'sent.txt', size: bytes.length, index: true });
  const { id = '', uploadUrl = '' } = body.file ?? {};
  const headers = { 'content-type': 'text/plain; charset=cp850' };
  await fixture.server.fetch(new URL(uploadUrl).pathname, {
    method: 'PUT',
    body: bytes as BodyInit,
    headers,
  });
  await fixture.settled(id);
  const { passages } = (await fixture.call('bot', 'GET', `/${id}/passages`)).body;
  expect(passages?.map(({ content }) => content)).toEqual([word]);
});

test('a copy is read with the charset of the original', async () => {
  await indexed('original.txt', iconv.encode(word, 'cp850'), { contentType: 'text/plain; charset=cp850' });
  const { body } = await fixture.call('bot', 'POST', '/original.txt/copied.txt', {});
  await fixture.settled(body.file?.id ?? '');
  const { passages } = (await fixture.call('bot', 'GET', `/${body.file?.id}/passages`)).body;
  expect(passages?.map(({ content }) => content)).toEqual([word]);
});

test('characters that cannot be read are a warning of the file, until other bytes replace it', async () => {
  const bytes = Buffer.concat([Buffer.from('Grüße aus Köln, schöne Tage\n'), Buffer.of(0xff)]);
  const { file } = await indexed('damaged.txt', bytes);
  expect(file).toMatchObject({
    status: 'indexing_completed',
    warnings: [
      'One character could not be read as utf-8, the first one in line 2: they are shown as \ufffd.',
    ],
  });
  expect((await indexed('damaged.txt', Buffer.from('mended'))).file).not.toHaveProperty('warnings');
});

test('bytes that the font of Rich Text does not have are a warning', async () => {
  const { file } = await indexed('lost.rtf', Buffer.from("{\\rtf1\\ansi\\ansicpg1252 a\\'81b\\par}"));
  expect(file.warnings).toEqual(['Bytes that could not be read in the code page of their font: 1.']);
});

test('the fonts of Rich Text decide how its bytes are read', async () => {
  const text =
    '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Gothic;}}' +
    "\\f0 5 \\'80 {\\f1 \\'cc\\'ee\\'f1\\'ea\\'e2\\'e0} \\f2 \\'93\\'8c\\'8b\\'9e\\par}";
  expect((await indexed('fonts.rtf', Buffer.from(text))).texts).toEqual(['5 € Москва 東京']);
});
