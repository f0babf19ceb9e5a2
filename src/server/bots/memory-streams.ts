// Answer streams that bots write through the Runtime API, one request per piece, in a server of one process. They are kept in memory: an ended
// stream becomes a message, an idle one is aborted, and a restart of the server aborts all of them.
import type { Message } from '../../protocol/message.ts';
import { ApiError } from '../api/errors.ts';
import { splitHalf } from '../api/message-text.ts';
import { serializeMessage } from '../api/serializers.ts';
import { assertMessageSize, assertSize } from '../api/validation.ts';
import type { Transcript } from '../chat/index.ts';
import type { AnswerStream } from '../realtime/answer-streams.ts';
import type { Presence } from '../realtime/presence.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { conversationById } from '../storage/chat/conversations.ts';
import { findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database } from '../storage/database.ts';
import { createId, publicId } from '../storage/ids.ts';
import { interruptsFor } from './answers/asked-interrupts.ts';
import {
  type BotStreamHandle,
  hasBlock,
  isVisitorStop,
  openBotStream,
  type StreamedContent,
} from './answers/stream.ts';
import {
  assertCanOpen,
  type BotStreams,
  findFinishedMessage,
  idleTimeMs,
  newChange,
  newPiece,
  noStream,
  nothingWritten,
  originOf,
  stoppedBefore,
} from './bot-streams.ts';

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
    if (entry?.botId !== botId) throw noStream();
    entry.timer.refresh();
    return entry;
  }

  /** Stores the final message once. The size check is skipped for a stopped stream, which the limit of streams bounds. */
  async function store(
    bot: BotRow,
    conversationId: string,
    { payload, metadata, parts, asked, isEnd = false }: StreamedContent,
    stream: AnswerStream,
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
      assertCanOpen(open);
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

    async write(botId, id, written) {
      const { part, textPosition } = written;
      const entry = entryOf(botId, id);
      const { stream, receivedParts, text } = entry.owned;
      const piece = newPiece(entry.position, written);
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
        throw nothingWritten();
      }
      return stream
        .end(payload, { ...(metadata ? { metadata } : {}), interrupts })
        .catch((error: unknown) => {
          throw isVisitorStop(error) ? stoppedBefore() : error;
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
