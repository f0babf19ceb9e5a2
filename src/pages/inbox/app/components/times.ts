// Times and durations as the inbox shows them, in the language of the browser. Pure except for the clock and the time zone.

/** "now", "4 min", "3 h", "2 d": how long ago something was. */
export function ageOf(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** How long somebody waits, as short. */
export const waitOf = (iso: string, now: number): string => {
  const age = ageOf(iso, now);
  return age === 'now' ? '< 1 min' : age;
};

/** The same for screen readers: "4 minutes". */
export function spokenAge(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return count(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day');
}

const formatters = new Map<string, Intl.DateTimeFormat>();
function format(iso: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  formatters.set(key, formatter);
  return formatter.format(new Date(iso));
}

export const timeOf = (iso: string): string => format(iso, { hour: 'numeric', minute: '2-digit' });

/** The day and the time. */
export const momentOf = (iso: string): string =>
  format(iso, { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });

/** The day, for the heading above its first entry. */
export const dayOf = (iso: string): string =>
  format(iso, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
