// Reads the groups and doc comments of the interface `Configuration`, which the playground and docs/reference/configuration.md show.
import type { FieldName } from '../../../protocol/page-api/config.ts';

/** The documentation of one field. */
export interface FieldNote {
  name: FieldName;
  /** Plain text with code in backticks. */
  text: string;
  isDeprecated: boolean;
}

export interface FieldGroup {
  title: string;
  notes: FieldNote[];
}

/** A heading (`// The bot`), a doc comment, or a field, each at the start of its line. */
const tokenPattern = /^ {2}(?:\/\/ (?<title>.+)|\/\*\*(?<comment>[\s\S]*?)\*\/|(?<name>\w+)\??:)/gm;

/** Reads the groups of fields from the text of `src/protocol/page-api/configuration.ts`. */
export function readFieldNotes(source: string): FieldGroup[] {
  const body = /\bexport interface Configuration \{\n(.*?)^\}/ms.exec(source)?.[1];
  if (body === undefined) throw new Error('The source has no interface Configuration.');
  const groups: FieldGroup[] = [];
  let comment = '';
  for (const { groups: token = {} } of body.matchAll(tokenPattern)) {
    if (token.title) groups.push({ title: token.title.trim(), notes: [] });
    if (token.comment) comment = plain(token.comment);
    if (!token.name) continue;
    if (groups.length === 0) groups.push({ title: 'Fields', notes: [] });
    const text = comment.replace(/^@deprecated\s*/, '');
    groups.at(-1)?.notes.push({ name: token.name as FieldName, text, isDeprecated: text !== comment });
    comment = '';
  }
  return groups;
}

/** The text of a doc comment in one line without asterisks. */
const plain = (comment: string): string =>
  comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Splits a text at its backticks: every second part is code. */
export const codeParts = (text: string): string[] => text.split('`');
