// Reads the text of OpenDocument files: texts (.odt), sheets (.ods) and presentations (.odp). Comments, deleted and hidden text are
// omitted.
import { createLinkedText, type LinkedText, linkAddress } from '../links.ts';
import type { Block } from '../passages.ts';
import { UnreadableError } from '../reader-interface.ts';
import type { Archive } from './archive.ts';
import { createMargins } from './margins.ts';
import { generalText } from './number-format.ts';
import { type Cell, createRows, maxColumns, valueText } from './rows.ts';
import { createTableText } from './table-text.ts';
import { type Attributes, attribute, readPart, readXml, type XmlHandler } from './xml.ts';

/** Elements whose text is not part of the document, or tells how that of others is spoken. */
const hidden = new Set([
  'annotation',
  'hidden-paragraph',
  'hidden-text',
  'note-citation',
  'ruby-text',
  'tracked-changes',
  'page-number',
  'forms',
  'date-time',
  'footer',
  'header',
]);
/** The maximum number of repeated spaces. */
const maxSpaces = 100;

/** Yields the blocks of a document. Throws UnreadableError when it requires a password. */
export async function* openDocumentBlocks(archive: Archive): AsyncGenerator<Block> {
  const encrypted = await readPart<true>(archive, 'META-INF/manifest.xml', (emit) => ({
    open(name) {
      if (name === 'encryption-data') emit(true);
    },
  }));
  if (encrypted.length > 0) throw new UnreadableError('The document is locked with a password.');
  const invisible = await invisibleStyles(archive);
  // Before the titles of the document, below which they do not belong.
  for (const text of await marginTexts(archive)) yield { subtype: 'paragraph', text };
  yield* readXml<Block>(archive, 'content.xml', (emit) => openDocumentHandler(emit, invisible));
}

/** Returns each text of the headers and footers of a text once; those of sheets and slides have fields only, or are printed only. */
async function marginTexts(archive: Archive): Promise<Iterable<string>> {
  if (!(await isTextDocument(archive))) return [];
  const margins = createMargins();
  await readPart(archive, 'styles.xml', () => {
    const handler = openDocumentHandler(({ text }) => margins.add(text), new Set());
    let depth = 0;
    return {
      open(name, attributes) {
        if (name === 'page-number' || name === 'page-count') margins.addNumber();
        if (depth > 0) handler.open?.(name, attributes);
        // Also those of left pages and first pages.
        if (depth > 0 || /^(?:header|footer)(?:-left|-first)?$/.test(name)) depth += 1;
      },
      text: (text) => {
        if (depth > 0) handler.text?.(text);
      },
      close(name) {
        if (depth > 0) depth -= 1;
        if (depth > 0) handler.close?.(name);
      },
    };
  });
  return margins.texts;
}

async function isTextDocument(archive: Archive): Promise<boolean> {
  if (!archive.has('mimetype')) return false;
  let type = '';
  for await (const chunk of archive.part('mimetype'))
    if (type.length < 100) type += Buffer.from(chunk).toString('latin1');
  return /\.text\b/.test(type);
}

/** The kinds of styles of elements whose text a style can hide. */
const styleKinds: Readonly<Record<string, string>> = {
  span: 'text',
  p: 'paragraph',
  h: 'paragraph',
  table: 'table',
};

/** Returns the styles that hide their text, each as its family and its name. */
async function invisibleStyles(archive: Archive): Promise<Set<string>> {
  const names = new Set<string>();
  const handler = (): XmlHandler => {
    let style = '';
    return {
      open(name, attributes) {
        const display = attribute(attributes, 'display');
        if (name === 'style') style = `${attribute(attributes, 'family')} ${attribute(attributes, 'name')}`;
        else if (name === 'text-properties' && display === 'none') names.add(style);
        else if (name === 'table-properties' && display === 'false') names.add(style);
      },
    };
  };
  for (const part of ['styles.xml', 'content.xml']) await readPart(archive, part, handler);
  return names;
}

