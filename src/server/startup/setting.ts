// The type of one setting, and the schemas that several settings use. A schema turns the text into the value.
import * as v from 'valibot';
import { StartError } from './start-error.ts';

/** One row of the table of settings. */
export interface Setting<T> {
  /** The description in the documentation and in `--help`. */
  doc: string;
  /** The text that is used for an unset variable; undefined when the value is then optional or generated. */
  default?: string;
  /** The description of a default that is not a text. */
  defaultDoc?: string;
  /** Validates the text; the message of each issue begins with `must`. */
  schema: v.GenericSchema<string, T>;
  /** Accepted from the environment only, because every user of the machine can read a command line. */
  isSecret?: true;
  /** A flag without a value, which replaces the flag that is derived from the name, and the text that it means. */
  switch?: { flag: `--${string}`; text: string };
}

/** The values of a table of settings. Those without a default can be undefined. */
export type SettingsOf<T extends Record<string, Setting<unknown>>> = {
  [N in keyof T]: v.InferOutput<T[N]['schema']> | (T[N] extends { default: unknown } ? never : undefined);
};

/** Declares a row; its type keeps which defaults are there. */
export const setting = <const S extends Setting<unknown>>(row: S): S => row;

/** Returns the value of a text, or the description of valid values. */
export function parseSetting<T>(
  { schema }: Pick<Setting<T>, 'schema'>,
  text: string,
): { value: T } | { problem: string } {
  const result = v.safeParse(schema, text, { abortEarly: true, abortPipeEarly: true });
  return result.success ? { value: result.output } : { problem: result.issues[0].message };
}

/** Reads the settings of a table; a blank text counts as unset. Throws StartError with one line for the first invalid one. */
export function readTable<T extends Record<string, Setting<unknown>>>(
  table: T,
  env: Record<string, string | undefined>,
): SettingsOf<T> {
  const values = Object.entries(table).map(([name, row]) => {
    const text = env[name]?.trim() || row.default;
    if (text === undefined) return [name, undefined];
    const result = parseSetting(row, text);
    if ('problem' in result) throw new StartError(`${name} ${result.problem}.`);
    return [name, result.value];
  });
  return Object.fromEntries(values) as SettingsOf<T>;
}

/** A whole number within limits. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
}

/** One of several texts. */
export function oneOf<const W extends readonly string[]>(...choices: W) {
  const quoted = choices.map((choice) => `\`${choice}\``);
  const message = `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return v.picklist(choices, message) as v.GenericSchema<string, W[number]>;
}

/** A text that matches a pattern. */
export const matching = (pattern: RegExp, message: string) => v.pipe(v.string(), v.regex(pattern, message));

/** A list, separated by commas, of values that all pass a check. */
export const listOf = (isValid: (part: string) => boolean, message: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((part) => part.trim())),
    v.everyItem(isValid, message),
  );
