// What the source says about the configuration: the doc comments of the interface `Configuration`, under its headings.
// The playground and docs/reference/configuration.md show them. It reads that one interface and no TypeScript beyond.
import type { FieldName } from '../../protocol/config.ts';

/** What is said of one field. */
export interface Note {
  name: FieldName;
  /** Plain text, with words of code in backticks. */
  text: string;
  isDeprecated: boolean;
}

export interface Group {
  title: string;
  notes: Note[];
}

/** A heading (`// The bot`), a doc comment, or a field, each at the start of its line. */
const piece = /^ {2}(?:\/\/ (?<title>.+)|\/\*\*(?<comment>[\s\S]*?)\*\/|(?<name>\w+)\??:)/gm;

/** Reads the groups of fields from the text of `src/protocol/config.ts`. */
export function readNotes(source: string): Group[] {
  const body = /\bexport interface Configuration \{\n(.*?)^\}/ms.exec(source)?.[1];
  if (body === undefined) throw new Error('There is no interface Configuration.');
  const groups: Group[] = [];
  let comment = '';
  for (const { groups: found = {} } of body.matchAll(piece)) {
    if (found.title) groups.push({ title: found.title.trim(), notes: [] });
    if (found.comment) comment = plain(found.comment);
    if (!found.name) continue;
    if (groups.length === 0) groups.push({ title: 'Fields', notes: [] });
    const text = comment.replace(/^@deprecated\s*/, '');
    groups.at(-1)?.notes.push({ name: found.name as FieldName, text, isDeprecated: text !== comment });
    comment = '';
  }
  return groups;
}

/** The text of a doc comment: one line, without the stars. */
const plain = (comment: string): string =>
  comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A text in pieces, every second of which stood in backticks. */
export const codeParts = (text: string): string[] => text.split('`');
