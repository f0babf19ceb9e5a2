// The tables of docs/reference/configuration.md, generated from the table of fields and the comments of its source.
import { attributeOf, fields } from '../../../protocol/page-api/config-layers.ts';
import type { FieldGroup, FieldNote } from './field-notes.ts';
import { defaultOf, valueDescriptionOf } from './fields.ts';

/** One table for each group, in Markdown. */
export function fieldTables(groups: FieldGroup[]): string {
  const table = ({ title, notes }: FieldGroup) =>
    [
      `### ${title}`,
      '',
      '| Field | Attribute | Takes | Default | What it is |',
      '|---|---|---|---|---|',
      ...notes.map(row),
    ].join('\n');
  return groups.map(table).join('\n\n');
}

function row({ name, text, isDeprecated }: FieldNote): string {
  const byDefault = defaultOf(name);
  const cells = [
    code(name),
    code(attributeOf(name)),
    valueDescriptionOf(fields[name][0]),
    byDefault && code(byDefault),
    isDeprecated ? `Deprecated. ${text}` : text,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const code = (text: string): string => `\`${text}\``;
