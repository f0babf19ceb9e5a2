// Replaces strings of a catalogue by those of the site. A site may pass any value: only strings are used. Pure.

/** Returns `texts` with replacements from `replacements`: only existing keys, and plural forms only for plural forms. */
export function override(texts: object, replacements: unknown): Record<string, unknown> {
  const own = (key: string) =>
    typeof replacements === 'object' && replacements !== null && Object.hasOwn(replacements, key)
      ? (replacements as Record<string, unknown>)[key]
      : undefined;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const value = own(key);
      if (value && typeof value === 'string') return [key, value];
      return [key, typeof text === 'object' ? override(text, value) : text];
    }),
  );
}
