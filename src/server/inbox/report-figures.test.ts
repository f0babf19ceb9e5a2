// Tests of the definitions of all figures, by the timeline of two days in Berlin on which summer time ends, and of grouping questions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf } from '../../protocol/locale/time-zones.ts';
import { durationsOf, figuresOf, questionsOf, type ReportRows } from './report-figures.ts';

const minute = 60_000;
const hour = 60 * minute;
const at = (text: string) => Date.parse(text);
const days = daysOf({ from: '2026-10-24', to: '2026-10-25', timeZone: 'Europe/Berlin' });

/*
 * Saturday 24 October, UTC+2:
 *   10:00 Nora asks for a person; Ada takes it at 10:04, replies at 10:05, Nora answers, Ada replies 2 minutes later.
 *   10:30 Ada closes it; Nora is asked for a rating and gives 5.
 *   23:30 Omar asks; nobody replies; he returns to the bot at 23:45.
 * Sunday 25 October, 25 hours:
 *   00:30 Pia asks; Ben takes it at 00:31 and replies at 01:30. It is still his.
 *   02:30 (the second time, UTC+1) Quin asks; a person at another desk replies at 02:40 and resolves it at 03:30.
 *   09:00 A handoff of Friday is resolved by Ada after 40 hours; its visitor is asked, gives nothing. Ben's visitor of last
 *         week gives 2.
 */
const timeline: ReportRows = {
  volume: [
    { quarter: at('2026-10-24T07:45:00Z') / (15 * minute), conversations: 4, handedOver: 1 },
    { quarter: at('2026-10-24T21:30:00Z') / (15 * minute), conversations: 1, handedOver: 1 },
    { quarter: at('2026-10-24T22:00:00Z') / (15 * minute), conversations: 2, handedOver: 2 },
    { quarter: at('2026-10-25T22:45:00Z') / (15 * minute), conversations: 3, handedOver: 0 },
    // Not in the period.
    { quarter: at('2026-10-25T23:00:00Z') / (15 * minute), conversations: 100, handedOver: 100 },
  ],
  requested: [
    request('2026-10-24T08:00:00Z', '2026-10-24T08:05:00Z', 'ada', 'resolved'),
    request('2026-10-24T21:30:00Z', undefined, null, 'abandoned'),
    request('2026-10-24T22:30:00Z', '2026-10-24T23:30:00Z', 'ben', null),
    request('2026-10-25T01:30:00Z', '2026-10-25T01:40:00Z', null, 'resolved'),
  ],
  ended: [
    end('2026-10-24T08:00:00Z', '2026-10-24T08:30:00Z', 'resolved', 'ada', 1),
    end('2026-10-24T21:30:00Z', '2026-10-24T21:45:00Z', 'abandoned', null, 0),
    end('2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z', 'resolved', null, 1),
    end('2026-10-23T16:00:00Z', '2026-10-25T08:00:00Z', 'resolved', 'ada', 1),
  ],
  rated: [
    { rating: 5, firstReplyBy: 'ada' },
    { rating: 2, firstReplyBy: 'ben' },
  ],
  replies: [
    reply('2026-10-24T08:05:00Z', 5, 'ada'),
    reply('2026-10-24T08:12:00Z', 2, 'ada'),
    reply('2026-10-24T08:13:00Z', undefined, 'ada'),
    reply('2026-10-24T23:30:00Z', 60, 'ben'),
    reply('2026-10-25T01:40:00Z', 10, null),
  ],
  assignments: [
    { memberId: 'ada', fromAt: at('2026-10-24T08:04:00Z'), toAt: at('2026-10-24T08:30:00Z') },
    { memberId: 'ben', fromAt: at('2026-10-24T22:31:00Z'), toAt: null },
    // Was assigned, and gave it back after the period.
    { memberId: 'cy', fromAt: at('2026-10-25T22:00:00Z'), toAt: at('2026-10-26T10:00:00Z') },
  ],
};

function request(
  requestedAt: string,
  firstReplyAt: string | undefined,
  firstReplyBy: string | null,
  outcome: 'resolved' | 'abandoned' | null,
) {
  return {
    requestedAt: at(requestedAt),
    firstReplyAt: firstReplyAt === undefined ? null : at(firstReplyAt),
    firstReplyBy,
    outcome,
  };
}

function end(
  requestedAt: string,
  closedAt: string,
  outcome: 'resolved' | 'abandoned',
  firstReplyBy: string | null,
  wasAsked: number,
) {
  return { requestedAt: at(requestedAt), closedAt: at(closedAt), outcome, firstReplyBy, wasAsked };
}

function reply(repliedAt: string, minutes: number | undefined, memberId: string | null) {
  const time = at(repliedAt);
  return { repliedAt: time, waitingSince: minutes === undefined ? null : time - minutes * minute, memberId };
}

