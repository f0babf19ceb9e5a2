// The search in all messages and notes: pages of conversations, each with its newest text that is found.
import type { FoundConversation, InboxRow } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import { withoutMarks } from '../../protocol/markdown-marks.ts';
import { readPayloadText } from '../api/message-text.ts';
import { authorOf, timestamp } from '../api/serializers.ts';
import { nextTurn } from '../api/yielder.ts';
import { findMessage } from '../storage/chat/messages.ts';
import type { Tx } from '../storage/database.ts';
import { unhandledAmong } from '../storage/inbox/bot-list.ts';
import { findInboxRecords } from '../storage/inbox/lists.ts';
import { findNotes } from '../storage/inbox/notes.ts';
import { type FoundText, findTexts, searchedBeginnings } from '../storage/inbox/searched-texts.ts';
import type { Viewer } from '../storage/inbox/visibility.ts';
import { serializeBotRows, serializeRows } from './serializers.ts';
import { snippetOf } from './snippets.ts';

/** Texts that are found at once, and those that a page looks at. */
const stepSize = 100;
const mostFound = 1_000;

/** A page of found conversations, and the number before which the next one begins; undefined at the end. */
export async function searchTexts(
  tx: Tx,
  viewer: Viewer,
  q: string,
  before: number | undefined,
): Promise<{ found: FoundConversation[]; next: number | undefined }> {
  const beginnings = searchedBeginnings(q, limits.inbox.searchTerms);
  if (beginnings.length === 0) return { found: [], next: undefined };
  const newest = new Map<string, FoundText>();
  let next = before ?? Number.MAX_SAFE_INTEGER;
  for (let looked = 0; looked < mostFound; looked += stepSize) {
    const texts = await findTexts(tx, viewer, beginnings, next, stepSize);
    for (const [index, text] of texts.entries()) {
      if (!newest.has(text.conversationId)) newest.set(text.conversationId, text);
      next = text.number;
      if (newest.size === limits.inbox.searchPage) {
        const isLast = texts.length < stepSize && index === texts.length - 1;
        return {
          found: await serialize(tx, viewer, [...newest.values()], beginnings),
          next: isLast ? undefined : next,
        };
      }
    }
    if (texts.length < stepSize)
      return { found: await serialize(tx, viewer, [...newest.values()], beginnings), next: undefined };
    await nextTurn();
  }
  return { found: await serialize(tx, viewer, [...newest.values()], beginnings), next };
}

async function serialize(
  tx: Tx,
  { workspaceId }: Viewer,
  texts: readonly FoundText[],
  beginnings: readonly string[],
): Promise<FoundConversation[]> {
  const ids = texts.map(({ conversationId }) => conversationId);
  const rows = await rowsOf(tx, workspaceId, ids);
  const notes = await findNotes(tx, idsOf(texts, 1));
  const noteById = new Map(notes.map((note) => [note.id, note]));
  const found: FoundConversation[] = [];
  for (const { conversationId, textId, isNote } of texts) {
    const conversation = rows.get(conversationId);
    if (!conversation) continue;
    const note = noteById.get(textId);
    // One after the other: a message can have a megabyte.
    const message = isNote ? undefined : await findMessage(tx, textId);
    if (note) {
      const match = {
        kind: 'note',
        id: textId,
        author: note.memberId === null ? 'bot' : 'person',
      } as const;
      const createdAt = timestamp(note.createdAt);
      found.push({ conversation, match: { ...match, ...snippetOf(note.body, beginnings), createdAt } });
    } else if (message) {
      const match = { kind: 'message', id: textId, author: authorOf(message).kind } as const;
      const snippet = snippetOf(shownText(message.payload), beginnings);
      found.push({ conversation, match: { ...match, ...snippet, createdAt: timestamp(message.createdAt) } });
    }
  }
  return found;
}

/** Characters of a Markdown text whose marks are removed. */
const longestMarked = 20_000;

/** The text of a payload, without marks of Markdown. */
const shownText = (payload: string): string =>
  readPayloadText(payload, (markdown) =>
    markdown.length <= longestMarked ? withoutMarks(markdown) : markdown,
  );

const idsOf = (texts: readonly FoundText[], isNote: number): string[] =>
  texts.flatMap((text) => (text.isNote === isNote ? [text.textId] : []));

/** The rows of conversations that the caller may see, by their ids. */
export async function rowsOf(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, InboxRow>> {
  const handled = await serializeRows(tx, await findInboxRecords(tx, ids));
  const others = await serializeBotRows(tx, await unhandledAmong(tx, workspaceId, ids));
  return new Map([...handled, ...others].map((row) => [row.conversationId, row]));
}
