// Generated from src/protocol/schemas/reports.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** Durations in milliseconds. Without one, there are no percentiles. */
export interface Durations {
  count: number;
  /** The smallest duration that half of them do not exceed. */
  median?: number;
  /** The smallest duration that nine tenths of them do not exceed. */
  p90?: number;
}

export interface RatingFigures {
  /** The handoffs that ended in the period and whose visitor was asked. */
  offered: number;
  /** Ratings that were given in the period, by their value: the first number counts those of 1, the last those of 5. */
  counts: number[];
  /** How many were given. */
  given: number;
  /** From 1 to 5. Left out without ratings, as `good`. */
  mean?: number;
  /** The share of ratings of 4 and 5, from 0 to 1. */
  good?: number;
}

/** The figures of one day in the time zone of the report. */
export interface ReportDay {
  /** Such as `2026-12-24`. */
  date: string;
  /** Conversations that began on the day. Left out of a report of one member or one team, as `handedOver`. */
  conversations?: number;
  /** Conversations of these in which a person was ever asked for. */
  handedOver?: number;
  /** Handoffs that were requested on the day. */
  requested: number;
}

/** The work of a member. */
export interface MemberFigures {
  memberId: string;
  /** Left out if the member has left the workspace. */
  name?: string;
  /** If another member of the workspace has the same name. */
  email?: string;
  /** Conversations that the member was assigned in the period, each time. */
  assigned: number;
  /** Milliseconds for which they were assigned, until the end of the period; those of several conversations add up. */
  assignedTime: number;
  /** Messages that the member wrote to visitors. */
  replies: number;
  /** First replies of the member, to handoffs that were requested in the period. */
  firstResponse: Durations;
  response: Durations;
  /** Of the handoffs to which the member replied first. */
  ratings: RatingFigures;
}

/** A question that the bot did not answer. */
export interface ReportQuestion {
  /** As a visitor wrote it last. */
  text: string;
  /** The conversations in which it was asked. */
  count: number;
  /** The last of them. */
  conversationId: string;
}

export interface Report {
  /** Only the work of the caller is counted. */
  isOwn: boolean;
  days: ReportDay[];
  /** Handoffs that were requested in the period. */
  requested: number;
  /** Requests of these to which no person has replied. */
  unanswered: number;
  /** Requests of these that ended before a person was done. */
  abandoned: number;
  /** From the request to the first reply of a person, of handoffs that were requested in the period. */
  firstResponse: Durations;
  /** From the oldest message or request without a reply to the reply, of replies of the period. */
  response: Durations;
  /** From the request to the end, of handoffs that were resolved in the period. */
  resolution: Durations;
  ratings: RatingFigures;
  members: MemberFigures[];
  /** Left out of a report of one member or one team. */
  questions?: ReportQuestion[];
}
