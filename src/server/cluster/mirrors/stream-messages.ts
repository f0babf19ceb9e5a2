// Messages between processes about answer streams, as JSON texts of limited length.
import type { Part, PartChange } from '../../../protocol/parts.ts';
import { beginningOf } from '../../api/message-text.ts';
import type { AnswerStreamIds } from '../../realtime/answer-streams.ts';

/** A piece of the text, and where it begins. An empty one tells how long the text is. */
export interface StreamPiece extends AnswerStreamIds {
  position: number;
  delta: string;
}

/** Characters of the largest piece: at most 6,000 bytes as JSON, which a relay carries. */
const maxPieceLength = 1_000;

/**
 * Returns the messages with the text from `position` on; one with an empty piece if there is none. `start`: the position of
 * the text itself in its stream.
 */
export function pieceMessages(ids: AnswerStreamIds, text: string, position: number, start = 0): string[] {
  const messages: string[] = [];
  for (let from = position; from < text.length; ) {
    // No piece ends within a character.
    const piece = beginningOf(text.slice(from), maxPieceLength) || text.slice(from, from + 1);
    messages.push(pieceMessage(ids, start + from, piece));
    from += piece.length;
  }
  return messages.length > 0 ? messages : [pieceMessage(ids, start + position, '')];
}

const pieceMessage = (
  { streamId, conversationId, userId, createdAt }: AnswerStreamIds,
  position: number,
  delta: string,
) => JSON.stringify([streamId, conversationId, userId, createdAt, position, delta]);

/** Reads a message of `pieceMessages`. */
export function readPiece(message: string): StreamPiece {
  const [streamId, conversationId, userId, createdAt, position, delta] = JSON.parse(message);
  return { streamId, conversationId, userId, createdAt, position, delta };
}

/** The parts of a stream after a number of changes, which is their version. */
export interface AnswerStreamParts extends AnswerStreamIds {
  version: number;
  parts: Part[];
}

/** Streams whose text is in the database, because any process can get their pieces. */
export interface SharedAnswerStreams {
  /** Returns the whole texts and the parts of the streams of a conversation. */
  read(conversationId: string): Promise<(StreamPiece & AnswerStreamParts)[]>;
  /** Stops a stream. Returns false if it is none of these, or does not run any more. */
  stop(conversationId: string, streamId: string): Promise<boolean>;
}

/** The change of a part that leads to a version. */
export interface StreamPartChange extends AnswerStreamIds {
  version: number;
  change: PartChange;
}

/** Returns the message with a change of a part; undefined if it is too long for a relay. */
export function partMessage({ change, version, ...ids }: StreamPartChange): string | undefined {
  const message = JSON.stringify([...idsOf(ids), version, change]);
  return Buffer.byteLength(message) > maxMessageBytes ? undefined : message;
}

/** Bytes of the largest message with a change. */
const maxMessageBytes = 4_000;

export function readPart(message: string): StreamPartChange {
  const [streamId, conversationId, userId, createdAt, version, change] = JSON.parse(message);
  return { streamId, conversationId, userId, createdAt, version, change };
}

/** Returns the messages with all parts. */
export function partsMessages({ parts, version, ...ids }: AnswerStreamParts): string[] {
  const text = JSON.stringify(parts);
  const count = Math.ceil(text.length / maxPieceLength);
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify([
      ...idsOf(ids),
      version,
      n,
      count,
      text.slice(n * maxPieceLength, (n + 1) * maxPieceLength),
    ]),
  );
}

/** Reads the ids of a message of `partsMessages`. */
export function readIds(message: string): AnswerStreamIds {
  const [streamId, conversationId, userId, createdAt] = JSON.parse(message);
  return { streamId, conversationId, userId, createdAt };
}

/** Puts the messages of `partsMessages` together, of one stream. */
export function createPartsReader(): { read(message: string): AnswerStreamParts | undefined } {
  let newest = -1;
  let pieces: (string | undefined)[] = [];
  return {
    read(message) {
      const [streamId, conversationId, userId, createdAt, version, n, count, text] = JSON.parse(message);
      if (version < newest) return undefined;
      if (version > newest || pieces.length !== count) pieces = Array.from({ length: count });
      newest = version;
      pieces[n] = text;
      if (pieces.includes(undefined)) return undefined;
      const parts = JSON.parse(pieces.join('')) as Part[];
      return { streamId, conversationId, userId, createdAt, version, parts };
    },
  };
}

const idsOf = ({ streamId, conversationId, userId, createdAt }: AnswerStreamIds): string[] => [
  streamId,
  conversationId,
  userId,
  createdAt,
];
