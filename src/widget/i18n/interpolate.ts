// Inserts values into a string, formatted for a language. Pure.
// Why not an i18n library: `Intl.PluralRules` and `Intl.DateTimeFormat` of the browser are sufficient (decision 20).
import type { PluralForms } from './catalogue.ts';

/** Inserts values for `{name}` into a string; of plural forms it uses the one for `count`. */
export function interpolate(
  text: string | PluralForms,
  values: Readonly<Record<string, string | number>>,
  locale: string,
): string {
  const form =
    typeof text === 'string' ? text : (text[rulesOf(locale).select(values.count as number)] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (all, name) => (values[name] as number)?.toLocaleString(locale) ?? all);
}

/** The rules of the last language: to create them takes as long as drawing a message. */
let rules: Intl.PluralRules | undefined;
let rulesLocale = '';

function rulesOf(locale: string): Intl.PluralRules {
  if (!rules || rulesLocale !== locale) rules = new Intl.PluralRules(locale);
  rulesLocale = locale;
  return rules;
}
