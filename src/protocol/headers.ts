// Request headers of visitors: language, and proof of work.
export const proofHeader = {
  name: 'x-user-proof',
  description: 'The solved challenge of `ChallengeRequired`: `challenge.nonce`.',
  // A repeated request may need another proof than the first one.
  isVolatile: true,
} as const;

/** Each field is left out if it is unknown. */
export interface VisitorLocale {
  /** The language of the page (`<html lang>`), as a canonical BCP 47 tag such as `pt-BR`. */
  page?: string;
  /**
   * The language of the chat's texts, as a canonical BCP 47 tag. While no texts but the English ones are loaded: the language
   * that is requested by the configuration, the page or the browser.
   */
  chat?: string;
  /** The time zone of the device, as an IANA name such as `America/Sao_Paulo`. */
  timeZone?: string;
}

/** A hint, so a repeated request may contain another one: its idempotency key is still that of the first request. */
export const localeHeader = {
  name: 'x-visitor-locale',
  description:
    'The languages and the time zone of the user for the bot, form-encoded: ' +
    '`page=pt-BR&chat=pt-BR&timeZone=America%2FSao_Paulo`. Values that are not valid are ignored.',
  isVolatile: true,
} as const;

/** Characters of the header. A longer one is ignored, so that nobody makes the server parse it. */
const maxLength = 500;
/** Characters of a tag for which an implementation must have room (RFC 5646, 4.4.1). */
const maxTagLength = 35;
/** Characters of a time zone. The longest name has 32. */
const maxZoneLength = 64;

/**
 * Reads the header. A value that is not valid is left out, and never an error: it comes from the page's markup and from
 * the browser, and no message should be lost because of it. Returns undefined if nothing is left.
 */
export function readLocale(headers: Pick<Headers, 'get'>): VisitorLocale | undefined {
  const header = headers.get(localeHeader.name);
  if (!header || header.length > maxLength) return undefined;
  const values = new URLSearchParams(header);
  const page = readTag(values.get('page'));
  const chat = readTag(values.get('chat'));
  const timeZone = readTimeZone(values.get('timeZone'));
  const locale = { ...(page && { page }), ...(chat && { chat }), ...(timeZone && { timeZone }) };
  return Object.keys(locale).length > 0 ? locale : undefined;
}

function readTag(text: string | null): string | undefined {
  if (!text) return undefined;
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    // Checked here, because the canonical form can be longer.
    return tag.length <= maxTagLength ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** Names that are valid: to find that out takes longer than to read the rest of the header. */
const knownZones = new Set<string>();
/** Their maximum number: there are about 600, in any case of the letters. */
const maxKnownZones = 2_000;

/** Not canonical: implementations disagree about which of two names is the canonical one (Asia/Calcutta, Asia/Kolkata). */
function readTimeZone(text: string | null): string | undefined {
  // Some implementations also accept offsets such as `+01:00`, which are no names.
  if (!text || text.length > maxZoneLength || !/^[A-Za-z]/.test(text)) return undefined;
  try {
    if (knownZones.has(text)) return text;
    new Intl.DateTimeFormat('en', { timeZone: text });
    if (knownZones.size < maxKnownZones) knownZones.add(text);
    return text;
  } catch {
    return undefined;
  }
}
