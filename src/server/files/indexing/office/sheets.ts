// Reads the text of an .xlsx workbook: the visible sheets, each row with the names of the columns.
import { createLinkedText, linkAddress, maxCodeLength } from '../links.ts';
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import {
  type CellFormat,
  createFormats,
  dateOf,
  durationOf,
  epoch1900,
  type Formatter,
  generalText,
} from './number-format.ts';
import { linksOf, relationsOf, sheetDrawings } from './open-xml.ts';
import { type Cell, createRows, maxColumns, valueText } from './rows.ts';
import { attribute, readPart, readXml, type XmlHandler } from './xml.ts';

interface Workbook {
  sheets: { name: string; part: string }[];
  strings: string[];
  /** How the cells of each style show their values. */
  formats: CellFormat[];
  /** The day with the number 0 in milliseconds since 1970. */
  epoch: number;
}

/** Yields the blocks of a workbook. `main`: its main part. */
export async function* sheetBlocks(archive: Archive, main: string): AsyncGenerator<Block> {
  const workbook = await readWorkbook(archive, main);
  for (const { name, part } of workbook.sheets) {
    if (!archive.has(part)) continue;
    yield { subtype: 'title', level: 1, text: name };
    const rows = createRows();
    const links = await cellLinks(archive, part);
    for await (const cells of readXml<(Cell | undefined)[]>(archive, part, (emit) =>
      sheetHandler(emit, workbook, links),
    )) {
      const block = rows.next(cells);
      if (block) yield block;
    }
    yield* sheetDrawings(archive, part);
  }
}

async function readWorkbook(archive: Archive, main: string): Promise<Workbook> {
  const relations = await relationsOf(archive, main);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.target ?? '';
  let epoch = epoch1900;
  const sheets = await readPart<Workbook['sheets'][number]>(archive, main, (emit) => ({
    open(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes.date1904 ?? ''))
        epoch = Date.UTC(1904, 0, 1);
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return;
      const key = Object.keys(attributes).find((one) => one.endsWith(':id')) ?? '';
      emit({ name: attributes.name ?? '', part: targets.get(attributes[key] ?? '') ?? '' });
    },
  }));
  return {
    sheets,
    strings: await readPart<string>(archive, partOf('sharedStrings'), stringsHandler),
    formats: await readFormats(archive, partOf('styles')),
    epoch,
  };
}

function stringsHandler(emit: (text: string) => void): XmlHandler {
  let text = '';
  let isText = false;
  /** Within the pronunciation of a text. */
  let isPhonetic = false;
  return {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') emit(valueText(text));
    },
  };
}

/** Returns how the cells of each style show their values, by the index of the style. */
async function readFormats(archive: Archive, part: string): Promise<CellFormat[]> {
  const custom = new Map<number, string>();
  const used: number[] = [];
  let isInCellFormats = false;
  await readPart(archive, part, () => ({
    open(name, attributes) {
      const id = Number(attributes.numFmtId);
      if (name === 'numFmt') custom.set(id, attributes.formatCode ?? '');
      else if (name === 'cellXfs') isInCellFormats = true;
      else if (name === 'xf' && isInCellFormats) used.push(id);
    },
    close(name) {
      if (name === 'cellXfs') isInCellFormats = false;
    },
  }));
  const formatOf = await createFormats();
  return used.map((id) => formatOf(id, custom.get(id)));
}

const textOf = (text: string, show: Formatter | undefined): string => show?.(text) ?? text;

