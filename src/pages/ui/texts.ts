// The texts of the console. The English text is the key of its translations in src/locales/console, so that the code shows what a
// member reads, and a text without a translation is English.

import type { ComponentChild } from 'preact';

/** The languages of the console: those of src/locales/console, and English. */
export const consoleLanguages = ['en', 'de', 'es', 'fr', 'it', 'pt'] as const;
export type ConsoleLanguage = (typeof consoleLanguages)[number];

/** A translation; for a counted text one for each plural category of the language (Unicode CLDR). */
export type Translations = Record<string, string | Record<string, string>>;

type Values = Record<string, string | number>;

let language: ConsoleLanguage = 'en';
let translations: Translations = {};
let plurals = new Intl.PluralRules('en');

/** The language of the texts, for dates and numbers. */
export const textLanguage = (): ConsoleLanguage => language;

/** The locale of dates and numbers: that of the browser for the language of the texts, such as en-GB, or this language. */
export const textLocale = (): string => {
  const wanted: readonly string[] = globalThis.navigator?.languages ?? [];
  return wanted.find((each) => each.toLowerCase().split('-')[0] === language) ?? language;
};

const fill = (text: string, values: Values = {}): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));

/** The translation of an English text, with the values of its `{names}`. */
export function t(english: string, values?: Values): string {
  const found = translations[english];
  return fill(typeof found === 'string' ? found : english, values);
}

/** The translation of a counted text: `one` for 1 in English, else `other`, which is the key. `{count}` is the number. */
export function counted(count: number, one: string, other: string, values?: Values): string {
  const found = translations[other];
  const category = plurals.select(count);
  const text =
    typeof found === 'object' ? (found[category] ?? found.other ?? other) : count === 1 ? one : other;
  return fill(text, { count: count.toLocaleString(language), ...values });
}

/** A text with elements: those of its `{names}` that `t` has not filled. */
export const withParts = (text: string, parts: Record<string, ComponentChild>): ComponentChild[] =>
  text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (parts[piece] ?? `{${piece}}`)));

/** The first language of `wanted` (BCP 47) that the console has; English if it has none. */
export function chooseLanguage(wanted: readonly string[]): ConsoleLanguage {
  for (const each of wanted) {
    const base = each.toLowerCase().split('-')[0];
    const found = consoleLanguages.find((one) => one === base);
    if (found) return found;
  }
  return 'en';
}

const files: Record<Exclude<ConsoleLanguage, 'en'>, () => Promise<{ default: Translations }>> = {
  de: () => import('../../locales/console/de.json'),
  es: () => import('../../locales/console/es.json'),
  fr: () => import('../../locales/console/fr.json'),
  it: () => import('../../locales/console/it.json'),
  pt: () => import('../../locales/console/pt.json'),
};

/** Uses a language from now on. The texts that are drawn already stay. If its file cannot be loaded, the texts are English. */
export async function useLanguage(next: ConsoleLanguage): Promise<void> {
  const loaded: Translations =
    next === 'en'
      ? {}
      : await files[next]().then(
          (file) => file.default,
          () => ({}),
        );
  language = next;
  translations = loaded;
  plurals = new Intl.PluralRules(next);
  if (typeof document !== 'undefined') document.documentElement.lang = next;
}

/** The key of the language that the member has chosen in this browser. */
const languageKey = 'platform-language';

/** The language that the member has chosen in this browser; '' for that of the browser. */
export function chosenLanguage(): string {
  try {
    return localStorage.getItem(languageKey) ?? '';
  } catch {
    // Blocked.
    return '';
  }
}

/** Keeps the choice; '' for the language of the browser. */
export function keepLanguage(chosen: string): void {
  try {
    if (chosen) localStorage.setItem(languageKey, chosen);
    else localStorage.removeItem(languageKey);
  } catch {
    // It lasts as long as the page.
  }
}

/** Uses the language that the member wants: their choice, or else the first of the browser's that the console has. */
export const useWantedLanguage = (chosen = chosenLanguage()): Promise<void> =>
  useLanguage(chooseLanguage(chosen ? [chosen] : navigator.languages));
