// Schemas of the Inbox API.
import * as v from 'valibot';
import { authorKinds, handlingStates } from '../handling/handling.ts';
import { cannedAnswerScopes } from '../handling/inbox.ts';
import { limits } from '../limits.ts';
import { described, describedObject, maybe } from './base/described.ts';
import { count, timestamp } from './base/values.ts';
import { schemas } from './chat.ts';
import { handlingSchemas } from './handling.ts';
import { boundedArray } from './pre-validation.ts';

const assignee = describedObject('The person who answers. Without `memberId` it is one at another desk.', {
  ...handlingSchemas.person.entries,
  memberId: maybe(v.string()),
});

const row = describedObject(
  'A conversation in the inbox. It is a state and not a change: of two rows, the one with the ' +
    'higher revision counts.',
  {
    conversationId: described(v.string(), 'The id of the server.'),
    botId: v.string(),
    revision: described(count, 'Rises with each change of the state, the assignee or the tags.'),
    state: v.picklist(handlingStates),
    teamId: maybe(v.string(), 'The team whose queue or members it is for.'),
    assignee: maybe(assignee),
    visitor: v.object({ id: v.string(), name: maybe(v.string()) }),
    handoff: described(handlingSchemas.handoff, 'The handoff that is open, or the last one.'),
    waitingSince: maybe(
      timestamp,
      'Since when a message of the visitor, or their request for a person, has no answer of a person.',
    ),
    snoozedUntil: maybe(
      timestamp,
      'Until when it is snoozed; left out if it is snoozed until the visitor writes.',
    ),
    sortAt: described(timestamp, 'The order of the lists, newest first.'),
    lastSeq: described(count, 'The sequence number of the last change of the conversation.'),
    preview: described(v.string(), 'The beginning of the last message as plain text.'),
    lastAuthor: v.picklist(authorKinds),
    tags: v.array(v.string()),
    mentions: maybe(
      v.array(v.string()),
      'The ids of the members whom its notes mention; left out if there are none.',
    ),
    unseenMentions: maybe(
      v.array(v.string()),
      'The mentioned members who have not seen all of these notes; left out if there are none.',
    ),
  },
);

const noteFile = describedObject(
  'A file of a note. It has no address: `getNoteFile` returns one that is valid for a few minutes.',
  {
    id: v.string(),
    key: described(v.string(), 'Its name.'),
    size: described(count, 'Bytes.'),
    contentType: v.string(),
  },
);

const note = describedObject(
  'A text for the team. It is not a message: it does not have a payload, and no visitor or bot can read it.',
  {
    id: v.string(),
    conversationId: v.string(),
    afterSeq: described(count, 'The sequence number after which it stands.'),
    author: described(
      v.object({ memberId: maybe(v.string()), name: v.string() }),
      'The author. Without `memberId` it is the bot, or a member who was removed.',
    ),
    body: described(v.string(), 'Empty if the note has only files.'),
    mentions: maybe(
      v.array(v.string()),
      'The ids of the members whom it mentions; left out if there are none.',
    ),
    files: maybe(v.array(noteFile), 'Left out if there are none.'),
    createdAt: timestamp,
    editedAt: maybe(timestamp),
  },
);

const counts = describedObject(
  'How many conversations each list has, up to `limits.inbox.count`; `mentioned`: those with a ' +
    'mention that the member has not seen.',
  {
    mine: count,
    unassigned: count,
    waiting: count,
    mentioned: count,
    all: count,
    closed: count,
    snoozed: count,
  },
);

const cannedAnswer = describedObject(
  'A text that members insert into their replies. Its variables are filled in by the page (pages/inbox).',
  {
    id: v.string(),
    scope: v.picklist(cannedAnswerScopes),
    name: v.string(),
    text: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
);

const timeline = describedObject(
  'The content of a conversation, in three lists: the page merges them by sequence number and time.',
  {
    messages: described(v.array(schemas.message), 'Newest first.'),
    notes: v.array(note),
    activities: v.array(handlingSchemas.activity),
    ratings: described(
      v.array(handlingSchemas.rating),
      'The ratings of the persons who answered, newest first: all of the conversation, on each page.',
    ),
    visitorRead: maybe(
      handlingSchemas.readMark,
      'The read mark of the visitor; only where the bot has `readReceipts`.',
    ),
    seq: described(count, 'The sequence number of the last change: the `seenSeq` of a reply.'),
  },
);

export const inboxSchemas = {
  row,
  note,
  noteFile,
  counts,
  timeline,
  cannedAnswer,
  /** The `revision` of the row on which a member decided; without it, the action is for any. */
  revision: maybe(count),
  /** When snoozing ends. */
  until: v.pipe(schemas.text, v.isoTimestamp('Expected a date and time in ISO 8601.')),
  tags: boundedArray(handlingSchemas.text(limits.inbox.tag), limits.inbox.tags),
  /** Of a new note: the ids of members, and of files. */
  mentions: boundedArray(schemas.id, limits.inbox.mentions),
  fileIds: boundedArray(schemas.id, limits.inbox.noteFiles),
};

export const types = {
  Assignee: assignee,
  InboxRow: row,
  NoteFile: noteFile,
  Note: note,
  InboxCounts: counts,
  CannedAnswer: cannedAnswer,
  InboxTimeline: timeline,
};
