// Puts values into a string, in the manner of a language. Pure.
import type { PluralForms } from './catalogue.ts';

/** A string with its values in the place of `{name}`; of plural forms the one for `count`. */
export function interpolate(
  text: string | PluralForms,
  values: Readonly<Record<string, string | number>>,
  locale: string,
): string {
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(locale).select(values.count as number)] ?? text.other);
  // Puts values into a string, in the manner of a language. Pure.
  return form.replace(/\{(\w+)\}/g, (all, name) => (values[name] as number)?.toLocaleString(locale) ?? all);
}
