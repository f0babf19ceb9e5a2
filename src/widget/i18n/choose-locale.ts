// Which language is spoken: the first that somebody asks for and that there are words of. Pure.

/** The first of these tags whose language is one of `known`, as a whole; what is no tag is passed over. Else English. */
export function chooseLocale(known: readonly string[], tags: readonly unknown[]): string {
  for (const tag of tags) {
    try {
      const locale = new Intl.Locale(tag as string);
      if (known.includes(locale.language)) return String(locale);
    } catch {
      // The next one, then.
    }
  }
  return 'en';
}

/** Where lines run from right to left. */
export const directionOf = (locale: string): 'rtl' | 'ltr' => (/^(ar|he)/.test(locale) ? 'rtl' : 'ltr');
