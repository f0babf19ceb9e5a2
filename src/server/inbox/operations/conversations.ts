// Operations of the inbox that read: lists, counts, changes, and the content of a conversation.
import { isHandledList } from '../../../protocol/inbox.ts';
import { limits } from '../../../protocol/limits.ts';
import { conversations } from '../../../protocol/operations/inbox/conversations.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText, isWhole, readPage } from '../../api/pages.ts';
import { nextTurn } from '../../api/yielder.ts';
import { viewerOf } from '../../auth/principal.ts';
import { serializeHandoff, serializeRating, serializeRead, serializeUser } from '../../chat/index.ts';
import { findPreChatForm } from '../../storage/chat/conversations.ts';
import { listMessages, type MessageRow } from '../../storage/chat/messages.ts';
import { userById } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';
import { handoffsOf, listActivities } from '../../storage/inbox/handoffs.ts';
import {
  changedSince,
  countInbox,
  defaultSort,
  deletedBetween,
  type InboxKey,
  type InboxRecord,
  isByWaiting,
  listInbox,
  visibleAmong,
} from '../../storage/inbox/lists.ts';
import type { NoteRow } from '../../storage/inbox/new-note.ts';
import { notesBetween } from '../../storage/inbox/notes.ts';
import { ratingsOf } from '../../storage/inbox/ratings.ts';
import { hasReadReceipts, readBy } from '../../storage/inbox/reads.ts';
import { conversationsOfVisitor } from '../../storage/inbox/visitors.ts';
import { contactStateOf, findContact } from '../../storage/notifications/contacts.ts';
import { bytesOf } from '../../storage/read-bytes.ts';
import { readBotPage } from '../bot-rows.ts';
import { rowsOf, searchTexts } from '../found-texts.ts';
import { serializeActivities, serializeMessages, serializeNotes, serializeRows } from '../serializers.ts';
import { readVisitors } from '../visitors.ts';
import { existingConversation, existingRow, scopeOf } from './access.ts';
import { handle } from './services.ts';

/** The maximum number of listed handoffs of a conversation. */
const listedHandoffs = 100;
/**
 * Changes of this time (milliseconds) before the cursor are read again, because a write can become visible later than
 * its time.
 */
const overlapMs = 30_000;

const isKey = (key: unknown): key is InboxKey =>
  Array.isArray(key) && key.length === 2 && isWhole(key[0]) && typeof key[1] === 'string';

/** A sort key, and what the caller saw then (`scopeOf`). Earlier versions gave out cursors without it. */
type ChangesKey = InboxKey | readonly [...InboxKey, string];

const isChangesKey = (key: unknown): key is ChangesKey =>
  Array.isArray(key) && isKey(key.slice(0, 2)) && (key.length === 2 || (key.length === 3 && isText(key[2])));

