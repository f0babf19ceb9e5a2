// Reads rows of the list and found messages. They are from the wire, so they may have any shape. Pure.
import { findFolded } from '../../../protocol/locale/folding.ts';
import { isMessage, preview } from '../../../protocol/message.ts';

/** One row: a conversation, or a message that was found in it. */
export interface ListRow {
  /** Unique in the list. */
  key: string;
  conversationId: string;
  title: string;
  text: string;
  /** ISO 8601. */
  at: string;
  unread: number;
}

/** Characters that are shown: the styles cut them to a line or two. */
const shownLength = 160;
/** Characters of a message before the word that was found. */
const lead = 40;

/** A part of a text, without halves of characters at its ends. */
const cut = (text: string, from = 0) =>
  text.slice(from, from + shownLength).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
const textOf = (value: unknown) => (typeof value === 'string' ? cut(value) : '');
const timeOf = (value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** The conversations of a response. */
export function readConversations(list: unknown): ListRow[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown) => {
    const row = Object(value) as Record<string, unknown>;
    const at = timeOf(row.lastMessageAt) ?? timeOf(row.createdAt);
    if (typeof row.id !== 'string' || !at) return [];
    const unread = typeof row.unread === 'number' && row.unread > 0 ? Math.floor(row.unread) : 0;
    const [title, text] = [textOf(row.title), textOf(row.preview)];
    return { key: row.id, conversationId: row.id, title: title || text, text: title && text, at, unread };
  });
}

/** The messages of a response, each with the part of its text that has the word. */
export function readFound(list: unknown, word: string): ListRow[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isMessage).map(({ id, conversationId, payload, createdAt }) => {
    const text = preview(payload).replace(/\s+/g, ' ');
    const from = Math.max(0, findFolded(text, word) - lead);
    const part = (from > 0 ? '…' : '') + cut(text, from);
    return { key: id, conversationId, title: part, text: '', at: createdAt, unread: 0 };
  });
}
