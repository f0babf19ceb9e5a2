// The address of a page as people type it. Pure.

/** The address with its origin; undefined for a text that is none. Without a scheme it is `https`, on this computer `http`. */
export function originOfPage(text: string): { href: string; origin: string } | undefined {
  const given = text.trim();
  if (given === '' || /\s/.test(given)) return undefined;
  const isLocal = /^(?:localhost|127\.|\[::1\])/i.test(given);
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(given);
  const address = hasScheme ? given : `${isLocal ? 'http' : 'https'}://${given}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { href, origin, hostname } = new URL(address);
  return hostname.includes('.') || hostname.startsWith('[') || hostname === 'localhost'
    ? { href, origin }
    : undefined;
}
