// Parses a stream of JSON objects: a list of objects, or one object after the other (JSON Lines).
// Why not `stream-json`: it does not limit the size of an object (decision 152).
import { parseExact } from '../exact-json.ts';

/** The file does not have this form. The message contains the position, for the caller. */
export class JsonError extends Error {}

export interface JsonReader {
  /** Returns the objects that end in this chunk. */
  push(piece: string): Record<string, unknown>[];
  /** Throws JsonError when the file is incomplete. */
  end(): void;
}

/** Throws JsonError when an object has more than `most` characters. */
export function createJsonReader(most: number): JsonReader {
  let list: 'none' | 'open' | 'closed' = 'none';
  let text = '';
  let depth = 0;
  let inText = false;
  let escaped = false;
  let count = 0;

  function between(char: string): void {
    if (/[\s\ufeff]/.test(char)) return;
    if (char === '[' && list === 'none' && count === 0) list = 'open';
    else if (char === ']' && list === 'open') list = 'closed';
    else if (!(char === ',' && list === 'open' && count > 0)) {
      throw new JsonError(
        `After ${count} objects: ${JSON.stringify(char)} is not where an object may begin.`,
      );
    }
  }

  function finish(): Record<string, unknown> {
    try {
      return parseExact(text) as Record<string, unknown>;
    } catch {
      throw new JsonError(`After ${count} objects: the text is not JSON.`);
    } finally {
      text = '';
      count += 1;
    }
  }

  return {
    push(piece) {
      const found: Record<string, unknown>[] = [];
      let start = 0;
      for (let index = 0; index < piece.length; index += 1) {
        const char = piece.charAt(index);
        if (inText) {
          if (escaped) escaped = false;
          else if (char === '\\') escaped = true;
          else if (char === '"') inText = false;
        } else if (depth === 0 && char !== '{') {
          between(char);
        } else if (char === '"') inText = true;
        else if (char === '{' || char === '[') {
          if (depth === 0) {
            if (list === 'closed') throw new JsonError('There is text after the list.');
            start = index;
          }
          depth += 1;
        } else if (char === '}' || char === ']') {
          depth -= 1;
          if (depth > 0) continue;
          text += piece.slice(start, index + 1);
          found.push(finish());
        }
      }
      if (depth > 0) {
        text += piece.slice(start);
        if (text.length > most)
          throw new JsonError(`After ${count} objects: one is longer than ${most} characters.`);
      }
      return found;
    },
    end() {
      if (depth > 0 || list === 'open')
        throw new JsonError(`After ${count} objects: the file ends in the middle.`);
    },
  };
}
