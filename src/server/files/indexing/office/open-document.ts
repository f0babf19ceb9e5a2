// Reads the text of OpenDocument files: texts (.odt), sheets (.ods) and presentations (.odp).
import type { Block } from '../passages.ts';
import { UnreadableError } from '../unreadable-error.ts';
import type { Archive } from './archive.ts';
import { generalText } from './number-format.ts';
import { type Cell, createRows, maxColumns } from './rows.ts';
import { type Attributes, attribute, readPart, readXml, type XmlHandler } from './xml.ts';

/** Elements whose text is not part of the document. */
const hidden = new Set([
  'annotation',
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
  yield* readXml<Block>(archive, 'content.xml', openDocumentHandler);
}

function openDocumentHandler(emit: (block: Block) => void): XmlHandler {
  const texts: { text: string; level: number | undefined }[] = [];
  let hiddenDepth = 0;
  let lists = 0;
  let page = 0;
  let title: string | undefined;
  let isSpreadsheet = false;
  let rows = createRows();
  /** The cells of the open row of each open table, and how often the open cell is repeated. */
  const tables: { cells: Cell[]; repeated: number; value: string }[] = [];

  const add = (text: string) => {
    const paragraph = texts.at(-1);
    if (paragraph && hiddenDepth === 0) paragraph.text += text;
  };
  const onPage = () => (page > 0 ? { page } : {});
  function closeText(): void {
    const paragraph = texts.pop();
    if (!paragraph || paragraph.text.trim() === '') return;
    const { text, level } = paragraph;
    const cell = tables.at(-1)?.cells.at(-1);
    if (cell) cell.text = `${cell.text} ${text}`.trim();
    else if (title !== undefined) title += ` ${text}`;
    else if (level !== undefined) emit({ subtype: 'title', level, text, ...onPage() });
    else emit({ subtype: lists > 0 ? 'list' : 'paragraph', text, ...onPage() });
  }
  function closeRow(): void {
    const table = tables.at(-1);
    if (!table) return;
    const { cells } = table;
    table.cells = [];
    if (isSpreadsheet) {
      const block = rows.next(cells);
      if (block) emit(block);
      return;
    }
    if (!cells.some(({ text }) => text)) return;
    const row = cells.map(({ text }) => text).join(' | ');
    const outer = tables.at(-2)?.cells.at(-1);
    // The rows of a table within a cell are part of the cell.
    if (outer) outer.text = `${outer.text} ${row}`.trim();
    else emit({ subtype: 'table', text: row, ...onPage() });
  }

  return {
    open(name, attributes) {
      if (hidden.has(name)) hiddenDepth += 1;
      else if (name === 'p' || name === 'h') {
        const level = Number(attribute(attributes, 'outline-level') ?? 1);
        texts.push({ text: '', level: name === 'h' ? level : undefined });
      } else if (name === 's')
        add(' '.repeat(Math.min(maxSpaces, Number(attribute(attributes, 'c') ?? 1) || 1)));
      else if (name === 'tab') add('\t');
      else if (name === 'line-break') add('\n');
      else if (name === 'list') lists += 1;
      else if (name === 'spreadsheet') isSpreadsheet = true;
      else if (name === 'page') page += 1;
      else if (name === 'frame' && attribute(attributes, 'class') === 'title') title = '';
      else if (name === 'table') {
        tables.push({ cells: [], repeated: 1, value: '' });
        if (!isSpreadsheet || tables.length > 1) return;
        rows = createRows();
        emit({ subtype: 'title', level: 1, text: attribute(attributes, 'name') ?? '' });
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        const table = tables.at(-1);
        if (!table) return;
        const type = attribute(attributes, 'value-type') ?? 'string';
        table.repeated = Number(attribute(attributes, 'number-columns-repeated') ?? 1) || 1;
        table.cells.push({ text: '', isText: type === 'string' });
        table.value = cellValue(type, attributes);
      }
    },
    text: add,
    close(name) {
      if (hidden.has(name)) hiddenDepth -= 1;
      else if (name === 'p' || name === 'h') closeText();
      else if (name === 'list') lists -= 1;
      else if (name === 'frame' && title !== undefined) {
        if (title.trim()) emit({ subtype: 'title', level: 1, text: title.trim(), ...onPage() });
        title = undefined;
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        const table = tables.at(-1);
        const cell = table?.cells.at(-1);
        if (!table || !cell) return;
        // Some programs write the value without the text that is shown.
        if (cell.text === '') cell.text = table.value;
        for (let n = 1; n < table.repeated && table.cells.length < maxColumns; n += 1)
          table.cells.push({ ...cell });
      } else if (name === 'table-row') closeRow();
      else if (name === 'table') tables.pop();
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
