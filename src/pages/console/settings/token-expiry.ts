// The last day of a token. A token that is created in a session cannot last longer than the session. Pure.

/** The day of a time, where the member is: `2026-12-31`. */
export function dayOf(iso: string): string {
  const time = new Date(iso);
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}

/** The end of a day, but not later than `end`; `end` for a text that is no day. */
export function expiryOf(day: string, end: string): string {
  const time = Date.parse(`${day}T23:59:59.999`);
  return time < Date.parse(end) ? new Date(time).toISOString() : end;
}
