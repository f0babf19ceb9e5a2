// Reads the text of a .docx document: headings, lists, tables, text boxes, notes, diagrams, and each text of headers and footers
// once. Deleted text of tracked changes, hidden text and comments are omitted.
import { addressOfField, createLinkedText, type LinkedText, linkAddress, maxCodeLength } from '../links.ts';
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import { createMargins, type Margins } from './margins.ts';
import { drawingBlocks, linksOf, relationsOf } from './open-xml.ts';
import { createTableText } from './table-text.ts';
import {
  type Attributes,
  attribute,
  createAlternatives,
  isOn,
  readPart,
  readXml,
  type XmlHandler,
} from './xml.ts';

/** Elements whose text is not visible, or tells how that of others is spoken. */
const hidden = new Set(['del', 'moveFrom', 'delText', 'delInstrText', 'rt']);
/** Formats of before a tracked change. */
const former = new Set(['rPrChange', 'pPrChange']);

/** Yields the blocks of a document. `main`: its main part. */
export async function* wordBlocks(archive: Archive, main: string): AsyncGenerator<Block> {
  const relations = await relationsOf(archive, main);
  const partsOf = (type: string) =>
    relations.filter((one) => one.type === type && archive.has(one.target)).map(({ target }) => target);
  const styles = await readStyles(archive, partsOf('styles')[0] ?? '');
  async function* blocksOf(part: string): AsyncGenerator<Block> {
    const links = await linksOf(archive, part);
    yield* readXml<Block>(archive, part, (emit) => wordHandler(emit, { styles, links }));
  }
  // Before the titles of the document, below which they do not belong. Each section repeats them.
  const margins = createMargins();
  for (const part of [...partsOf('header'), ...partsOf('footer')]) {
    const links = await linksOf(archive, part);
    await readPart(archive, part, () => marginHandler(margins, { styles, links }));
  }
  for (const text of margins.texts) yield { subtype: 'paragraph', text };
  yield* blocksOf(main);
  for (const part of [...partsOf('footnotes'), ...partsOf('endnotes')]) yield* blocksOf(part);
  for (const part of [...partsOf('diagramData'), ...partsOf('chart')]) yield* drawingBlocks(archive, part);
  if (partsOf('aFChunk').length > 0)
    archive.warn('A part that was inserted as a file of another format could not be read.');
}

interface Paragraph {
  text: LinkedText;
  level: number | undefined;
  isList: boolean;
  /** Whether its style hides its text. */
  isHidden: boolean;
}

interface Run {
  /** Whether its style, and the run itself, hide its text; undefined when they do not say. */
  isHidden: boolean | undefined;
}

/** A field whose result follows its code (ECMA-376, part 1, 17.16). */
interface Field {
  code: string;
  /** The address of a HYPERLINK field, when its code has ended; before, that of the field around it. */
  address: string | undefined;
  /** Whether the code has ended. */
  hasResult: boolean;
}

interface WordOptions {
  styles: Styles;
  /** The addresses of the relations of the part. */
  links: Map<string, string>;
}

/** Adds the paragraphs of a header or a footer. */
function marginHandler(margins: Margins, options: WordOptions): XmlHandler {
  const handler = wordHandler(({ text }) => margins.add(text), options);
  const addCode = (code: string) => {
    if (/^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i.test(code)) margins.addNumber();
  };
  let isCode = false;
  return {
    open(name, attributes) {
      isCode = name === 'instrText';
      if (name === 'fldSimple') addCode(attribute(attributes, 'instr') ?? '');
      handler.open?.(name, attributes);
    },
    text(text) {
      if (isCode) addCode(text);
      handler.text?.(text);
    },
    close(name) {
      isCode = false;
      handler.close?.(name);
    },
  };
}

