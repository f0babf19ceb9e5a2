// Puts the texts of an answer into one order: agents can write several messages at the same time, but an answer has one
// text.
import { limits } from '../../../../../protocol/limits.ts';
import type { Emit } from './event-reader.ts';

/** The maximum number of messages that are kept apart. Text of further messages is written as it arrives. */
const maxTexts = 1_000;

export interface AnswerTexts {
  /** Writes a piece of a message. A message that begins before another one has ended waits for its end. */
  write(id: string, delta: string, emit: Emit): void;
  /** The message has ended. */
  close(id: string, emit: Emit): void;
  /** All messages have ended. */
  closeAll(emit: Emit): void;
  /** Sets the position to which `reset` returns. */
  mark(): void;
  /** Removes the text since the mark. */
  reset(): void;
  /** Whether a piece of this message has arrived. */
  has(id: string): boolean;
  /** UTF-16 units of all text so far, without waiting text. */
  readonly length: number;
}

export function createAnswerTexts(): AnswerTexts {
  const knownIds = new Set<string>();
  /** The message that is written, and those that wait. */
  let current: string | undefined;
  const waiting = new Map<string, { text: string; isClosed: boolean }>();
  let waitingLength = 0;
  let last: string | undefined;
  let length = 0;
  let marked: { last: string | undefined; length: number } = { last, length };

  function send(id: string, delta: string, emit: Emit): void {
    if (last !== undefined && last !== id) emit({ type: 'paragraph' });
    last = id;
    length += delta.length;
    emit({ type: 'text', delta });
  }

  /** Writes the next message that waits, and all after it until one is open. */
  function next(emit: Emit): void {
    current = undefined;
    for (const [id, { text, isClosed }] of waiting) {
      waiting.delete(id);
      waitingLength -= text.length;
      send(id, text, emit);
      if (isClosed) continue;
      current = id;
      return;
    }
  }

  function closeAll(emit: Emit): void {
    for (const message of waiting.values()) message.isClosed = true;
    next(emit);
  }

  return {
    write(id, delta, emit) {
      if (delta === '') return;
      if (knownIds.size < maxTexts) knownIds.add(id);
      if (current === undefined || current === id) {
        current = id;
        return send(id, delta, emit);
      }
      const message = waiting.get(id) ?? { text: '', isClosed: false };
      message.text += delta;
      message.isClosed = false;
      waiting.set(id, message);
      waitingLength += delta.length;
      // An answer cannot be longer: it is cut or fails at this length, so the order of further text does not matter.
      if (waitingLength > limits.streamCharacters) closeAll(emit);
    },
    close(id, emit) {
      if (current === id) return next(emit);
      const message = waiting.get(id);
      if (message) message.isClosed = true;
    },
    closeAll,
    mark() {
      marked = { last, length };
    },
    reset() {
      ({ last, length } = marked);
      waiting.clear();
      waitingLength = 0;
      current = undefined;
    },
    has: (id) => knownIds.has(id),
    get length() {
      return length;
    },
  };
}

export interface Reasoning {
  write(id: string, delta: string, emit: Emit): void;
  /** The item to which the last piece belongs. */
  readonly last: string | undefined;
}

/** Reads the reasoning of an agent: each item begins a paragraph. */
export function createReasoning(): Reasoning {
  let last: string | undefined;
  return {
    write(id, delta, emit) {
      if (delta === '') return;
      const isNext = last !== undefined && last !== id;
      last = id;
      emit({ type: 'reasoning', delta: isNext ? `\n\n${delta}` : delta });
    },
    get last() {
      return last;
    },
  };
}
