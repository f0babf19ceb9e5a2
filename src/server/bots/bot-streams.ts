// Interface and checks of streams that bots write through the Runtime API, the same in one process and in several.
import { limits } from '../../protocol/limits.ts';
import type { Message, Metadata, Payload } from '../../protocol/message.ts';
import type { Part, PartChange } from '../../protocol/parts.ts';
import type { NewInterrupt } from '../../protocol/types/interrupts.ts';
import type { RuntimeStream, StreamPosition } from '../../protocol/types/runtime.ts';
import { ApiError } from '../api/errors.ts';
import { serializeMessage } from '../api/serializers.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../storage/chat/conversations.ts';
import { findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database, Tx } from '../storage/database.ts';

/** Milliseconds without a request after which a stream is aborted, or an ended one is forgotten. */
export const idleTimeMs = 60_000;

export interface BotStreams {
  /** Starts a stream. Must not be called in a write transaction, as all methods. Throws QuotaExceeded when the bot has too many open ones. */
  open(bot: BotRow, conversation: ConversationRow): Promise<RuntimeStream>;
  /**
   * Appends a piece of text, and then changes a part. Throws ResourceNotFound, PayloadTooLarge, or InvalidPayload: for a
   * position beyond the end, and for a part that is not valid.
   */
  write(botId: string, id: string, piece: WrittenPiece): Promise<StreamPosition>;
  /** Ends a stream; a repeated call returns the same message. Must not be called in a write transaction: it opens one. */
  end(botId: string, id: string, answer: EndedAnswer): Promise<Message>;
  abort(botId: string, id: string): Promise<void>;
  /** The server id of the conversation of a stream that is open or has become a message; undefined for another id. */
  conversationOf(tx: Tx, botId: string, id: string): Promise<string | undefined>;
  close(): void;
}

/** How an answer ends. `interrupts`: questions to `userId`, by default the only participant of the conversation. */
export interface EndedAnswer {
  payload?: Payload;
  metadata?: Metadata;
  interrupts?: readonly NewInterrupt[];
  userId?: string;
}

/** `position`, `textPosition`: the characters before `delta`, and before `textDelta` of the part. */
export interface WrittenPiece {
  delta?: string;
  position?: number;
  part?: PartChange;
  textPosition?: number;
}

export const noStream = (): ApiError => new ApiError('ResourceNotFound', 'No stream has this id.');

export const nothingWritten = (): ApiError =>
  new ApiError('InvalidPayload', 'payload: Required when nothing was written to the stream.');

export const stoppedBefore = (): ApiError =>
  new ApiError('ResourceGone', 'The visitor stopped the stream before anything was written.');

/** Throws QuotaExceeded. `open`: the open streams of the bot. */
export function assertCanOpen(open: number): void {
  if (open < limits.openStreams) return;
  throw new ApiError('QuotaExceeded', `A bot can have ${limits.openStreams} open streams.`);
}

/** The text that is new, after `length` characters. Throws InvalidPayload and PayloadTooLarge. */
export function newPiece(length: number, { delta = '', position }: WrittenPiece): string {
  const overlap = position === undefined ? 0 : length - position;
  if (overlap < 0) throw new ApiError('InvalidPayload', `position: The stream has ${length} characters.`);
  const piece = delta.slice(overlap);
  if (length + piece.length > limits.streamCharacters)
    throw new ApiError('PayloadTooLarge', `A stream is limited to ${limits.streamCharacters} characters.`);
  return piece;
}

/** The change of a part that a bot sends: without the text that it sent before, and with the place of a new part. */
export function newChange(
  parts: readonly Part[],
  change: PartChange,
  position: number,
  textPosition: number | undefined,
): PartChange {
  const part = parts.find(({ id }) => id === change.id);
  const positioned = part ? change : { at: position, ...change };
  if (textPosition === undefined || positioned.textDelta === undefined) return positioned;
  const length = part && 'text' in part ? (part.text ?? '').length : 0;
  if (textPosition > length)
    throw new ApiError('InvalidPayload', `textPosition: The text of the part has ${length} characters.`);
  return { ...positioned, textDelta: positioned.textDelta.slice(length - textPosition) };
}

export const originOf = (streamId: string): string => `runtime:${streamId}`;

/** The message of a stream that has ended, possibly before the last restart of the server. */
export async function findFinishedMessage(db: Database, botId: string, id: string): Promise<Message> {
  return db.read(async (tx) => {
    const row = await findMessageByOrigin(tx, originOf(id));
    const conversation = row && (await conversationById(tx, row.conversationId));
    if (!row || conversation?.botId !== botId) throw noStream();
    return serializeMessage(row, conversation.id);
  });
}
