// The kinds of values of configuration fields: their checks, and how the text of an attribute is parsed. What an error says
// of them is in configuration-problems.ts.
import { isRules } from './proactive.ts';

/** A contact or legal link in the header. */
export interface Link {
  title?: string;
  link?: string;
}

/** The constraints of a value. Plain data where possible, so that a bundler can remove unused kinds. */
export interface Kind {
  /** The allowed values, if there is a fixed set. */
  values?: readonly string[];
  /** The range of a number; other numbers are clamped. */
  min?: number;
  max?: number;
  /** Any other constraint. */
  validate?(value: unknown): boolean;
  /** Whether a value is ignored silently. Default: the empty text. (undefined and null always are.) */
  isBlank?(value: unknown): boolean;
  /** An attribute contains the value as JSON and not as plain text. */
  isJson?: boolean;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && !Array.isArray(value);

export const text: Kind = { validate: isText };
export const flag: Kind = {
  validate: (value) => typeof value === 'boolean',
  isJson: true,
};
export const color: Kind = {
  validate: (value) => isText(value) && /^#([\da-f]{3}){1,2}$/i.test(value),
};
/** Pixels from an edge of the page. */
export const distance: Kind = { min: 0, max: 400 };
export const url: Kind = {
  // A relative address is allowed; a scheme other than http and https is not.
  validate: (value) => isText(value) && /^(https?:|[^:]*($|[/?#]))/i.test(value.trim()),
};
/** A part of the chat that is on, with its content, or off. The bundle of the part reads the content. */
export const part: Kind = {
  validate: (value) => typeof value === 'boolean' || isObject(value),
  isJson: true,
};
export const object: Kind = { validate: isObject, isJson: true };

/** The empty text is a value here, and does not fall back to another layer. */
export const clearableText: Kind = { validate: isText, isBlank: () => false };
export const link: Kind = {
  validate: isObject,
  isBlank: (value) => !value || (isObject(value) && !(value as Link).title && !(value as Link).link),
  isJson: true,
};
export const texts: Kind = {
  validate: (value) => Array.isArray(value) && value.every(isText),
  isJson: true,
};
export const rules: Kind = {
  validate: isRules,
  isJson: true,
};
export const unsupported: Kind = { validate: () => false };

/** True for a value that is ignored silently. */
export const isBlank = (kind: Kind, value: unknown): boolean =>
  value === undefined || value === null || (kind.isBlank ? kind.isBlank(value) : value === '');

/** Returns a value that is not blank, clamped. Returns undefined for an invalid one. */
export function readValue({ values, min = 0, max, validate }: Kind, value: unknown): unknown {
  if (values?.includes(value as string) || validate?.(value)) return value;
  return max && Number.isFinite(value) ? Math.min(max, Math.max(min, value as number)) : undefined;
}

/** Parses the text of an attribute. An attribute without a value is true, as in HTML. */
export function readText({ isJson, max, validate }: Kind, text: string): unknown {
  if (!isJson && !max) return text;
  if (!text && validate?.(true)) return true;
  try {
    return JSON.parse(text.trim() || '""');
  } catch {
    // Invalid JSON: `readValue` reports it.
    return text;
  }
}
