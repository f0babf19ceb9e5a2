// Message streams that bots write through the Runtime API, one request per piece, in a server of one process. They are kept in memory: an ended
// stream becomes a message, an idle one is aborted, and a restart of the server aborts all of them.

import { limits } from '../../../protocol/limits.ts';
import type { Message, Metadata, Payload } from '../../../protocol/message.ts';
import type { Part, PartChange } from '../../../protocol/parts.ts';
import type { NewInterrupt } from '../../../protocol/types/interrupts.ts';
import type { RuntimeStream, StreamPosition } from '../../../protocol/types/runtime.ts';
import { ApiError } from '../../api/errors.ts';
import { splitHalf } from '../../api/message-text.ts';
import { assertMessageSize, assertSize } from '../../api/payload-size.ts';
import { serializeMessage } from '../../api/serializers.ts';
import type { Transcript } from '../../chat/index.ts';
import type { MessageStream } from '../../realtime/participant-stream.ts';
import type { Presence } from '../../realtime/presence.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import { findMessageByOrigin } from '../../storage/chat/messages.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { createId, publicId } from '../../storage/ids.ts';
import {
  type BotStreamHandle,
  hasBlock,
  isVisitorStop,
  openBotStream,
  type StreamedContent,
} from '../answers/stream.ts';
import { interruptsFor } from './asked-user.ts';

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

interface Entry {
  botId: string;
  conversationId: string;
  owned: BotStreamHandle;
  /** Aborted when the stream accepts no more writes. */
  controller: AbortController;
  position: number;
  /** The first half of a character, which waits for the next piece. */
  half: string;
  /** The user for the questions at the end; by default the only participant. */
  userId?: string | undefined;
  timer: NodeJS.Timeout;
}

