// Answers that bots write from elsewhere, one request for each piece. They live in memory: what was ended is a message,
// what nobody writes on is taken away, and none outlives the server.
import { limits } from '../../protocol/limits.ts';
import type { Message, Metadata, Payload } from '../../protocol/message.ts';
import type { RuntimeStream, StreamPosition } from '../../protocol/runtime.ts';
import { ApiError } from '../api/errors.ts';
import { assertSize } from '../api/payload-size.ts';
import { toMessage } from '../api/serializers.ts';
import type { Transcript } from '../chat/index.ts';
import type { Live, LiveStream } from '../realtime/presence.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../storage/chat/conversations.ts';
import { findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import { isStop, type OwnedStream, openBotStream } from './stream.ts';

/** Milliseconds without a word after which an answer is taken away, or one that has ended is forgotten. */
const idleTime = 60_000;

export interface BotStreams {
  /** Begins an answer. Throws QuotaExceeded where the bot has too many. */
  open(bot: BotRow, conversation: ConversationRow): RuntimeStream;
  /** Adds a piece. Throws ResourceNotFound, PayloadTooLarge, or InvalidPayload for a position that is ahead. */
  write(botId: string, id: string, delta: string, position: number | undefined): StreamPosition;
  /** Ends an answer; asked again, it gives the same message. Not within a write: it writes by itself. */
  end(botId: string, id: string, payload?: Payload, metadata?: Metadata): Promise<Message>;
  abort(botId: string, id: string): void;
  close(): void;
}

interface Entry {
  botId: string;
  owned: OwnedStream;
  /** Aborted when nobody may write on it any more. */
  life: AbortController;
  position: number;
  timer: NodeJS.Timeout;
}

export function createBotStreams({
  db,
  live,
  transcript,
}: {
  db: Database;
  live: Live;
  transcript: Transcript;
}): BotStreams {
  const entries = new Map<string, Entry>();

  function forget(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    clearTimeout(entry.timer);
    entry.owned.abort();
    entry.life.abort();
    entries.delete(id);
  }

  function entryOf(botId: string, id: string): Entry {
    const entry = entries.get(id);
    if (entry?.botId !== botId) throw new ApiError('ResourceNotFound', 'No such answer is being written.');
    entry.timer.refresh();
    return entry;
  }

  /** Stores the message that stays, once; what the visitor stopped is at most as long as a stream may be. */
  async function store(
    bot: BotRow,
    conversationId: string,
    payload: Payload,
    metadata: Metadata,
    stream: LiveStream,
  ): Promise<Message> {
    if (!metadata.stopped) assertSize('payload', payload);
    assertSize('metadata', metadata);
    return db.write(async (tx) => {
      const conversation = await conversationById(tx, conversationId);
      if (!conversation) throw new ApiError('ResourceNotFound', 'The conversation does not exist any more.');
      const author = { id: bot.userId, foreignId: null, isBot: true, origin: originOf(stream.id) };
      let row = await findMessageByOrigin(tx, author.origin);
      // Registered before the message's own effect: `complete` goes out first, as clients expect.
      tx.afterCommit(() => {
        if (row) stream.complete(toMessage(row, publicId(conversation)));
      });
      row ??= await transcript.addMessage(tx, conversation, author, { payload, metadata });
      return toMessage(row, conversation.id);
    });
  }

  return {
    open(bot, conversation) {
      const open = [...entries.values()].filter(({ botId }) => botId === bot.id).length;
      if (open >= limits.openStreams) {
        throw new ApiError('QuotaExceeded', `A bot may write ${limits.openStreams} answers at a time.`);
      }
      const life = new AbortController();
      const owned = openBotStream({
        live,
        place: {
          conversation: { id: conversation.id, publicId: publicId(conversation) },
          user: { id: bot.userId, publicId: bot.userId },
        },
        signal: life.signal,
        store: (payload, metadata, stream) => store(bot, conversation.id, payload, metadata, stream),
      });
      const { id } = owned.stream;
      const timer = setTimeout(() => forget(id), idleTime).unref();
      entries.set(id, { botId: bot.id, owned, life, position: 0, timer });
      return { id, conversationId: conversation.id, createdAt: new Date().toISOString() };
    },

    write(botId, id, delta, position) {
      const entry = entryOf(botId, id);
      const { stream } = entry.owned;
      const known = position === undefined ? 0 : entry.position - position;
      if (known < 0)
        throw new ApiError('InvalidPayload', `position: The answer has ${entry.position} characters.`);
      const piece = delta.slice(known);
      if (entry.position + piece.length > limits.payloadBytes) {
        throw new ApiError('PayloadTooLarge', `An answer may have ${limits.payloadBytes} characters.`);
      }
      if (!stream.signal.aborted) {
        stream.write(piece);
        entry.position += piece.length;
      }
      return { position: entry.position, stopped: stream.signal.aborted };
    },

    async end(botId, id, payload, metadata) {
      const entry = entries.get(id);
      if (!entry) return ended(db, botId, id);
      const { stream } = entryOf(botId, id).owned;
      if (payload === undefined && entry.position === 0 && !stream.signal.aborted) {
        throw new ApiError('InvalidPayload', 'payload: Nothing was written, so there has to be one.');
      }
      return stream.end(payload, metadata ? { metadata } : {}).catch((error: unknown) => {
        throw isStop(error)
          ? new ApiError('ResourceGone', 'The visitor stopped the answer before anything was written.')
          : error;
      });
    },

    abort(botId, id) {
      entryOf(botId, id);
      forget(id);
    },

    close() {
      for (const id of [...entries.keys()]) forget(id);
    },
  };
}

const originOf = (streamId: string): string => `runtime:${streamId}`;

/** The message of an answer that has ended, also in an earlier life of the server. */
async function ended(db: Database, botId: string, id: string): Promise<Message> {
  return db.read(async (tx) => {
    const row = await findMessageByOrigin(tx, originOf(id));
    const conversation = row && (await conversationById(tx, row.conversationId));
    if (!row || conversation?.botId !== botId) {
      throw new ApiError('ResourceNotFound', 'No such answer is being written.');
    }
    return toMessage(row, conversation.id);
  });
}
