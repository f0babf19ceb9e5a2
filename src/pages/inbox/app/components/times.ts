// Times and durations as the inbox shows them, in the language of the texts. Pure except for the clock and the time zone.
import { counted, t, textLocale } from '../../../ui/texts.ts';

/** "now", "4 min", "3 h", "2 d": how long ago something was. */
export function ageOf(iso: string, now: number): string {
  const [count, unit] = ageIn(iso, now);
  return unit === 'none' ? t('now') : shortAge(count, unit);
}

type Unit = 'minute' | 'hour' | 'day';

function ageIn(iso: string, now: number): [count: number, unit: Unit | 'none'] {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (minutes < 1) return [0, 'none'];
  if (minutes < 60) return [minutes, 'minute'];
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day'];
}

function shortAge(count: number, unit: Unit): string {
  if (unit === 'minute') return t('{count} min', { count });
  return unit === 'hour' ? t('{count} h', { count }) : t('{count} d', { count });
}

/** How long somebody waits, as short. */
export const waitOf = (iso: string, now: number): string => {
  const [count, unit] = ageIn(iso, now);
  return unit === 'none' ? t('< 1 min') : shortAge(count, unit);
};

/** Milliseconds after which a visitor has waited too long: until then, the time is no warning. */
const lateMs = 5 * 60_000;

export const isLate = (iso: string, now: number): boolean => now - Date.parse(iso) >= lateMs;

/** For screen readers: "4 minutes ago". */
export function agoText(iso: string, now: number): string {
  const [count, unit] = ageIn(iso, now);
  if (unit === 'minute') return counted(count, '{count} minute ago', '{count} minutes ago');
  if (unit === 'hour') return counted(count, '{count} hour ago', '{count} hours ago');
  if (unit === 'day') return counted(count, '{count} day ago', '{count} days ago');
  return t('less than a minute ago');
}

/** For screen readers: "waiting for 4 minutes". */
export function waitingText(iso: string, now: number): string {
  const [count, unit] = ageIn(iso, now);
  if (unit === 'minute') return counted(count, 'waiting for {count} minute', 'waiting for {count} minutes');
  if (unit === 'hour') return counted(count, 'waiting for {count} hour', 'waiting for {count} hours');
  if (unit === 'day') return counted(count, 'waiting for {count} day', 'waiting for {count} days');
  return t('waiting for less than a minute');
}

const formatters = new Map<string, Intl.DateTimeFormat>();
function format(iso: string, options: Intl.DateTimeFormatOptions): string {
  const locale = textLocale();
  const key = JSON.stringify([locale, options]);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
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
