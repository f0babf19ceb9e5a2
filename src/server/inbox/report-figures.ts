// Computes the figures of a report from the rows of its period: each figure has its one definition here. Pure.
import { reportQuestions } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import { type CalendarDay, dayIndexOf } from '../../protocol/locale/time-zones.ts';
import { wordsOf } from '../../protocol/locale/word-splitting.ts';
import type {
  Durations,
  MemberFigures,
  RatingFigures,
  Report,
  ReportDay,
  ReportQuestion,
} from '../../protocol/types/reports.ts';
import {
  type AssignmentRow,
  type EndedRow,
  quarterMs,
  type RatedRow,
  type ReplyRow,
  type RequestedRow,
  type UnansweredRow,
  type VolumeRow,
} from '../storage/inbox/reports.ts';

/** The rows that the report counts, read from the database. */
export interface ReportRows {
  /** Undefined in a report of one member or one team: conversations belong to none. */
  volume: readonly VolumeRow[] | undefined;
  requested: readonly RequestedRow[];
  ended: readonly EndedRow[];
  rated: readonly RatedRow[];
  replies: readonly ReplyRow[];
  assignments: readonly AssignmentRow[];
}

type Figures = Omit<Report, 'isOwn' | 'questions' | 'members'> & {
  members: Omit<MemberFigures, 'name' | 'email'>[];
};

/** `now`: assignments that have not ended count until this time, or until the end of the period. */
export function figuresOf(rows: ReportRows, days: readonly CalendarDay[], now: number): Figures {
  const { requested, ended, rated, replies } = rows;
  return {
    days: daysWith(rows, days),
    requested: requested.length,
    unanswered: requested.filter(({ firstReplyAt }) => firstReplyAt === null).length,
    abandoned: requested.filter(({ outcome }) => outcome === 'abandoned').length,
    firstResponse: durationsOf(requested.flatMap(firstResponseOf)),
    response: durationsOf(replies.flatMap(responseOf)),
    resolution: durationsOf(
      ended.flatMap(({ outcome, requestedAt, closedAt }) =>
        outcome === 'resolved' ? [closedAt - requestedAt] : [],
      ),
    ),
    ratings: ratingsOf(ended, rated),
    members: membersOf(rows, days.at(-1)?.to ?? 0, now),
  };
}

/** Nearest rank: a percentile is one of the durations. */
export function durationsOf(values: readonly number[]): Durations {
  // Two clocks may have written the times of a row.
  const sorted = Float64Array.from(values, (value) => Math.max(0, value)).sort();
  const rank = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
  const [median, p90] = [rank(0.5), rank(0.9)];
  return median === undefined || p90 === undefined ? { count: 0 } : { count: sorted.length, median, p90 };
}

const firstResponseOf = ({ firstReplyAt, requestedAt }: RequestedRow): number[] =>
  firstReplyAt === null ? [] : [firstReplyAt - requestedAt];

const responseOf = ({ repliedAt, waitingSince }: ReplyRow): number[] =>
  waitingSince === null ? [] : [repliedAt - waitingSince];

function ratingsOf(
  ended: readonly Pick<EndedRow, 'wasAsked'>[],
  rated: readonly Pick<RatedRow, 'rating'>[],
): RatingFigures {
  const counts = [0, 0, 0, 0, 0];
  let [offered, sum, good] = [0, 0, 0];
  for (const { wasAsked } of ended) offered += Number(wasAsked);
  for (const { rating } of rated) {
    counts[rating - 1] = (counts[rating - 1] ?? 0) + 1;
    sum += rating;
    if (rating >= 4) good += 1;
  }
  const count = rated.length;
  return count === 0
    ? { offered, counts, given: count }
    : { offered, counts, given: count, mean: sum / count, good: good / count };
}

function daysWith({ volume, requested }: ReportRows, days: readonly CalendarDay[]): ReportDay[] {
  const found = days.map(
    ({ date }): ReportDay => ({ date, requested: 0, ...(volume && { conversations: 0, handedOver: 0 }) }),
  );
  const dayOf = (instant: number) => found[dayIndexOf(days, instant)];
  for (const { requestedAt } of requested) {
    const day = dayOf(requestedAt);
    if (day) day.requested += 1;
  }
  for (const { quarter, conversations, handedOver } of volume ?? []) {
    const day = dayOf(quarter * quarterMs);
    if (!day) continue;
    day.conversations = (day.conversations ?? 0) + conversations;
    day.handedOver = (day.handedOver ?? 0) + handedOver;
  }
  return found;
}

