// Reads the text of drawings (DrawingML): diagrams, the titles and names of charts, text boxes on sheets.
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import { relationsOf } from './relations.ts';
import { createAlternatives, readPart, type XmlHandler } from './xml.ts';

/** Yields a paragraph for each one of a part. Numbers of charts are left out. */
export async function* drawingBlocks(archive: Archive, part: string): AsyncGenerator<Block> {
  yield* await readPart<Block>(archive, part, drawingHandler);
}

/** Yields the texts of the shapes and charts that lie on a sheet. */
export async function* sheetDrawings(archive: Archive, sheet: string): AsyncGenerator<Block> {
  for (const { target } of await relationsTo(archive, sheet, 'drawing')) {
    yield* drawingBlocks(archive, target);
    for (const chart of await relationsTo(archive, target, 'chart'))
      yield* drawingBlocks(archive, chart.target);
  }
}

const relationsTo = async (archive: Archive, part: string, wanted: string) =>
  (await relationsOf(archive, part)).filter(({ type }) => type === wanted);

function drawingHandler(emit: (block: Block) => void): XmlHandler {
  let parts: string[] = [];
  let isText = false;
  /** Within the names of a chart, which are values of cells. */
  let names = 0;
  const alternatives = createAlternatives();
  const end = () => {
    const text = parts.join('');
    parts = [];
    if (text.trim()) emit({ subtype: 'paragraph', text });
  };
  return {
    open(name) {
      alternatives.open(name);
      if (alternatives.isRepeated) return;
      if (name === 't' || (name === 'v' && names > 0)) isText = true;
      else if (name === 'br') parts.push('\n');
      else if (name === 'strCache') names += 1;
    },
    text(text) {
      if (isText) parts.push(text);
    },
    close(name) {
      const { isRepeated } = alternatives;
      alternatives.close(name);
      if (isRepeated) return;
      if (name === 't' || name === 'v') isText = false;
      if (name === 'p' || name === 'pt') end();
      else if (name === 'strCache') names -= 1;
    },
  };
}
