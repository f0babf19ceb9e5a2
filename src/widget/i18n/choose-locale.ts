// Chooses the language: the first requested one that has a catalogue. Pure.

/** The first of these tags whose language is in `known`; malformed tags are skipped. Falls back to English. */
export function chooseLocale(known: readonly string[], tags: readonly unknown[]): string {
  for (const tag of tags) {
    try {
      const locale = new Intl.Locale(tag as string);
      if (known.includes(locale.language)) return String(locale);
    } catch {
      // Chooses the language: the first requested one that has a catalogue. Pure.
    }
  }
  return 'en';
}

/** The text direction of a language. */
export const directionOf = (locale: string): 'rtl' | 'ltr' => (/^(ar|he)/.test(locale) ? 'rtl' : 'ltr');
