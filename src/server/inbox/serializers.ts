// Serializes rows of the inbox, messages and notes for members.
import type { Activity } from '../../protocol/handling.ts';
import type { CannedAnswer, InboxMember, InboxRow, Note, Team } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import type { Feedback, Message } from '../../protocol/message.ts';
import { withoutFileAddresses } from '../api/message-text.ts';
import { authorOf, serializeMessage, timestamp, withoutLongValues } from '../api/serializers.ts';
import { activitiesOf, isPublicName, membersIn, personIn, serializeHandoff, shownOf } from '../chat/index.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { lastMessage, type MessageRow, namesOf } from '../storage/chat/messages.ts';
import type { Tx } from '../storage/database.ts';
import type { FileRow } from '../storage/files/files.ts';
import type { BotRecord } from '../storage/inbox/bot-list.ts';
import type { CannedAnswerRow } from '../storage/inbox/canned-answers.ts';
import type { ActivityRow } from '../storage/inbox/handoffs.ts';
import { type HumanMessage, lastHumanMessages } from '../storage/inbox/human-messages.ts';
import type { InboxRecord } from '../storage/inbox/lists.ts';
import { colleagueNamesOf, colleagueNamesOfPersons, type InboxMemberRow } from '../storage/inbox/members.ts';
import type { NoteRow } from '../storage/inbox/new-note.ts';
import {
  mentionsIn,
  type NoteContents,
  noteContentsOf,
  noteFilesAfter,
  notesAfter,
} from '../storage/inbox/notes.ts';
import { type OpinionRow, opinionsOf } from '../storage/inbox/opinions.ts';
import { inboxTagsOf } from '../storage/inbox/search-index.ts';
import type { TeamRow } from '../storage/inbox/teams.ts';

/** Serializes rows with their tags and mentions. */
export async function serializeRows(tx: Tx, records: readonly InboxRecord[]): Promise<InboxRow[]> {
  if (records.length === 0) return [];
  const ids = records.map(({ conversationId }) => conversationId);
  const tags = await inboxTagsOf(tx, ids);
  const mentions = await mentionsIn(tx, ids);
  const others = records.filter(({ lastAuthor, state }) => lastAuthor !== 'visitor' && state !== 'bot');
  const messages = await lastHumanMessages(
    tx,
    others.map(({ conversationId }) => conversationId),
  );
  const human = new Map(messages.map((message) => [message.conversationId, message]));
  return records.map((record) => {
    const mentioned = mentions.get(record.conversationId);
    return {
      ...serializeRow(record, tags.get(record.conversationId) ?? []),
      ...humanMessageIn(human.get(record.conversationId)),
      ...(mentioned ? { mentions: mentioned.members } : {}),
      ...(mentioned?.unseen.length ? { unseenMentions: mentioned.unseen } : {}),
    };
  });
}

function serializeRow(record: InboxRecord, tags: string[]): InboxRow {
  const person = personIn(record);
  const { conversationId, botId, revision, state, lastSeq } = record;
  return {
    ...{ conversationId, botId, revision, state, lastSeq, tags },
    ...(record.teamId === null ? {} : { teamId: record.teamId }),
    ...(person
      ? {
          assignee: {
            ...(record.assigneeId === null ? {} : { memberId: record.assigneeId }),
            ...person,
            ...(record.assigneeName === null ? {} : { name: record.assigneeName }),
          },
        }
      : {}),
    visitor: {
      id: record.visitorForeignId ?? record.visitorId,
      ...(record.visitorName === null ? {} : { name: record.visitorName }),
    },
    ...serializedHandoff(record),
    ...(record.waitingSince === null ? {} : { waitingSince: timestamp(record.waitingSince) }),
    ...(record.snoozedUntil === null ? {} : { snoozedUntil: timestamp(record.snoozedUntil) }),
    sortAt: timestamp(record.sortAt),
    // Rows of earlier versions have the addresses of files.
    preview: withoutFileAddresses(record.lastPreview),
    lastAuthor: record.lastAuthor,
  };
}

