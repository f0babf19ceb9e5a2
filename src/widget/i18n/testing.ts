// Shared by the tests of the texts: the files of src/locales, and the texts of the widget of each language.
import { flatten, readLocales } from '../../../scripts/missing-texts.mjs';
import en from '../../locales/en.json' with { type: 'json' };

type Texts = Record<string, string>;

export const sections: Record<string, Texts> = en.widget;

/** The files by language. */
export const files: Record<string, typeof en> = readLocales();
export const names = Object.keys(files);
/** All texts of a file, by path such as `widget.chat.close`. */
export const textsOf = (name: string): Texts => flatten(files[name] ?? {});

/** The texts of the widget by language and key. */
export const all: Record<string, Texts> = Object.fromEntries(
  Object.entries(files).map(([name, { widget }]) => [name, Object.assign({}, ...Object.values(widget))]),
);
export const english: Texts = all.en ?? {};

/** The English text of a key; of a plural form the form `other`. */
export const englishOf = (key: string, texts = english): string | undefined =>
  texts[key] ?? texts[key.replace(/_\w+$/, '_other')];

/** The placeholders of a text, such as `{name}`, in alphabetical order. */
export const placeholders = (text: string) => [...text.matchAll(/\{\w*\}/g)].map(([name]) => name).sort();

/** A text without its placeholders: the words of the translator. */
export const withoutPlaceholders = (text: string) => text.replace(/\{\w*\}/g, '');
