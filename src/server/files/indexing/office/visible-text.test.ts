import { expect, test } from 'vitest';
import { useReader } from '../reader.testing.ts';
import { openDocument, word, workbook, zip } from './testing.ts';

const readFile = useReader();
async function read(parts: Record<string, string>, name: string) {
  const { passages, warnings } = await readFile(zip(parts), name);
  const texts = passages.map(({ content, breadcrumb }) =>
    breadcrumb ? `${breadcrumb}: ${content}` : content,
  );
  return { texts, warnings };
}

const relations = (...rows: [type: string, target: string][]): string =>
  `<Relationships>${rows.map(([type, target], n) => `<Relationship Id="r${n}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`;
const t = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, style = '') =>
  `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}</w:pPr>${content}</w:p>`;
const body = async (content: string, more: Record<string, string> = {}) =>
  (await read(word(content, more), 'a.docx')).texts;

test('.docx: each text of headers and footers is read once, before the titles', async () => {
  const heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>';
  const parts = word(heading + p(t('Body.')), {
    'word/_rels/document.xml.rels': relations(
      ['header', 'header1.xml'],
      ['header', 'header2.xml'],
      ['footer', 'footer1.xml'],
      ['footer', 'missing.xml'],
    ),
    'word/header1.xml': `<w:hdr>${p(t('Acme Ltd, Order line 555-0199'))}</w:hdr>`,
    'word/header2.xml': `<w:hdr>${p(t('Acme Ltd, Order line 555-0199'))}<w:p><w:r><w:pict><v:shape><v:textpath string="CONFIDENTIAL"/></v:shape></w:pict></w:r></w:p></w:hdr>`,
    'word/footer1.xml': `<w:ftr>${p(`${t('Open 9')}<w:r><w:ptab/></w:r>${t('to 17')}`)}${p(`${t('Page ')}<w:fldSimple w:instr=" PAGE ">${t('3')}</w:fldSimple>${t(' of 12')}`)}</w:ftr>`,
  });
  expect((await read(parts, 'a.docx')).texts).toEqual([
    'Acme Ltd, Order line 555-0199\n\nCONFIDENTIAL\n\nOpen 9\tto 17',
    'Title: Body.',
  ]);
});

test('.docx: hidden text is left out, also by its style, and text that its run shows is read', async () => {
  const styles =
    '<w:styles><w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>' +
    '<w:style w:styleId="Child"><w:basedOn w:val="Secret"/></w:style>' +
    '<w:style w:styleId="Plain"><w:rPr><w:b/></w:rPr></w:style></w:styles>';
  const run = (format: string, text: string) => `<w:r><w:rPr>${format}</w:rPr><w:t>${text}</w:t></w:r>`;
  const content =
    p(t('seen') + run('<w:vanish/>', ' hidden') + run('<w:vanish w:val="0"/>', ' shown')) +
    p(run('<w:rStyle w:val="Child"/>', 'hidden') + run('<w:rStyle w:val="Plain"/>', 'plain')) +
    p(t('hidden') + run('<w:vanish w:val="false"/>', 'again'), 'Secret') +
    // The end of the paragraph is hidden, and the run was hidden before a tracked change.
    `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>', 'end')}</w:p>`;
  expect(await body(content, { 'word/styles.xml': styles })).toEqual(['seen shown\n\nplain\n\nagain\n\nend']);
});

test('.docx: symbols, hyphens and the content of controls are read as they are shown', async () => {
  const sym = (font: string, code: string) => `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`;
  const content =
    p(
      `${t('5 ')}${sym('Symbol', 'F0B3')}${t(' 3, ')}${sym('Symbol', 'F06D')}${t('m, ')}${sym('Wingdings', 'F0FC')}${t(' yes')}`,
    ) +
    p(`${t('co')}<w:r><w:softHyphen/></w:r>${t('operate')}<w:r><w:noBreakHyphen/></w:r>${t('now')}`) +
    `<w:sdt><w:sdtContent>${p(t('control'))}</w:sdtContent></w:sdt>` +
    p(
      `<w:r><w:ruby><w:rt>${t('とうきょう')}</w:rt><w:rubyBase>${t('東京')}</w:rubyBase></w:ruby></w:r>${t('駅')}`,
    );
  expect(await body(content)).toEqual(['5 ≥ 3, μm, ✓ yes\n\ncooperate-now\n\ncontrol\n\n東京駅']);
});

