// What the table of fields means to a person: which control fits a kind, what it takes, which fields are special here.
import { type FieldName, fields } from '../../protocol/config.ts';
import * as kinds from '../../protocol/kind.ts';

export type Control =
  | 'text'
  | 'choice'
  | 'number'
  | 'flag'
  | 'color'
  | 'link'
  | 'list'
  | 'object'
  | 'removable'
  | 'none';

/** Kinds that are told by what they are and not by what they hold. */
const controls = new Map<kinds.Kind, Control>([
  [kinds.flag, 'flag'],
  [kinds.color, 'color'],
  [kinds.link, 'link'],
  [kinds.texts, 'list'],
  [kinds.object, 'object'],
  [kinds.removable, 'removable'],
  [kinds.unsupported, 'none'],
]);

/** The control that fits a kind; a kind nobody knows is a text, or JSON. */
export function controlOf(kind: kinds.Kind): Control {
  if (kind.words) return 'choice';
  if (kind.max !== undefined) return 'number';
  return controls.get(kind) ?? (kind.isJson ? 'object' : 'text');
}

/** What a field takes, in words, with words of code in backticks. */
export function takesOf({ words, min = 0, max, must = '' }: kinds.Kind): string {
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  return max === undefined ? must : `a number from ${min} to ${max}`;
}

/** The default of a field, as a person reads it; the empty text where it has none. */
export function defaultOf(name: FieldName): string {
  const [, byDefault] = fields[name];
  return byDefault === undefined ? '' : typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault);
}

export { secretFields as secrets } from '../../protocol/config.ts';

/** Texts of more than a line. */
export const longTexts: readonly FieldName[] = ['additionalStylesheet', 'proactiveMessage'];

/** Words to choose from, where others are possible too. */
export const suggestions: { [N in FieldName]?: readonly string[] } = {
  fontFamily: ['Inter', 'Rubik', 'IBM Plex Sans', 'Fira Code'],
};

/** A text where a field has no default: what might stand there. */
export const examples: { [N in FieldName]?: string } = {
  botAvatar: 'https://…',
  fabImage: 'https://…',
  additionalStylesheetUrl: 'https://…',
  additionalStylesheet: '.launcher { border-radius: 16px }',
  locale: 'de',
  strings: '{ "send": "Go" }',
  starters: 'One prompt a line',
};
