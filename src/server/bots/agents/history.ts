// Reads the part of the conversation that an agent gets: as many of the newest messages as fit.
import { type Message, preview } from '../../../protocol/message.ts';
import { type Part, type PartOf, textOfInterrupts } from '../../../protocol/parts.ts';
import { beginningOf } from '../../api/message-text.ts';
import { nextTurn } from '../../api/yielder.ts';
import { listMessages, type MessageRow } from '../../storage/chat/messages.ts';
import type { Tx } from '../../storage/database.ts';
import { batchBytes, isCut } from '../../storage/read-bytes.ts';
import type { HistoryMessage } from './protocol.ts';

const maxMessages = 40;
const maxCharacters = 100_000;
/** Characters of one message. */
const maxText = 16_000;
/** Rows that are read at once. */
const pageSize = 10;

export interface AnsweredMessage {
  conversationId: string;
  /** Undefined if the run continues after an interrupt. */
  message: Message | undefined;
  /** The sequence number of the message, or of the message whose interrupt was answered. */
  seq: number;
}

/**
 * Returns the messages before the answered message, and the answered message at the end, without superseded ones. Later
 * messages of visitors are left out, because a separate run answers each of them.
 */
export async function readHistory(tx: Tx, answered: AnsweredMessage): Promise<HistoryMessage[]> {
  const { conversationId, message, seq } = answered;
  const history = message ? [entryOf({ ...message, role: 'user' })] : [];
  let characters = history[0]?.text.length ?? 0;
  let before: number | undefined;
  for (;;) {
    const rows = await listMessages(tx, conversationId, before, pageSize, batchBytes);
    for (const row of rows) {
      const isLater = row.isBot === 0 && row.author === null && row.seq > seq;
      if (isLater || row.id === message?.id || row.supersededBy !== null || isNotice(row) || isCall(row))
        continue;
      const entry = entryOf({
        id: row.id,
        // A text of a person of the team must not look like a text of the visitor.
        role: row.isBot === 1 || row.author !== null ? 'assistant' : 'user',
        payload: JSON.parse(row.payload) as Message['payload'],
        createdAt: new Date(row.createdAt).toISOString(),
      });
      if (entry.text.trim() === '') continue;
      characters += entry.text.length;
      if (history.length >= maxMessages || characters > maxCharacters) return history.reverse();
      history.push(entry);
    }
    if (rows.length < pageSize && !isCut(rows, batchBytes)) return history.reverse();
    await nextTurn();
    before = rows.at(-1)?.seq;
  }
}

/** A message that contains only an error message of the server. */
function isNotice({ metadata }: MessageRow): boolean {
  if (metadata === null) return false;
  const { error, development } = JSON.parse(metadata) as { error?: unknown; development?: unknown };
  return error === 'bot_failed' || error === 'agent_limit' || development === true;
}

/** A message that only calls tools of the page: the bot did not write its text. */
function isCall({ parts: json, payload }: MessageRow): boolean {
  if (json === null) return false;
  const parts = JSON.parse(json) as Part[];
  const interrupts = parts.filter(({ type }) => type === 'interrupt') as PartOf<'interrupt'>[];
  const { type, text } = JSON.parse(payload) as { type: string; text?: unknown };
  return (
    interrupts.length > 0 &&
    interrupts.every(({ reason }) => reason === 'client_tool') &&
    type === 'text' &&
    text === textOfInterrupts(parts)
  );
}

function entryOf({
  id,
  role,
  payload,
  createdAt,
}: Pick<HistoryMessage, 'id' | 'role' | 'createdAt'> & { payload: Message['payload'] }): HistoryMessage {
  const text = beginningOf(preview(payload) || payload.type, maxText);
  return { id, role, text, createdAt };
}
