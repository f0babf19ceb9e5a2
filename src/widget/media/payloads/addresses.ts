// Checks which addresses of a message may be followed or loaded. Pure.

/** The address if it may be loaded into the page (http, https), else undefined. */
export const loadable = (text: unknown): string | undefined => allowed(text, /^https?:$/);

/** The address if a visitor may follow it (http, https, mailto, tel), else undefined. */
export const followable = (text: unknown): string | undefined => allowed(text, /^(https?|mailto|tel):$/);

function allowed(text: unknown, schemes: RegExp): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    // Parsed as the browser does, so that no spelling (tabs, case, control characters) has a different meaning there.
    const { href, protocol } = new URL(text);
    return schemes.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The last segment of an address, as a display name. */
export function nameOf(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