/** The last message of a visitor or a person. It is read, and not stored: what is deleted or superseded is in no row. */
function humanMessageIn(message: HumanMessage | undefined): Pick<InboxRow, 'humanMessage'> {
  if (!message) return {};
  const { lastPreview, lastAuthor } = shownOf(message);
  const { name } = lastAuthor === 'person' ? authorOf(message) : {};
  return {
    humanMessage: {
      preview: lastPreview,
      author: lastAuthor === 'person' ? 'person' : 'visitor',
      ...(name === undefined || isPublicName(name) ? {} : { name }),
    },
  };
}

/** A conversation that only its bot has answered has none. */
function serializedHandoff({
  handoffId,
  requestedAt,
  requestedBy,
  ...record
}: InboxRecord): Pick<InboxRow, 'handoff'> {
  if (handoffId === null || requestedAt === null || requestedBy === null) return {};
  return { handoff: serializeHandoff({ ...record, id: handoffId, requestedAt, requestedBy }) };
}

/** Serializes conversations with the bot, with their last messages. */
export async function serializeBotRows(tx: Tx, records: readonly BotRecord[]): Promise<InboxRow[]> {
  const shown: InboxRecord[] = [];
  for (const { last, isLarge, ...record } of records) {
    const isStored = record.handoffId !== null;
    const message = isLarge ? await lastMessage(tx, record.conversationId) : last;
    shown.push(isStored ? record : { ...record, ...shownOf(message) });
  }
  const rows = await serializeRows(tx, shown);
  const opinions = await opinionsOf(
    tx,
    rows.map(({ conversationId }) => conversationId),
  );
  return rows.map((row) => ({ ...row, ...opinionOf(opinions.get(row.conversationId)) }));
}

/** Stars of a good rating of a person, at least, and of a bad one, at most. */
const stars = { good: 4, bad: 2 };

/** The last rating of the visitor, and whether their last message has no answer in the knowledge. */
function opinionOf(row: OpinionRow | undefined): Pick<InboxRow, 'rating' | 'isUnanswered'> {
  if (!row) return {};
  const { feedback, feedbackAt, stars: given, ratedAt, isUnanswered } = row;
  const value = feedback === null ? undefined : (JSON.parse(feedback) as Feedback).value;
  const ofAnswer = value && (value === 'positive' ? 'good' : 'bad');
  const ofPerson =
    given === null ? undefined : given >= stars.good ? 'good' : given <= stars.bad ? 'bad' : undefined;
  const isOfPerson = given !== null && (ofAnswer === undefined || (ratedAt ?? 0) >= (feedbackAt ?? 0));
  const rating = isOfPerson ? ofPerson : ofAnswer;
  return { ...(rating && { rating }), ...(Number(isUnanswered) === 1 && { isUnanswered: true as const }) };
}

/**
 * Serializes messages of a conversation with their authors. Other participants than the visitor have a name, or their id, and members
 * without a name have that for colleagues.
 */
export async function serializeMessages(
  tx: Tx,
  { id, ownerId }: Pick<ConversationRow, 'id' | 'ownerId'>,
  rows: readonly MessageRow[],
): Promise<Message[]> {
  const isParticipant = (row: MessageRow) => authorOf(row).kind === 'visitor' && row.userId !== ownerId;
  const others = new Set(rows.filter(isParticipant).map(({ userId }) => userId));
  const names = others.size > 0 ? await namesOf(tx, [...others]) : undefined;
  const isNameless = (row: MessageRow) => isPublicName(authorOf(row).name);
  const nameless = new Set(rows.filter(isNameless).map(({ userId }) => userId));
  const colleagues = await colleagueNamesOfPersons(tx, [...nameless]);
  return rows.map((row) => {
    const message = serializeMessage(row, id);
    const name = isNameless(row) ? colleagues.get(row.userId) : (names?.get(row.userId) ?? message.userId);
    const isOther = isParticipant(row) || isNameless(row);
    const author = { ...authorOf(row), ...(isOther && name !== undefined && { name }) };
    return withoutLongValues({ ...message, author });
  });
}

