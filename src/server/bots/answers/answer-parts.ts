// The functions with which a bot adds parts to a streamed answer, such as steps and sources. Used in the server and in threads.
import type { AnswerInterrupt, AnswerParts, AnswerTool } from '../../../protocol/bot.ts';
import type { Part, PartChange, PartType } from '../../../protocol/parts.ts';
import type { NewInterrupt } from '../../../protocol/types/interrupts.ts';
import { ApiError } from '../../api/errors.ts';
import { splitHalf } from '../../api/message-text.ts';
import { callError } from '../call-checks.ts';

export interface AnswerOptions {
  /** The parts so far. */
  parts(): readonly Part[];
  /** The number of characters of the text so far. */
  position(): number;
  /** Changes a part; has no effect after the end of the answer. Throws as `PartList.apply` does. */
  change(change: PartChange): void;
  /** Writes text as it is. */
  write(delta: string): void;
}

/** Parts between which the text is cut: what is written after one of them begins a paragraph. */
const cuttingParts: readonly PartType[] = ['reasoning', 'tool', 'block'];

interface Functions extends AnswerParts {
  /** The text was taken back, with what depends on it. */
  reset(): void;
  /** Knows of the parts. */
  write(delta: string): void;
  /** The interrupts as JSON: with what their tools were shown for, also where the parts have only the beginning of it. */
  plainInterrupts(interrupts: readonly AnswerInterrupt[]): NewInterrupt[];
}

export function createAnswerParts(options: AnswerOptions): Functions {
  const { parts, position } = options;
  let count = 0;
  let isStatusShown = false;
  let reasoningId: string | undefined;
  /** The inputs of tools, by the ids of their parts. */
  const inputs = new Map<string, unknown>();
  /** Where the last part is that cuts the text. */
  let cut = -1;
  let tail = '';
  /** The first half of a character, which waits for the next piece. */
  let waiting = '';

  function change(change: PartChange): void {
    try {
      options.change(change);
    } catch (error) {
      throw error instanceof ApiError ? callError(error.message) : error;
    }
  }

  function add(type: PartType, fields: Record<string, unknown>): string {
    count += 1;
    const id = `p${count}`;
    if (type !== 'reasoning') endReasoning();
    change({ id, type, at: position(), ...fields });
    if (cuttingParts.includes(type)) cut = position();
    return id;
  }

  function endReasoning(): void {
    if (reasoningId === undefined) return;
    change({ id: reasoningId, state: 'done', endedAt: new Date().toISOString() });
    reasoningId = undefined;
  }

  return {
    write(delta) {
      if (typeof delta !== 'string' || delta === '') return options.write(delta);
      const { whole, half } = splitHalf(waiting + delta);
      waiting = half;
      if (whole === '') return;
      endReasoning();
      const isCut = cut > 0 && cut === position() && !tail.endsWith('\n\n');
      const piece = isCut ? `${tail.endsWith('\n') ? '\n' : '\n\n'}${whole.replace(/^\n+/, '')}` : whole;
      options.write(piece);
      tail = `${tail}${piece}`.slice(-2);
    },
    reset() {
      cut = -1;
      tail = '';
      waiting = '';
      reasoningId = undefined;
    },
    status(text) {
      const isShown = text !== '';
      if (isShown) change({ id: 'status', type: 'status', at: position(), text });
      else if (isStatusShown) change({ id: 'status', text });
      isStatusShown ||= isShown;
    },
    reasoning(text) {
      if (text === '') return;
      if (reasoningId !== undefined) change({ id: reasoningId, textDelta: text });
      else {
        const startedAt = new Date().toISOString();
        reasoningId = add('reasoning', { state: 'streaming', startedAt, text });
      }
    },
    tool({ name, title, input }): AnswerTool {
      const id = add('tool', {
        toolName: name,
        ...(title === undefined ? {} : { title }),
        ...(input === undefined ? {} : { input }),
        state: 'input-available',
      });
      inputs.set(id, input);
      return {
        id,
        done: (output) =>
          change({ id, state: 'output-available', ...(output === undefined ? {} : { output }) }),
        failed: (errorText) =>
          change({ id, state: 'output-error', ...(errorText === undefined ? {} : { errorText }) }),
      };
    },
    source(source) {
      const sources = () => parts().filter((part) => part.type === 'source');
      const index = sources().findIndex(
        ({ url, fileId, page, title }) =>
          (source.url ?? source.fileId) !== undefined &&
          url === source.url &&
          fileId === source.fileId &&
          page === source.page &&
          title === source.title,
      );
      if (index >= 0) return index + 1;
      add('source', source);
      return sources().length;
    },
    suggest(items) {
      add('suggestions', { items: items.map((item) => (typeof item === 'string' ? { label: item } : item)) });
    },
    plainInterrupts: (interrupts) =>
      interrupts.map(({ tool, ...interrupt }) => {
        const input = inputs.get(tool?.id ?? '') as NewInterrupt['input'];
        return {
          ...(tool === undefined ? {} : { toolId: tool.id }),
          ...(input === undefined ? {} : { input }),
          ...interrupt,
        };
      }),
    block(name, data, fallback) {
      return add('block', { name, data, fallback });
    },
  };
}
