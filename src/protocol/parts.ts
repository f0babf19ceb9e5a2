// Parts of a message of the bot: what is shown with its text. Types, and what the server and the widget compute of them.
import type { BlockPart, Part, ToolPart, ToolState } from './types/parts.ts';

export type * from './types/parts.ts';

/** The states of a tool. `cancelled`: the answer ended before the tool did. */
export const toolStates = [
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
  'cancelled',
] as const;
/** The states after which nothing follows. */
const finalToolStates: readonly ToolState[] = [
  'output-available',
  'output-error',
  'output-denied',
  'cancelled',
];

export const interruptReasons = ['tool_call', 'input_required', 'confirmation', 'client_tool'] as const;
export const interruptStates = ['open', 'resolved', 'cancelled'] as const;
/** Cause of the end of an interrupt. */
export const interruptAuthors = ['visitor', 'page', 'expired', 'superseded', 'unknown_outcome'] as const;

export type PartType = Part['type'];
export type PartOf<Type extends PartType> = Extract<Part, { type: Type }>;

/**
 * A change of a part: its fields replace those of the part with this id, null removes one, and `textDelta` is appended to
 * `text`. A part that does not exist is added.
 */
export type PartChange = { id: string; textDelta?: string } & {
  [Field in string]?: unknown;
};

/** Returns the parts after a change. Nothing that is given is changed. */
export function applyPartChange(parts: readonly Part[], change: PartChange): Part[] {
  const { textDelta, ...fields } = change;
  const earlier = parts.find(({ id }) => id === change.id);
  const values: Record<string, unknown> = { ...earlier, ...fields };
  // A value of another type may have no text: `String({ toString: 0 })` is an error.
  if (typeof textDelta === 'string')
    values.text = (typeof values.text === 'string' ? values.text : '') + textDelta;
  for (const [name, value] of Object.entries(values)) if (value === null) delete values[name];
  // The sender of a change decides what the part is. The server validates it before (src/server/api/part-list.ts).
  const changed = values as unknown as Part;
  return earlier ? parts.map((part) => (part === earlier ? changed : part)) : [...parts, changed];
}

/** Returns the change that does what two changes of the same part do one after the other. */
export function mergePartChanges(first: PartChange, second: PartChange): PartChange {
  const { textDelta, ...fields } = second;
  const merged: PartChange = { ...first, ...fields };
  // A new text replaces what was appended to the old one.
  if ('text' in second) delete merged.textDelta;
  if (textDelta === undefined) return merged;
  if ('text' in merged) merged.text = `${merged.text ?? ''}${merged.textDelta ?? ''}${textDelta}`;
  else merged.textDelta = `${merged.textDelta ?? ''}${textDelta}`;
  if ('text' in merged) delete merged.textDelta;
  return merged;
}

/** Whether a part is running. */
export const isRunningPart = (part: Part): boolean =>
  part.type === 'status' ||
  (part.type === 'reasoning' && part.state === 'streaming') ||
  (part.type === 'tool' && !finalToolStates.includes(part.state));

/** The state of a tool that waits for an interrupt, by the state of the interrupt. */
const toolStateOfInterrupt = {
  open: 'approval-requested',
  resolved: 'approval-responded',
  cancelled: undefined,
} as const;

/**
 * Returns the parts of an answer that has ended, however it ended: no tool and no reasoning goes on, and there is no status. A
 * tool whose interrupt is open or was answered keeps the state that says so. `now`: ISO 8601 UTC.
 */
export const settleParts = (parts: readonly Part[], now: string): Part[] =>
  parts.flatMap((part): Part[] => {
    if (part.type === 'status') return [];
    if (!isRunningPart(part)) return [part];
    if (part.type === 'reasoning') return [{ ...part, state: 'done', endedAt: now }];
    const isKept = parts.some(
      (other) =>
        other.type === 'interrupt' &&
        other.toolId === part.id &&
        toolStateOfInterrupt[other.state] === (part as ToolPart).state,
    );
    return [isKept ? part : { ...(part as ToolPart), state: 'cancelled' }];
  });

/** Questions of the interrupts of an answer, for clients that do not know interrupts. */
export const textOfInterrupts = (parts: readonly Part[]): string =>
  parts
    .flatMap((part) => (part.type === 'interrupt' && typeof part.message === 'string' ? part.message : []))
    .join('\n\n');

/** The text in place of a block that the page does not draw. */
export const textOfBlock = ({ fallback, name }: Pick<BlockPart, 'fallback' | 'name'>): string =>
  [fallback, name].find((text) => typeof text === 'string' && text.trim()) ?? '';

/** The text in place of the blocks of an answer. */
export const textOfBlocks = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'block' ? textOfBlock(part) : [])).join('\n\n');

/**
 * The text of an answer with parts and without text: its questions, otherwise the text in place of its blocks, otherwise ''. It
 * is the payload (`text`) of such an answer, so a client that shows these parts leaves out a payload with this text.
 */
export const textOfParts = (parts: readonly Part[]): string => textOfInterrupts(parts) || textOfBlocks(parts);

/** Characters of a text, or of a value as JSON, that lists and signals contain. */
const maxTextLength = 1_000;

const isLong = (value: unknown): boolean =>
  value !== undefined && (typeof value === 'string' ? value : JSON.stringify(value)).length > maxTextLength;

/** Returns a part without long values. An interrupt that waits for its answer keeps all of them: they are what it asks. */
export function omitLongValues(part: Part): Part {
  if (part.type === 'interrupt' && part.state === 'open') return part;
  const names = (['text', 'input', 'output', 'response'] as const).filter((name) =>
    isLong(part[name as keyof Part]),
  );
  if (names.length === 0) return part;
  const short = { ...part, omitted: true };
  for (const name of names) delete (short as Record<string, unknown>)[name];
  return short as Part;
}
