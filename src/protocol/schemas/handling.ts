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

const maybe = v.exactOptional;
const timestamp = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const author = v.object({
  kind: v.picklist(authorKinds),
  name: maybe(v.string()),
  pictureUrl: maybe(v.string()),
}) satisfies v.GenericSchema<unknown, MessageAuthor>;

const person = v.object({
  name: v.string(),
  pictureUrl: maybe(v.string()),
}) satisfies v.GenericSchema<unknown, Person>;

const handling = v.object({
  conversationId: v.string(),
  revision: count,
  state: v.picklist(visibleStates),
  person: maybe(person),
  queue: maybe(v.object({ position: count })),
  opensAt: maybe(timestamp),
}) satisfies v.GenericSchema<unknown, Handling>;

const activity = v.object({
  seq: count,
  createdAt: timestamp,
  type: v.picklist(activityTypes),
  actor: v.object({ kind: v.picklist([...authorKinds, 'system']), name: maybe(v.string()) }),
}) satisfies v.GenericSchema<unknown, Activity>;

const handoff = v.object({
  id: v.string(),
  requestedAt: timestamp,
  requestedBy: v.picklist(authorKinds),
  reason: maybe(v.string()),
  closedAt: maybe(timestamp),
  outcome: maybe(v.picklist(handoffOutcomes)),
}) satisfies v.GenericSchema<unknown, Handoff>;

const stars = v.pipe(v.number(), v.integer(), v.minValue(lowestRating), v.maxValue(highestRating));

const rating = v.object({
  handoffId: v.string(),
  state: v.picklist(ratingStates),
  offeredAt: timestamp,
  rating: maybe(stars),
  comment: maybe(v.string()),
  ratedAt: maybe(timestamp),
}) satisfies v.GenericSchema<unknown, Rating>;

const readMark = v.object({ seq: count, until: timestamp }) satisfies v.GenericSchema<unknown, ReadMark>;

const answer = v.object({
  accepted: v.boolean(),
  position: maybe(count),
  opensAt: maybe(timestamp),
}) satisfies v.GenericSchema<unknown, HandoffAnswer>;

/** A text of a request that is stored unchanged (as in chat.ts, which imports this file). */
const text = (length: number) =>
  v.pipe(
    v.string(),
    v.regex(
      /^(?:[^\0\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/,
      'Expected a text without NUL and without half characters.',
    ),
    v.trim(),
    v.nonEmpty('Expected a text that is not blank.'),
    v.maxLength(length),
  );

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
