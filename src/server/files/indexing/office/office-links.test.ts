import { describe, expect, test } from 'vitest';
import { useReader } from '../reader.testing.ts';
import { createTableText } from './table-text.ts';
import { openDocument, word, workbook, zip } from './testing.ts';

const readFile = useReader();
const read = async (content: string | Record<string, string>, name: string) =>
  (await readFile(typeof content === 'string' ? content : zip(content), name)).texts;

const link = (id: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/hyperlink" Target="${target}" TargetMode="External"/>`;
const site = 'https://example.com/book?a=1&amp;b=2';
const shown = '[book an appointment](https://example.com/book?a=1&b=2)';

describe('a link of Word', () => {
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const field = (code: string, result: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r>` +
    `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const simple = (code: string) =>
    `<w:fldSimple w:instr="${code}">${run('book an appointment')}</w:fldSimple>`;
  const words = run('book an appointment');

  test.each([
    ['a relation', `<w:hyperlink r:id="r9">${run('book an')}${run(' appointment')}</w:hyperlink>`, shown],
    ['a field', field(`HYPERLINK "${site}"`, words), shown],
    ['a field with options', field(`HYPERLINK \\o "Tip" "${site}" \\t "_blank"`, words), shown],
    ['a simple field', simple(` HYPERLINK &quot;${site}&quot; `), shown],
    [
      'a mail address',
      field('HYPERLINK "mailto:ada@example.com"', run('Ada')),
      '[Ada](mailto:ada@example.com)',
    ],
    [
      'an address as its words',
      field('HYPERLINK "mailto:a@example.com"', run('a@example.com')),
      'a@example.com',
    ],
    [
      'a part of a page',
      field('HYPERLINK "https://x.org/a" \\l "b"', run('here')),
      '[here](https://x.org/a#b)',
    ],
    ['a script', field('HYPERLINK "javascript:alert(1)"', run('here')), 'here'],
    ['a file', `<w:hyperlink r:id="r8">${run('here')}</w:hyperlink>`, 'here'],
    ['a bookmark', `<w:hyperlink w:anchor="top">${run('here')}</w:hyperlink>`, 'here'],
    ['another field', field('PAGE', run('7')), '7'],
    ['a field within another one', field('IF 1 = 1', field(`HYPERLINK "${site}"`, words)), shown],
  ])('to %s has its address beside the words', async (_, content, expected) => {
    const parts = word(`<w:p>${run('Please ')}${content}${run(' now.')}</w:p>`);
    parts['word/_rels/document.xml.rels'] =
      `<Relationships>${link('r9', site)}${link('r8', 'file:///c:/a.txt')}</Relationships>`;
    expect(await read(parts, 'a.docx')).toEqual([`Please ${expected} now.`]);
  });

  test('in a note has its address beside the words', async () => {
    const parts = word(`<w:p>${run('Text.')}</w:p>`, {
      'word/footnotes.xml': `<w:footnotes><w:footnote><w:p><w:hyperlink r:id="r1">${words}</w:hyperlink></w:p></w:footnote></w:footnotes>`,
      'word/_rels/footnotes.xml.rels': `<Relationships>${link('r1', site)}</Relationships>`,
    });
    expect(await read(parts, 'a.docx')).toEqual([`Text.\n\n${shown}`]);
  });
});

test('a link of OpenDocument has its address beside the words', async () => {
  const body = `<office:text><text:p>Please <text:a xlink:href="${site}">book an <text:span>appointment</text:span></text:a> or <text:a xlink:href="tel:+49123">call</text:a>, not <text:a xlink:href="#top">here</text:a>.</text:p></office:text>`;
  expect(await read(openDocument(body), 'a.odt')).toEqual([
    `Please ${shown} or [call](tel:+49123), not here.`,
  ]);
});

test('a link of a sheet has its address beside the words', async () => {
  const rows =
    '<row r="1"><c r="A1" t="str"><v>book an appointment</v></c>' +
    '<c r="B1" t="str"><f>HYPERLINK("https://x.org/""a""","there")</f><v>there</v></c><c r="C1"><v>7</v></c></row>' +
    '<row r="2"><c r="A2" t="str"><v>both</v></c><c r="B2" t="str"><v>cells</v></c></row>';
  const parts = workbook(rows);
  parts['xl/worksheets/sheet1.xml'] =
    `<worksheet><sheetData>${rows}</sheetData><hyperlinks><hyperlink ref="A1" r:id="r9"/><hyperlink ref="A2:B2" r:id="r7"/></hyperlinks></worksheet>`;
  parts['xl/worksheets/_rels/sheet1.xml.rels'] =
    `<Relationships>${link('r9', site)}${link('r7', 'mailto:a@b.c')}</Relationships>`;
  expect(await read(parts, 'a.xlsx')).toEqual([
    `${shown} | [there](https://x.org/%22a%22) | 7\n[both](mailto:a@b.c) | [cells](mailto:a@b.c)`,
  ]);
});

test('a link of an OpenDocument sheet has its address beside the words', async () => {
  const sheet = `<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p><text:a xlink:href="${site}">book an appointment</text:a></text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`;
  expect(await read(openDocument(sheet), 'a.ods')).toEqual([shown]);
});

test('a link of a slide has its address beside the words', async () => {
  const slide =
    '<p:sld><p:sp><p:txBody><a:p><a:r><a:t>Please </a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="r1"/></a:rPr><a:t>book an appointment</a:t></a:r><a:r><a:t> now.</a:t></a:r></a:p></p:txBody></p:sp>' +
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Button"><a:hlinkClick r:id="r2"/></p:cNvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Mail</a:t></a:r></a:p></p:txBody></p:sp></p:sld>';
  const parts = {
    '_rels/.rels':
      '<Relationships><Relationship Id="r1" Type="http://x/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="r1" Type="http://x/slide" Target="slides/slide1.xml"/></Relationships>',
    'ppt/slides/slide1.xml': slide,
    'ppt/slides/_rels/slide1.xml.rels': `<Relationships>${link('r1', site)}${link('r2', 'mailto:a@b.c')}</Relationships>`,
  };
  expect(await read(parts, 'a.pptx')).toEqual([`Please ${shown} now.\n\n[Mail](mailto:a@b.c)`]);
});

test('a link of Rich Text has its address beside the words', async () => {
  const text =
    '{\\rtf1 Please {\\field{\\*\\fldinst{HYPERLINK "https://example.com/book?a=1&b=2"}}{\\fldrslt{\\ul book an appointment}}} now, {\\field{\\*\\fldinst HYPERLINK "javascript:x"}{\\fldrslt here}}.\\par}';
  expect(await read(text, 'a.rtf')).toEqual([`Please ${shown} now, here.`]);
});

test('a link of a book has its address beside the words', async () => {
  const parts = {
    'META-INF/container.xml': '<container><rootfile full-path="book.opf"/></container>',
    'book.opf':
      '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': `<html><body><p>Please <a href="${site}">book an appointment</a>, <a href="b.xhtml">b</a>.</p></body></html>`,
  };
  expect(await read(parts, 'a.epub')).toEqual([`Please ${shown}, b.`]);
});

test('the shapes and charts on a sheet are read', async () => {
  const relation = (id: string, type: string, target: string) =>
    `<Relationships><Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/></Relationships>`;
  const parts = workbook('<row><c t="str"><v>cell</v></c></row>', {
    'xl/worksheets/_rels/sheet1.xml.rels': relation('r1', 'drawing', '../drawings/drawing1.xml'),
    'xl/drawings/drawing1.xml':
      '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>in a box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>',
    'xl/drawings/_rels/drawing1.xml.rels': relation('r1', 'chart', '../charts/chart1.xml'),
    'xl/charts/chart1.xml': '<c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title></c:chart>',
  });
  expect(await read(parts, 'a.xlsx')).toEqual(['cell', 'in a box\n\nSales']);
});

test('a diagram and a chart of a document are read', async () => {
  const parts = word('<w:p><w:r><w:t>Text.</w:t></w:r></w:p>', {
    'word/diagrams/data1.xml':
      '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>First </a:t></a:r><a:r><a:t>step</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
    'word/charts/chart1.xml':
      '<c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:strCache><c:pt><c:v>North</c:v></c:pt></c:strCache><c:numCache><c:pt><c:v>7</c:v></c:pt></c:numCache></c:chart>',
  });
  parts['word/_rels/document.xml.rels'] =
    '<Relationships><Relationship Id="r1" Type="http://x/diagramData" Target="diagrams/data1.xml"/><Relationship Id="r2" Type="http://x/chart" Target="charts/chart1.xml"/></Relationships>';
  expect(await read(parts, 'a.docx')).toEqual(['Text.\n\nFirst step\n\nSales\n\nNorth']);
});

describe('a row of a table', () => {
  // Would take hours if the text of a cell was copied for each of its paragraphs.
  test('with a million of paragraphs in a cell is read in one pass', () => {
    const table = createTableText();
    table.openTable();
    table.openCell();
    for (let n = 0; n < 1_000_000; n += 1) table.add('word');
    expect(table.closeRow()).toHaveLength(1_000_000 * 5 - 1);
  });

  test('of a small document with many paragraphs in a cell is read', async () => {
    const cell = `<w:tc>${'<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(150_000)}</w:tc>`;
    const texts = await read(word(`<w:tbl><w:tr>${cell}</w:tr></w:tbl>`), 'rows.docx');
    expect(texts.join(' ').replace(/\s/g, '')).toHaveLength(150_000);
  });

  test('has the texts of all tables within its cells', () => {
    const table = createTableText();
    for (let n = 0; n < 300; n += 1) {
      table.openTable();
      table.openCell();
      table.add(`t${n}`);
    }
    for (let n = 0; n < 299; n += 1) {
      expect(table.closeRow()).toBeUndefined();
      table.closeTable();
    }
    expect(table.closeRow()).toBe(Array.from({ length: 300 }, (_, n) => `t${n}`).join(' '));
  });
});
