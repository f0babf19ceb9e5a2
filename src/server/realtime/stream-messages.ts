// What processes tell each other about message streams, as JSON texts of limited length.

/** The ids of a stream as signals have them, and the time when it began. */
export interface StreamIds {
  streamId: string;
  conversationId: string;
  userId: string;
  createdAt: string;
}

/** A piece of the text, and where it begins. An empty one tells how long the text is. */
export interface StreamPiece extends StreamIds {
  position: number;
  delta: string;
}

/** Characters of the largest piece: at most 6,000 bytes as JSON, which a relay carries. */
const largestPiece = 1_000;

/**
 * Returns the messages with the text from `position` on; one with an empty piece if there is none. `start`: the position of
 * the text itself in its stream.
 */
export function pieceMessages(ids: StreamIds, text: string, position: number, start = 0): string[] {
  const messages: string[] = [];
  for (let from = position; from < text.length; from += largestPiece) {
    messages.push(pieceMessage(ids, start + from, text.slice(from, from + largestPiece)));
  }
  return messages.length > 0 ? messages : [pieceMessage(ids, start + position, '')];
}

const pieceMessage = (
  { streamId, conversationId, userId, createdAt }: StreamIds,
  position: number,
  delta: string,
) => JSON.stringify([streamId, conversationId, userId, createdAt, position, delta]);

/** Reads a message of `pieceMessages`. */
export function readPiece(message: string): StreamPiece {
  const [streamId, conversationId, userId, createdAt, position, delta] = JSON.parse(message);
  return { streamId, conversationId, userId, createdAt, position, delta };
}