/** The members who did anything, with the most replies first. */
function membersOf(rows: ReportRows, end: number, now: number): Figures['members'] {
  const { requested, ended, rated, replies, assignments } = rows;
  const ofRequested = byMember(requested, ({ firstReplyBy }) => firstReplyBy);
  const ofEnded = byMember(ended, ({ firstReplyBy }) => firstReplyBy);
  const ofRated = byMember(rated, ({ firstReplyBy }) => firstReplyBy);
  const ofReplies = byMember(replies, ({ memberId }) => memberId);
  const ofAssignments = byMember(assignments, ({ memberId }) => memberId);
  const ids = new Set(
    [ofRequested, ofEnded, ofRated, ofReplies, ofAssignments].flatMap((of) => [...of.keys()]),
  );
  const members = [...ids].map((memberId) => {
    const assigned = ofAssignments.get(memberId) ?? [];
    const own = ofReplies.get(memberId) ?? [];
    return {
      memberId,
      assigned: assigned.length,
      assignedTime: assigned.reduce(
        (total, { fromAt, toAt }) => total + Math.max(0, Math.min(toAt ?? now, now, end) - fromAt),
        0,
      ),
      replies: own.length,
      firstResponse: durationsOf((ofRequested.get(memberId) ?? []).flatMap(firstResponseOf)),
      response: durationsOf(own.flatMap(responseOf)),
      ratings: ratingsOf(ofEnded.get(memberId) ?? [], ofRated.get(memberId) ?? []),
    };
  });
  return members.sort(
    (a, b) => b.replies - a.replies || b.assigned - a.assigned || (a.memberId < b.memberId ? -1 : 1),
  );
}

type Groups<Row> = Map<string, Row[]>;

/** Rows of nobody, and of a person at another desk, are in no group. */
function byMember<Row>(rows: readonly Row[], memberOf: (row: Row) => string | null): Groups<Row> {
  const groups: Groups<Row> = new Map();
  for (const row of rows) {
    const memberId = memberOf(row);
    if (memberId === null) continue;
    const group = groups.get(memberId);
    if (group) group.push(row);
    else groups.set(memberId, [row]);
  }
  return groups;
}

interface Group {
  conversationIds: Set<string>;
  /** The newest message. */
  last: UnansweredRow;
  text: string;
}

/**
 * Groups messages that the bot did not answer into questions: messages with the same words are one question. Returns the
 * questions of several conversations, most frequent first. A visitor who repeats a question in one conversation asks once.
 */
export function questionsOf(rows: readonly UnansweredRow[]): ReportQuestion[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const text = textOf(row);
    const key = keyOf(text);
    if (key === '') continue;
    const group = groups.get(key);
    if (!group) groups.set(key, { conversationIds: new Set([row.conversationId]), last: row, text });
    else {
      group.conversationIds.add(row.conversationId);
      if (row.createdAt > group.last.createdAt) Object.assign(group, { last: row, text });
    }
  }
  return [...groups.values()]
    .map(({ conversationIds, last, text }) => ({ conversationIds, last, text, count: conversationIds.size }))
    .filter(({ count }) => count >= reportQuestions.from)
    .sort((a, b) => b.count - a.count || b.last.createdAt - a.last.createdAt)
    .slice(0, reportQuestions.most)
    .map(({ text, count, last }) => ({ text, count, conversationId: last.conversationId }));
}

/** The message in one line; '' if it does not have a text, such as a picture. */
function textOf({ payload }: UnansweredRow): string {
  const content = JSON.parse(payload) as { text?: unknown };
  const text = typeof content.text === 'string' ? content.text.replace(/\s+/g, ' ').trim() : '';
  return [...text].slice(0, limits.inbox.preview).join('');
}

/** The set of words, without case and accents. */
const keyOf = (text: string): string => [...new Set(wordsOf(text))].sort().join(' ');
