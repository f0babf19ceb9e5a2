// What a field of the configuration may hold: kinds of values, their checks, and how an attribute's text is read. It
// knows no field.

/** A contact or legal link in the header. */
export interface Link {
  title?: string;
  link?: string;
}

/** One wrong value: the field and, in words, what it must be. */
export interface ConfigurationProblem {
  field: string;
  message: string;
}

/** What a value must be. Plain data where it can be: what a bundle does not use must drop out of it. */
export interface Kind {
  /** The words it takes, where these are all. */
  words?: readonly string[];
  /** The bounds of a number; what is outside is brought inside. */
  min?: number;
  max?: number;
  /** Anything else: said in words, and tested. */
  must?: string;
  test?(value: unknown): boolean;
  /** What falls back without a word; without it the empty text. (undefined and null always do.) */
  isBlank?(value: unknown): boolean;
  /** An attribute holds it as JSON, and not as the text it is. */
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
export const url: Kind = {
  must: 'a web address',
  // A relative address is fine; a scheme other than http and https is not.
  test: (value) => isText(value) && /^(https?:|[^:]*($|[/?#]))/i.test(value.trim()),
};
export const object: Kind = { must: 'an object', test: isObject, isJson: true };

/** Here the empty text is a value of its own, and not a blank that falls back. */
export const removable: Kind = { must: 'a string', test: isText, isBlank: () => false };
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
export const unsupported: Kind = { must: "left out: use 'footer' instead", test: () => false };

/** True for a value that falls back without a word. */
export const isBlank = (kind: Kind, value: unknown): boolean =>
  value === undefined || value === null || (kind.isBlank ? kind.isBlank(value) : value === '');

export const noField = (field: string): ConfigurationProblem => ({
  field,
  message: `Configuration: no field '${field}'.`,
});

/** A value that is not blank, clamped; undefined for a wrong one, which is told to `onProblem`. */
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

/** Reads the text of an attribute. Present without a value is true, as with attributes of HTML. */
export function readText({ isJson, max, test }: Kind, text: string): unknown {
  if (!isJson && !max) return text;
  if (!text && test?.(true)) return true;
  try {
    return JSON.parse(text.trim() || '""');
  } catch {
    // A wrong value, which is told as such.
    return text;
  }
}
