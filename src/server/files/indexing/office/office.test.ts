// Tests of office documents: files of real programs, every structure that passages keep, and hostile or broken files.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useFolder } from '../../../testing/folder.testing.ts';
import type { Passage } from '../passages.ts';
import { useReader } from '../reader.testing.ts';
import { openArchive } from './archive.ts';
import { officeBlocks } from './index.ts';
import { openDocument, word, workbook, ZipWriter, zip } from './testing.ts';

const folder = useFolder();
const readFile = useReader();
const read = async (...given: Parameters<typeof readFile>) => (await readFile(...given)).passages;
/** The passages as `titles above | subtype | page: text`. */
const shown = (passages: Passage[]) =>
  passages.map(
    ({ breadcrumb, subtype, page, content }) =>
      `${breadcrumb} | ${subtype}${page === null ? '' : ` ${page}`}: ${content}`,
  );
const texts = async (parts: Record<string, string | Uint8Array>, name: string) =>
  shown(await read(zip(parts), name));
const fixture = async (name: string) =>
  shown(await read(readFileSync(join(import.meta.dirname, 'fixtures', name)), name));

describe('a file of another program', () => {
  test('titles, lists, tables and breaks of a .docx of python-docx are read', async () => {
    expect(await fixture('handbook.docx')).toEqual([
      ' | paragraph: Page header',
      ' | title: Handbook',
      'Returns | paragraph: Send the parcel back within thirty days.\n\nFirst pack it.\n\nThen send it.',
      'Returns > Fees | table: Country | Fee\nNorway | 9 euros',
      'Returns > Fees | paragraph: A tab\tand a\nnew line, Grüße 你好 & <tags>.',
    ]);
  });

  test('.xlsx of openpyxl: names of columns, dates, truth values; no hidden sheet and no formula', async () => {
    expect(await fixture('stock.xlsx')).toEqual([
      [
        'Stock | table: Article | Price | Since | In stock',
        'Article: Lamp; Price: 19.5; Since: 2024-03-01; In stock: TRUE',
        'Article: Chair; Since: 2023-12-24 18:30; In stock: FALSE',
      ].join('\n'),
      'Numbers | table: 1 | 2 | 3\n4 | 5 | 6',
    ]);
  });

  test('.pptx of PptxGenJS: slides as pages, titles first, tables, notes; no hidden slide and no slide numbers', async () => {
    expect(await fixture('delivery.pptx')).toEqual([
      'Delivery | paragraph 1: The parcel arrives within two days.\n\nMention the islands.',
      'Fees | table 2: Country | Fee\nNorway | 9 euros',
    ]);
  });

  test('titles, lists and tables of an .odt of docutils are read', async () => {
    const passages = await fixture('guide.odt');
    expect(passages).toEqual([
      'Install | paragraph: Unpack the lamp and plug it in.\n\nKeep the box.\n\nKeep the bill.',
      'Install > Parts | table: Part | Count\nScrew | 12\nShade | 1',
      'Repair | paragraph: Call the shop.',
    ]);
  });

  test('chapters of an .epub of epub-gen-memory are read in reading order', async () => {
    const passages = await fixture('lamp.epub');
    const places = ['The lamp was dark.', 'It shone & flickered.'].map((text) =>
      passages.findIndex((passage) => passage.endsWith(text)),
    );
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places[1]).toBeGreaterThan(places[0] ?? 0);
    expect(passages[places[1] ?? 0]).toContain('Evening');
  });

  test('.pdf of ReportLab: the left column is before the right one', async () => {
    const [text = ''] = await fixture('columns.pdf');
    expect(text.match(/left/g)?.length).toBe(14);
    expect(text.lastIndexOf('left')).toBeLessThan(text.indexOf('right'));
  });
});

