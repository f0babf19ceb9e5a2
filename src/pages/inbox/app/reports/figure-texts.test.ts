// Tests of figures as words and of the bars of a chart.
import { expect, test } from 'vitest';
import { barsOf, dateText, durationText, mostRepliesText, shareText, topOf } from './figure-texts.ts';

const minute = 60_000;
const words = (duration: number | undefined) => durationText(duration).replaceAll('\u00a0', ' ');

test('reports: durations and shares are short words, and never NaN', () => {
  const texts = [
    undefined,
    0,
    59_400,
    59_600,
    59.6 * minute,
    60 * minute,
    200 * minute,
    47.99 * 60 * minute,
    52 * 60 * minute,
  ];
  expect(texts.map(words)).toEqual([
    '–',
    '0 s',
    '59 s',
    '1 min',
    '1 h',
    '1 h',
    '3 h 20 min',
    '47 h 59 min',
    '2 d 4 h',
  ]);
  expect(words(72 * 60 * minute)).toBe('3 d');
  expect(
    [shareText(0, 0), shareText(1, 3), shareText(3, 3)].map((text) => text.replace('\u00a0', ' ')),
  ).toEqual(['–', '33 %', '100 %']);
});

test('reports: a date of another year has its year', () => {
  expect(
    [dateText('2026-11-05', 2026), dateText('2020-11-05', 2026)].map((text) => text.includes('20')),
  ).toEqual([false, true]);
  expect(dateText('2020-11-05', 2026)).toContain('2020');
});

test('reports: nobody is named as the first whose replies are none, or as many as those of another member', () => {
  const text = (...replies: number[]) =>
    mostRepliesText(replies.map((count, index) => ({ name: `M${index}`, replies: count }))).join('');
  expect(text(3, 2)).toBe('2 members. M0 wrote the most replies: 3.');
  expect(text(3, 3, 1)).toBe('3 members. 2 of them wrote the most replies: 3 each.');
  expect(text(0)).toBe('1 member. Nobody replied.');
});

test('reports: a long period has a bar for each week, and no day is lost', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      conversations: 2,
      handedOver: 1,
      requested: 1,
    }));
  expect(barsOf(days(62))).toMatchObject({ isByWeek: false, bars: { length: 62 } });
  for (const count of [63, 366]) {
    const { bars, isByWeek } = barsOf(days(count));
    expect([isByWeek, bars.length]).toEqual([true, Math.ceil(count / 7)]);
    expect(bars.reduce((sum, bar) => sum + bar.conversations, 0)).toBe(2 * count);
  }
  expect(barsOf([]).bars).toEqual([]);
});

test('reports: the top of an axis is a round number above the largest value', () => {
  expect([0, 1, 2, 3, 5, 9, 10, 11, 61, 999].map(topOf)).toEqual([1, 1, 2, 4, 6, 10, 10, 20, 80, 1_000]);
});
