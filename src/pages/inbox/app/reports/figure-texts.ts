// Figures of reports as words, and days as the bars of a chart. Pure.
import type { Durations, MemberFigures, ReportDay } from '../../../../protocol/inbox.ts';
import { counted, t, textLocale } from '../../../ui/texts.ts';

/** "45 s", "4 min", "3 h 20 min", "2 d 4 h", with spaces that do not break. */
export const durationText = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '–' : unitsOf(milliseconds).replaceAll(' ', '\u00a0');

function unitsOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return t('{count} s', { count: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t('{count} min', { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return minutes % 60 === 0
      ? t('{count} h', { count: hours })
      : t('{hours} h {minutes} min', { hours, minutes: minutes % 60 });
  const days = Math.floor(hours / 24);
  return hours % 24 === 0
    ? t('{count} d', { count: days })
    : t('{days} d {hours} h', { days, hours: hours % 24 });
}

/** "half in 4 min, nine of ten in 20 min" */
export const spreadText = ({ median, p90 }: Durations): string =>
  t('half within {median}, nine of ten within {most}', {
    median: durationText(median),
    most: durationText(p90),
  });

export const numberText = (value: number): string => value.toLocaleString(textLocale());

/** A number with one digit after the point or comma, such as a mean. */
export const decimalText = (value: number): string =>
  value.toLocaleString(textLocale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const shareText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 100)}\u00a0%`;

/** Characters of an id that tell former members apart. */
const idEnd = 6;

/** A name for each member, which no other one of the report has. */
export function memberNames(
  members: readonly Pick<MemberFigures, 'memberId' | 'name' | 'email'>[],
): readonly string[] {
  const hasFormer = members.filter(({ name }) => name === undefined).length > 1;
  return members.map(({ memberId, name, email }) => {
    if (name !== undefined) return email === undefined ? name : `${name} ${email}`;
    return hasFormer ? t('Former member …{id}', { id: memberId.slice(-idEnd) }) : t('Former member');
  });
}

/** Members with the most replies, of members in the order of their replies: a text, and a name with the text after it, if it is one member. */
export function mostRepliesText(
  members: readonly { name: string; replies: number }[],
): readonly [before: string, name?: string, after?: string] {
  const [first] = members;
  const most = first?.replies ?? 0;
  const count = members.filter(({ replies }) => replies === most).length;
  const all = counted(members.length, '{count} member.', '{count} members.');
  if (!first || most === 0) return [`${all} ${t('Nobody replied.')}`];
  const replies = numberText(most);
  if (count > 1) {
    const values = { members: numberText(count), count: replies };
    return [`${all} ${t('{members} of them wrote the most replies: {count} each.', values)}`];
  }
  const [before = '', after = ''] = t('{name} wrote the most replies: {count}.', { count: replies }).split(
    '{name}',
  );
  return [`${all} ${before}`, first.name, after];
}

const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;

/** "24 Dec", and "24 Dec 2020" in another year. */
export function dateText(date: string, thisYear = new Date().getFullYear()): string {
  const isThisYear = Number(date.slice(0, 4)) === thisYear;
  const options: Intl.DateTimeFormatOptions = isThisYear ? day : { ...day, year: 'numeric' };
  return new Date(date).toLocaleDateString(textLocale(), options).replaceAll(' ', '\u00a0');
}

/** A bar of the chart of days: one day, or a week of a long period. */
export interface Bar {
  /** "24 Dec", "24 Dec – 30 Dec" */
  label: string;
  conversations: number;
  handedOver: number;
  requested: number;
}

/** With more days, a bar is a week. */
const mostDays = 62;

/** The days as bars that are wide enough to be seen. */
export function barsOf(days: readonly ReportDay[]): { bars: Bar[]; isByWeek: boolean } {
  const size = days.length > mostDays ? 7 : 1;
  const bars: Bar[] = [];
  for (let at = 0; at < days.length; at += size) {
    const group = days.slice(at, at + size);
    const [first, last] = [group[0]?.date ?? '', group.at(-1)?.date ?? ''];
    const bar = { label: first === last ? dateText(first) : `${dateText(first)} – ${dateText(last)}` };
    let [conversations, handedOver, requested] = [0, 0, 0];
    for (const day of group) {
      conversations += day.conversations ?? 0;
      handedOver += day.handedOver ?? 0;
      requested += day.requested;
    }
    bars.push({ ...bar, conversations, handedOver, requested });
  }
  return { bars, isByWeek: size > 1 };
}

/** The top of an axis: the next number of 1, 2, 4, 6, 8 and 10 with zeros. */
export function topOf(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest)));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= largest) ?? 10) * power;
}