test('.docx: of several alternatives the first one is read, also within another one', async () => {
  const box = (text: string) => `<w:pict><w:txbxContent>${p(t(text))}</w:txbxContent></w:pict>`;
  const alternatives = (...choices: string[]) =>
    `<mc:AlternateContent>${choices.map((one) => `<mc:Choice>${one}</mc:Choice>`).join('')}<mc:Fallback>${box('fallback')}</mc:Fallback></mc:AlternateContent>`;
  const content = p(
    `<w:r>${alternatives(box('one') + alternatives(box('inner'), box('other')), box('two'))}</w:r>`,
  );
  expect(await body(content)).toEqual(['one\n\ninner']);
});

test('.docx: results within the code of a field are left out', async () => {
  const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
  const inner = char('begin') + code('MERGEFIELD x') + char('separate') + t('inner') + char('end');
  const content = p(
    char('begin') +
      code('IF ') +
      inner +
      code(' = 1') +
      char('separate') +
      t('result') +
      char('end') +
      t('!'),
  );
  expect(await body(content)).toEqual(['result!']);
});

test('.docx: an inserted file of another format is reported', async () => {
  const parts = word(p(t('text')), {
    'word/_rels/document.xml.rels': relations(['aFChunk', 'chunk.htm']),
    'word/chunk.htm': '<p>chunk',
  });
  expect(await read(parts, 'a.docx')).toEqual({
    texts: ['text'],
    warnings: [expect.stringContaining('inserted')],
  });
});

test('.odt: headers and footers are read once; hidden text, readings and numbers of notes are left out', async () => {
  const masters = ['header', 'header-first', 'footer'].map(
    (name) =>
      `<style:${name}><text:p>${name === 'footer' ? 'Foot' : 'Head'}</text:p><text:p>Page <text:page-number>1</text:page-number></text:p></style:${name}>`,
  );
  const content =
    '<office:automatic-styles><style:style style:family="text" style:name="T1"><style:text-properties text:display="none"/></style:style></office:automatic-styles>' +
    '<office:text><text:h>Title</text:h><text:p>seen<text:span text:style-name="T1"> hidden</text:span>' +
    '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note> here</text:p>' +
    '<text:p text:style-name="T1"><text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>駅</text:p>' +
    '<text:section text:display="none"><text:p>hidden</text:p></text:section><text:p><text:hidden-text>hidden</text:hidden-text>end</text:p></office:text>';
  const parts = openDocument(content, {
    'styles.xml': `<office:document-styles><office:master-styles><style:master-page>${masters.join('')}</style:master-page></office:master-styles></office:document-styles>`,
  });
  expect((await read(parts, 'a.odt')).texts).toEqual([
    'Head\n\nFoot',
    'Title: note\n\nseen here\n\n東京駅\n\nend',
  ]);
});

test('.ods: a hidden sheet is left out', async () => {
  const sheet = (name: string, style: string) =>
    `<table:table table:name="${name}" table:style-name="${style}"><table:table-row><table:table-cell><text:p>in ${name}</text:p></table:table-cell></table:table-row></table:table>`;
  const content =
    '<office:automatic-styles><style:style style:family="table" style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles>' +
    `<office:spreadsheet>${sheet('One', 'ta1')}${sheet('Two', 'ta2')}${sheet('Three', 'ta1')}</office:spreadsheet>`;
  expect((await read(openDocument(content), 'a.ods')).texts).toEqual(['One: in One', 'Three: in Three']);
});

test('.pptx: a footer is read once, and of several alternatives the first one', async () => {
  const shape = (text: string, type = 'body') =>
    `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`;
  const slide = (content: string) => `<p:sld>${content}</p:sld>`;
  const parts = {
    '_rels/.rels': relations(['officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': '<p:presentation><p:sldId r:id="r0"/><p:sldId r:id="r1"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(['slide', 'one.xml'], ['slide', 'two.xml']),
    'ppt/one.xml': slide(
      `<mc:AlternateContent><mc:Choice>${shape('first')}</mc:Choice><mc:Fallback>${shape('first')}</mc:Fallback></mc:AlternateContent>${shape('Acme Ltd', 'ftr')}${shape('7', 'sldNum')}`,
    ),
    'ppt/two.xml': slide(`${shape('second')}${shape('Acme Ltd', 'ftr')}${shape('8', 'sldNum')}`),
  };
  expect((await read(parts, 'a.pptx')).texts).toEqual(['first\n\nAcme Ltd', 'second']);
});

test('.xlsx: the pronunciation of a text is left out, also in a cell with its own text', async () => {
  const text = '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>';
  const parts = workbook(`<row><c t="s"><v>0</v></c><c t="inlineStr"><is>${text}</is></c></row>`, {
    'xl/sharedStrings.xml': `<sst><si>${text}</si></sst>`,
  });
  expect((await read(parts, 'a.xlsx')).texts).toEqual(['Data: 東京 | 東京']);
});