export function createBotStreams({
  db,
  presence,
  transcript,
  now,
}: {
  db: Database;
  presence: Presence;
  transcript: Transcript;
  now(): number;
}): BotStreams {
  const entries = new Map<string, Entry>();

  function dispose(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    clearTimeout(entry.timer);
    entry.owned.abort();
    entry.controller.abort();
    entries.delete(id);
  }

  function entryOf(botId: string, id: string): Entry {
    const entry = entries.get(id);
    if (entry?.botId !== botId) throw new ApiError('ResourceNotFound', 'No stream has this id.');
    entry.timer.refresh();
    return entry;
  }

  /** Stores the final message once. The size check is skipped for a stopped stream, which the limit of streams bounds. */
  async function store(
    bot: BotRow,
    conversationId: string,
    { payload, metadata, parts, asked, isEnd = false }: StreamedContent,
    stream: MessageStream,
    userId: string | undefined,
  ): Promise<Message> {
    if (!metadata.stopped) assertMessageSize({ payload, metadata });
    else assertSize('metadata', metadata);
    return db.write(async (tx) => {
      const conversation = await conversationById(tx, conversationId);
      if (!conversation) throw new ApiError('ResourceNotFound', 'The conversation no longer exists.');
      const author = { id: bot.userId, foreignId: null, isBot: true, origin: originOf(stream.id) };
      let row = await findMessageByOrigin(tx, author.origin);
      // Registered before the effect of addMessage: clients expect `complete` before `message_created`.
      tx.afterCommit(() => {
        if (row) stream.complete(serializeMessage(row, publicId(conversation)));
      });
      row ??= await transcript.addMessage(tx, conversation, author, {
        ...{ payload, metadata, parts, isEnd },
        ...(await interruptsFor(tx, conversation, asked, userId)),
      });
      return serializeMessage(row, conversation.id);
    });
  }

  return {
    async open(bot, conversation) {
      const open = [...entries.values()].filter(({ botId }) => botId === bot.id).length;
      if (open >= limits.openStreams) {
        throw new ApiError('QuotaExceeded', `A bot can have ${limits.openStreams} open streams.`);
      }
      const controller = new AbortController();
      const id = createId('stream');
      const owned = openBotStream({
        id,
        presence,
        participant: {
          conversation: { id: conversation.id, publicId: publicId(conversation) },
          user: { id: bot.userId, publicId: bot.userId },
        },
        signal: controller.signal,
        now,
        store: (content, stream) => store(bot, conversation.id, content, stream, entries.get(id)?.userId),
      });
      const timer = setTimeout(() => dispose(id), idleTimeMs).unref();
      const conversationId = conversation.id;
      entries.set(id, { botId: bot.id, conversationId, owned, controller, position: 0, half: '', timer });
      return { id, conversationId, createdAt: new Date().toISOString() };
    },

    async write(botId, id, { delta = '', position, part, textPosition }) {
      const entry = entryOf(botId, id);
      const { stream, receivedParts, text } = entry.owned;
      const known = position === undefined ? 0 : entry.position - position;
      if (known < 0)
        throw new ApiError('InvalidPayload', `position: The stream has ${entry.position} characters.`);
      const piece = delta.slice(known);
      if (entry.position + piece.length > limits.streamCharacters) {
        throw new ApiError(
          'PayloadTooLarge',
          `A stream is limited to ${limits.streamCharacters} characters.`,
        );
      }
      if (!stream.signal.aborted) {
        const { whole, half } = splitHalf(entry.half + piece);
        entry.owned.append(whole);
        entry.half = half;
        entry.position += piece.length;
        if (part) entry.owned.changePart(newChange(receivedParts(), part, text().length, textPosition));
      }
      return { position: entry.position, stopped: stream.signal.aborted };
    },

    async end(botId, id, { payload, metadata, interrupts = [], userId }) {
      const entry = entries.get(id);
      if (!entry) return findFinishedMessage(db, botId, id);
      const { stream } = entryOf(botId, id).owned;
      entry.userId = userId;
      const isEmpty =
        payload === undefined &&
        entry.owned.text() === '' &&
        interrupts.length === 0 &&
        !hasBlock(entry.owned.parts());
      if (isEmpty && !stream.signal.aborted) {
        throw new ApiError('InvalidPayload', 'payload: Required when nothing was written to the stream.');
      }
      return stream
        .end(payload, { ...(metadata ? { metadata } : {}), interrupts })
        .catch((error: unknown) => {
          throw isVisitorStop(error)
            ? new ApiError('ResourceGone', 'The visitor stopped the stream before anything was written.')
            : error;
        });
    },

    async abort(botId, id) {
      entryOf(botId, id);
      dispose(id);
    },

    async conversationOf(tx, botId, id) {
      const entry = entries.get(id);
      if (entry) return entry.botId === botId ? entry.conversationId : undefined;
      return (await findMessageByOrigin(tx, originOf(id)))?.conversationId;
    },

    close() {
      for (const id of [...entries.keys()]) dispose(id);
    },
  };
}

/** The change of a part that a bot sends: without the text that it sent before, and with the place of a new part. */
export function newChange(
  parts: readonly Part[],
  change: PartChange,
  position: number,
  textPosition: number | undefined,
): PartChange {
  const part = parts.find(({ id }) => id === change.id);
  const given = part ? change : { at: position, ...change };
  if (textPosition === undefined || given.textDelta === undefined) return given;
  const length = part && 'text' in part ? (part.text ?? '').length : 0;
  if (textPosition > length)
    throw new ApiError('InvalidPayload', `textPosition: The text of the part has ${length} characters.`);
  return { ...given, textDelta: given.textDelta.slice(length - textPosition) };
}

export const originOf = (streamId: string): string => `runtime:${streamId}`;

/** The message of a stream that has ended, possibly before the last restart of the server. */
export async function findFinishedMessage(db: Database, botId: string, id: string): Promise<Message> {
  return db.read(async (tx) => {
    const row = await findMessageByOrigin(tx, originOf(id));
    const conversation = row && (await conversationById(tx, row.conversationId));
    if (!row || conversation?.botId !== botId) {
      throw new ApiError('ResourceNotFound', 'No stream has this id.');
    }
    return serializeMessage(row, conversation.id);
  });
}
