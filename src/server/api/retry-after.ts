// Reads the header `Retry-After` of a response.

/** Milliseconds in a `Retry-After`: seconds, or a date (RFC 9110, 10.2.3); undefined for anything else. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