test('report: a written timeline of two days has the figures that a person counts', () => {
  const { members, ...figures } = figuresOf(timeline, days, at('2026-10-25T12:31:00Z'));
  expect(figures).toEqual({
    days: [
      { date: '2026-10-24', conversations: 5, handedOver: 2, requested: 2 },
      { date: '2026-10-25', conversations: 5, handedOver: 2, requested: 2 },
    ],
    requested: 4,
    unanswered: 1,
    abandoned: 1,
    // 5, 10 and 60 minutes.
    firstResponse: { count: 3, median: 10 * minute, p90: 60 * minute },
    // 2, 5, 10 and 60 minutes.
    response: { count: 4, median: 5 * minute, p90: 60 * minute },
    // Half an hour, an hour and 40 hours.
    resolution: { count: 3, median: hour, p90: 40 * hour },
    ratings: { offered: 3, counts: [0, 1, 0, 0, 1], given: 2, mean: 3.5, good: 0.5 },
  });
  expect(members).toEqual([
    {
      memberId: 'ada',
      assigned: 1,
      assignedTime: 26 * minute,
      replies: 3,
      firstResponse: { count: 1, median: 5 * minute, p90: 5 * minute },
      response: { count: 2, median: 2 * minute, p90: 5 * minute },
      ratings: { offered: 2, counts: [0, 0, 0, 0, 1], given: 1, mean: 5, good: 1 },
    },
    {
      memberId: 'ben',
      assigned: 1,
      // Until now.
      assignedTime: 14 * hour,
      replies: 1,
      firstResponse: { count: 1, median: hour, p90: hour },
      response: { count: 1, median: hour, p90: hour },
      ratings: { offered: 0, counts: [0, 1, 0, 0, 0], given: 1, mean: 2, good: 0 },
    },
    {
      memberId: 'cy',
      assigned: 1,
      // It begins later than now: nothing yet.
      assignedTime: 0,
      replies: 0,
      firstResponse: { count: 0 },
      response: { count: 0 },
      ratings: { offered: 0, counts: [0, 0, 0, 0, 0], given: 0 },
    },
  ]);
  // After the period, an assignment counts until its end.
  const later = figuresOf(timeline, days, at('2026-11-01T00:00:00Z'));
  expect(later.members.find(({ memberId }) => memberId === 'cy')?.assignedTime).toBe(hour);
  const ofMember = figuresOf({ ...timeline, volume: undefined }, days, 0);
  expect(ofMember.days).toEqual([
    { date: '2026-10-24', requested: 2 },
    { date: '2026-10-25', requested: 2 },
  ]);
});

test('report: a percentile is a duration that the given share of them does not exceed, and no smaller one is', () => {
  expect(durationsOf([])).toEqual({ count: 0 });
  expect(durationsOf([7])).toEqual({ count: 1, median: 7, p90: 7 });
  expect(durationsOf([4, 1, 3, 2])).toEqual({ count: 4, median: 2, p90: 4 });
  expect(durationsOf([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual({ count: 10, median: 5, p90: 9 });
  // A clock was set back.
  expect(durationsOf([-5])).toEqual({ count: 1, median: 0, p90: 0 });
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (values) => {
      const { median = -1, p90 = -1 } = durationsOf(values);
      const share = (limit: number) => values.filter((value) => value <= limit).length / values.length;
      for (const [found, wanted] of [
        [median, 0.5],
        [p90, 0.9],
      ] as const) {
        expect(values).toContain(found);
        expect(share(found)).toBeGreaterThanOrEqual(wanted);
        expect(share(found - 1)).toBeLessThan(wanted);
      }
    }),
  );
});

let created = 0;
const asked = (conversationId: string, payload: string | object) => ({
  id: `msg_${created}`,
  conversationId,
  payload: JSON.stringify(typeof payload === 'string' ? { type: 'text', text: payload } : payload),
  createdAt: created++,
});

test('questions: messages with the same words count as one question, once for each conversation', () => {
  const rows = [
    asked('a', 'Where is my order?'),
    asked('b', 'where is MY  order'),
    asked('c', 'My order… where is it? Where IS my order!!'),
    asked('d', 'Order, where is my'),
    // One visitor who repeats themselves.
    ...['one', 'one', 'one', 'one'].map((id) => asked(id, 'Nobody answers me')),
    // Too rare.
    asked('a', 'What does it cost?'),
    asked('b', 'What does it cost?'),
    // Without words.
    ...['a', 'b', 'c'].map((id) => asked(id, '???')),
    ...['a', 'b', 'c'].map((id) => asked(id, { type: 'image', imageUrl: 'https://example.com/a.png' })),
    ...['x', 'y', 'z', 'w'].map((id) => asked(id, '我的订单在哪里')),
    ...['x', 'y', 'z'].map((id) => asked(id, `Žluťoučký ${'kůň '.repeat(100)}`)),
  ];
  const found = questionsOf(rows);
  // Of equal ones, the one that was asked last.
  expect(found.map(({ conversationId }) => conversationId)).toEqual(['w', 'z', 'd']);
  expect([found[0]?.text, found[2]?.text]).toEqual(['我的订单在哪里', 'Order, where is my']);
  expect(found.map(({ count }) => count)).toEqual([4, 3, 3]);
  expect(Math.max(...found.map(({ text }) => [...text].length))).toBeLessThanOrEqual(200);
  expect(found.map(({ text }) => text)).not.toContain('Nobody answers me');
  expect(questionsOf([])).toEqual([]);
});

test('questions: of more than 50, the most frequent are named', () => {
  const rows = Array.from({ length: 60 }, (_, number) =>
    Array.from({ length: number === 7 ? 5 : 3 }, (_, index) =>
      asked(`conv ${index}`, `Question number ${number}`),
    ),
  ).flat();
  const found = questionsOf(rows);
  expect(found).toHaveLength(50);
  expect(found[0]).toMatchObject({ text: 'Question number 7', count: 5 });
});