/** Serializes notes of one conversation with what they have besides their text. */
export async function serializeNotes(
  tx: Tx,
  conversationId: string,
  rows: readonly NoteRow[],
): Promise<Note[]> {
  if (rows.length === 0) return [];
  const contents = await noteContentsOf(
    tx,
    conversationId,
    rows.map(({ id }) => id),
  );
  const names = await namelessIn(tx, rows);
  return rows.map((row) => serializeNote(row, contents.get(row.id), names));
}

/** The names for colleagues of the authors who had none, by their ids. */
const namelessIn = (tx: Tx, rows: readonly NoteRow[]): Promise<Map<string, string>> =>
  colleagueNamesOf(
    tx,
    rows.flatMap(({ authorName, memberId }) => (isPublicName(authorName) && memberId ? [memberId] : [])),
  );

/** Activities of a conversation, newest first. Members without a name have that for colleagues. */
export async function serializeActivities(tx: Tx, rows: readonly ActivityRow[]): Promise<Activity[]> {
  const names = await colleagueNamesOf(tx, rows.flatMap(membersIn));
  return rows.flatMap((row) => activitiesOf(row, names).reverse());
}

/** Serializes one note, as `serializeNotes` does. */
export async function serializedNote(tx: Tx, row: NoteRow): Promise<Note> {
  const contents = await noteContentsOf(tx, row.conversationId, [row.id]);
  return serializeNote(row, contents.get(row.id), await namelessIn(tx, [row]));
}

const serializeNote = (
  row: NoteRow,
  { mentions, files }: NoteContents = { mentions: [], files: [] },
  names: ReadonlyMap<string, string>,
): Note => ({
  id: row.id,
  conversationId: row.conversationId,
  afterSeq: row.afterSeq,
  author: {
    ...(row.memberId === null ? {} : { memberId: row.memberId }),
    name: names.get(row.memberId ?? '') ?? row.authorName,
  },
  body: row.body,
  ...(mentions.length > 0 ? { mentions } : {}),
  ...(files.length > 0 ? { files } : {}),
  createdAt: timestamp(row.createdAt),
  ...(row.editedAt === null ? {} : { editedAt: timestamp(row.editedAt) }),
});

export const serializeCannedAnswer = (row: CannedAnswerRow): CannedAnswer => ({
  id: row.id,
  scope: row.memberId === null ? 'workspace' : 'own',
  name: row.name,
  text: row.body,
  createdAt: timestamp(row.createdAt),
  updatedAt: timestamp(row.updatedAt),
});

export const serializeTeam = (row: TeamRow, memberIds: readonly string[] = []): Team => ({
  id: row.id,
  name: row.name,
  mode: row.mode,
  capacity: row.capacity,
  isRestricted: row.isRestricted === 1,
  isDefault: row.isDefault === 1,
  memberIds: [...memberIds],
});

/** `now`: in milliseconds since 1970. */
export const serializeInboxMember = (row: InboxMemberRow, now: number): InboxMember => ({
  memberId: row.memberId,
  name: row.displayName || row.email,
  availability: row.availability,
  ...(row.awayCause === null ? {} : { awayCause: row.awayCause }),
  isReachable: row.seenAt > now - limits.inbox.reachable,
  ...(row.capacity === null ? {} : { capacity: row.capacity }),
  load: row.load,
});

/**
 * The notes of the team on a conversation and their files, for the archive that administrators download. Reads up to `limit`
 * notes, or files of notes, of a conversation after the id of one, oldest first.
 */
export const notesToExport = {
  notesOf: async (tx: Tx, conversationId: string, after: string, limit: number): Promise<Note[]> =>
    serializeNotes(tx, conversationId, await notesAfter(tx, conversationId, after, limit)),
  filesOf: (tx: Tx, conversationId: string, after: string, limit: number): Promise<FileRow[]> =>
    noteFilesAfter(tx, conversationId, after, limit),
};
