// Answer streams that bots write through the Runtime API, in a server of several processes: each request can reach another
// one, so that the text is in the database until the stream ends.
import type { Logger } from 'pino';
import type { Message, Metadata, Payload } from '../../../protocol/message.ts';
import type { Part } from '../../../protocol/parts.ts';
import { ApiError } from '../../api/errors.ts';
import { splitHalf } from '../../api/message-text.ts';
import { createPartList } from '../../api/part-list.ts';
import { serializeMessage } from '../../api/serializers.ts';
import { assertMessageSize, assertSize } from '../../api/validation.ts';
import {
  assertCanOpen,
  type BotStreams,
  type EndedAnswer,
  endParts,
  findFinishedMessage,
  hasBlock,
  idleTimeMs,
  interruptsFor,
  newChange,
  newPiece,
  noStream,
  nothingWritten,
  originOf,
  payloadOf,
  stoppedBefore,
} from '../../bots/index.ts';
import type { Transcript } from '../../chat/index.ts';
import type { AnswerStreamIds } from '../../realtime/answer-streams.ts';
import { botById } from '../../storage/bots/bots.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import { findMessageByOrigin } from '../../storage/chat/messages.ts';
import {
  appendPiece,
  type BotStreamRow,
  countBotStreams,
  deleteBotStream,
  deleteIdleStreams,
  findBotStream,
  holdBotStream,
  insertBotStream,
  openStreamsOf,
  setStreamParts,
  stopBotStream,
  textOfStream,
} from '../../storage/cluster/bot-streams.ts';
import type { Database, Tx, WriteTx } from '../../storage/database.ts';
import { createId, publicId } from '../../storage/ids.ts';
import type { SharedPresence } from './shared-presence.ts';

/** Milliseconds between two removals of idle streams, and how many are removed at once. */
const cleanupIntervalMs = 60_000;
const sweepLimit = 100;

/** The parts of a stream. They are stored with the halves of characters that wait for the next piece. */
const listOf = ({ parts }: BotStreamRow) => createPartList(JSON.parse(parts ?? '[]') as Part[]);
const partsOf = (row: BotStreamRow): Part[] => [...listOf(row).parts];

/** The text of a stream, without half a character at its end. */
const wholeText = async (tx: Tx, id: string): Promise<string> => splitHalf(await textOfStream(tx, id)).whole;

interface SharedStreamOptions {
  db: Database;
  presence: SharedPresence;
  transcript: Transcript;
  logger: Logger;
  now(): number;
}