function sheetHandler(
  emit: (cells: (Cell | undefined)[]) => void,
  { strings, formats, epoch }: Workbook,
  links: Map<string, string>,
): XmlHandler {
  let cells: (Cell | undefined)[] = [];
  let column = -1;
  let type = '';
  let format = 0;
  let value = '';
  let isValue = false;
  let formula = '';
  let isFormula = false;
  /** Within the pronunciation of a text. */
  let isPhonetic = false;
  let address: string | undefined;
  const cellOf = (): Cell | undefined => {
    if (value === '' || type === 'e') return undefined;
    const shown = formats[format];
    const show = typeof shown === 'function' ? shown : undefined;
    if (type === 's') return { text: textOf(strings[Number(value)] ?? '', show), isText: true };
    if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE', isText: false };
    if (type === 'str' || type === 'inlineStr') return { text: textOf(value, show), isText: true };
    if (type === 'd') return { text: value, isText: false };
    const number = Number(value);
    if (!Number.isFinite(number)) return { text: value, isText: false };
    if (shown === 'date') return { text: dateOf(number, epoch, value), isText: false };
    if (shown === 'duration') return { text: durationOf(number, value), isText: false };
    return { text: show?.(number) ?? generalText(value), isText: false };
  };
  return {
    open(name, attributes) {
      if (name === 'row') {
        cells = [];
        column = -1;
      } else if (name === 'c') {
        column = columnOf(attribute(attributes, 'r')) ?? column + 1;
        type = attributes.t ?? 'n';
        format = Number(attributes.s ?? 0);
        value = '';
        formula = '';
        address = links.get(attribute(attributes, 'r') ?? '');
      } else if (name === 'f') isFormula = true;
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 'v' || name === 't') isValue = !isPhonetic;
    },
    text(text) {
      if (isValue) value += text;
      else if (isFormula && formula.length < maxCodeLength) formula += text;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'f') isFormula = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'c' && column < maxColumns)
        cells[column] = withLink(cellOf(), address ?? addressOfFormula(formula));
      // A copy without holes.
      else if (name === 'row') emit([...cells]);
    },
  };
}

/** The maximum number of cells of a link that have its address, and of cells of a sheet. */
const maxLinkedCells = 1_000;
const maxLinks = 100_000;

/** Returns the addresses of the cells of a sheet by their references. They follow the cells in the part. */
async function cellLinks(archive: Archive, part: string): Promise<Map<string, string>> {
  const addresses = await linksOf(archive, part);
  const links = new Map<string, string>();
  if (addresses.size === 0) return links;
  let count = 0;
  const read = readXml<[string, string]>(archive, part, (emit) => ({
    open(name, attributes) {
      const address = addresses.get(attribute(attributes, 'id') ?? '');
      if (name === 'hyperlink' && address) emit([attribute(attributes, 'ref') ?? '', address]);
    },
  }));
  for await (const [reference, address] of read) {
    for (const cell of cellsOf(reference)) {
      count += 1;
      if (count > maxLinks) return links;
      links.set(cell, address);
    }
  }
  return links;
}

/** Yields the references of the cells of a range such as `A1:B2`. */
function* cellsOf(range: string): Generator<string> {
  const [from = '', to = from] = range.split(':');
  const [firstRow = 0, lastRow = 0] = [from, to].map((one) => Number(/\d+$/.exec(one)?.[0] ?? 0));
  const [first = 0, last = 0] = [from, to].map((one) => columnOf(one) ?? 0);
  let count = 0;
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = first; column <= last; column += 1) {
      count += 1;
      if (count > maxLinkedCells) return;
      yield `${nameOfColumn(column)}${row}`;
    }
  }
}

const nameOfColumn = (column: number): string =>
  (column >= 26 ? nameOfColumn(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));

/** Returns the address of the formula `HYPERLINK("https://example.com","words")`, if it is a text. */
const addressOfFormula = (formula: string): string | undefined =>
  linkAddress(/^\s*HYPERLINK\(\s*"((?:[^"]|"")*)"/i.exec(formula)?.[1]?.replaceAll('""', '"'));

function withLink(cell: Cell | undefined, address: string | undefined): Cell | undefined {
  if (!cell || address === undefined) return cell;
  const text = createLinkedText();
  text.add(cell.text, address);
  return { ...cell, text: text.take() };
}

/** Returns the index of the column of a reference such as `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
