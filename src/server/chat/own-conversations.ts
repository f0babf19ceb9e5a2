// What a visitor sees of their conversations: the rows of the list, and the search in their messages.
import type { ListedConversation } from '../../protocol/conversation.ts';
import { limits } from '../../protocol/limits.ts';
import { type Payload, preview } from '../../protocol/message.ts';
import { timestamp } from '../api/serializers.ts';
import {
  type FoundMessage,
  type MessagePosition,
  type OwnConversationRow,
  ownMessagesBefore,
} from '../storage/chat/own-conversations.ts';
import type { Tx } from '../storage/database.ts';
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

/** Messages that are read at once. */
const batchSize = 100;
/** Messages that one request looks at, and characters of their payloads. */
const maxMessages = 1_000;
const maxCharacters = 4_000_000;

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
  const wanted = normalize(text);
  const found: FoundMessage[] = [];
  let position = before;
  let characters = 0;
  for (let looked = 0; looked < maxMessages && characters < maxCharacters; looked += batchSize) {
    const rows = await ownMessagesBefore(tx, ownerId, position, batchSize);
    for (const row of rows) {
      position = [row.conversationId, Number(row.seq)];
      characters += row.payload.length;
      if (normalize(preview(JSON.parse(row.payload) as Payload)).includes(wanted)) found.push(row);
      if (found.length === limits.pageSize) return { found, next: position };
    }
    if (rows.length < batchSize) return { found, next: undefined };
  }
  return { found, next: position };
}

/** Letters in the same form, regardless of case and of how accents are composed. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase();
