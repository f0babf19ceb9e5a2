// Types of the strings of the widget. The keys are those of src/locales/en.json.
import type en from '../../locales/en.json';

/** The English strings by section. Each section belongs to one bundle. */
type Sections = typeof en.widget;

export type MarkdownStrings = Sections['markdown'] & Pick<Sections['chat'], 'newTab'>;

type FormOf<Key> = Key extends `${infer Name}_other` ? Name : never;
/** The names of strings that depend on a `{count}`: `NAME_one`, `NAME_other` and so on (Intl.PluralRules). */
export type PluralName = FormOf<{ [Name in keyof Sections]: keyof Sections[Name] }[keyof Sections]>;

/** The present language. */
export interface Language {
  /** A BCP 47 tag such as `de-AT`: its region determines the format of dates and numbers. */
  locale: string;
  /** Translates English strings; absent if they stay English. */
  translate?<Section extends object>(english: Section): Section;
}
