// Reads the text of a .pptx presentation: the slides in their order as pages, with titles, tables, diagrams and speaker
// notes. Hidden slides are omitted.
import { createLinkedText } from '../links.ts';
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import { drawingBlocks, linksOf, relationsOf } from './open-xml.ts';
import { createTableText } from './table-text.ts';
import { attribute, createAlternatives, readPart, type XmlHandler } from './xml.ts';

/** Placeholders of numbers and dates. */
const ignored = new Set(['sldNum', 'dt', 'sldImg']);
/** Placeholders with the same text on many slides, of which each text is read once. */
const repeated = new Set(['ftr', 'hdr']);

/** Yields the blocks of a presentation. `main`: its main part. */
export async function* slideBlocks(archive: Archive, main: string): AsyncGenerator<Block> {
  const targets = new Map((await relationsOf(archive, main)).map(({ id, target }) => [id, target]));
  const ids = await readPart<string>(archive, main, (emit) => ({
    open(name, attributes) {
      const key = Object.keys(attributes).find((one) => one.endsWith(':id'));
      if (name === 'sldId' && key !== undefined) emit(attributes[key] ?? '');
    },
  }));
  const margins = new Set<string>();
  for (const [index, id] of ids.entries()) {
    const part = targets.get(id) ?? '';
    if (!archive.has(part)) continue;
    const page = index + 1;
    const links = await linksOf(archive, part);
    const blocks = await readPart<Block>(archive, part, (emit) =>
      slideHandler(emit, { page, links, margins }),
    );
    if (blocks.length > 0 && blocks[0]?.text === hiddenSlide) continue;
    // The title names the slide, also if it is drawn last.
    yield* blocks.filter(({ subtype }) => subtype === 'title');
    yield* blocks.filter(({ subtype }) => subtype !== 'title');
    for (const { type, target } of await relationsOf(archive, part)) {
      if (type === 'notesSlide') {
        const links = await linksOf(archive, target);
        yield* await readPart<Block>(archive, target, (emit) =>
          slideHandler(emit, { page, links, margins, isNotes: true }),
        );
      } else if (type === 'diagramData' || type === 'chart') {
        for await (const block of drawingBlocks(archive, target)) yield { ...block, page };
      }
    }
  }
}

/** The mark that the handler emits first for a hidden slide. No text of a slide contains this character. */
const hiddenSlide = '\0';

interface SlideOptions {
  page: number;
  /** The addresses of the relations of the part. */
  links: Map<string, string>;
  /** The headers and footers of earlier slides, to which new ones are added. */
  margins: Set<string>;
  /** Of a page of notes, only the notes are read. */
  isNotes?: boolean;
}

function slideHandler(
  emit: (block: Block) => void,
  { page, links, margins, isNotes = false }: SlideOptions,
): XmlHandler {
  const alternatives = createAlternatives();
  let isHiddenSlide = false;
  let placeholder = '';
  let title: string[] = [];
  const text = createLinkedText();
  const table = createTableText();
  let isText = false;
  /** The address of the open shape, and of the open run of text. */
  let shapeLink: string | undefined;
  let runLink: string | undefined;
  let isInRun = false;
  return {
    open(name, attributes) {
      alternatives.open(name);
      if (alternatives.isRepeated) return;
      if (name === 'sld' && attributes.show === '0') {
        isHiddenSlide = true;
        emit({ subtype: 'paragraph', text: hiddenSlide });
      } else if (name === 'sp') {
        placeholder = '';
        shapeLink = undefined;
      } else if (name === 'ph') placeholder = attribute(attributes, 'type') ?? 'other';
      else if (name === 'tbl') table.openTable();
      else if (name === 'tc') table.openCell();
      else if (name === 'p') text.take();
      else if (name === 'br') text.add('\n');
      else if (name === 'r') {
        isInRun = true;
        runLink = undefined;
      } else if (name === 'hlinkClick') {
        const address = links.get(attribute(attributes, 'id') ?? '');
        if (isInRun) runLink = address;
        else shapeLink = address;
      } else if (name === 't') isText = true;
    },
    text(part) {
      if (isText) text.add(part, runLink ?? shapeLink);
    },
    close(name) {
      const { isRepeated } = alternatives;
      alternatives.close(name);
      if (isRepeated) return;
      if (name === 't') isText = false;
      else if (name === 'r') isInRun = false;
      else if (name === 'p') {
        const paragraph = text.take();
        if (ignored.has(placeholder) || paragraph.trim() === '' || (isNotes && placeholder !== 'body'))
          return;
        if (repeated.has(placeholder)) {
          if (isHiddenSlide || margins.has(paragraph.trim())) return;
          margins.add(paragraph.trim());
        }
        if (table.isOpen) table.add(paragraph);
        else if (/^(?:title|ctrTitle)$/.test(placeholder)) title.push(paragraph.trim());
        else emit({ subtype: 'paragraph', text: paragraph, page });
      } else if (name === 'sp') {
        if (title.length > 0) emit({ subtype: 'title', level: 1, text: title.join(' '), page });
        title = [];
        placeholder = '';
      } else if (name === 'tr') {
        const row = table.closeRow();
        if (row !== undefined) emit({ subtype: 'table', text: row, page });
      } else if (name === 'tbl') table.closeTable();
    },
  };
}