function wordHandler(emit: (block: Block) => void, { styles, links }: WordOptions): XmlHandler {
  /** The open paragraphs: a text box within a paragraph has its own. */
  const paragraphs: Paragraph[] = [];
  const table = createTableText();
  const fields: Field[] = [];
  /** The addresses of the open links; undefined for one that is not written. */
  const hyperlinks: (string | undefined)[] = [];
  const alternatives = createAlternatives();
  let hiddenDepth = 0;
  let formerDepth = 0;
  const runs: Run[] = [];
  let isInParagraphFormat = false;
  let isText = false;
  let isCode = false;

  const add = (text: string) => {
    const paragraph = paragraphs.at(-1);
    const isHidden = runs.at(-1)?.isHidden ?? paragraph?.isHidden;
    // Fields within the code of a field are computed, and not shown.
    if (hiddenDepth > 0 || alternatives.isRepeated || isHidden || fields.some(({ hasResult }) => !hasResult))
      return;
    paragraph?.text.add(text, hyperlinks.at(-1) ?? fields.at(-1)?.address);
  };
  function openInParagraph(paragraph: Paragraph, name: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val');
    if (name === 'pStyle') {
      paragraph.level ??= styles.levels.get(value ?? '');
      paragraph.isHidden = styles.hidden.get(value ?? '') ?? paragraph.isHidden;
    } else if (name === 'outlineLvl') paragraph.level = levelOf(value) ?? paragraph.level;
    else if (name === 'numPr') paragraph.isList = true;
    else openInRun(name, attributes);
  }
  function openInRun(name: string, attributes: Attributes): void {
    const run = runs.at(-1);
    // Outside of a run, `tab` is a definition, and `vanish` hides the end of the paragraph.
    if (!run || isInParagraphFormat) return;
    if (name === 'rStyle') run.isHidden ??= styles.hidden.get(attribute(attributes, 'val') ?? '');
    else if (name === 'vanish') run.isHidden = isOn(attributes);
    else if (name === 'tab' || name === 'ptab') add('\t');
    else if (name === 'br' || name === 'cr') add('\n');
    else if (name === 'noBreakHyphen') add('-');
    else if (name === 'sym') add(symbolText(attribute(attributes, 'font'), attribute(attributes, 'char')));
    // A text with the form of a drawing.
    else if (name === 'textpath') add(attribute(attributes, 'string') ?? '');
    else if (name === 'fldChar') openField(attribute(attributes, 'fldCharType'));
  }
  function openField(type: string | undefined): void {
    const field = fields.at(-1);
    if (type === 'begin') fields.push({ code: '', address: field?.address, hasResult: false });
    else if (type === 'separate' && field) {
      field.address = addressOfField(field.code) ?? field.address;
      field.hasResult = true;
    } else if (type === 'end') fields.pop();
  }
  function closeParagraph(): void {
    const paragraph = paragraphs.pop();
    if (!paragraph) return;
    const { level, isList } = paragraph;
    const text = paragraph.text.take();
    if (table.isOpen) table.add(text);
    else if (level !== undefined) emit({ subtype: 'title', level, text });
    else emit({ subtype: isList ? 'list' : 'paragraph', text });
  }

  return {
    open(name, attributes) {
      alternatives.open(name);
      if (former.has(name)) formerDepth += 1;
      if (formerDepth > 0) return;
      if (hidden.has(name)) hiddenDepth += 1;
      else if (name === 'p')
        paragraphs.push({ text: createLinkedText(), level: undefined, isList: false, isHidden: false });
      else if (name === 'pPr') isInParagraphFormat = true;
      else if (name === 'tbl') table.openTable();
      else if (name === 'tc') table.openCell();
      else if (name === 'r') runs.push({ isHidden: undefined });
      else if (name === 't') isText = true;
      else if (name === 'instrText') isCode = true;
      else if (name === 'hyperlink') {
        const address = links.get(attribute(attributes, 'id') ?? '');
        const anchor = attribute(attributes, 'anchor');
        hyperlinks.push(address && anchor ? linkAddress(`${address}#${anchor}`) : address);
      } else if (name === 'fldSimple') hyperlinks.push(addressOfField(attribute(attributes, 'instr') ?? ''));
      else {
        const paragraph = paragraphs.at(-1);
        if (paragraph) openInParagraph(paragraph, name, attributes);
      }
    },
    text(text) {
      if (isText) add(text);
      const field = fields.at(-1);
      if (isCode && field && field.code.length < maxCodeLength) field.code += text;
    },
    close(name) {
      alternatives.close(name);
      if (former.has(name)) formerDepth -= 1;
      if (formerDepth > 0) return;
      if (hidden.has(name)) hiddenDepth -= 1;
      else if (name === 'pPr') isInParagraphFormat = false;
      else if (name === 't') isText = false;
      else if (name === 'instrText') isCode = false;
      else if (name === 'r') runs.pop();
      else if (name === 'p') closeParagraph();
      else if (name === 'hyperlink' || name === 'fldSimple') hyperlinks.pop();
      else if (name === 'tr') {
        const row = table.closeRow();
        if (row !== undefined) emit({ subtype: 'table', text: row });
      } else if (name === 'tbl') table.closeTable();
    },
  };
}

