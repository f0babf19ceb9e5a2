// Decides which addresses of a message may be followed or loaded. Pure.

/** The address when it is one that may be loaded into the page (http, https), else undefined. */
export const loadable = (text: unknown): string | undefined => allowed(text, /^https?:$/);

/** The address when it is one that a visitor may follow (http, https, mailto, tel), else undefined. */
export const followable = (text: unknown): string | undefined => allowed(text, /^(https?|mailto|tel):$/);

function allowed(text: unknown, schemes: RegExp): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    // Parsed as the browser will, so that no spelling (tabs, case, control characters) says one thing here and another there.
    const { href, protocol } = new URL(text);
    return schemes.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The last part of an address, as a name for people. */
export function nameOf(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
