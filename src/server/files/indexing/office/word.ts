// Reads the text of a .docx document: headings, lists, tables, text boxes and notes. Deleted text of tracked changes,
// headers and footers are omitted.
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import { relationsOf } from './relations.ts';
import { type Attributes, attribute, readPart, readXml, type XmlHandler } from './xml.ts';

/** Elements whose text is not visible, or repeats that of others. */
const hidden = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'delText']);

/** Yields the blocks of a document. `main`: its main part. */
export async function* wordBlocks(archive: Archive, main: string): AsyncGenerator<Block> {
  const relations = await relationsOf(archive, main);
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.target ?? '';
  const levels = await headingLevels(archive, partOf('styles'));
  yield* readXml<Block>(archive, main, (emit) => wordHandler(emit, levels));
  for (const notes of ['footnotes', 'endnotes']) {
    if (!archive.has(partOf(notes))) continue;
    yield* readXml<Block>(archive, partOf(notes), (emit) => wordHandler(emit, levels));
  }
}

interface Paragraph {
  text: string;
  level: number | undefined;
  isList: boolean;
}

function wordHandler(emit: (block: Block) => void, levels: Map<string, number>): XmlHandler {
  /** The open paragraphs: a text box within a paragraph has its own. */
  const paragraphs: Paragraph[] = [];
  /** The cells of the open row of each open table. */
  const tables: string[][] = [];
  let hiddenDepth = 0;
  let runs = 0;
  let isText = false;

  const add = (text: string) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph && hiddenDepth === 0) paragraph.text += text;
  };
  const addToCell = (text: string) => {
    const cells = tables.at(-1);
    if (cells && text.trim()) cells[cells.length - 1] = `${cells.at(-1) ?? ''} ${text}`.trim();
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
  }

  return {
    open(name, attributes) {
      if (hidden.has(name)) hiddenDepth += 1;
      else if (name === 'p') paragraphs.push({ text: '', level: undefined, isList: false });
      else if (name === 'tbl') tables.push([]);
      else if (name === 'tc') tables.at(-1)?.push('');
      else if (name === 'r') runs += 1;
      else if (name === 't') isText = true;
      else {
        const paragraph = paragraphs.at(-1);
        if (paragraph) openInParagraph(paragraph, name, attributes);
      }
    },
    text(text) {
      if (isText) add(text);
    },
    close(name) {
      if (hidden.has(name)) hiddenDepth -= 1;
      else if (name === 't') isText = false;
      else if (name === 'r') runs -= 1;
      else if (name === 'p') {
        const paragraph = paragraphs.pop();
        if (!paragraph) return;
        const { text, level, isList } = paragraph;
        if (tables.length > 0) addToCell(text);
        else if (level !== undefined) emit({ subtype: 'title', level, text });
        else emit({ subtype: isList ? 'list' : 'paragraph', text });
      } else if (name === 'tr') {
        const cells = tables.at(-1) ?? [];
        const row = cells.join(' | ');
        cells.length = 0;
        if (row.replace(/[|\s]/g, '') === '') return;
        // The rows of a table within a cell are part of the cell.
        if (tables.length > 1) {
          const outer = tables.at(-2) as string[];
          outer[outer.length - 1] = `${outer.at(-1) ?? ''} ${row}`.trim();
        } else emit({ subtype: 'table', text: row });
      } else if (name === 'tbl') tables.pop();
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