describe('.docx', () => {
  const p = (text: string, style = '') =>
    `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

  test('headings are found by the name, the outline level and the ancestors of their style', async () => {
    const styles =
      '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
      '<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Deep"/></w:style>' +
      '<w:style w:styleId="Deep"><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>' +
      '<w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>';
    const body = p('One', 'berschrift1') + p('Two', 'Own') + p('text', 'A');
    expect(await texts(word(body, { 'word/styles.xml': styles }), 'a.docx')).toEqual([
      'One > Two | paragraph: text',
    ]);
  });

  test('deleted text, field codes and the second version of a text box are omitted; notes follow', async () => {
    const box = (text: string) => `<w:txbxContent>${p(text)}</w:txbxContent>`;
    const body =
      `<w:p><w:r><w:t xml:space="preserve">kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>` +
      `<w:r><w:instrText>PAGE</w:instrText></w:r><w:ins><w:r><w:t>added</w:t></w:r></w:ins></w:p>` +
      `<w:p><w:r><mc:AlternateContent><mc:Choice>${box('box')}</mc:Choice><mc:Fallback>${box('box')}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const notes = `<w:footnotes><w:footnote>${p('a note')}</w:footnote></w:footnotes>`;
    expect(await texts(word(body, { 'word/footnotes.xml': notes }), 'a.docx')).toEqual([
      ' | paragraph: kept added\n\nbox\n\na note',
    ]);
  });

  test('a table within a cell is part of the cell', async () => {
    const cell = (content: string) => `<w:tc>${content}</w:tc>`;
    const inner = `<w:tbl><w:tr>${cell(p('x'))}${cell(p('y'))}</w:tr></w:tbl>`;
    const body = `<w:tbl><w:tr>${cell(p('a'))}${cell(inner + p(''))}</w:tr><w:tr>${cell(p(''))}${cell(p(''))}</w:tr></w:tbl>`;
    expect(await texts(word(body), 'a.docx')).toEqual([' | table: a | x | y']);
  });

  test('is read whatever the extension says, and with other prefixes', async () => {
    const parts = word('');
    parts['word/document.xml'] = '<document><body><p><r><t>plain</t></r></p></body></document>';
    expect(await texts(parts, 'a.xlsx')).toEqual([' | paragraph: plain']);
  });
});

