// Chooses the language: the first requested one that has a catalogue. Pure.

/** Returns the first tag whose language is in `known`, and skips malformed tags. Falls back to English. */
export function chooseLocale(known: readonly string[], tags: readonly unknown[]): string {
  for (const tag of tags) {
    try {
      const locale = new Intl.Locale(tag as string);
      if (known.includes(locale.language)) return String(locale);
    } catch {
      // A malformed tag: try the next one.
    }
  }
  return 'en';
}

/** The text direction of a language. */
export const directionOf = (locale: string): 'rtl' | 'ltr' => (/^(ar|he)/.test(locale) ? 'rtl' : 'ltr');
