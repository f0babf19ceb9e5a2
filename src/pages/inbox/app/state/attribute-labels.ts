// Names of the visitor's attributes in words: sites set keys of programs, such as `signed_up_at` and `accountId`. Pure.

/** Words that are written in capitals. */
const capitals = new Set(['id', 'url', 'ip', 'sku', 'vat', 'crm', 'utm', 'api']);

/** A key in words: "Signed up at", "Account ID". A key that has words already stays as it is, apart from its first letter. */
export function labelOf(key: string): string {
  const isText = /\s/u.test(key.trim());
  const words = isText
    ? [key.trim()]
    : key
        .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
        .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
        .split(/[\s_.:/-]+/u)
        .filter(Boolean)
        .map((word) => (capitals.has(word.toLowerCase()) ? word.toUpperCase() : lowered(word)));
  const [first = '', ...others] = words;
  // Nothing but separators.
  if (!first) return key;
  const [letter = ''] = first;
  return [letter.toUpperCase() + first.slice(letter.length), ...others].join(' ');
}

/** An abbreviation keeps its capitals. */
const lowered = (word: string): string =>
  word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase();
