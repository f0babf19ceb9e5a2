// The calls of tools in one response. They can overlap, and each has one beginning, one input and one result at most.
import { limits } from '../../../../../protocol/limits.ts';
import type { Emit } from './event-reader.ts';
import { inputOfText, lineOf } from './values.ts';

/** The maximum number of characters of the inputs of all calls together. */
const inputLength = 1_000_000;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The pieces of its input so far. */
  readonly text: string;
  readonly input: unknown;
  readonly state: 'input' | 'ready' | 'done';
  /** The call was made in an earlier run of the turn. */
  readonly isEarlier?: true;
}

type Result = 'tool-output' | 'tool-error' | 'tool-denied';

export interface ToolCalls {
  /**
   * Begins a call, unless its id is known, its name is empty, or the message already has the maximum number of calls.
   */
  begin(id: string, name: unknown, title: unknown, emit: Emit): void;
  /** Adds a call of an earlier run, whose result may arrive in this run. */
  know(id: string, name: unknown, input: unknown): void;
  /** A piece of the input of a call. */
  append(id: string, delta: string): void;
  /** The input of a call is complete. `input`: by default what its pieces contain. */
  complete(id: string, emit: Emit, input?: { value: unknown }): void;
  /** The result of a call. `output`: of `tool-output`. */
  settle(id: string, type: Result, emit: Emit, output?: unknown): void;
  get(id: string): ToolCall | undefined;
  /** Calls of this run of these tools that have an input and no result, in their order. */
  pending(names: ReadonlySet<string>): readonly ToolCall[];
  /** The place to which `reset` goes back. */
  mark(): void;
  /** Removes the calls since the mark. */
  reset(): void;
}

export function createToolCalls(): ToolCalls {
  const calls = new Map<string, { -readonly [Field in keyof ToolCall]: ToolCall[Field] }>();
  let length = 0;
  let marked: ReadonlySet<string> = new Set();

  const toolCalls: ToolCalls = {
    begin(id, name, title, emit) {
      const line = lineOf(name);
      if (line === undefined || calls.has(id) || calls.size >= limits.parts.parts) return;
      calls.set(id, { id, name: line, text: '', input: undefined, state: 'input' });
      const words = lineOf(title);
      emit({ type: 'tool', id, name: line, ...(words === undefined ? {} : { title: words }) });
    },
    know(id, name, input) {
      const line = lineOf(name);
      if (line === undefined || calls.has(id) || calls.size >= limits.parts.parts) return;
      calls.set(id, { id, name: line, text: '', input, state: 'ready', isEarlier: true });
    },
    append(id, delta) {
      const call = calls.get(id);
      if (call?.state !== 'input') return;
      length += delta.length;
      if (length <= inputLength) call.text += delta;
    },
    complete(id, emit, read) {
      const call = calls.get(id);
      if (call?.state !== 'input') return;
      // A call with an incomplete input must never be run.
      if (length > inputLength) return toolCalls.settle(id, 'tool-error', emit);
      call.input = read ? read.value : inputOfText(call.text);
      call.state = 'ready';
      emit({ type: 'tool-input', id, input: call.input });
    },
    settle(id, type, emit, output) {
      const call = calls.get(id);
      if (!call || call.state === 'done') return;
      if (call.state === 'input' && call.text !== '' && length <= inputLength) toolCalls.complete(id, emit);
      call.state = 'done';
      if (type === 'tool-output') emit({ type, id, output: output ?? null });
      else emit({ type, id });
    },
    get: (id) => calls.get(id),
    pending: (names) =>
      [...calls.values()].filter(
        ({ name, state, isEarlier }) => state === 'ready' && !isEarlier && names.has(name),
      ),
    mark() {
      marked = new Set(calls.keys());
    },
    reset() {
      for (const id of calls.keys()) if (!marked.has(id)) calls.delete(id);
    },
  };
  return toolCalls;
}
