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
import { schemaOf } from '../base/schema-of.ts';
import { count, maybe } from '../base/values.ts';

const durations = schemaOf<Durations>()(
  v.object({
    count,
    median: maybe(count),
    p90: maybe(count),
  }),
);

const ratings = schemaOf<RatingFigures>()(
  v.object({
    offered: count,
    counts: v.pipe(v.array(count), v.length(5)),
    given: count,
    mean: maybe(v.number()),
    good: maybe(v.number()),
  }),
);

const day = schemaOf<ReportDay>()(
  v.object({
    date: v.string(),
    conversations: maybe(count),
    handedOver: maybe(count),
    requested: count,
  }),
);

const member = schemaOf<MemberFigures>()(
  v.object({
    memberId: v.string(),
    name: maybe(v.string()),
    email: maybe(v.string()),
    assigned: count,
    assignedTime: count,
    replies: count,
    firstResponse: durations,
    response: durations,
    ratings,
  }),
);

const question = schemaOf<ReportQuestion>()(
  v.object({
    text: v.string(),
    count,
    conversationId: v.string(),
  }),
);

export const report = schemaOf<Report>()(
  v.object({
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
  }),
);

/** The schemas that have a name in the OpenAPI document. */
export const reportComponents = { Report: report, ReportMember: member };
