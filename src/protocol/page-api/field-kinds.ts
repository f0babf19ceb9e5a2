// The kinds of values of configuration fields: their checks, and how the text of an attribute is parsed.
import { isRules } from './proactive.ts';

/** A contact or legal link in the header. */
export interface Link {
  title?: string;
  link?: string;
}

/** One invalid value: the field, and a description of what it must be. */
export interface ConfigurationProblem {
  field: string;
  message: string;
}

/** The constraints of a value. Plain data where possible, so that a bundler can remove unused kinds. */
export interface Kind {
  /** The allowed values, if there is a fixed set. */
  words?: readonly string[];
  /** The range of a number; other numbers are clamped. */
  min?: number;
  max?: number;
  /** Any other constraint: its description and its check. */
  must?: string;
  test?(value: unknown): boolean;
  /** Whether a value is ignored silently. Default: the empty text. (undefined and null always are.) */
  isBlank?(value: unknown): boolean;
  /** An attribute contains the value as JSON and not as plain text. */
  isJson?: boolean;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && !Array.isArray(value);

export const text: Kind = { must: 'a string', test: isText };
export const flag: Kind = {
  must: 'true or false',
  test: (value) => typeof value === 'boolean',
  isJson: true,
};
export const color: Kind = {
  must: 'a HEX colour',
  test: (value) => isText(value) && /^#([\da-f]{3}){1,2}$/i.test(value),
};
/** Pixels from an edge of the page. */
export const distance: Kind = { min: 0, max: 400 };
export const url: Kind = {
  must: 'a web address',
  // A relative address is allowed; a scheme other than http and https is not.
  test: (value) => isText(value) && /^(https?:|[^:]*($|[/?#]))/i.test(value.trim()),
};
/** A part of the chat that is on, with its content, or off. The bundle of the part reads the content. */
export const part: Kind = {
  must: 'true or an object',
  test: (value) => typeof value === 'boolean' || isObject(value),
  isJson: true,
};
export const object: Kind = { must: 'an object', test: isObject, isJson: true };

/** The empty text is a value here, and does not fall back to another layer. */
export const clearableText: Kind = { must: 'a string', test: isText, isBlank: () => false };
export const link: Kind = {
  must: '{title, link}',
  test: isObject,
  isBlank: (value) => !value || (isObject(value) && !(value as Link).title && !(value as Link).link),
  isJson: true,
};
export const texts: Kind = {
  must: 'a list of strings',
  test: (value) => Array.isArray(value) && value.every(isText),
  isJson: true,
};
export const rules: Kind = {
  must: 'a list of {id, text, show, when} with different ids; when: {delaySeconds, idleSeconds, scrollPercent, url, exit, returning, user}',
  test: isRules,
  isJson: true,
};
export const unsupported: Kind = { must: "left out: use 'footer' instead", test: () => false };

/** True for a value that is ignored silently. */
export const isBlank = (kind: Kind, value: unknown): boolean =>
  value === undefined || value === null || (kind.isBlank ? kind.isBlank(value) : value === '');

export const unknownField = (field: string): ConfigurationProblem => ({
  field,
  message: `Configuration: no field '${field}'.`,
});

/** Returns a value that is not blank, clamped. Returns undefined for an invalid one, and reports it to `onProblem`. */
export function readValue(
  field: string,
  { words, min = 0, max, must = words?.join(' or ') ?? 'a number', test }: Kind,
  value: unknown,
  onProblem: (problem: ConfigurationProblem) => void,
): unknown {
  if (words?.includes(value as string) || test?.(value)) return value;
  if (max && Number.isFinite(value)) return Math.min(max, Math.max(min, value as number));
  onProblem({ field, message: `Configuration: '${field}' must be ${must}.` });
  return undefined;
}

/** Parses the text of an attribute. An attribute without a value is true, as in HTML. */
export function readText({ isJson, max, test }: Kind, text: string): unknown {
  if (!isJson && !max) return text;
  if (!text && test?.(true)) return true;
  try {
    return JSON.parse(text.trim() || '""');
  } catch {
    // Invalid JSON: `readValue` reports it.
    return text;
  }
}
