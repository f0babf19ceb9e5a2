// Schemas of handoffs: who answers a conversation, and what visitors see of it.
import * as v from 'valibot';
import { activityTypes, authorKinds, handoffOutcomes, ratingStates, visibleStates } from '../handling.ts';
import { limits } from '../limits.ts';
import { highestRating, lowestRating, ratingCommentLength } from '../rating-limits.ts';
import { count, described, describedObject, maybe, storableText, timestamp } from './values.ts';

const author = describedObject(
  'The author of a message, as the server knows them. A person has the name that they had when they ' +
    'wrote; in the Inbox API, a participant other than the visitor has the kind `visitor` and a name.',
  {
    kind: v.picklist(authorKinds),
    name: maybe(v.string()),
    pictureUrl: maybe(v.string()),
  },
);

const person = describedObject(
  'A person who answers, as the visitor sees them: a member of the workspace, or somebody at another desk.',
  {
    name: v.string(),
    pictureUrl: maybe(v.string()),
  },
);

const handling = describedObject('The present handling of a conversation, by its bot or a person.', {
  conversationId: v.string(),
  revision: described(
    count,
    'Rises with each change; 0 if no person was ever asked for. The value with the higher revision is ' +
      'the newer one.',
  ),
  state: v.picklist(visibleStates),
  person: maybe(person, 'The person who answers; only if the state is `assigned`.'),
  queue: maybe(
    v.object({ position: count }),
    'Only if the state is `waiting`. `position`: the conversations that wait longer for a person.',
  ),
  opensAt: maybe(timestamp, 'When a person answers again, if nobody does now.'),
});

const activity = describedObject('A line in the transcript between messages, such as "Ada joined".', {
  seq: described(
    count,
    'The sequence number of the change in the conversation. Activities of one change share it.',
  ),
  createdAt: timestamp,
  type: v.picklist(activityTypes),
  actor: described(
    v.object({ kind: v.picklist([...authorKinds, 'system']), name: maybe(v.string()) }),
    'The cause: `system` is the server. For `person_joined` and `person_left`, the person who joined or left.',
  ),
});

const handoff = describedObject('A handoff as bots and other desks see it.', {
  id: v.string(),
  requestedAt: timestamp,
  requestedBy: v.picklist(authorKinds),
  reason: maybe(v.string()),
  closedAt: maybe(timestamp),
  outcome: maybe(v.picklist(handoffOutcomes)),
});

const stars = v.pipe(v.number(), v.integer(), v.minValue(lowestRating), v.maxValue(highestRating));

const rating = describedObject(
  'The question how helpful a person was, which is asked once for each handoff, and its answer.',
  {
    handoffId: v.string(),
    state: v.picklist(ratingStates),
    offeredAt: timestamp,
    rating: maybe(stars, 'From 1 to 5, the best; only if the state is `given`.'),
    comment: maybe(v.string(), 'The comment of the visitor.'),
    ratedAt: maybe(timestamp),
  },
);

const readMark = describedObject('Up to where one side has read a conversation.', {
  seq: described(count, 'The sequence number of the newest message that was read.'),
  until: described(timestamp, 'Its time: messages up to it were read.'),
});

const answer = describedObject('The answer to a request for a person.', {
  accepted: described(v.boolean(), 'False if nobody can answer now: the conversation stays with the bot.'),
  position: maybe(
    count,
    'The conversations that wait longer for a person; left out when a person answers already.',
  ),
  opensAt: maybe(timestamp, 'When a person answers again.'),
});

/** A text of a request that is stored unchanged. */
const text = (length: number) =>
  v.pipe(storableText, v.trim(), v.nonEmpty('Expected a text that is not blank.'), v.maxLength(length));

export const handlingSchemas = {
  author,
  person,
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

export const types = {
  MessageAuthor: author,
  Person: person,
  Handling: handling,
  Activity: activity,
  HandoffAnswer: answer,
  ReadMark: readMark,
  Handoff: handoff,
  Rating: rating,
};
