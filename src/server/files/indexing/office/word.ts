// Reads the text of a .docx document: headings, lists, tables, text boxes, notes and diagrams. Deleted text of tracked changes,
// comments, headers and footers are omitted.
import { createLinkedText, type LinkedText, linkAddress } from '../links.ts';
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import { drawingBlocks } from './drawings.ts';
import { addressOfField, maxCodeLength } from './fields.ts';
import { linksOf, relationsOf } from './relations.ts';
import { createTableText } from './table-text.ts';
import { type Attributes, attribute, readPart, readXml, type XmlHandler } from './xml.ts';

/** Elements whose text is not visible, or repeats that of others. */
const hidden = new Set(['del', 'moveFrom', 'Fallback', 'delText', 'delInstrText']);

/** Yields the blocks of a document. `main`: its main part. */
export async function* wordBlocks(archive: Archive, main: string): AsyncGenerator<Block> {
  const relations = await relationsOf(archive, main);
  const partsOf = (type: string) =>
    relations.filter((one) => one.type === type && archive.has(one.target)).map(({ target }) => target);
  const levels = await headingLevels(archive, partsOf('styles')[0] ?? '');
  async function* blocksOf(part: string): AsyncGenerator<Block> {
    const links = await linksOf(archive, part);
    yield* readXml<Block>(archive, part, (emit) => wordHandler(emit, { levels, links }));
  }
  yield* blocksOf(main);
  for (const part of [...partsOf('footnotes'), ...partsOf('endnotes')]) yield* blocksOf(part);
  for (const part of [...partsOf('diagramData'), ...partsOf('chart')]) yield* drawingBlocks(archive, part);
}

interface Paragraph {
  text: LinkedText;
  level: number | undefined;
  isList: boolean;
}

/** A field whose result follows its code (ECMA-376, part 1, 17.16). */
interface Field {
  code: string;
  /** The address of a HYPERLINK field, when its code has ended; before, that of the field around it. */
  address: string | undefined;
}

/** `levels`: those of the styles of headings; `links`: the addresses of the relations of the part. */
function wordHandler(
  emit: (block: Block) => void,
  { levels, links }: { levels: Map<string, number>; links: Map<string, string> },
): XmlHandler {
  /** The open paragraphs: a text box within a paragraph has its own. */
  const paragraphs: Paragraph[] = [];
  const table = createTableText();
  const fields: Field[] = [];
  /** The addresses of the open links; undefined for one that is not written. */
  const hyperlinks: (string | undefined)[] = [];
  let hiddenDepth = 0;
  let runs = 0;
  let isText = false;
  let isCode = false;

  const add = (text: string) => {
    if (hiddenDepth > 0) return;
    const address = hyperlinks.at(-1) ?? fields.at(-1)?.address;
    paragraphs.at(-1)?.text.add(text, address);
  };
  function openInParagraph(paragraph: Paragraph, name: string, attributes: Attributes): void {
    if (name === 'pStyle') paragraph.level ??= levels.get(attribute(attributes, 'val') ?? '');
    else if (name === 'outlineLvl')
      paragraph.level = levelOf(attribute(attributes, 'val')) ?? paragraph.level;
    else if (name === 'numPr') paragraph.isList = true;
    else if (runs === 0) return;
    // Outside of a run, `tab` is a definition.
    else if (name === 'tab') add('\t');
    else if (name === 'br' || name === 'cr') add('\n');
    else if (name === 'noBreakHyphen') add('-');
    else if (name === 'fldChar') openField(attribute(attributes, 'fldCharType'));
  }
  function openField(type: string | undefined): void {
    const field = fields.at(-1);
    if (type === 'begin') fields.push({ code: '', address: field?.address });
    else if (type === 'separate' && field) field.address = addressOfField(field.code) ?? field.address;
    else if (type === 'end') fields.pop();
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
      if (hidden.has(name)) hiddenDepth += 1;
      else if (name === 'p') paragraphs.push({ text: createLinkedText(), level: undefined, isList: false });
      else if (name === 'tbl') table.openTable();
      else if (name === 'tc') table.openCell();
      else if (name === 'r') runs += 1;
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
      if (hidden.has(name)) hiddenDepth -= 1;
      else if (name === 't') isText = false;
      else if (name === 'instrText') isCode = false;
      else if (name === 'r') runs -= 1;
      else if (name === 'p') closeParagraph();
      else if (name === 'hyperlink' || name === 'fldSimple') hyperlinks.pop();
      else if (name === 'tr') {
        const row = table.closeRow();
        if (row !== undefined) emit({ subtype: 'table', text: row });
      } else if (name === 'tbl') table.closeTable();
    },
  };
}

/** The level of an outline from 0 to 8; 9 is text. */
function levelOf(value: string | undefined): number | undefined {
  const level = Number(value);
  return value !== undefined && level >= 0 && level < 9 ? level + 1 : undefined;
}

/** Returns the level of the headings of each style that is one. */
async function headingLevels(archive: Archive, part: string): Promise<Map<string, number>> {
  interface Style {
    id: string;
    basedOn: string | undefined;
    level: number | undefined;
  }
  let style: Style | undefined;
  const styles = await readPart<Style>(archive, part, (emit) => ({
    open(name, attributes) {
      const value = attribute(attributes, 'val');
      if (name === 'style') {
        style = { id: attribute(attributes, 'styleId') ?? '', basedOn: undefined, level: undefined };
        emit(style);
      } else if (!style) return;
      else if (name === 'basedOn') style.basedOn = value;
      else if (name === 'outlineLvl') style.level = levelOf(value);
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
  const levels = new Map<string, number>();
  for (const { id } of styles) {
    let ancestor = byId.get(id);
    // The chain of a malformed document could have no end.
    for (let step = 0; ancestor && step < 10; step += 1) {
      if (ancestor.level !== undefined) {
        levels.set(id, ancestor.level);
        break;
      }
      ancestor = byId.get(ancestor.basedOn ?? '');
    }
  }
  return levels;
}
