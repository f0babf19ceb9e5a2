// Schemas of the Inbox API.
import * as v from 'valibot';
import { authorKinds, handlingStates } from '../handling/handling.ts';
import {
  type Assignee,
  type CannedAnswer,
  cannedAnswerScopes,
  type InboxCounts,
  type InboxRow,
  type InboxTimeline,
  type Note,
  type NoteFile,
} from '../handling/inbox.ts';
import { limits } from '../limits.ts';
import { schemaOf } from './base/schema-of.ts';
import { count, maybe, timestamp } from './base/values.ts';
import { schemas } from './chat.ts';
import { handlingSchemas } from './handling.ts';
import { openingHours } from './inbox/opening-hours.ts';
import { reportComponents } from './inbox/report.ts';
import { teamComponents } from './inbox/teams.ts';
import { boundedArray } from './pre-validation.ts';

const assignee = schemaOf<Assignee>()(
  v.object({
    memberId: maybe(v.string()),
    name: v.string(),
    pictureUrl: maybe(v.string()),
  }),
);

const row = schemaOf<InboxRow>()(
  v.object({
    conversationId: v.string(),
    botId: v.string(),
    revision: count,
    state: v.picklist(handlingStates),
    teamId: maybe(v.string()),
    assignee: maybe(assignee),
    visitor: v.object({ id: v.string(), name: maybe(v.string()) }),
    handoff: handlingSchemas.handoff,
    waitingSince: maybe(timestamp),
    snoozedUntil: maybe(timestamp),
    sortAt: timestamp,
    lastSeq: count,
    preview: v.string(),
    lastAuthor: v.picklist(authorKinds),
    tags: v.array(v.string()),
    mentions: maybe(v.array(v.string())),
    unseenMentions: maybe(v.array(v.string())),
  }),
);

const noteFile = schemaOf<NoteFile>()(
  v.object({
    id: v.string(),
    key: v.string(),
    size: count,
    contentType: v.string(),
  }),
);

const note = schemaOf<Note>()(
  v.object({
    id: v.string(),
    conversationId: v.string(),
    afterSeq: count,
    author: v.object({ memberId: maybe(v.string()), name: v.string() }),
    body: v.string(),
    mentions: maybe(v.array(v.string())),
    files: maybe(v.array(noteFile)),
    createdAt: timestamp,
    editedAt: maybe(timestamp),
  }),
);

const counts = schemaOf<InboxCounts>()(
  v.object({
    mine: count,
    unassigned: count,
    waiting: count,
    mentioned: count,
    all: count,
    closed: count,
    snoozed: count,
  }),
);

const cannedAnswer = schemaOf<CannedAnswer>()(
  v.object({
    id: v.string(),
    scope: v.picklist(cannedAnswerScopes),
    name: v.string(),
    text: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
);

const timeline = schemaOf<InboxTimeline>()(
  v.object({
    messages: v.array(schemas.message),
    notes: v.array(note),
    activities: v.array(handlingSchemas.activity),
    ratings: v.array(handlingSchemas.rating),
    visitorRead: maybe(handlingSchemas.readMark),
    seq: count,
  }),
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

/** The schemas that have a name in the OpenAPI document. */
export const inboxComponents = {
  InboxRow: row,
  Note: note,
  NoteFile: noteFile,
  InboxCounts: counts,
  CannedAnswer: cannedAnswer,
  OpeningHours: openingHours,
  ...teamComponents,
  ...reportComponents,
};
