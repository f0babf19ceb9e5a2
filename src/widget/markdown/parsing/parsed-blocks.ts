// Parses blocks, and remembers the results: pages that were far away are drawn again without parsing.
import type { Block } from '../blocks.ts';
import { blockToHtml, inlineToHtml, keyOf, type References } from './parse.ts';
import { readTable, type Table, tableHtml } from './tables.ts';

/** A parsed block. */
export interface Read {
  /** Its HTML; undefined if it needs none: code, and text that is not parsed as Markdown. */
  html: string | undefined;
  /** The definitions it was parsed with, as text; empty if it has no reference. */
  references: string;
  /** Its rows if it is a table. */
  table: Table | undefined;
}

/** The maximum number of definitions, because each reference is searched in all of them. */
const maxReferences = 100;

/** Returns the previous result if nothing in it can have changed. */
export function reuse(
  part: (Block & Read) | undefined,
  block: Block,
  references: References,
): Read | undefined {
  const isAlike = part?.text === block.text && part.kind === block.kind;
  if (!part || !isAlike || block.text.includes(']:')) return undefined;
  return !block.text.includes('[') || part.references === keyOf(references) ? part : undefined;
}

/** Parses a block. `part` is what is shown in its place: a table that has grown keeps the rows of it. */
export function read(
  { kind, text }: Block,
  references: References,
  part: Read | undefined,
  isOpen?: boolean,
): Read {
  const result: Read = { html: undefined, references: '', table: undefined };
  if (kind === 'fence') return result;
  if (kind === 'inline') return { ...result, html: inlineToHtml(text) };
  // The open end of a streaming text is different each time.
  const { html, table } = isOpen ? parse(text, references, part) : recall(text, references, part);
  if (text.includes(']:')) {
    for (const name of Object.keys(references).slice(maxReferences)) delete references[name];
  }
  return { html, references: text.includes('[') ? keyOf(references) : '', table };
}

type Parsed = Pick<Read, 'html' | 'table'>;

function parse(text: string, references: References, part: Read | undefined): Parsed {
  const table = readTable(text, part?.table, references);
  return { html: table ? tableHtml(table) : blockToHtml(text, references), table };
}

/** Finished blocks by their text. */
const parsed = new Map<string, Parsed>();
/** The characters of these texts and of their HTML, and as many as are kept: about a thousand long answers. */
let characters = 0;
const maxCharacters = 2_000_000;

const lengthOf = (key: string, { html = '' }: Parsed) => key.length + html.length;

/** Parses a block, unless it was parsed lately. References may change the result of a text with brackets. */
function recall(text: string, references: References, part: Read | undefined): Parsed {
  // Parsing it again defines its references again.
  if (text.includes(']:')) return parse(text, references, part);
  const key = text.includes('[') ? keyOf(references) + text : text;
  const cached = parsed.get(key);
  const result = cached ?? parse(text, references, part);
  // The oldest entry is the first one; an entry that was used becomes the last one.
  parsed.delete(key);
  parsed.set(key, result);
  if (!cached) characters += lengthOf(key, result);
  while (characters > maxCharacters) {
    const oldest = parsed.keys().next().value as string;
    characters -= lengthOf(oldest, parsed.get(oldest) as Parsed);
    parsed.delete(oldest);
  }
  return result;
}
