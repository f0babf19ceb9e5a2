// Reads the reasoning of an agent: each item begins a paragraph.
import type { Emit } from './event-reader.ts';

export interface Reasoning {
  write(id: string, delta: string, emit: Emit): void;
  /** The item to which the last piece belongs. */
  readonly last: string | undefined;
}

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
