// Parses instants, and formats them in the stored form.

/** A date, or date and time with an optional offset (ISO 8601, RFC 3339). */
const pattern = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Returns the instant as UTC with milliseconds, such as `2025-01-31T08:00:00.000Z`, so that the order of texts is the
 * order of instants. Returns undefined when the text is not an instant. Without an offset the text is UTC.
 */
export function readInstant(text: string): string | undefined {
  if (!pattern.test(text)) return undefined;
  const day = text.slice(0, 10);
  const rest = text.slice(11).toUpperCase();
  const time = rest === '' || /Z$|[+-]\d{2}:?\d{2}$/.test(rest) ? rest : `${rest}Z`;
  const instant = new Date(time === '' ? day : `${day}T${time.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  // V8 accepts 30 February.
  const days = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
  if (Number.isNaN(instant.getTime()) || Number(day.slice(8)) > days) return undefined;
  return instant.toISOString();
}