export function createSharedStreams({
  db,
  presence,
  transcript,
  logger,
  now,
}: SharedStreamOptions): BotStreams {
  /** The ids of a stream as signals have them. */
  async function idsOf(tx: Tx, row: BotStreamRow): Promise<AnswerStreamIds | undefined> {
    const conversation = await conversationById(tx, row.conversationId);
    const bot = await botById(tx, row.botId);
    return (
      conversation &&
      bot && {
        streamId: row.id,
        conversationId: publicId(conversation),
        userId: bot.userId,
        createdAt: new Date(row.createdAt).toISOString(),
      }
    );
  }

  /** Stores the message of a stream. */
  async function store(
    tx: WriteTx,
    row: BotStreamRow,
    payload: Payload | undefined,
    metadata: Metadata,
    { interrupts = [], userId }: EndedAnswer = {},
  ): Promise<Message> {
    const text = await wholeText(tx, row.id);
    const { parts, asked } = endParts(partsOf(row), interrupts, text.length, now());
    const content = { payload: payload ?? payloadOf(text, parts), metadata, parts };
    if (metadata.stopped) assertSize('metadata', metadata);
    else assertMessageSize(content);
    const conversation = await conversationById(tx, row.conversationId);
    const bot = await botById(tx, row.botId);
    if (!conversation || !bot) throw new ApiError('ResourceNotFound', 'The conversation no longer exists.');
    const author = { id: bot.userId, foreignId: null, isBot: true, origin: originOf(row.id) };
    const message = await transcript.addMessage(tx, conversation, author, {
      ...content,
      isEnd: metadata.stopped === true,
      ...(await interruptsFor(tx, conversation, asked, userId)),
    });
    return serializeMessage(message, conversation.id);
  }

  async function hold(tx: WriteTx, botId: string, id: string): Promise<BotStreamRow> {
    const row = await holdBotStream(tx, botId, id, idleTimeMs);
    if (!row) throw noStream();
    return row;
  }

  presence.share({
    read: (conversationId) =>
      db.read(async (tx) => {
        const pieces = [];
        for (const row of await openStreamsOf(tx, conversationId)) {
          const ids = await idsOf(tx, row);
          const parts = { version: row.partsVersion, parts: partsOf(row) };
          if (ids) pieces.push({ ...ids, position: 0, delta: await wholeText(tx, row.id), ...parts });
        }
        return pieces;
      }),
    stop: (conversationId, id) =>
      db.write(async (tx) => {
        const row = await stopBotStream(tx, conversationId, id);
        if (!row) return false;
        const markdown = await wholeText(tx, id);
        // The message in the log ends the stream at all processes.
        if (markdown !== '' || hasBlock(partsOf(row)))
          await store(tx, row, undefined, { streamId: id, stopped: true });
        else tx.afterCommit(() => presence.abortStream(conversationId, id));
        return true;
      }),
  });
  const timer = setInterval(() => {
    db.write((tx) => deleteIdleStreams(tx, sweepLimit)).catch((error: unknown) =>
      logger.warn({ err: error }, 'idle streams could not be removed'),
    );
  }, cleanupIntervalMs).unref();

  return {
    async open(bot, conversation) {
      const id = createId('stream');
      const createdAt = now();
      await db.write(async (tx) => {
        await tx.lock(`bot:${bot.id}`);
        assertCanOpen(await countBotStreams(tx, bot.id));
        await insertBotStream(
          tx,
          { id, botId: bot.id, conversationId: conversation.id, createdAt },
          idleTimeMs,
        );
      });
      return { id, conversationId: conversation.id, createdAt: new Date(createdAt).toISOString() };
    },

    async write(botId, id, written) {
      const { part, textPosition } = written;
      return db.write(async (tx) => {
        const row = await hold(tx, botId, id);
        const piece = newPiece(row.position, written);
        const end = row.position + piece.length;
        if (row.stopped === 1) return { position: row.position, stopped: true };
        const before = piece === '' ? '' : splitHalf(await appendPiece(tx, id, row.position, piece)).half;
        const { whole, half } = splitHalf(before + piece);
        const list = part && listOf(row);
        const at = end - half.length;
        const change = part && list?.apply(newChange(list.received, part, at, textPosition));
        if (list && part) await setStreamParts(tx, id, JSON.stringify(list.received), change !== undefined);
        const ids = whole !== '' || change ? await idsOf(tx, row) : undefined;
        tx.afterCommit(() => {
          if (!ids) return;
          const { conversationId, position, partsVersion } = row;
          const start = position - before.length;
          if (whole !== '') presence.publishPiece(conversationId, { ...ids, position: start, delta: whole });
          if (!list || !change) return;
          const parts = { ...ids, version: partsVersion + 1, parts: [...list.parts] };
          presence.publishPart(conversationId, parts, change);
        });
        return { position: end, stopped: false };
      });
    },

    async end(botId, id, answer) {
      const { payload, metadata, interrupts = [] } = answer;
      const stored = await db.write(async (tx) => {
        const row = await holdBotStream(tx, botId, id, idleTimeMs);
        // It has ended, or a visitor has stopped it: the message exists.
        if (!row || (await findMessageByOrigin(tx, originOf(id)))) return undefined;
        if (row.stopped === 1) throw stoppedBefore();
        const isEmpty =
          payload === undefined && row.position === 0 && interrupts.length === 0 && !hasBlock(partsOf(row));
        if (isEmpty) throw nothingWritten();
        const message = await store(tx, row, payload, { ...metadata, streamId: id }, answer);
        await deleteBotStream(tx, id);
        return message;
      });
      return stored ?? findFinishedMessage(db, botId, id);
    },

    async abort(botId, id) {
      const isOpen = await db.write(async (tx) => {
        const row = await holdBotStream(tx, botId, id, idleTimeMs);
        if (!row) return false;
        await deleteBotStream(tx, id);
        tx.afterCommit(() => presence.abortStream(row.conversationId, id));
        return true;
      });
      // One that has ended has a message, which stays.
      if (!isOpen) await findFinishedMessage(db, botId, id);
    },

    async conversationOf(tx, botId, id) {
      const found = (await findBotStream(tx, botId, id)) ?? (await findMessageByOrigin(tx, originOf(id)));
      return found?.conversationId;
    },

    close: () => clearInterval(timer),
  };
}