/** `invisible`: the styles that hide their text. */
function openDocumentHandler(
  emitVisible: (block: Block) => void,
  invisible: ReadonlySet<string>,
): XmlHandler {
  const texts: { text: LinkedText; level: number | undefined }[] = [];
  /** The addresses of the open links; undefined for one that is not written. */
  const links: (string | undefined)[] = [];
  let depth = 0;
  /** The depth of the element that is hidden with all in it. */
  let hiddenAt: number | undefined;
  let lists = 0;
  let page = 0;
  let title: string[] | undefined;
  let isSpreadsheet = false;
  const table = createTableText();
  const emit = (block: Block) => {
    if (hiddenAt === undefined) emitVisible(block);
  };
  const sheet = createSheet(emit);

  const add = (text: string) => {
    if (hiddenAt === undefined) texts.at(-1)?.text.add(text, links.at(-1));
  };
  const isHidden = (name: string, attributes: Attributes) =>
    hidden.has(name) ||
    invisible.has(`${styleKinds[name]} ${attribute(attributes, 'style-name')}`) ||
    (name === 'section' && attribute(attributes, 'display') === 'none');
  const onPage = () => (page > 0 ? { page } : {});
  function closeText(): void {
    const paragraph = texts.pop();
    if (!paragraph?.text.hasWords) return;
    const text = paragraph.text.take();
    const { level } = paragraph;
    if (isSpreadsheet && sheet.isInCell()) sheet.add(text);
    else if (table.isOpen) table.add(text);
    else if (title !== undefined) title.push(text);
    else if (level !== undefined) emit({ subtype: 'title', level, text, ...onPage() });
    else emit({ subtype: lists > 0 ? 'list' : 'paragraph', text, ...onPage() });
  }
  function openInTable(name: string, attributes: Attributes): void {
    if (name === 'table') {
      if (isSpreadsheet) sheet.open(attribute(attributes, 'name') ?? '');
      else table.openTable();
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      if (isSpreadsheet) sheet.openCell(attributes);
      else table.openCell();
    }
  }
  function closeInTable(name: string): void {
    if (name === 'table-cell' || name === 'covered-table-cell') sheet.closeCell();
    else if (name === 'table-row' && isSpreadsheet) sheet.closeRow();
    else if (name === 'table-row') {
      const text = table.closeRow();
      if (text !== undefined) emit({ subtype: 'table', text, ...onPage() });
    } else if (name === 'table' && isSpreadsheet) sheet.close();
    else if (name === 'table') table.closeTable();
  }

  return {
    open(name, attributes) {
      depth += 1;
      if (hiddenAt === undefined && isHidden(name, attributes)) hiddenAt = depth;
      if (name === 'p' || name === 'h') {
        const level = Number(attribute(attributes, 'outline-level') ?? 1);
        texts.push({ text: createLinkedText(), level: name === 'h' ? level : undefined });
      } else if (name === 's')
        add(' '.repeat(Math.min(maxSpaces, Number(attribute(attributes, 'c') ?? 1) || 1)));
      else if (name === 'tab') add('\t');
      else if (name === 'line-break') add('\n');
      else if (name === 'a') links.push(linkAddress(attribute(attributes, 'href')));
      else if (name === 'list') lists += 1;
      else if (name === 'spreadsheet') isSpreadsheet = true;
      else if (name === 'page') page += 1;
      else if (name === 'frame' && attribute(attributes, 'class') === 'title') title = [];
      else openInTable(name, attributes);
    },
    text: add,
    close(name) {
      if (name === 'p' || name === 'h') closeText();
      else if (name === 'a') links.pop();
      else if (name === 'list') lists -= 1;
      else if (name === 'frame' && title !== undefined) {
        const text = title.join(' ').trim();
        if (text) emit({ subtype: 'title', level: 1, text, ...onPage() });
        title = undefined;
      } else closeInTable(name);
      if (hiddenAt === depth) hiddenAt = undefined;
      depth -= 1;
    },
  };
}

/** Collects the rows of the sheets of a workbook. Tables within cells are part of the cell. */
function createSheet(emit: (block: Block) => void) {
  let depth = 0;
  let rows = createRows();
  let cells: Cell[] = [];
  let open: { parts: string[]; value: string; isText: boolean; repeated: number } | undefined;
  return {
    isInCell: () => open !== undefined,
    open(name: string) {
      depth += 1;
      if (depth > 1) return;
      rows = createRows();
      emit({ subtype: 'title', level: 1, text: name });
    },
    close() {
      depth -= 1;
    },
    openCell(attributes: Attributes) {
      if (depth > 1) return;
      const type = attribute(attributes, 'value-type') ?? 'string';
      const repeated = Number(attribute(attributes, 'number-columns-repeated') ?? 1) || 1;
      open = { parts: [], value: cellValue(type, attributes), isText: type === 'string', repeated };
    },
    add(text: string) {
      open?.parts.push(text.trim());
    },
    closeCell() {
      if (!open || depth > 1) return;
      const { parts, value, isText, repeated } = open;
      // Some programs write the value without the text that is shown.
      const cell = { text: valueText(parts.join(' ') || value), isText };
      for (let n = 0; n < repeated && cells.length < maxColumns; n += 1) cells.push(cell);
      open = undefined;
    },
    closeRow() {
      if (depth > 1) return;
      const block = rows.next(cells);
      cells = [];
      if (block) emit(block);
    },
  };
}

/** Returns the value of a cell as a spreadsheet shows it without a format of its own. */
function cellValue(type: string, attributes: Attributes): string {
  const value = attribute(attributes, 'value') ?? '';
  if (type === 'percentage') return value === '' ? '' : `${generalText(String(Number(value) * 100))}%`;
  if (type === 'currency') return `${generalText(value)} ${attribute(attributes, 'currency') ?? ''}`.trim();
  if (type === 'float') return generalText(value);
  if (type === 'boolean') return (attribute(attributes, 'boolean-value') ?? '').toUpperCase();
  return attribute(attributes, `${type}-value`) ?? '';
}