/** The styles of a .docx document: levels of headings, and hidden text. */
export interface Styles {
  /** The levels of headings by the ids of styles that are one. */
  levels: Map<string, number>;
  /** Whether a style hides its text or shows it, by the ids of styles that say so. */
  hidden: Map<string, boolean>;
}

interface Style {
  id: string;
  basedOn: string | undefined;
  level: number | undefined;
  isHidden: boolean | undefined;
}

/** The level of an outline from 0 to 8; 9 is text. */
export function levelOf(value: string | undefined): number | undefined {
  const level = Number(value);
  return value !== undefined && level >= 0 && level < 9 ? level + 1 : undefined;
}

/** Returns what the styles of a part say, also those of their ancestors. */
export async function readStyles(archive: Archive, part: string): Promise<Styles> {
  let style: Style | undefined;
  const styles = await readPart<Style>(archive, part, (emit) => ({
    open(name, attributes) {
      const value = attribute(attributes, 'val');
      if (name === 'style') {
        const id = attribute(attributes, 'styleId') ?? '';
        style = { id, basedOn: undefined, level: undefined, isHidden: undefined };
        emit(style);
      } else if (!style) return;
      else if (name === 'basedOn') style.basedOn = value;
      else if (name === 'outlineLvl') style.level = levelOf(value);
      else if (name === 'vanish') style.isHidden = isOn(attributes);
      else if (name === 'name') {
        const number = /^heading ([1-9])$/i.exec(value ?? '')?.[1];
        if (number) style.level = Number(number);
        else if (/^title$/i.test(value ?? '')) style.level = 1;
      }
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  }));
  const byId = new Map(styles.map((one) => [one.id, one]));
  return {
    levels: inherited(byId, ({ level }) => level),
    hidden: inherited(byId, ({ isHidden }) => isHidden),
  };
}

/** Returns the value of each style that has one, or the next of its ancestors. */
function inherited<T>(styles: Map<string, Style>, ownValue: (style: Style) => T | undefined): Map<string, T> {
  const values = new Map<string, T>();
  for (const id of styles.keys()) {
    let ancestor = styles.get(id);
    // The chain of a malformed document could have no end.
    for (let step = 0; ancestor && step < 10; step += 1) {
      const value = ownValue(ancestor);
      if (value !== undefined) {
        values.set(id, value);
        break;
      }
      ancestor = styles.get(ancestor.basedOn ?? '');
    }
  }
  return values;
}

/** The characters of Symbol from 0x20 to 0x7e, and from 0xa0 to 0xfe. A space: none, or a piece of a large bracket. */
const symbolLow =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const symbolHigh = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈… ―↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑           〉∫⌠ ⌡';

const wingdings: Readonly<Record<number, string>> = {
  ...{ 40: '☎', 42: '✉', 74: '☺', 76: '☹', 108: '●', 110: '■', 111: '□', 113: '❑', 118: '❖', 159: '•' },
  ...{ 161: '○', 167: '▪', 168: '◻', 171: '★', 216: '➢', 223: '←', 224: '→', 225: '↑', 226: '↓' },
  ...{ 232: '➔', 251: '✗', 252: '✓', 253: '☒', 254: '☑' },
};

/**
 * Returns the character of a symbol of a font; '' for one that is not known. `code`: hexadecimal digits. The codes of Symbol
 * and Wingdings are not those of Unicode.
 */
export function symbolText(font = '', code = ''): string {
  const codePoint = Number.parseInt(code, 16);
  if (Number.isNaN(codePoint) || codePoint > 0xffff) return '';
  // Word adds 0xf000 to the codes of these fonts.
  const low = codePoint >= 0xf000 && codePoint <= 0xf0ff ? codePoint - 0xf000 : codePoint;
  if (/^symbol/i.test(font))
    return (low < 0xa0 ? symbolLow.charAt(low - 0x20) : symbolHigh.charAt(low - 0xa0)).trim();
  if (/^wingdings$/i.test(font)) return wingdings[low] ?? '';
  const isPrivate =
    (codePoint >= 0xe000 && codePoint <= 0xf8ff) || (codePoint >= 0xd800 && codePoint <= 0xdfff);
  return isPrivate || codePoint < 0x20 ? '' : String.fromCharCode(codePoint);
}