export const conversationHandlers = [
  handle(conversations.listInboxConversations, async ({ tx, caller, input }) => {
    const { nextToken, pageSize = limits.pageSize, list, ...filter } = input;
    const { sort = defaultSort(list) } = filter;
    const kind = `inbox ${list} ${sort}`;
    const after = decodeCursor(kind, nextToken, isKey);
    if (!isHandledList(list)) {
      const { rows, next } = await readBotPage(tx, viewerOf(caller), { ...filter, sort }, after, pageSize);
      const { meta } = cutPage(kind, next ? [next, next] : [], 1, (key) => key);
      return { body: { conversations: rows, meta } };
    }
    for (const name of ['rating', 'answer'] as const)
      if (filter[name] !== undefined) throw new ApiError('InvalidQuery', `${name} is for the list bot only.`);
    const found = await listInbox(tx, viewerOf(caller), { list, ...filter }, after, pageSize + 1);
    const keyOf = ({ waitingSince, sortAt, conversationId }: InboxRecord): InboxKey => [
      isByWaiting(list) ? (waitingSince ?? 0) : sortAt,
      conversationId,
    ];
    const { rows, meta } = cutPage(kind, found, pageSize, keyOf);
    return { body: { conversations: await serializeRows(tx, rows), meta } };
  }),

  handle(conversations.searchInbox, async ({ tx, caller, input: { text, nextToken }, services }) => {
    const before = decodeCursor('inbox search', nextToken, isWhole);
    services.textIndex.follow();
    const { found, next } = await searchTexts(tx, viewerOf(caller), text, before);
    const { meta } = cutPage('inbox search', next === undefined ? [] : [next, next], 1, (number) => number);
    return { body: { found, meta } };
  }),

  handle(conversations.listInboxVisitors, async ({ tx, caller, input }) => {
    const { nextToken, text, pageSize = limits.pageSize } = input;
    const after = decodeCursor('inbox visitors', nextToken, isKey);
    const { visitors, next } = await readVisitors(tx, viewerOf(caller), text, after, pageSize);
    const { meta } = cutPage('inbox visitors', next ? [next, next] : [], 1, (key) => key);
    return { body: { visitors, meta } };
  }),

  handle(conversations.listVisitorConversations, async ({ tx, caller, params: { id }, input }) => {
    const { ownerId } = await existingConversation(tx, caller, id);
    const { nextToken, pageSize = limits.pageSize } = input;
    const after = decodeCursor('visitor conversations', nextToken, isText);
    const viewer = viewerOf(caller);
    const found = await conversationsOfVisitor(tx, viewer, ownerId, after, pageSize + 1);
    const { rows: ids, meta } = cutPage('visitor conversations', found, pageSize, (one) => one);
    const rows = await rowsOf(tx, viewer.workspaceId, ids);
    return { body: { conversations: ids.flatMap((one) => rows.get(one) ?? []), meta } };
  }),

  handle(conversations.getInboxCounts, async ({ tx, caller }) => ({
    body: { counts: await countInbox(tx, viewerOf(caller)) },
  })),

  handle(conversations.getInboxChanges, async ({ tx, caller, input, services }) => {
    const { workspaceId } = caller;
    const now = services.now();
    const since = decodeCursor('inbox changes', input.since, isChangesKey, 'since');
    const viewer = viewerOf(caller);
    const scope = await scopeOf(tx, viewer);
    const cursorOf = (key: InboxKey) =>
      cutPage('inbox changes', [key, key], 1, (one) => [...one, scope]).meta.nextToken ?? '';
    if (!since) {
      const cursor = cursorOf([now - overlapMs, '']);
      return { body: { conversations: [], deleted: [], cursor, isComplete: true } };
    }
    if (since[0] < now - limits.inbox.changesKept)
      throw new ApiError(
        'TooOld',
        'The changes since this cursor are no longer stored: list the conversations.',
      );
    // Conversations have come and gone without a change of their own.
    if (since[2] !== scope)
      throw new ApiError(
        'TooOld',
        'The caller sees conversations of other teams than with this cursor: list the conversations.',
      );
    const size = limits.inbox.changes;
    const found = await changedSince(tx, workspaceId, [since[0], since[1]], size + 1);
    const rows = found.slice(0, size);
    const last = rows.at(-1);
    const isComplete = found.length <= size;
    // Also if the last page began later: what becomes visible late may belong to an earlier one.
    const next: InboxKey =
      isComplete || !last ? [now - overlapMs, ''] : [last.changedAt, last.conversationId];
    // Later deletions are sent with the page of their time.
    const until = isComplete || !last ? Number.MAX_SAFE_INTEGER : last.changedAt;
    const ids = rows.map(({ conversationId }) => conversationId);
    const visible = await visibleAmong(tx, viewer, ids);
    const isShown = ({ conversationId }: InboxRecord) => visible.has(conversationId);
    const hidden = ids.filter((id) => !visible.has(id));
    const body = {
      conversations: await serializeRows(tx, rows.filter(isShown)),
      // Clients that do not know `hidden` must not keep them either.
      deleted: [...(await deletedBetween(tx, workspaceId, since[0], until)), ...hidden],
      ...(hidden.length > 0 && { hidden }),
      cursor: cursorOf(next),
      isComplete,
    };
    return { body };
  }),

  handle(conversations.getInboxConversation, async ({ tx, caller, params: { id } }) => {
    const { row, visitorId } = await existingRow(tx, caller, id);
    const visitor = await userById(tx, visitorId);
    if (!visitor) throw new ApiError('ResourceNotFound', 'The visitor does not exist any more.');
    const handoffs = (await handoffsOf(tx, id, listedHandoffs)).map(serializeHandoff);
    const found = await findContact(tx, visitor.id);
    const contact = found ? { contact: { email: found.email, state: contactStateOf(found) } } : {};
    const preChatForm = await findPreChatForm(tx, id);
    const answers = { ...contact, ...(preChatForm ? { preChatForm } : {}) };
    return {
      body: { conversation: row, visitor: serializeUser(visitor), ...answers, handoffs },
    };
  }),

  handle(conversations.getInboxTimeline, async ({ tx, caller, params: { id }, input }) => {
    const conversation = await existingConversation(tx, caller, id);
    const before = decodeCursor('inbox timeline', input.nextToken, isWhole);
    const { rows, meta } = await readPage({
      kind: 'inbox timeline',
      size: input.pageSize ?? limits.pageSize,
      after: before,
      sortKey: (row: MessageRow) => row.seq,
      weigh: (row) => bytesOf(row),
      read: (after, limit, bytes) => listMessages(tx, id, after, limit, bytes),
    });
    // Entries after the oldest message of the page; on the last page also those before it.
    const from = meta.nextToken === undefined ? 0 : (rows.at(-1)?.seq ?? 0);
    const to = before ?? Number.MAX_SAFE_INTEGER;
    const notes = await allNotes(tx, id, from, to);
    const activities = await listActivities(tx, id, { before, from, limit: limits.maxPageSize });
    const hasReceipts = await hasReadReceipts(tx, conversation.botId);
    const read = hasReceipts ? await readBy(tx, id, 'visitor') : undefined;
    const body = {
      messages: await serializeMessages(tx, conversation, rows),
      notes: await serializeNotes(tx, id, notes),
      activities: await serializeActivities(tx, activities),
      ratings: (await ratingsOf(tx, id, listedHandoffs)).map(serializeRating),
      ...(read ? { visitorRead: serializeRead(read) } : {}),
      seq: conversation.seq,
      meta,
    };
    return { body };
  }),
];

/** Notes that are read at once: a megabyte in the worst case. */
const notesAtOnce = 100;

/** The notes after a sequence number, or later, and not after another one, newest first; other requests run in between. */
async function allNotes(tx: Tx, conversationId: string, from: number, to: number): Promise<NoteRow[]> {
  const notes: NoteRow[] = [];
  // '~' sorts after every character of an id.
  for (let before = '~'; ; ) {
    const found = await notesBetween(tx, conversationId, { from, to, before, limit: notesAtOnce });
    notes.push(...found);
    if (found.length < notesAtOnce) return notes;
    before = found.at(-1)?.id ?? before;
    await nextTurn();
  }
}
