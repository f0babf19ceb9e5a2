// Describes the fields of the configuration for people: the control of each kind, the description of its values, examples.
import type { FieldName } from '../../../protocol/page-api/config.ts';
import { fields } from '../../../protocol/page-api/config-layers.ts';
import { describeKind } from '../../../protocol/page-api/configuration-problems.ts';
import * as kinds from '../../../protocol/page-api/field-kinds.ts';

export type Control =
  | 'text'
  | 'choice'
  | 'number'
  | 'flag'
  | 'color'
  | 'link'
  | 'list'
  | 'object'
  | 'clearable'
  | 'none';

/** Kinds whose control cannot be derived from their properties. */
const controls = new Map<kinds.Kind, Control>([
  [kinds.flag, 'flag'],
  [kinds.color, 'color'],
  [kinds.link, 'link'],
  [kinds.texts, 'list'],
  [kinds.object, 'object'],
  [kinds.clearableText, 'clearable'],
  [kinds.unsupported, 'none'],
]);

/** The control of a kind; an unknown kind is a text or JSON. */
export function controlOf(kind: kinds.Kind): Control {
  if (kind.values) return 'choice';
  if (kind.max !== undefined) return 'number';
  return controls.get(kind) ?? (kind.isJson ? 'object' : 'text');
}

/** The values of a field as text, with code in backticks. */
export function valueDescriptionOf(kind: kinds.Kind): string {
  const { values, min = 0, max } = kind;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  return max === undefined ? describeKind(kind) : `a number from ${min} to ${max}`;
}

/** The default of a field as text; empty without a default. */
export function defaultOf(name: FieldName): string {
  const [, byDefault] = fields[name];
  return byDefault === undefined ? '' : typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault);
}

export { secretFields as secrets } from '../../../protocol/page-api/config.ts';

/** Texts of several lines. */
export const longTexts: readonly FieldName[] = ['additionalStylesheet', 'proactiveMessage'];

/** Suggested values of fields that accept others as well. */
export const suggestions: { [N in FieldName]?: readonly string[] } = {
  fontFamily: ['Inter', 'Rubik', 'IBM Plex Sans', 'Fira Code'],
};

/** Placeholders of fields without a default. */
export const examples: { [N in FieldName]?: string } = {
  botAvatar: 'https://…',
  fabImage: 'https://…',
  additionalStylesheetUrl: 'https://…',
  additionalStylesheet: '.launcher { border-radius: 16px }',
  locale: 'de',
  strings: '{ "send": "Go" }',
  starters: 'One prompt per line',
  home: '{ "title": "Hello!", "links": [{ "title": "Help", "link": "/help" }] }',
  proactive: '[{ "id": "pricing", "text": "Questions?", "when": { "url": "/pricing*" } }]',
  avoid: '#cookie-banner, .bottom-bar',
  textSize: '15',
};
