// The sentences about wrong fields of the configuration. Not in field-kinds.ts, because the launcher and the chat contain
// that file.
import {
  clearableText,
  color,
  flag,
  type Kind,
  link,
  object,
  part,
  rules,
  text,
  texts,
  unsupported,
  url,
} from './field-kinds.ts';
import { mediaTypes } from './file-fields.ts';

/** One invalid value or unknown field, and a description of what is wrong. */
export interface ConfigurationProblem {
  field: string;
  message: string;
}

const descriptions = new Map<Kind, string>([
  [text, 'a string'],
  [clearableText, 'a string'],
  [flag, 'true or false'],
  [color, 'a HEX color'],
  [url, 'a web address'],
  [part, 'true or an object'],
  [object, 'an object'],
  [link, '{title, link}'],
  [texts, 'a list of strings'],
  [
    rules,
    'a list of {id, text, show, when} with different ids; when: {delaySeconds, idleSeconds, scrollPercent, url, exit, returning, user}',
  ],
  [mediaTypes, 'media types such as image/* or application/pdf, separated by commas'],
  [unsupported, "left out: use 'footer' instead"],
]);

/** Requirement for a value of this kind: the end of a sentence. */
export const describeKind = (kind: Kind): string =>
  descriptions.get(kind) ?? kind.values?.join(' or ') ?? 'a number';

export const invalidValue = (field: string, kind: Kind): ConfigurationProblem => ({
  field,
  message: `Configuration: '${field}' must be ${describeKind(kind)}.`,
});

export const unknownField = (field: string): ConfigurationProblem => ({
  field,
  message: `Configuration: no field '${field}'.`,
});
