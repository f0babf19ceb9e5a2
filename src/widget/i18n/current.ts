// The strings of the present language, for the chat and its lazy bundles. Components that read one while rendering
// render again when the language changes.
import { signal } from '@preact/signals';
import type { Language, PluralName } from './catalogue.ts';
import { interpolate as interpolateIn, plural as pluralIn } from './interpolate.ts';

const english: Record<string, string> = {};
const present = signal<Record<string, string>>({});
const strings = new Proxy({}, { get: (_, key) => present.value[key as string] });

export let language: Language = { locale: 'en' };

const sections = new WeakSet<object>();

/** Adds the English strings of a bundle, once. Returns all strings in the present language: always the same object. */
export function addStrings<Section extends object>(section: Section): Section {
  if (!sections.has(section)) {
    sections.add(section);
    Object.assign(english, section);
    setLanguage(language);
  }
  return strings as Section;
}

export function setLanguage(next: Language): void {
  language = next;
  present.value = { ...english, ...next.translate?.(english) };
}

/** Inserts values for `{name}` into a string; of plural forms it uses the one for `count`. */
export const interpolate = (text: string, values: Record<string, string | number>): string =>
  interpolateIn(text, values, language.locale);

/** Returns the plural form of a number, with the number in the place of `{count}`. */
export const plural = (name: PluralName, count: number): string =>
  pluralIn(present.value, name, count, language.locale);
