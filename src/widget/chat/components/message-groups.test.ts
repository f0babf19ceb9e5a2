// Tests the position of rows in days and groups.
import { expect, test } from 'vitest';
import type { Row, Side } from '../store/store.ts';
import { groupRows } from './message-groups.ts';

/** A row at a time in the visitor's own time zone. */
function row(side: Side, ...[day, hour, minute, second = 0]: [number, number, number, number?]): Row {
  const createdAt = new Date(2025, 0, day, hour, minute, second).toISOString();
  const payload = { type: 'text', text: 'x' } as const;
  return {
    key: createdAt,
    id: createdAt,
    side,
    userId: side,
    author: undefined,
    payload,
    createdAt,
    status: 'sent',
    error: undefined,
    answers: undefined,
    feedback: undefined,
    parts: undefined,
  };
}
/** `(` begins a group, `)` ends it, `|` begins a day. */
const drawn = (...rows: Row[]) =>
  groupRows(rows)
    .map(({ day, isFirst, isLast }, i) =>
      [day ? '|' : '', isFirst ? '(' : '', rows[i]?.side === 'bot' ? 'b' : 'v', isLast ? ')' : ''].join(''),
    )
    .join(' ');

test('no rows have no groups', () => expect(groupRows([])).toEqual([]));
test('one row is a group and a day', () => expect(drawn(row('bot', 1, 9, 0))).toBe('|(b)'));

test('adjacent rows of one side are grouped within five minutes', () => {
  expect(drawn(row('bot', 1, 9, 0), row('bot', 1, 9, 4, 59), row('bot', 1, 9, 9))).toBe('|(b b b)');
  expect(drawn(row('bot', 1, 9, 0), row('bot', 1, 9, 5))).toBe('|(b) (b)');
});

test('the other side ends a group', () => {
  expect(
    drawn(row('bot', 1, 9, 0), row('visitor', 1, 9, 0), row('visitor', 1, 9, 1), row('bot', 1, 9, 1)),
  ).toBe('|(b) (v v) (b)');
});

test('another name of the person begins a group, which shows it', () => {
  const named = (name: string, minute: number) => ({
    ...row('bot', 1, 9, minute),
    author: { kind: 'person' as const, name },
  });
  expect(drawn(named('Support', 0), named('Support', 1), named('Mia', 2))).toBe('|(b b) (b)');
});

test('midnight in the visitor’s time zone begins a day, and ends a group', () => {
  expect(drawn(row('bot', 1, 23, 59), row('bot', 2, 0, 1), row('bot', 2, 0, 2), row('bot', 4, 0, 0))).toBe(
    '|(b) |(b b) |(b)',
  );
});

test('a device clock that is behind does not split a group', () => {
  expect(drawn(row('visitor', 1, 9, 10), row('visitor', 1, 9, 0))).toBe('|(v v)');
});

/** The rows with a time, by their position. */
const timed = (...rows: Row[]) => groupRows(rows).flatMap(({ hasTime }, i) => (hasTime ? [i] : []));

test('the time is below the last row of an author in a minute, also after rows of the other side', () => {
  const [first, second] = [row('visitor', 1, 9, 0, 1), row('bot', 1, 9, 0, 2)];
  expect(timed(first, second, row('visitor', 1, 9, 0, 3), row('bot', 1, 9, 0, 59))).toEqual([2, 3]);
  expect(timed(first, second, row('visitor', 1, 9, 1), row('bot', 1, 9, 1, 1))).toEqual([0, 1, 2, 3]);
  const streaming = { ...row('bot', 1, 9, 0, 4), status: 'streaming', userId: undefined } as const;
  expect(timed(second, first, streaming)).toEqual([1, 2]);
  const other = { ...row('bot', 1, 9, 0, 4), userId: 'person' };
  expect(timed(second, other, row('bot', 1, 9, 0, 5))).toEqual([1, 2]);
});

test('a row that was not sent has no time, so the one before it keeps its own', () => {
  const sent = row('visitor', 1, 9, 0, 1);
  for (const status of ['failed', 'queued'] as const)
    expect(timed(sent, row('bot', 1, 9, 0, 2), { ...row('visitor', 1, 9, 0, 3), status })).toContain(0);
  const sending = { ...row('visitor', 1, 9, 0, 3), status: 'sending', userId: undefined } as const;
  expect(timed(sent, row('bot', 1, 9, 0, 2), sending)).toEqual([1, 2]);
});

test('the day is the day of the row', () => {
  expect(groupRows([row('bot', 5, 13, 0)])[0]?.day).toBe(new Date(2025, 0, 5, 13, 0).toISOString());
});

test('a part of the rows is grouped as in all of them', () => {
  const rows = [
    row('bot', 1, 9, 0),
    row('bot', 1, 9, 1),
    row('visitor', 1, 23, 59),
    row('visitor', 2, 0, 1),
    row('visitor', 2, 0, 2),
  ];
  for (let from = -2; from <= rows.length; from++) {
    for (let to = Math.max(0, from); to <= rows.length + 2; to++) {
      expect(groupRows(rows, from, to)).toEqual(groupRows(rows).slice(Math.max(0, from), to));
    }
  }
});
