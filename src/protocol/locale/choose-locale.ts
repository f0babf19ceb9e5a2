// Chooses the language: the first requested one that has a catalogue. Pure.

/** Languages without a catalogue whose readers read another one: Norwegian (any, and Nynorsk) and Cantonese. */
const readAs: Record<string, string> = { no: 'nb', nn: 'nb', yue: 'zh' };

const scriptOf = (locale: string) => new Intl.Locale(locale).maximize().script;

/** The requested locale, and the name of the catalogue for it. */
export interface Choice {
  /** In canonical form, such as `zh-TW`: its region determines the format of dates and numbers. */
  locale: string;
  /** One of the known names, such as `zh-Hant`. */
  name: string;
}

/**
 * Returns the first tag whose language and script are in `known`, and skips malformed tags. Falls back to English.
 * Of several catalogues of a language it takes that of the region or of the script. (`Intl.Locale` knows that `iw` is
 * `he`, and that Taiwan writes traditional characters.)
 */
export function chooseLocale(available: readonly string[], tags: readonly unknown[]): Choice {
  for (const tag of tags) {
    try {
      const locale = new Intl.Locale(tag as string);
      const { script, region } = locale.maximize();
      // Not the maximized language, which is English for `und`, the undetermined one.
      const base = readAs[locale.language] ?? locale.language;
      // Portuguese outside Brazil is written as in Portugal (CLDR: the parent of pt-AO, pt-MZ… is pt-PT).
      const names = [base === 'pt' && region !== 'BR' ? 'pt-PT' : '', `${base}-${script}`, base];
      // Hindi in Latin letters (`hi-Latn`) is not what the catalogue contains.
      const name = names.find((each) => available.includes(each) && scriptOf(each) === script);
      if (name) return { locale: String(locale), name };
    } catch {
      // A malformed tag: try the next one.
    }
  }
  return { locale: 'en', name: 'en' };
}

/** The text direction of a locale: that of its script. All scripts of the catalogues are here. */
export const directionOf = (locale: string): 'rtl' | 'ltr' =>
  /^(Arab|Hebr)$/.test(scriptOf(locale) ?? '') ? 'rtl' : 'ltr';