describe('.xlsx', () => {
  test('texts of every kind, gaps, errors and dates of 1904', async () => {
    const rows =
      '<row><c r="B1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>' +
      '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>99</v></c></row>' +
      '<row><c r="A3"><v>7</v></c><c r="C3" t="e"><v>#DIV/0!</v></c><c r="D3" t="str"><f>A1</f><v>made</v></c></row>' +
      '<row><c s="1"><v>1</v></c><c s="2"><v>1.5</v></c><c s="1"><v>-5</v></c><c s="1"><v>1e300</v></c></row>';
    const parts = workbook(rows, {
      'xl/sharedStrings.xml':
        '<sst><si><t>Name</t><rPh><t>sound</t></rPh></si><si><r><t>Rich </t></r><r><t>text</t></r></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[Red]&quot;day&quot; 0.00"/><numFmt numFmtId="171" formatCode="dd/mm/yy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="171"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    });
    parts['xl/workbook.xml'] =
      parts['xl/workbook.xml']?.replace('<sheets>', '<workbookPr date1904="1"/><sheets>') ?? '';
    expect(await texts(parts, 'a.xlsx')).toEqual([
      'Data | table: inline\nName | Rich text\nName: 7; made\nName: 1904-01-02; Rich text: 1904-01-02 12:00; -5; 1e300',
    ]);
  });

  /** The cells of a row with one value for each of these formats. */
  const cellsOf = async (formats: [code: number | string, value: number][], epoch = '') => {
    const custom = formats.map(([code], n) => `<numFmt numFmtId="${200 + n}" formatCode="${code}"/>`);
    const used = formats.map(([code], n) => `<xf numFmtId="${typeof code === 'number' ? code : 200 + n}"/>`);
    const cells = formats.map(([, value], n) => `<c s="${n}"><v>${value}</v></c>`);
    const parts = workbook(`<row>${cells.join('')}</row>`, {
      'xl/styles.xml': `<styleSheet><numFmts>${custom.join('')}</numFmts><cellXfs>${used.join('')}</cellXfs></styleSheet>`,
    });
    parts['xl/workbook.xml'] = parts['xl/workbook.xml']?.replace('<sheets>', `${epoch}<sheets>`) ?? '';
    return (await texts(parts, 'a.xlsx')).join('').replace('Data | table: ', '').split(' | ');
  };

  test('durations are hours, minutes and seconds, also those of more than a day', async () => {
    const formats: [code: number | string, value: number][] = [
      [46, 1.25],
      ['[h]:mm', 0.3125],
      ['[hh]:mm:ss;@', 400.5],
      ['[Red][mm]:ss', 0.05],
      ['[s]', 1.5 / 86_400],
      ['[h]:mm', -1],
      ['hh:mm', 0.3125],
    ];
    expect(await cellsOf(formats)).toEqual([
      '30:00:00',
      '7:30:00',
      '9612:00:00',
      '1:12:00',
      '0:00:02',
      '-1',
      '07:30',
    ]);
  });

  test('amounts of money with the width of a currency are numbers', async () => {
    const formats: [code: string, value: number][] = [
      ['_-* #,##0.00\\ _D_M_-;\\-* #,##0.00\\ _D_M_-', 1234.5],
      ['_(* #,##0_);*s(0)', 7],
      ['_D_Mdd/mm/yy', 45000],
    ];
    expect(await cellsOf(formats)).toEqual(['1,234.50', '7', '2023-03-15']);
  });

  test('numbers without a format have 15 significant digits and no exponent', async () => {
    const values = [
      '1.1000000000000001',
      '57.699999999999996',
      '4.006381333948E12',
      '0.30000000000000004',
      '1E-3',
    ];
    const cells = [...values, '1.5E-7', '1E+21', '123456789012345678', '-0', '9007199254740993'];
    const parts = workbook(`<row>${cells.map((value) => `<c><v>${value}</v></c>`).join('')}</row>`);
    expect(await texts(parts, 'a.xlsx')).toEqual([
      'Data | table: 1.1 | 57.7 | 4006381333948 | 0.3 | 0.001 | 1.5E-07 | 1E+21 | 123456789012346000 | 0 | 9007199254740990',
    ]);
  });

  test('numbers are shown in the formats of Excel', async () => {
    const formats: [code: number | string, value: number, shown: string][] = [
      [9, 0.19, '19%'],
      [10, 0.19, '19.00%'],
      [3, 4006381333948, '4,006,381,333,948'],
      [4, 1234.5, '1,234.50'],
      [12, 0.5, '1/2'],
      [39, -1234.5, '(1,234.50)'],
      [44, 12.5, '$12.50'],
      [48, 12345, '12.3E+3'],
      ['#,##0.00 &quot;€&quot;', 1234.5, '1,234.50 €'],
      ['[$€-407] #,##0.00', 9.9, '€ 9.90'],
      ['#,##0.00\\ [$kr-414]', 9.9, '9.90 kr'],
      ['[Red][&gt;=1000]0.0,&quot;k&quot;;0', 1500, '1.5k'],
      ['&quot;No. &quot;0', 7, 'No. 7'],
      ['General&quot; kg&quot;', 7, '7 kg'],
      ['0 x&quot;', 7, '7'],
    ];
    expect(await cellsOf(formats.map(([code, value]) => [code, value]))).toEqual(
      formats.map(([, , shown]) => shown),
    );
  });

  test('the days before March 1900 are those that Excel shows', async () => {
    const days: [code: number, value: number][] = [1, 59, 61, 1.5].map((value) => [14, value]);
    expect(await cellsOf(days)).toEqual(['1900-01-01', '1900-02-28', '1900-03-01', '1900-01-01 12:00']);
    expect(await cellsOf(days.slice(0, 2), '<workbookPr date1904="1"/>')).toEqual([
      '1904-01-02',
      '1904-02-29',
    ]);
  });

  test('a column far to the right does not fill the memory', async () => {
    const rows = Array.from(
      { length: 2_000 },
      () => '<row><c r="ZZZ1" t="str"><v>x</v></c><c r="A1" t="str"><v>y</v></c></row>',
    );
    expect(
      (await read(zip(workbook(rows.join(''))), 'a.xlsx', { heapMegabytes: 64 })).length,
    ).toBeGreaterThan(0);
  });
});

describe('OpenDocument', () => {
  test('.odt: headings, spaces, lists and tables; no comments and no deleted text', async () => {
    const body =
      '<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>' +
      '<text:h text:outline-level="1">Title</text:h><text:h text:outline-level="2">Part</text:h>' +
      '<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d<office:annotation><text:p>comment</text:p></office:annotation></text:p>' +
      '<table:table table:name="T"><table:table-row><table:table-cell><text:p>x</text:p><text:p>y</text:p></table:table-cell><table:table-cell><text:p>z</text:p></table:table-cell></table:table-row></table:table></office:text>';
    expect(await texts(openDocument(body), 'a.odt')).toEqual([
      'Title > Part | paragraph: a   b\tc\nd',
      'Title > Part | table: x y | z',
    ]);
  });

  test('.ods: cells without a shown text have their value', async () => {
    const cell = (attributes: string) => `<table:table-cell ${attributes}/>`;
    const row = [
      'office:value-type="float" office:value="57.699999999999996"',
      'office:value-type="percentage" office:value="0.19"',
      'office:value-type="currency" office:value="1.5" office:currency="EUR"',
      'office:value-type="date" office:date-value="2024-05-01"',
      'office:value-type="boolean" office:boolean-value="true"',
      'office:value-type="string" office:string-value="word"',
    ];
    const sheet = `<office:spreadsheet><table:table table:name="S"><table:table-row>${row.map(cell).join('')}</table:table-row></table:table></office:spreadsheet>`;
    expect(await texts(openDocument(sheet), 'a.ods')).toEqual([
      'S | table: 57.7 | 19% | 1.5 EUR | 2024-05-01 | TRUE | word',
    ]);
  });

  test('.ods: sheets with the names of the columns, and repeated cells', async () => {
    const cell = (text: string, more = '') =>
      `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
    const empty = '<table:table-cell table:number-columns-repeated="16384"/>';
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
    const body =
      `<office:spreadsheet><table:table table:name="Prices">${row(cell('Article'), cell('Price'), cell('Old'), empty)}` +
      `${row(cell('Lamp'), cell('9', 'office:value-type="float" table:number-columns-repeated="2"'), empty)}` +
      `<table:table-row table:number-rows-repeated="1048576">${empty}</table:table-row></table:table></office:spreadsheet>`;
    expect(await texts(openDocument(body), 'a.ods')).toEqual([
      'Prices | table: Article | Price | Old\nArticle: Lamp; Price: 9; Old: 9',
    ]);
  });

  test('slides of an .odp are pages with titles and notes', async () => {
    const frame = (text: string, more = '') =>
      `<draw:frame ${more}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const page = (content: string) => `<draw:page>${content}</draw:page>`;
    const body = `<office:presentation>${page(frame('Hello', 'presentation:class="title"') + frame('world'))}${page(`${frame('Bye', 'presentation:class="title"') + frame('all')}<presentation:notes>${frame('say it')}<text:p><text:page-number>1</text:page-number></text:p></presentation:notes>`)}</office:presentation>`;
    expect(await texts(openDocument(body), 'a.odp')).toEqual([
      'Hello | paragraph 1: world',
      'Bye | paragraph 2: all\n\nsay it',
    ]);
  });
});

describe('.epub', () => {
  const book = (more: Record<string, string> = {}) => ({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf':
      '<package><manifest><item id="b" href="b%20c.xhtml"/><item id="a" href="text/a.xhtml"/><item id="x" href="gone.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="x"/><itemref idref="b"/></spine></package>',
    'OEBPS/text/a.xhtml':
      '<html><head><title/><script src="x"/></head><body><h1>One</h1><p>first<a id="1"/></p></body></html>',
    'OEBPS/b c.xhtml': '<html><body><h1>Two</h1><p>second</p></body></html>',
    ...more,
  });

  test('chapters in the order of the spine, with elements that have no end tag', async () => {
    expect(await texts(book(), 'a.epub')).toEqual(['One | paragraph: first', 'Two | paragraph: second']);
  });

  test('with encrypted fonts is read, with encrypted chapters it fails with the reason', async () => {
    const encryption = (method: string, uri: string) => ({
      'META-INF/encryption.xml': `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${method}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`,
    });
    const fonts = encryption('http://www.idpf.org/2008/embedding', 'OEBPS/font.otf');
    expect(await texts(book(fonts), 'a.epub')).toHaveLength(2);
    const locked = encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OEBPS/b%20c.xhtml');
    await expect(texts(book(locked), 'a.epub')).rejects.toThrow('protected against copying');
  });
});

describe('.rtf', () => {
  const rtf = (body: string) => read(`{\\rtf1\\ansi\\ansicpg1252\\deff0 ${body}}`, 'a.rtf').then(shown);

  test('paragraphs, headings and characters in every notation are read, and data is not', async () => {
    const body = String.raw`{\fonttbl{\f0 Arial;}}{\*\generator Word;}{\info{\title no}}
{\header head\par}\pard\outlinelevel0 Guide\par\pard Gr\'fc\'dfe \u20320?\u22909? \uc0\u-10179\u-8704 {\b bold}\emdash text\~x\{\}\\\par
{\pict\pngblip 89504e47}{\*\unknown gone}second\line line\tab end`;
    expect(await rtf(body)).toEqual(['Guide | paragraph: Grüße 你好 😀bold—text x{}\\\n\nsecond\nline\tend']);
  });

  test('tables are read by rows', async () => {
    const body = String.raw`\trowd\pard\intbl a\cell b\par c\cell\row\trowd\intbl d\cell\cell\row\pard after\par`;
    expect(await rtf(body)).toEqual([' | table: a | b c\nd |', ' | paragraph: after']);
  });

  test('other code pages and binary data with braces are read', async () => {
    expect(
      await read(String.raw`{\rtf1\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2 \bin5 }}}}}x}`, 'a.rtf').then(shown),
    ).toEqual([' | paragraph: Привет x']);
    expect(await read(String.raw`{\rtf1\ansicpg932 \'93\'fa\'96\'7b}`, 'a.rtf').then(shown)).toEqual([
      ' | paragraph: 日本',
    ]);
  });

  test('a long document is read in chunks with the same result', async () => {
    const paragraphs = Array.from(
      { length: 20_000 },
      (_, n) => `Paragraph {\\b ${n}} of the \\'e4rea.\\par\n`,
    );
    const found = await rtf(paragraphs.join(''));
    const numbers = found.join('\n').match(/Paragraph \d+ of the ärea\./g) ?? [];
    expect(numbers).toHaveLength(20_000);
  });
});

describe('a file that cannot be read fails with a reason for its owner', () => {
  /** A compound file whose directory, with this name, is far from the beginning. */
  const cfb = (name: string) => {
    const bytes = Buffer.alloc(512 * 2_000);
    bytes.write('d0cf11e0a1b11ae1', 'hex');
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(1_900, 48);
    bytes.write('Root Entry', 512 * 1_901, 'utf16le');
    bytes.write(name, 512 * 1_901 + 256, 'utf16le');
    return bytes;
  };
  const manifest = '<m><file-entry><encryption-data/></file-entry></m>';
  const paragraph = '<w:p><w:r><w:t>x</w:t></w:r></w:p>';
  test.each<[string, string | Uint8Array, string, string]>([
    ['text with the name of a document', 'hello world', 'a.docx', 'not an office document'],
    ['a text with the name of RTF', 'hello', 'a.rtf', 'not a Rich Text document'],
    ['RTF without text', '{\\rtf1}', 'a.rtf', 'no text'],
    ['RTF that is nested too deep', `{\\rtf1${'{'.repeat(20_000)}`, 'a.rtf', 'nested'],
    ['half an archive', zip(word(paragraph)).subarray(0, 300), 'a.docx', 'damaged'],
    ['only the beginning of an archive', 'PK\x03\x04', 'a.docx', 'damaged'],
    ['an empty archive', zip({}), 'a.docx', 'without a text document'],
    [
      'a document without its main part',
      zip({ '_rels/.rels': word('')['_rels/.rels'] ?? '' }),
      'a.docx',
      'without a text',
    ],
    ['a document without text', zip(word('<w:p/>')), 'a.docx', 'no text'],
    ['an encrypted document', cfb('EncryptedPackage'), 'a.docx', 'locked with a password'],
    ['the beginning of a compound file', cfb('').subarray(0, 100), 'a.docx', 'not an office document'],
    ['an old document', cfb('WordDocument'), 'a.doc', 'save it as .docx'],
    ['an old workbook', cfb('Workbook'), 'a.xls', '.xlsx'],
    [
      'an encrypted OpenDocument',
      zip(openDocument('', { 'META-INF/manifest.xml': manifest })),
      'a.odt',
      'password',
    ],
    [
      'an encrypted entry',
      new ZipWriter().add('content.xml', 'x', { isEncrypted: true }).bytes(),
      'a.odt',
      'password',
    ],
    ['a book without chapters', zip({ 'META-INF/container.xml': '<x/>' }), 'a.epub', 'list of chapters'],
    ['deep elements', zip(word('<w:p>'.repeat(5_000))), 'a.docx', 'nested deeper'],
    ['a path out of the archive', zip({ '../../etc/passwd': 'x' }), 'a.docx', 'damaged'],
  ])('%s', async (_, bytes, name, reason) => {
    await expect(read(bytes, name)).rejects.toThrow(reason);
  });

  test('an archive that unpacks to more than the limit is refused', async () => {
    const writer = new ZipWriter();
    for (const [name, content] of Object.entries(word(''))) {
      if (name === 'word/document.xml') writer.add(name, ' '.repeat(10_000_000), { times: 51 });
      else writer.add(name, content);
    }
    const path = folder('large.docx');
    await writeFile(path, writer.bytes());
    // Without the parser of XML, which takes most of the time. The next test reads a document with it, beyond a lower limit.
    const archive = await openArchive(path);
    const unpack = async () => {
      for await (const _ of archive.part('word/document.xml'));
    };
    await expect(unpack()).rejects.toThrow('unpacks to more than 500 MB');
    archive.close();
  });

  test('entries that share their data unpack to more than the limit together', async () => {
    const writer = new ZipWriter();
    const bomb = `<html><body><p>${' '.repeat(60_000)}</p></body></html>`;
    const items = Array.from({ length: 20 }, (_, n) => `<item id="i${n}" href="c${n}"/>`).join('');
    const spine = Array.from({ length: 20 }, (_, n) => `<itemref idref="i${n}"/>`).join('');
    writer.add('META-INF/container.xml', '<container><rootfile full-path="book.opf"/></container>');
    writer.add('book.opf', `<package><manifest>${items}</manifest><spine>${spine}</spine></package>`);
    writer.add('c0', bomb);
    for (let n = 1; n < 20; n += 1) writer.add(`c${n}`, '', { sameDataAs: 'c0' });
    const path = folder('shared.epub');
    await writeFile(path, writer.bytes());
    const readAll = async (unpackedBytes: number) => {
      const blocks = [];
      for await (const block of officeBlocks(path, { limits: { entries: 100, unpackedBytes } }))
        blocks.push(block);
      return blocks;
    };
    await expect(readAll(1_000_000)).rejects.toThrow('unpacks to more than 1 MB');
    // Below the limit, all chapters are read: 20 of 60 KB.
    await expect(readAll(1_300_000)).resolves.toEqual([]);
  });

  test.each([10, 4_000_000_000])('a part whose size is stated as %i bytes', async (claimedSize) => {
    const writer = new ZipWriter();
    for (const [name, content] of Object.entries(word(paragraph.repeat(1_000)))) {
      writer.add(name, content, name === 'word/document.xml' ? { claimedSize } : {});
    }
    await expect(read(writer.bytes(), 'a.docx')).rejects.toThrow('damaged');
  });

  test('an archive of too many parts is refused', async () => {
    const writer = new ZipWriter();
    writer.add('first', 'x');
    for (let n = 0; n < 20_001; n += 1) writer.add(`${n}`, '', { sameDataAs: 'first' });
    await expect(read(writer.bytes(), 'a.docx')).rejects.toThrow('more than 20000 parts');
  });

  test('entities that the document declares are not expanded', async () => {
    const lol = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
      '',
    );
    const parts = word('');
    parts['word/document.xml'] =
      `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${lol}<!ENTITY x SYSTEM "file:///etc/passwd">]>` +
      '<w:document><w:p><w:r><w:t>a &l10; &x; b</w:t></w:r></w:p></w:document>';
    expect(await texts(parts, 'a.docx')).toEqual([' | paragraph: a &l10; &x; b']);
  });

  test('shared strings that fill the memory are refused', async () => {
    const strings = `<sst>${'<si><t>some text that is not short</t></si>'.repeat(500_000)}</sst>`;
    const parts = workbook('', { 'xl/sharedStrings.xml': strings });
    await expect(read(zip(parts), 'a.xlsx', { heapMegabytes: 16 })).rejects.toThrow('memory');
  });
});
