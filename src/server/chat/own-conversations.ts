// The conversations of a visitor as they see them: the rows of the list, and the search in their messages.
import { limits } from '../../protocol/limits.ts';
import { fold } from '../../protocol/locale/folding.ts';
import { type Payload, preview } from '../../protocol/message.ts';
import type { ListedConversation } from '../../protocol/types/chat.ts';
import { timestamp } from '../api/serializers.ts';
import { nextTurn } from '../api/yielder.ts';
import {
  type FoundMessage,
  foundMessages,
  type MessagePosition,
  type OwnConversationRow,
  ownMessagesBefore,
} from '../storage/chat/own-conversations.ts';
import type { Tx } from '../storage/database.ts';
import { bytesOf, isCut } from '../storage/read-bytes.ts';
import { previewOf } from './handling/message-rules.ts';
import { visibleState } from './handling/visible.ts';
import { serializeConversation } from './serializers.ts';

export function serializeListed(row: OwnConversationRow): ListedConversation {
  const { firstPayload, lastPayload, lastMessageAt, state, personId } = row;
  return {
    ...serializeConversation(row),
    ...(firstPayload === null ? {} : { title: previewOf({ payload: firstPayload }) }),
    preview: lastPayload === null ? '' : previewOf({ payload: lastPayload }),
    ...(lastMessageAt === null ? {} : { lastMessageAt: timestamp(lastMessageAt) }),
    unread: Number(row.unread),
    state: state === null ? 'bot' : visibleState({ state, personId }),
  };
}

/** Messages that are read at once, and bytes of their payloads, before other requests run. */
const batchSize = 100;
const searchedBytes = 250_000;
/** Messages that one request looks at, and bytes of their payloads. */
const maxMessages = 1_000;
const maxBytes = 1_000_000;

/**
 * Looks for a text in the messages of a user's conversations before a position. Returns at most a page of messages, and
 * where the next search goes on; undefined at the end.
 */
export async function searchOwnMessages(
  tx: Tx,
  ownerId: string,
  text: string,
  before: MessagePosition | undefined,
): Promise<{ found: FoundMessage[]; next: MessagePosition | undefined }> {
  const isFound = searchIn(text);
  const ids: string[] = [];
  let position = before;
  let looked = 0;
  let bytes = 0;
  let foundBytes = 0;
  const page = async (next: MessagePosition | undefined) => ({ found: await foundMessages(tx, ids), next });
  while (looked < maxMessages && bytes < maxBytes) {
    const allowed = Math.min(searchedBytes, maxBytes - bytes);
    const rows = await ownMessagesBefore(tx, ownerId, position, batchSize, allowed);
    for (const { id, conversationId, seq, payload, bytes: all } of rows) {
      position = [conversationId, Number(seq)];
      if (!isFound(preview(JSON.parse(payload) as Payload))) continue;
      ids.push(id);
      // With metadata and parts, which are not searched.
      foundBytes += Number(all);
      if (ids.length === limits.pageSize || foundBytes > maxBytes) return page(position);
    }
    if (rows.length < batchSize && !isCut(rows, allowed)) return page(undefined);
    looked += rows.length;
    bytes += rows.reduce((sum, row) => sum + bytesOf(row), 0);
    await nextTurn();
  }
  return page(position);
}

/** Returns the function that finds a text. A text that nobody sees is found nowhere. */
function searchIn(text: string): (other: string) => boolean {
  const wanted = fold(text).trim();
  return (other) => wanted !== '' && fold(other).includes(wanted);
}
