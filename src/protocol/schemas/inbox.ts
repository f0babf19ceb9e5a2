// Schemas of the Inbox API: rows, notes, canned answers, teams, opening hours and alerts.
import * as v from 'valibot';
import { authorKinds, handlingStates } from '../handling.ts';
import { availabilities, cannedAnswerScopes, rowRatings, teamModes } from '../inbox.ts';
import { limits } from '../limits.ts';
import { isTimeZone } from '../locale/time-zones.ts';
import { weekdays } from '../opening-hours.ts';
import { schemas } from './chat.ts';
import { handlingSchemas } from './handling.ts';
import { boundedArray, count, described, describedObject, maybe, timestamp } from './values.ts';

const team = v.object({
  id: v.string(),
  name: v.string(),
  mode: v.picklist(teamModes),
  capacity: described(
    count,
    'The conversations that a member is assigned at most, unless the member has a number of their own.',
  ),
  isRestricted: described(
    v.boolean(),
    'Only its members, and members with `inbox.assign`, see its conversations.',
  ),
  isDefault: described(v.boolean(), 'Requests that name no team are for this one.'),
  memberIds: v.array(v.string()),
});

const member = v.object({
  memberId: v.string(),
  name: v.string(),
  availability: v.picklist(availabilities),
  awayCause: maybe(
    v.literal('no_answer'),
    'Why the server has made them away: they have not answered a conversation that they were assigned.',
  ),
  isReachable: described(
    v.boolean(),
    'Their inbox is open somewhere. Only who is available and reachable is assigned conversations.',
  ),
  capacity: maybe(count, 'The conversations that they are assigned at most; left out: as their teams say.'),
  load: described(count, 'The conversations that they answer now, without snoozed ones.'),
});

const capacity = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(limits.inbox.capacity));

export const teamSchemas = {
  team,
  member,
  capacity,
  availability: v.picklist(availabilities),
  /** The fields of a team in a request. */
  fields: {
    name: handlingSchemas.text(limits.inbox.teamName),
    mode: v.picklist(teamModes),
    capacity,
    isRestricted: v.boolean(),
    isDefault: v.boolean(),
    memberIds: boundedArray(schemas.id, limits.inbox.teamMembers),
  },
};

const start = v.pipe(
  v.string(),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Expected a time from 00:00 to 23:59.'),
);
const end = v.pipe(
  v.string(),
  v.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Expected a time from 00:00 to 24:00.'),
);
const hours = described(
  v.tuple([start, end]),
  'From and to on the clock, such as `["09:00", "17:30"]`. An end at or before the start is on the ' +
    'next day; `24:00` is the end of the day.',
);
const intervals = boundedArray(hours, limits.inbox.intervals);

/** A day on the calendar. */
export const date = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Expected a date such as 2026-12-24.'),
  v.check((text) => {
    const at = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
  }, 'Expected a date that exists.'),
);

const exception = described(
  v.pipe(
    v.object({
      from: date,
      to: date,
      name: maybe(handlingSchemas.text(limits.inbox.exceptionName)),
      intervals,
    }),
    v.check(({ from, to }) => from <= to, 'Expected an end that is not before the beginning.'),
  ),
  'Days with hours of their own, both inclusive (`2026-12-24`). Without intervals they are closed.',
);

const week = v.strictObject(
  Object.fromEntries(weekdays.map((day) => [day, maybe(intervals)])) as Record<
    (typeof weekdays)[number],
    ReturnType<typeof maybe<typeof intervals>>
  >,
);

export const timeZone = v.pipe(
  v.string(),
  v.check(isTimeZone, 'Expected the name of a time zone, such as Europe/Berlin.'),
);

export const openingHours = v.object({
  timeZone: described(timeZone, 'The name of a time zone, such as `Europe/Berlin`.'),
  always: maybe(v.boolean(), 'Somebody answers at any time: the hours do not count.'),
  week: described(week, 'A day that is left out is closed.'),
  exceptions: described(
    boundedArray(exception, limits.inbox.exceptions),
    'Of several that contain a day, the first one counts.',
  ),
});

