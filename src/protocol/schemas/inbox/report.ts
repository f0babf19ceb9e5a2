// Schemas of the report of a period.
import * as v from 'valibot';
import type {
  Durations,
  MemberFigures,
  RatingFigures,
  Report,
  ReportDay,
  ReportQuestion,
} from '../../handling/report.ts';

const maybe = v.exactOptional;
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const durations = v.object({
  count,
  median: maybe(count),
  p90: maybe(count),
}) satisfies v.GenericSchema<unknown, Durations>;

const ratings = v.object({
  offered: count,
  counts: v.pipe(v.array(count), v.length(5)),
  given: count,
  mean: maybe(v.number()),
  good: maybe(v.number()),
}) satisfies v.GenericSchema<unknown, RatingFigures>;

const day = v.object({
  date: v.string(),
  conversations: maybe(count),
  handedOver: maybe(count),
  requested: count,
}) satisfies v.GenericSchema<unknown, ReportDay>;

const member = v.object({
  memberId: v.string(),
  name: maybe(v.string()),
  assigned: count,
  assignedTime: count,
  replies: count,
  firstResponse: durations,
  response: durations,
  ratings,
}) satisfies v.GenericSchema<unknown, MemberFigures>;

const question = v.object({
  text: v.string(),
  count,
  conversationId: v.string(),
}) satisfies v.GenericSchema<unknown, ReportQuestion>;

export const report = v.object({
  isOwn: v.boolean(),
  days: v.array(day),
  requested: count,
  unanswered: count,
  abandoned: count,
  firstResponse: durations,
  response: durations,
  resolution: durations,
  ratings,
  members: v.array(member),
  questions: maybe(v.array(question)),
}) satisfies v.GenericSchema<unknown, Report>;

/** The schemas that have a name in the OpenAPI document. */
export const reportComponents = { Report: report, ReportMember: member };
