// Files for tests, made by hand: small PDFs, whole and hostile.

/**
 * A PDF with a page for each text. `script`: JavaScript that runs when it is opened, where something runs it; `extra`:
 * a deflated stream that every page shows, too.
 */
export function pdf(pages: string[], script = '', extra?: Uint8Array): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const size = () => parts.reduce((sum, part) => sum + part.length, 0);
  const add = (number: number, ...body: (string | Uint8Array)[]) => {
    offsets[number] = size();
    parts.push(Buffer.from(`${number} 0 obj\n`), ...body.map((one) => Buffer.from(one as string)));
    parts.push(Buffer.from('\nendobj\n'));
  };
  const pageNumber = (index: number) => 10 + index * 2;
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ');
  const action = script ? `/OpenAction << /S /JavaScript /JS (${script}) >>` : '';
  add(1, `<< /Type /Catalog /Pages 2 0 R ${action} >>`);
  add(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  if (extra) {
    add(4, `<< /Length ${extra.length} /Filter /FlateDecode >>\nstream\n`, extra, '\nendstream');
  }
  for (const [index, text] of pages.entries()) {
    const number = pageNumber(index);
    const stream = text ? `BT /F1 24 Tf 72 700 Td (${text}) Tj ET` : '';
    const contents = extra ? `[${number + 1} 0 R 4 0 R]` : `${number + 1} 0 R`;
    add(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents}`,
      ' /Resources << /Font << /F1 3 0 R >> >> >>',
    );
    add(number + 1, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  const start = size();
  const lines = offsets.map((offset, number) =>
    number === 0 ? '' : `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`,
  );
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${lines.join('')}trailer << /Size ${offsets.length} /Root 1 0 R >>\n` +
        `startxref\n${start}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}
