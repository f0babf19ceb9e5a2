// The words as they are now, of the chat and its lazy chunks. They change in place, so whoever draws reads them when
// it draws.
import type { Forms, Language, Texts } from './catalogue.ts';
import { fill as fillIn } from './interpolate.ts';

const english = {};
const words = {};

export let language: Language = { locale: 'en' };

/** Adds the English words of a bundle. Gives all words as they are now: always the same object. */
export function addWords<Section extends object>(section: Section): Texts<Section> {
  Object.assign(english, section);
  setLanguage(language);
  return words as Texts<Section>;
}

export function setLanguage(next: Language): void {
  language = next;
  Object.assign(words, english, next.translate?.(english));
}

/** A text with its values in the place of `{name}`; of several forms the one for `count`. */
export const fill = (text: string | Forms, values: Record<string, string | number>): string =>
  fillIn(text, values, language.locale);
