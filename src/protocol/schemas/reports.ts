// Schemas of the report of a period.
import * as v from 'valibot';
import { count, described, describedObject, maybe } from './values.ts';

const durations = describedObject('Durations in milliseconds. Without one, there are no percentiles.', {
  count,
  median: maybe(count, 'The smallest duration that half of them do not exceed.'),
  p90: maybe(count, 'The smallest duration that nine tenths of them do not exceed.'),
});

const ratings = v.object({
  offered: described(count, 'The handoffs that ended in the period and whose visitor was asked.'),
  counts: described(
    v.pipe(v.array(count), v.length(5)),
    'Ratings that were given in the period, by their value: the first number counts those of 1, the ' +
      'last those of 5.',
  ),
  given: described(count, 'How many were given.'),
  mean: maybe(v.number(), 'From 1 to 5. Left out without ratings, as `good`.'),
  good: maybe(v.number(), 'The share of ratings of 4 and 5, from 0 to 1.'),
});

const day = describedObject('The figures of one day in the time zone of the report.', {
  date: described(v.string(), 'Such as `2026-12-24`.'),
  conversations: maybe(
    count,
    'Conversations that began on the day. Left out of a report of one member or one team, as `handedOver`.',
  ),
  handedOver: maybe(count, 'Conversations of these in which a person was ever asked for.'),
  requested: described(count, 'Handoffs that were requested on the day.'),
});

const member = describedObject('The work of a member.', {
  memberId: v.string(),
  name: maybe(v.string(), 'Left out if the member has left the workspace.'),
  email: maybe(v.string(), 'If another member of the workspace has the same name.'),
  assigned: described(count, 'Conversations that the member was assigned in the period, each time.'),
  assignedTime: described(
    count,
    'Milliseconds for which they were assigned, until the end of the period; those of several ' +
      'conversations add up.',
  ),
  replies: described(count, 'Messages that the member wrote to visitors.'),
  firstResponse: described(
    durations,
    'First replies of the member, to handoffs that were requested in the period.',
  ),
  response: durations,
  ratings: described(ratings, 'Of the handoffs to which the member replied first.'),
});

const question = describedObject('A question that the bot did not answer.', {
  text: described(v.string(), 'As a visitor wrote it last.'),
  count: described(count, 'The conversations in which it was asked.'),
  conversationId: described(v.string(), 'The last of them.'),
});

export const report = v.object({
  isOwn: described(v.boolean(), 'Only the work of the caller is counted.'),
  days: v.array(day),
  requested: described(count, 'Handoffs that were requested in the period.'),
  unanswered: described(count, 'Requests of these to which no person has replied.'),
  abandoned: described(count, 'Requests of these that ended before a person was done.'),
  firstResponse: described(
    durations,
    'From the request to the first reply of a person, of handoffs that were requested in the period.',
  ),
  response: described(
    durations,
    'From the oldest message or request without a reply to the reply, of replies of the period.',
  ),
  resolution: described(
    durations,
    'From the request to the end, of handoffs that were resolved in the period.',
  ),
  ratings,
  members: v.array(member),
  questions: maybe(v.array(question), 'Left out of a report of one member or one team.'),
});

export const types = {
  Durations: durations,
  RatingFigures: ratings,
  ReportDay: day,
  MemberFigures: member,
  ReportQuestion: question,
  Report: report,
};
