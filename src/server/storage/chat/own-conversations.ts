// SQL of the conversations that a visitor owns: the rows of their list, and the messages that their search looks at.
import type { HandlingState } from '../../../protocol/handling.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Tx } from '../database.ts';
import { inList } from '../dialect.ts';
import { bytesSql, firstWithin } from '../read-bytes.ts';
import { type ConversationRow, conversationColumns } from './conversations.ts';
import { type MessageRow, selectMessages } from './messages.ts';

export interface OwnConversationRow extends ConversationRow {
  /** The payloads (JSON) of the first message of the owner and of the last message; null also for a very large one. */
  firstPayload: string | null;
  lastPayload: string | null;
  lastMessageAt: number | null;
  unread: number;
  /** The state of its handling, and the person who answers; null if nobody was ever asked for. */
  state: HandlingState | null;
  personId: string | null;
}

/** Bytes of a message whose beginning is shown. A list must not read megabytes. */
const shownBytes = 65_536;
/** The first message of the owner is looked for in the beginning of a conversation. */
const firstMessages = 20;

/** Conversations owned by a user before the id `before`, newest first (ids are ULIDs). */
export async function listOwnConversations(
  tx: Tx,
  ownerId: string,
  before: string | undefined,
  limit: number,
): Promise<OwnConversationRow[]> {
  const payload = (table: string) =>
    `CASE WHEN octet_length(${table}.payload) <= ${shownBytes} THEN ${table}.payload END`;
  return tx.all(
    `SELECT ${conversationColumns('c.')}, ${payload('f')} AS first_payload, ${payload('l')} AS last_payload,
       l.created_at AS last_message_at, h.state, h.person_id,
       (SELECT COUNT(*) FROM (SELECT 1 FROM messages n WHERE n.conversation_id = c.id AND n.seq > r.last_seq
         AND n.user_id <> c.owner_id AND n.superseded_by IS NULL LIMIT ?) AS q) AS unread
     FROM conversations c
     LEFT JOIN messages f ON f.id = (SELECT s.id FROM (SELECT m.id, m.user_id, m.seq FROM messages m
       WHERE m.conversation_id = c.id ORDER BY m.seq LIMIT ${firstMessages}) AS s
       WHERE s.user_id = c.owner_id ORDER BY s.seq LIMIT 1)
     LEFT JOIN messages l ON l.id = (SELECT m.id FROM messages m WHERE m.conversation_id = c.id
       AND m.superseded_by IS NULL ORDER BY m.seq DESC LIMIT 1)
     LEFT JOIN reads r ON r.conversation_id = c.id AND r.reader = c.owner_id
     LEFT JOIN handlings h ON h.conversation_id = c.id
     WHERE c.owner_id = ? AND c.id < ? ORDER BY c.id DESC LIMIT ?`,
    limits.inbox.unread,
    ownerId,
    // '~' sorts after every character of an id.
    before ?? '~',
    limit,
  );
}

/** The position of a message in the order of the search. */
export type MessagePosition = readonly [conversationId: string, seq: number];

/** A message that is searched: its text only. */
export type SearchedMessage = Pick<MessageRow, 'id' | 'conversationId' | 'seq' | 'payload'> & {
  /** Of the whole message, as `bytesOf` counts them. */
  bytes: number;
};

/**
 * Messages of the conversations of a user before a position: of the newest conversations first, newest first in each. At most
 * `limit`, and none after that with which they have more than `bytes` (../read-bytes.ts).
 */
export async function ownMessagesBefore(
  tx: Tx,
  ownerId: string,
  before: MessagePosition | undefined,
  limit: number,
  bytes: number,
): Promise<SearchedMessage[]> {
  const [conversationId, seq] = before ?? ['~', 0];
  const rows = `SELECT n.id, n.conversation_id, n.seq, octet_length(n.payload) AS bytes
     FROM conversations c CROSS JOIN messages n ON n.conversation_id = c.id
     WHERE c.owner_id = ? AND c.id <= ? AND (c.id < ? OR n.seq < ?) AND n.superseded_by IS NULL
     ORDER BY c.id DESC, n.seq DESC LIMIT ?`;
  return tx.all(
    `SELECT m.id, m.conversation_id, m.seq, m.payload, ${bytesSql.messages('m')} AS bytes FROM messages m
     WHERE m.id IN (${firstWithin(rows, 'w.conversation_id DESC, w.seq DESC')})
     ORDER BY m.conversation_id DESC, m.seq DESC`,
    ownerId,
    conversationId,
    conversationId,
    seq,
    limit,
    bytes,
  );
}

/** A message, and the id that clients have chosen for its conversation. */
export type FoundMessage = MessageRow & { conversationForeignId: string | null };

/** These messages in the order of the search. */
export async function foundMessages(tx: Tx, ids: readonly string[]): Promise<FoundMessage[]> {
  const isFound = inList(tx, 'm.id', ids);
  return tx.all(
    `${selectMessages.replace('SELECT', 'SELECT c.foreign_id AS conversation_foreign_id,')}
     JOIN conversations c ON c.id = m.conversation_id
     WHERE ${isFound.sql} ORDER BY m.conversation_id DESC, m.seq DESC`,
    ...isFound.values,
  );
}