/** Whether somebody answers now. */
export const hoursStatus = v.object({
  isOpen: v.boolean(),
  closesAt: maybe(timestamp),
  opensAt: maybe(timestamp),
});

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
    handoff: maybe(
      handlingSchemas.handoff,
      'The handoff that is open, or the last one; left out if there was none, which only rows of the list `bot` can be.',
    ),
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
    humanMessage: maybe(
      v.object({
        preview: described(v.string(), 'The beginning as plain text.'),
        author: v.picklist(['visitor', 'person']),
        name: maybe(v.string(), 'The name of the person; left out of members without a name.'),
      }),
      'The last message that the bot did not write; left out if that is `preview` of the visitor, if there is none, and while the bot answers.',
    ),
    tags: v.array(v.string()),
    rating: maybe(
      v.picklist(rowRatings),
      'How the visitor has rated last: an answer of the bot, among the last 50 messages, by the time of the message, or a person, with at least 4 ' +
        '(`good`) or at most 2 (`bad`) of 5. Only in rows of the list `bot`.',
    ),
    isUnanswered: maybe(
      v.literal(true),
      'The knowledge of the bot has no passage for the last message of the visitor. Only in rows of the list `bot`.',
    ),
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

const match = describedObject('A message or a note that a search has found.', {
  kind: described(v.picklist(['message', 'note']), 'Notes are texts of the team.'),
  id: described(v.string(), 'The id of the message or of the note.'),
  author: described(v.picklist(authorKinds), 'The side that wrote it.'),
  text: described(v.string(), 'The part of the text around the first found word.'),
  marks: described(
    v.array(v.tuple([count, count])),
    'Where found words begin and end in `text`, in their order, in UTF-16 units.',
  ),
  createdAt: timestamp,
});

const found = describedObject('A conversation with a text that a search has found.', {
  conversation: row,
  match,
});

const visitor = describedObject(
  'A visitor with their last conversation, of those that the caller may read.',
  {
    id: described(v.string(), 'The id of the server.'),
    name: maybe(v.string()),
    email: maybe(v.string(), 'The field `email` of the profile.'),
    lastActivityAt: described(timestamp, 'The time of the last change of their conversations.'),
    conversationCount: count,
    lastConversationId: v.string(),
  },
);

export const inboxSchemas = {
  visitor,
  row,
  found,
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

const alertProblem = describedObject('Why the last request to the chat tool failed.', {
  at: timestamp,
  reason: described(
    v.string(),
    '`status`, `timeout`, `address_refused`, `address_invalid`, or the code of a failed connection, such as `ENOTFOUND`.',
  ),
  status: maybe(v.number(), 'The status of its response, if there was one.'),
});

const ownAlerts = describedObject(
  'How the caller is told that visitors wait while nobody has the inbox open.',
  {
    mail: v.object({
      isOffered: described(v.boolean(), 'The server sends mails.'),
      isOn: v.boolean(),
    }),
    push: v.object({
      isOffered: described(v.boolean(), 'The server sends pushes.'),
      publicKey: maybe(v.string(), 'The key that browsers need for a subscription (`applicationServerKey`).'),
      isOn: described(v.boolean(), 'The browser of this session, or of this token, gets them.'),
    }),
  },
);

const teamAlerts = describedObject('How a chat tool of the team is told.', {
  url: maybe(v.string(), 'The address that messages are sent to. It is a secret of the chat tool.'),
  problem: maybe(alertProblem),
});

/** The address of a webhook of a chat tool. Only its form is checked here. */
const alertUrl = v.pipe(
  schemas.id,
  v.maxLength(limits.webhookUrl),
  v.check((text) => {
    if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, 'Expected an https address, without user and password in it.'),
);

export const alertSchemas = { ownAlerts, teamAlerts, problem: alertProblem, url: alertUrl };

export const types = {
  AlertProblem: alertProblem,
  OwnAlerts: ownAlerts,
  TeamAlerts: teamAlerts,
  Team: team,
  InboxMember: member,
  Hours: hours,
  HoursException: exception,
  OpeningHours: openingHours,
  Assignee: assignee,
  InboxRow: row,
  NoteFile: noteFile,
  Note: note,
  InboxCounts: counts,
  CannedAnswer: cannedAnswer,
  InboxTimeline: timeline,
  InboxMatch: match,
  FoundConversation: found,
  InboxVisitor: visitor,
};
