// Tests of PDF files with East Asian fonts that are not embedded, with links, and with pages that cannot be read.
import { writeFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { useFolder } from '../../testing/folder.testing.ts';
import { pdf } from '../testing.ts';
import { pdfBlocks } from './pdf.ts';

const folder = useFolder();
async function read(bytes: Uint8Array) {
  const path = folder('a.pdf');
  await writeFile(path, bytes);
  const warnings: string[] = [];
  const texts: string[] = [];
  for await (const { text, page } of pdfBlocks(path, { warn: (problem) => warnings.push(problem) })) {
    if (text) texts.push(`${page}: ${text}`);
  }
  return { texts, warnings };
}

/** A PDF of these objects, the first of which is its catalog. */
function pdfOf(...objects: string[]): Uint8Array {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((content, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${content}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(text, 'latin1');
}

/** A page with a line of Helvetica and one of a font that is neither embedded nor has a table of its letters. */
function pdfWithFont(
  encoding: string,
  [registry, ordering]: [string, string],
  bytes: Uint8Array,
): Uint8Array {
  const shown = `BT /F1 12 Tf 72 720 Td (Price list) Tj ET BT /F2 12 Tf 72 690 Td <${Buffer.from(bytes).toString('hex')}> Tj ET`;
  return pdfOf(
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [7 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (${registry}) /Ordering (${ordering}) /Supplement 4 >> /FontDescriptor 8 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  );
}

test.each<[string, [string, string], string, string]>([
  ['UniGB-UCS2-H', ['Adobe', 'GB1'], '退货请在三十天内', 'utf-16be'],
  ['UniGB-UTF16-H', ['Adobe', 'GB1'], '退货请在三十天内', 'utf-16be'],
  ['GBK-EUC-H', ['Adobe', 'GB1'], '退货请在三十天内', 'gbk'],
  ['90ms-RKSJ-H', ['Adobe', 'Japan1'], '返品は三十日以内', 'shift_jis'],
  ['UniJIS-UTF16-H', ['Adobe', 'Japan1'], '返品は三十日以内', 'utf-16be'],
  ['EUC-H', ['Adobe', 'Japan1'], '返品は三十日以内', 'euc-jp'],
  ['UniKS-UCS2-H', ['Adobe', 'Korea1'], '반품은 삼십일', 'utf-16be'],
  ['KSCms-UHC-H', ['Adobe', 'Korea1'], '반품은 삼십일', 'euc-kr'],
  ['UniCNS-UTF16-H', ['Adobe', 'CNS1'], '退貨請在三十天內', 'utf-16be'],
  ['ETen-B5-H', ['Adobe', 'CNS1'], '退貨請在三十天內', 'big5'],
])('a PDF with a font of the encoding %s is read', async (encoding, system, text, charset) => {
  const { texts, warnings } = await read(pdfWithFont(encoding, system, iconv.encode(text, charset)));
  expect(texts.join('\n').replace('1: Price list\n', '').replace('1: ', '')).toBe(text);
  expect(warnings).toEqual([]);
});

test('an encoding with a name that is none of the files of pdf.js is not read from elsewhere', async () => {
  const { texts } = await read(pdfWithFont('..#2F..#2Fsecret', ['Adobe', 'GB1'], Buffer.from('ab')));
  expect(texts).toContain('1: Price list');
});

describe('a link of a PDF', () => {
  const pageWith = (annotations: string, shown: string) =>
    pdfOf(
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [${annotations}] /Resources << /Font << /F1 5 0 R >> >> >>`,
      `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    );
  const annotation = (rect: string, uri: string) =>
    `<< /Type /Annot /Subtype /Link /Rect [${rect}] /A << /S /URI /URI (${uri}) >> >>`;

  test('over a run of text has its address beside the words', async () => {
    const shown = 'BT /F1 12 Tf 72 700 Td (book an appointment) Tj ET BT /F1 12 Tf 72 600 Td (other) Tj ET';
    const { texts } = await read(pageWith(annotation('70 696 180 714', 'https://x.org/book'), shown));
    expect(texts).toEqual(['1: [book an appointment](https://x.org/book)', '1: other']);
  });

  test('over a part of a run has its address after the run', async () => {
    const shown = 'BT /F1 12 Tf 72 700 Td (Please book an appointment here or there) Tj ET';
    const { texts } = await read(pageWith(annotation('110 696 180 714', 'mailto:a@b.c'), shown));
    expect(texts).toEqual(['1: Please book an appointment here or there (mailto:a@b.c)']);
  });

  test('to a script is left out', async () => {
    const shown = 'BT /F1 12 Tf 72 700 Td (here) Tj ET';
    const { texts } = await read(pageWith(annotation('70 696 180 714', 'javascript:alert\\(1\\)'), shown));
    expect(texts).toEqual(['1: here']);
  });
});

test('texts that are drawn on a page and values of fields are read, passwords are not', async () => {
  const field = (name: string, value: string, flags: number) =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /V (${value}) /Ff ${flags} /Rect [10 10 90 30] /F 4 >>`;
  const { texts } = await read(
    pdfOf(
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R] >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [4 0 R 5 0 R 6 0 R] >>',
      '<< /Type /Annot /Subtype /FreeText /Contents (Drawn note) /Rect [10 40 90 60] /F 4 >>',
      field('name', 'Ada Lovelace', 0),
      field('pin', 'secret', 8192),
    ),
  );
  expect(texts).toEqual(['1: Drawn note', '1: Ada Lovelace']);
});

test('a font that does not say which letters its shapes are is a warning', async () => {
  const { texts, warnings } = await read(
    pdfWithFont('Identity-H', ['Adobe', 'Identity'], Buffer.of(0, 3, 0, 5, 0, 7)),
  );
  expect(texts[0]).toBe('1: Price list');
  expect(warnings).toEqual([
    'Page 1: a font does not say which letters its shapes are, so some of the text cannot be found.',
  ]);
});

test('pages without text are a warning', async () => {
  const { texts, warnings } = await read(pdf(['First', '', 'Third', '']));
  expect(texts).toEqual(['1: First', '3: Third']);
  expect(warnings).toEqual(['Pages 2, 4: no text; images of pages are not read.']);
});
