// Writes the tables of a report as CSV.
import type { ReportTable } from '../../protocol/inbox.ts';
import type { Durations, MemberFigures, RatingFigures, Report } from '../../protocol/types/reports.ts';
import { byteOrderMark, csvLine, marked } from '../tables/index.ts';

type Value = string | number | undefined;

/** Returns a table of a report with a line of names. A value that does not exist is an empty cell. */
export function reportCsv(report: Report, table: ReportTable): string {
  const lines = tables[table](report);
  return byteOrderMark + lines.map((line) => csvLine(line.map(cellOf))).join('');
}

const cellOf = (value: Value): string | null =>
  value === undefined ? null : typeof value === 'number' ? `${value}` : marked(value);

const tables: Record<ReportTable, (report: Report) => Value[][]> = {
  figures: (report) => [
    ['figure', 'value'],
    ['handoffs', report.requested],
    ['without a reply', report.unanswered],
    ['abandoned', report.abandoned],
    ...durationLines('first response', report.firstResponse),
    ...durationLines('response', report.response),
    ...durationLines('resolution', report.resolution),
    ['ratings offered', report.ratings.offered],
    ...report.ratings.counts.map((count, index) => [`ratings of ${index + 1}`, count]),
    ['mean rating', rounded(report.ratings.mean)],
    ['share of ratings of 4 and 5', rounded(report.ratings.good)],
  ],
  days: ({ days }) => [
    ['date', 'conversations', 'with a person', 'handoffs'],
    ...days.map(({ date, conversations, handedOver, requested }) => [
      date,
      conversations,
      handedOver,
      requested,
    ]),
  ],
  members: ({ members }) => [
    [
      ...['member', 'id', 'assigned', 'hours assigned', 'replies'],
      ...['median first response (s)', '90th percentile of first responses (s)'],
      ...['median response (s)', '90th percentile of responses (s)'],
      ...['ratings offered', 'ratings given', 'mean rating', 'share of ratings of 4 and 5'],
    ],
    ...members.map(memberLine),
  ],
  questions: ({ questions = [] }) => [
    ['question', 'conversations', 'last conversation'],
    ...questions.map(({ text, count, conversationId }) => [text, count, conversationId]),
  ],
};

const seconds = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : Math.round(milliseconds / 1_000);
const rounded = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 1_000) / 1_000;

const durationLines = (name: string, { count, median, p90 }: Durations): Value[][] => [
  [`${name}: number`, count],
  [`${name}: median (s)`, seconds(median)],
  [`${name}: 90th percentile (s)`, seconds(p90)],
];

const ratingCells = ({ offered, given: count, mean, good }: RatingFigures): Value[] => [
  offered,
  count,
  rounded(mean),
  rounded(good),
];

const memberLine = (member: MemberFigures): Value[] => [
  ...[
    member.name,
    member.memberId,
    member.assigned,
    rounded(member.assignedTime / 3_600_000),
    member.replies,
  ],
  ...[seconds(member.firstResponse.median), seconds(member.firstResponse.p90)],
  ...[seconds(member.response.median), seconds(member.response.p90)],
  ...ratingCells(member.ratings),
];
