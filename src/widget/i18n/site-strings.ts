// Puts a site's own strings over those of a catalogue. A site may pass anything: what is not a string is ignored. Pure.

/** `texts` with those of `given` in their place: existing keys only, and plural forms only where there are plural forms. */
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
