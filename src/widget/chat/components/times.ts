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

export const timeOf = (iso: string): string => format(new Date(iso), { hour: 'numeric', minute: '2-digit' });

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
