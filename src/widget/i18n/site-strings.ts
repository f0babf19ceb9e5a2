// The site's own words over those of a catalogue. What a site gives may be anything: what is no text is left out. Pure.

/** `texts` with those of `given` in their place: only under keys that there are, and forms only where there are forms. */
export function override(texts: object, given: unknown): Record<string, unknown> {
  const own = (key: string) =>
    typeof given === 'object' && given !== null && Object.hasOwn(given, key)
      ? (given as Record<string, unknown>)[key]
      : undefined;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const value = own(key);
      if (value && typeof value === 'string') return [key, value];
      return [key, typeof text === 'object' ? override(text, value) : text];
    }),
  );
}
