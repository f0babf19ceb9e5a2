// Replaces strings of a language by those of the site. A site may pass any value: only strings are used. Pure.

const own = (object: unknown, key: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Record<string, unknown>)[key]
    : undefined;

/**
 * Returns `texts` with replacements from `replacements`: only existing keys. The plural form `NAME_few` is replaced by `few` of the
 * object `NAME`, or by the string `NAME`.
 */
export function override(texts: object, replacements: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const [name = '', form] = key.split('_');
      const replacement = own(replacements, name);
      const value = form && typeof replacement === 'object' ? own(replacement, form) : replacement;
      return [key, value && typeof value === 'string' ? value : text];
    }),
  );
}
