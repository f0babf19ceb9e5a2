// Puts values into a text, in the manner of a language. Pure.
import type { Forms } from './catalogue.ts';

/** A text with its values in the place of `{name}`; of several forms the one for `count`. */
export function fill(
  text: string | Forms,
  values: Readonly<Record<string, string | number>>,
  locale: string,
): string {
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(locale).select(values.count as number)] ?? text.other);
  // Numbers as the language writes them; of a string, toLocaleString is the string.
  return form.replace(/\{(\w+)\}/g, (all, name) => (values[name] as number)?.toLocaleString(locale) ?? all);
}
