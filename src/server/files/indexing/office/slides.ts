// Reads the text of a .pptx presentation: the slides in their order as pages, with titles, tables, diagrams and speaker
// notes. Hidden slides are omitted.
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import { relationsOf } from './relations.ts';
import { attribute, readPart, type XmlHandler } from './xml.ts';

/** Placeholders with the same text on every slide. */
const repeated = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

/** Yields the blocks of a presentation. `main`: its main part. */
export async function* slideBlocks(archive: Archive, main: string): AsyncGenerator<Block> {
  const targets = new Map((await relationsOf(archive, main)).map(({ id, target }) => [id, target]));
  const ids = await readPart<string>(archive, main, (emit) => ({
    open(name, attributes) {
      const key = Object.keys(attributes).find((one) => one.endsWith(':id'));
      if (name === 'sldId' && key !== undefined) emit(attributes[key] ?? '');
    },
  }));
  for (const [index, id] of ids.entries()) {
    const part = targets.get(id) ?? '';
    if (!archive.has(part)) continue;
    const page = index + 1;
    const blocks = await readPart<Block>(archive, part, (emit) => slideHandler(emit, page));
    if (blocks.length > 0 && blocks[0]?.text === hiddenSlide) continue;
    // The title names the slide, also if it is drawn last.
    yield* blocks.filter(({ subtype }) => subtype === 'title');
    yield* blocks.filter(({ subtype }) => subtype !== 'title');
    for (const { type, target } of await relationsOf(archive, part)) {
      if (type !== 'notesSlide' && type !== 'diagramData') continue;
      yield* await readPart<Block>(archive, target, (emit) =>
        slideHandler(emit, page, type === 'notesSlide'),
      );
    }
  }
}

/** What the handler emits first for a hidden slide. No text of a slide contains this character. */
const hiddenSlide = '\0';

/** `isNotes`: of a page of notes, only the notes are read. */
function slideHandler(emit: (block: Block) => void, page: number, isNotes = false): XmlHandler {
  let placeholder = '';
  let title = '';
  let text = '';
  let cells: string[] | undefined;
  let isText = false;
  return {
    open(name, attributes) {
      if (name === 'sld' && attributes.show === '0') emit({ subtype: 'paragraph', text: hiddenSlide });
      else if (name === 'sp') placeholder = '';
      else if (name === 'ph') placeholder = attribute(attributes, 'type') ?? 'other';
      else if (name === 'tr') cells = [];
      else if (name === 'tc') cells?.push('');
      else if (name === 'p') text = '';
      else if (name === 'br') text += '\n';
      else if (name === 't') isText = true;
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'p') {
        const paragraph = text;
        text = '';
        if (repeated.has(placeholder) || paragraph.trim() === '' || (isNotes && placeholder !== 'body'))
          return;
        if (cells) cells[cells.length - 1] = `${cells.at(-1) ?? ''} ${paragraph}`.trim();
        else if (/^(?:title|ctrTitle)$/.test(placeholder)) title += ` ${paragraph}`;
        else emit({ subtype: 'paragraph', text: paragraph, page });
      } else if (name === 'sp') {
        if (title.trim()) emit({ subtype: 'title', level: 1, text: title.trim(), page });
        title = '';
        placeholder = '';
      } else if (name === 'tr') {
        if (cells?.some(Boolean)) emit({ subtype: 'table', text: cells.join(' | '), page });
        cells = undefined;
      }
    },
  };
}
