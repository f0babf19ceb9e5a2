// Parts of Office Open XML documents: their relations by ids, and the text of drawings.
import { linkAddress } from '../links.ts';
import type { Block } from '../passages.ts';
import type { Archive } from './archive.ts';
import { createAlternatives, readPart, type XmlHandler } from './xml.ts';

export interface Relation {
  id: string;
  /** The last part of its type: `slide`, `worksheet`. */
  type: string;
  /** The name of the other part. */
  target: string;
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1);

function relationsPart(part: string): string {
  const folder = folderOf(part);
  return `${folder}_rels/${part.slice(folder.length)}.rels`;
}

/** Returns the relations of a part within the document; those of the document itself for ''. */
export async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const folder = folderOf(part);
  return readPart<Relation>(archive, relationsPart(part), (emit) => ({
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      emit({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: resolve(folder, Target) });
    },
  }));
}

/** Returns the addresses outside of the document to which a part links, by the ids of the relations. */
export async function linksOf(archive: Archive, part: string): Promise<Map<string, string>> {
  const links = await readPart<[string, string]>(archive, relationsPart(part), (emit) => ({
    open(element, { Id = '', Target, TargetMode }) {
      const address = TargetMode === 'External' ? linkAddress(Target) : undefined;
      if (element === 'Relationship' && address !== undefined) emit([Id, address]);
    },
  }));
  return new Map(links);
}

/** Returns the name of the main part, which usually is `word/document.xml`, `xl/workbook.xml` or `ppt/presentation.xml`. */
export async function mainPart(archive: Archive): Promise<string | undefined> {
  const relations = await relationsOf(archive, '');
  return relations.find(({ type }) => type === 'officeDocument')?.target;
}

/** Resolves the name of a part relative to a folder. */
export function resolve(folder: string, target: string): string {
  const names: string[] = [];
  for (const name of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/**
 * Yields the paragraphs of a part with drawings (DrawingML): diagrams, titles and names of charts, text boxes on sheets.
 * Numbers of charts are left out.
 */
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
