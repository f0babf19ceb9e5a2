// Schemas of handoffs: who answers a conversation, and what visitors see of it.
import * as v from 'valibot';
import {
  type Activity,
  activityTypes,
  authorKinds,
  type Handling,
  type Handoff,
  type HandoffAnswer,
  handoffOutcomes,
  type MessageAuthor,
  type Person,
  type ReadMark,
  visibleStates,
} from '../handling/handling.ts';
import { type Rating, ratingStates } from '../handling/rating.ts';
import { highestRating, lowestRating, ratingCommentLength } from '../handling/rating-limits.ts';
import { limits } from '../limits.ts';
import { schemaOf } from './base/schema-of.ts';
import { count, maybe, storableText, timestamp } from './base/values.ts';

const author = schemaOf<MessageAuthor>()(
  v.object({
    kind: v.picklist(authorKinds),
    name: maybe(v.string()),
    pictureUrl: maybe(v.string()),
  }),
);

const person = schemaOf<Person>()(
  v.object({
    name: v.string(),
    pictureUrl: maybe(v.string()),
  }),
);

const handling = schemaOf<Handling>()(
  v.object({
    conversationId: v.string(),
    revision: count,
    state: v.picklist(visibleStates),
    person: maybe(person),
    queue: maybe(v.object({ position: count })),
    opensAt: maybe(timestamp),
  }),
);

const activity = schemaOf<Activity>()(
  v.object({
    seq: count,
    createdAt: timestamp,
    type: v.picklist(activityTypes),
    actor: v.object({ kind: v.picklist([...authorKinds, 'system']), name: maybe(v.string()) }),
  }),
);

const handoff = schemaOf<Handoff>()(
  v.object({
    id: v.string(),
    requestedAt: timestamp,
    requestedBy: v.picklist(authorKinds),
    reason: maybe(v.string()),
    closedAt: maybe(timestamp),
    outcome: maybe(v.picklist(handoffOutcomes)),
  }),
);

const stars = v.pipe(v.number(), v.integer(), v.minValue(lowestRating), v.maxValue(highestRating));

const rating = schemaOf<Rating>()(
  v.object({
    handoffId: v.string(),
    state: v.picklist(ratingStates),
    offeredAt: timestamp,
    rating: maybe(stars),
    comment: maybe(v.string()),
    ratedAt: maybe(timestamp),
  }),
);

const readMark = schemaOf<ReadMark>()(v.object({ seq: count, until: timestamp }));

const answer = schemaOf<HandoffAnswer>()(
  v.object({
    accepted: v.boolean(),
    position: maybe(count),
    opensAt: maybe(timestamp),
  }),
);

/** A text of a request that is stored unchanged. */
const text = (length: number) =>
  v.pipe(storableText, v.trim(), v.nonEmpty('Expected a text that is not blank.'), v.maxLength(length));

export const handlingSchemas = {
  author,
  handling,
  activity,
  handoff,
  rating,
  readMark,
  answer,
  text,
  reason: text(limits.inbox.reason),
  note: text(limits.inbox.note),
  stars,
  ratingComment: text(ratingCommentLength),
  /** A person at another desk, in a request. */
  newPerson: v.object({
    name: text(limits.inbox.personName),
    pictureUrl: maybe(
      v.pipe(
        text(limits.userPictureUrl),
        v.check(
          (url) => /^https?:\/\//i.test(url) && URL.canParse(url),
          'Expected an http or https address.',
        ),
      ),
    ),
  }),
};

/** The schemas that have a name in the OpenAPI document. */
export const handlingComponents = {
  MessageAuthor: author,
  Person: person,
  Handling: handling,
  Activity: activity,
  Handoff: handoff,
  Rating: rating,
  ReadMark: readMark,
};
