// Inserts values into a string, formatted for a language. Pure.
// Why not an i18n library: `Intl.PluralRules` and `Intl.DateTimeFormat` of the browser are sufficient (decision 20).
import type { PluralName } from './catalogue.ts';

/** Inserts values for `{name}` into a string. */
export const interpolate = (
  text: string,
  values: Readonly<Record<string, string | number>>,
  locale: string,
): string =>
  text.replace(/\{(\w+)\}/g, (all, name) => (values[name] as number)?.toLocaleString(locale) ?? all);

/** Returns the plural form of a number, with the number in the place of `{count}`; the form `other` if that form is missing. */
export const plural = (
  strings: Readonly<Record<string, string>>,
  name: PluralName,
  count: number,
  locale: string,
): string =>
  interpolate(
    strings[`${name}_${rulesOf(locale).select(count)}`] ?? (strings[`${name}_other`] as string),
    { count },
    locale,
  );

/** The rules of the last language: to create them takes as long as drawing a message. */
let rules: Intl.PluralRules | undefined;
let rulesLocale = '';

function rulesOf(locale: string): Intl.PluralRules {
  if (!rules || rulesLocale !== locale) rules = new Intl.PluralRules(locale);
  rulesLocale = locale;
  return rules;
}
