// The built thread that reads documents finds the tables of East Asian fonts, which the build copies.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from '../support/fixtures.ts';

/** A page with a text in UTF-16 of a font that is neither embedded nor has a table of its letters. */
function pdf(text: string): Buffer {
  const shown = `BT /F1 12 Tf 72 700 Td <${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ];
  const body = objects.map((content, index) => `${index + 1} 0 obj\n${content}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer << /Root 1 0 R >>\n%%EOF`);
}

test('a PDF with a font of China that is not embedded is read by the built server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-pdf-'));
  try {
    const path = join(folder, 'a.pdf');
    await writeFile(path, pdf('退货请在三十天内'));
    const worker = new Worker(resolve('dist/node/src/server/files/indexing/worker.js'), {
      workerData: { path, type: 'application/pdf' },
    });
    const [report] = await once(worker, 'message');
    await worker.terminate();
    expect(report.passages).toEqual([expect.objectContaining({ content: '退货请在三十天内' })]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
