// Reads the parts of an answer, in the order and the form in which they are drawn. Parts come from the wire and can
// have any form. Pure.
import {
  applyPartChange,
  type BlockPart,
  type InterruptPart,
  type Part,
  type PartChange,
  type PartOf,
  type ReasoningPart,
  type SourcePart,
  settleParts,
  type ToolPart,
  textOfBlock,
  textOfInterrupts,
} from '../../protocol/parts.ts';
import { toDrawable } from '../chat/payloads/drawable.ts';
import type { Row } from '../chat/store/store.ts';

/** A tool, or the reasoning of the bot. */
export type Step = ToolPart | ReasoningPart;

/** A piece of an answer, in the order of drawing. `key` stays the same while the answer grows. */
export type Piece =
  /** Text of the answer; `isLast`: more may be added to it. */
  | { type: 'text'; key: string; text: string; isLast: boolean }
  /** Steps without text between them. */
  | { type: 'steps'; key: string; steps: Step[] }
  /** The text in place of a block. */
  | { type: 'block'; key: string; text: string; part: BlockPart }
  /**
   * A question that waits for an answer, or was settled. `title`: the title of the tool that waits for it; '' without a
   * tool, and if the question is the title itself.
   */
  | { type: 'interrupt'; key: string; text: string; interrupt: InterruptPart; title: string };

export interface Answer {
  pieces: Piece[];
  /** Source number n is at n - 1. */
  sources: SourcePart[];
  suggestions: { label: string; text: string }[];
  /** The status of the bot; '' if it has sent none. */
  status: string;
  steps: number;
  /** The questions that wait for an answer of the visitor. */
  questions: string[];
  /** The payload is only the text in place of the questions or the blocks. */
  isOfParts: boolean;
}

/** Returns a text that can be drawn; '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? toDrawable(value) : '');

/** The parts of each list of a message after its changes were applied. The list of a stream only grows. */
const applied = new WeakMap<object, { count: number; parts: readonly Part[] }>();

/** Applies the changes of a row. If the answer is complete, no part is running. */
export function partsOf({ parts: changes, status }: Row): readonly Part[] {
  if (!Array.isArray(changes)) return [];
  const progress = applied.get(changes) ?? { count: 0, parts: [] };
  applied.set(changes, progress);
  for (; progress.count < changes.length; progress.count++) {
    const change = changes[progress.count] as PartChange | undefined;
    // A change without `type` is one of an earlier part.
    const isChange = typeof change?.id === 'string' && typeof (change.type ?? '') === 'string';
    if (isChange) progress.parts = applyPartChange(progress.parts, change);
  }
  return status === 'streaming' ? progress.parts : settleParts(progress.parts, '');
}

/** Reads the parts of a row. Its text is split at the positions of steps and blocks. */
export function readAnswer(row: Row): Answer {
  const { type, text: plain, markdown } = row.payload as object as Partial<Record<string, unknown>>;
  const parts = partsOf(row);
  const ofType = <Type extends Part['type']>(type: Type) =>
    parts.filter((part): part is PartOf<Type> => part.type === type);
  const fallbacks = ofType('block').map(textOfBlock).join('\n\n');
  const isOfParts = type === 'text' && (plain === textOfInterrupts(parts) || plain === fallbacks);
  // A payload that is not a text is not split: a part is before or after it.
  const text = isOfParts ? '' : type === 'markdown' && typeof markdown === 'string' ? markdown : ' payload';
  const at = ({ at }: Part) => (Number.isFinite(at) ? Math.min(Math.max(at, 0), text.length) : 0);
  const pieces: Piece[] = [];
  let end = 0;
  const addText = (to: number) => {
    const piece = text.slice(end, to);
    if (!piece.trim()) return;
    pieces.push({ type: 'text', key: `text ${end}`, text: piece, isLast: to === Number.POSITIVE_INFINITY });
    end = to;
  };
  // A tool that waits for an answer of the visitor is shown by the question, also afterwards if it has nothing more to tell.
  const asked = new Set(ofType('interrupt').map(({ toolId, readOnly }) => !readOnly && toolId));
  const placed = parts.filter(
    ({ id, type, ...part }) =>
      /^(tool|reasoning|block|interrupt)$/.test(type) && !(asked.has(id) && isToldByAnswer(part as ToolPart)),
  );
  // Sorting is stable (ES2019).
  for (const part of placed.sort((one, other) => at(one) - at(other))) {
    addText(at(part));
    const { id } = part;
    const last = pieces.at(-1);
    if (part.type === 'block') pieces.push({ type: 'block', key: id, text: textOf(textOfBlock(part)), part });
    else if (part.type === 'interrupt') {
      // A tool of the page that needs no approval is a step.
      if (!part.readOnly) pieces.push(readInterrupt(part, parts));
    } else if (last?.type === 'steps') last.steps.push(part as Step);
    else pieces.push({ type: 'steps', key: id, steps: [part as Step] });
  }
  addText(Number.POSITIVE_INFINITY);
  return {
    pieces,
    sources: ofType('source'),
    suggestions: ofType('suggestions')
      .flatMap(({ items }) => (Array.isArray(items) ? items : []))
      .map((item) => ({ label: textOf(item?.label), text: textOf(item?.value) || textOf(item?.label) }))
      .filter(({ label }) => label.trim()),
    status: textOf(ofType('status').at(-1)?.text),
    steps: pieces.flatMap((piece) => (piece.type === 'steps' ? piece.steps : [])).length,
    questions: pieces.flatMap((piece) =>
      piece.type === 'interrupt' && piece.interrupt.state === 'open' ? piece.text : [],
    ),
    isOfParts,
  };
}

/** Whether the line of the answer to its question says all of a tool. A tool that runs is a step, so that its result moves nothing. */
const isToldByAnswer = ({ state, output, errorText, omitted }: ToolPart): boolean =>
  /^approval-/.test(state) || !(/^input-/.test(state) || output !== undefined || errorText || omitted);

function readInterrupt(part: InterruptPart, parts: readonly Part[]): Piece {
  const text = textOf(part.message);
  const tool = parts.find(({ id, type }) => type === 'tool' && id === part.toolId) as ToolPart | undefined;
  const title = textOf(tool?.title) || textOf(part.toolName);
  return { type: 'interrupt', key: part.id, text, interrupt: part, title: title === text ? '' : title };
}
