// A message that another process is writing, as far as its pieces have arrived.
import { applyPartChange, type Part } from '../../../protocol/parts.ts';
import { deltaFrame, partFrame, type StreamIds, wholeFrame } from '../../realtime/message-streams.ts';
import type { Frame } from '../../realtime/sse-frames.ts';
import {
  createPartsReader,
  type StreamPartChange,
  type StreamParts,
  type StreamPiece,
} from './stream-messages.ts';

/** What an arrival means: a frame for the subscribers, something before it that is missing, or nothing new. */
export type Arrival = Frame | 'gap' | undefined;

export interface StreamMirror {
  readonly ids: StreamIds;
  /** Characters of the text, and changes of the parts that have arrived. */
  readonly position: number;
  readonly version: number;
  addPiece(piece: StreamPiece): Arrival;
  addPart(change: StreamPartChange): Arrival;
  setParts(parts: StreamParts): Arrival;
  /** A message of `partsMessages`. */
  addParts(message: string): Arrival;
  /** All that has arrived; undefined for nothing. */
  snapshot(): Frame | undefined;
}

export function createStreamMirror(ids: StreamIds): StreamMirror {
  const reader = createPartsReader();
  let text = '';
  let parts: readonly Part[] = [];
  let version = 0;
  /** Each process counts the frames that it publishes. */
  let sequence = -1;

  function setParts(given: StreamParts): Arrival {
    if (given.version <= version) return undefined;
    ({ parts, version } = given);
    sequence += 1;
    return wholeFrame(ids, sequence, text, parts);
  }

  return {
    ids,
    get position() {
      return text.length;
    },
    get version() {
      return version;
    },
    addPiece({ position, delta }) {
      const known = text.length - position;
      if (known < 0) return 'gap';
      const piece = delta.slice(known);
      if (piece === '') return undefined;
      text += piece;
      sequence += 1;
      return deltaFrame(ids, sequence, piece);
    },
    addPart({ version: next, change }) {
      if (next <= version) return undefined;
      if (next > version + 1) return 'gap';
      parts = applyPartChange(parts, change);
      version = next;
      sequence += 1;
      return partFrame(ids, sequence, change);
    },
    setParts,
    addParts(message) {
      const whole = reader.read(message);
      return whole && setParts(whole);
    },
    snapshot: () => wholeFrame(ids, sequence, text, parts),
  };
}
