// Formats times and days in the language of the chat. Pure except for the clock.
import { language } from '../../i18n/current.ts';
import { strings } from '../strings.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

function format(date: Date, options: Intl.DateTimeFormatOptions): string {
  const { locale } = language;
  const key = [locale, ...Object.keys(options)].join();
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter.format(date);
}

export function timeOf(iso: string): string {
  const date = new Date(iso);
  const hours = date.getHours();
  // The first formatter of a page takes Chromium 20 to 40 ms, in one task, on a fast computer.
  return /^en(-US)?$/.test(language.locale)
    ? `${hours % 12 || 12}${date.toTimeString().slice(2, 5)} ${hours < 12 ? 'A' : 'P'}M`
    : format(date, { hour: 'numeric', minute: '2-digit' });
}

/** "Today", "Yesterday", or the date. The year is included if it is not the current one. */
export function dayOf(date: Date, now = new Date()): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return strings.today;
  if (date.toDateString() === yesterday.toDateString()) return strings.yesterday;
  const sameYear = date.getFullYear() === now.getFullYear();
  return format(date, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
}
