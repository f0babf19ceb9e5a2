// The tables of docs/reference/configuration.md, made of the table of fields and of what its source says about them.
import { attributeOf, fields } from '../../protocol/config.ts';
import { defaultOf, takesOf } from './fields.ts';
import type { Group, Note } from './notes.ts';

/** One table for each group, in Markdown. */
export function fieldTables(groups: Group[]): string {
  const table = ({ title, notes }: Group) =>
    [
      `### ${title}`,
      '',
      '| Field | Attribute | Takes | Default | What it is |',
      '|---|---|---|---|---|',
      ...notes.map(row),
    ].join('\n');
  return groups.map(table).join('\n\n');
}

function row({ name, text, isDeprecated }: Note): string {
  const byDefault = defaultOf(name);
  const cells = [
    code(name),
    code(attributeOf(name)),
    takesOf(fields[name][0]),
    byDefault && code(byDefault),
    isDeprecated ? `Deprecated. ${text}` : text,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const code = (text: string): string => `\`${text}\``;
