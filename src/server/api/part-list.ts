// The parts of one message: validated, and cut to their limits.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import {
  applyPartChange,
  type NewPart,
  type Part,
  type PartChange,
  settleParts,
} from '../../protocol/parts.ts';
import { partSchemas } from '../../protocol/schemas/parts.ts';
import { ApiError } from './errors.ts';
import { beginningOf, splitHalf, wellFormedValue } from './message-text.ts';
import { explain } from './validation.ts';

const { parts: most } = limits;

export interface PartList {
  readonly parts: readonly Part[];
  /**
   * The parts with all that was given: text that arrives in pieces can end with the first half of a character, which waits
   * here for the other one.
   */
  readonly received: readonly Part[];
  /**
   * Applies a change. Returns it as it was applied, with what was cut; undefined if it changes nothing. Throws InvalidPayload
   * for a part that is not valid, and PayloadTooLarge for what cannot be cut: too many parts, and the data of a block.
   */
  apply(change: PartChange): PartChange | undefined;
}

/** `initial`: parts of such a list, also `received`. */
export function createPartList(initial: readonly Part[] = []): PartList {
  /** The first halves of characters, by the ids of their parts. */
  const halves = new Map<string, string>();
  let parts: readonly Part[] = initial.map((part) => {
    if (part.type !== 'reasoning' || part.text === undefined) return part;
    const { whole, half } = splitHalf(part.text);
    if (half !== '') halves.set(part.id, half);
    return half === '' ? part : { ...part, text: whole };
  });
  const sizes = new Map(parts.map((part) => [part.id, sizeOf(part)]));
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);

  function set(part: Part, change: PartChange): void {
    const size = sizeOf(part);
    bytes += size - (sizes.get(part.id) ?? 0);
    sizes.set(part.id, size);
    parts = applyPartChange(parts, change);
  }

  return {
    get parts() {
      return parts;
    },
    get received() {
      return halves.size === 0
        ? parts
        : parts.map((part) => {
            const half = halves.get(part.id);
            return half === undefined || part.type !== 'reasoning'
              ? part
              : { ...part, text: `${part.text ?? ''}${half}` };
          });
    },
    apply(requested) {
      const earlier = parts.find(({ id }) => id === requested.id);
      const { change, half } = wholeChange(requested, halves.get(requested.id) ?? '');
      assertAllowed(parts, earlier, change);
      const [applied] = applyPartChange(earlier ? [earlier] : [], change);
      const wanted = validPart(applied);
      const available = most.bytes - bytes + (earlier ? (sizes.get(earlier.id) ?? 0) : 0);
      const part = cutPart(wanted, available - reserved);
      if (bytesOf(part) > available)
        throw tooLarge(`The parts of a message are limited to ${most.bytes} bytes.`);
      if (half === '') halves.delete(part.id);
      else halves.set(part.id, half);
      const actual = difference(earlier, part);
      if (actual) set(part, actual);
      return actual;
    },
  };
}

/** Returns the parts of a message that is sent whole. Throws as `apply` does. `now`: ISO 8601 UTC. */
export function newParts(partsToAdd: readonly NewPart[], now: string): Part[] {
  const list = createPartList();
  for (const [index, part] of partsToAdd.entries()) {
    const id = typeof part.id === 'string' ? part.id : `p${index + 1}`;
    if (list.parts.some((one) => one.id === id))
      throw new ApiError('InvalidPayload', `parts: The id ${id} is given twice.`);
    list.apply({ at: 0, ...part, id });
  }
  return settleParts(list.parts, now);
}

/** Returns a change without half characters. `half`: the one that waits for the next piece of the text. */
function wholeChange(received: PartChange, waiting: string): { change: PartChange; half: string } {
  const { textDelta } = received;
  if (typeof textDelta !== 'string') {
    const isKept = !('text' in received);
    return { change: wellFormedValue(received), half: isKept ? waiting : '' };
  }
  const { whole, half } = splitHalf(('text' in received ? '' : waiting) + textDelta);
  return { change: wellFormedValue({ ...received, textDelta: whole }), half };
}

/** Bytes that long values leave to later parts. */
const reserved = 16_000;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** The bytes of a part for the limit of a message: an interrupt that is open will contain its answer. */
export const sizeOf = (part: Part): number =>
  bytesOf(part) +
  (part.type === 'interrupt' && part.state === 'open' ? limits.interrupts.shownResponseBytes + 100 : 0);

const tooLarge = (message: string) => new ApiError('PayloadTooLarge', `parts: ${message}`);

function assertAllowed(parts: readonly Part[], earlier: Part | undefined, { type }: PartChange): void {
  if (type === 'interrupt' || earlier?.type === 'interrupt')
    throw new ApiError(
      'InvalidPayload',
      'parts: An interrupt is asked at the end of an answer, and not changed.',
    );
  if (earlier) {
    if (type !== undefined && type !== earlier.type)
      throw new ApiError('InvalidPayload', `parts: The part ${earlier.id} has the type ${earlier.type}.`);
    return;
  }
  if (parts.length >= most.parts) throw tooLarge(`A message is limited to ${most.parts} parts.`);
  const sources = parts.filter((part) => part.type === 'source').length;
  if (type === 'source' && sources >= most.sources)
    throw tooLarge(`A message is limited to ${most.sources} sources.`);
}

/** Returns the part with the fields of its type. Throws InvalidPayload. */
function validPart(part: unknown): Part {
  const result = v.safeParse(partSchemas.part, part);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new ApiError('InvalidPayload', `parts${path === null ? '' : `.${path}`}: ${explain(issue)}`);
}

/** The change that makes `part` out of `earlier`; undefined if they are the same. */
function difference(earlier: Part | undefined, part: Part): PartChange | undefined {
  const before: Record<string, unknown> = { ...earlier };
  const after: Record<string, unknown> = { ...part };
  const actual: PartChange = { id: part.id };
  for (const name of Object.keys(before)) if (!(name in after)) actual[name] = null;
  for (const [name, value] of Object.entries(after)) {
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    const isAppended =
      name === 'text' && before.text !== undefined && String(value).startsWith(`${before.text}`);
    if (isAppended) actual.textDelta = String(value).slice(`${before.text}`.length);
    else actual[name] = value;
  }
  return Object.keys(actual).length > 1 ? actual : undefined;
}

/** Cuts the texts and values of a part to their limits, and so that it has at most `bytes` bytes if that is possible. */
function cutPart(part: Part, bytes: number): Part {
  switch (part.type) {
    case 'status':
      return { ...part, text: beginningOf(part.text, most.title) };
    case 'reasoning':
      return cutText(part, Math.min(most.reasoning, bytes - bytesOf({ ...part, text: '', truncated: true })));
    case 'tool':
      return cutTool(part, bytes);
    case 'source': {
      const { url, snippet, ...rest } = part;
      return {
        ...rest,
        title: beginningOf(part.title, most.title),
        // Half an address leads elsewhere.
        ...(url !== undefined && url.length <= most.url ? { url } : {}),
        ...(snippet === undefined ? {} : { snippet: beginningOf(snippet, most.snippet) }),
      };
    }
    case 'suggestions':
      return {
        ...part,
        items: part.items.slice(0, most.suggestions).map(({ label, value }) => ({
          label: beginningOf(label, most.suggestion),
          ...(value === undefined ? {} : { value: beginningOf(value, most.suggestion) }),
        })),
      };
    case 'block':
      if (bytesOf(part.data) > most.blockBytes)
        throw tooLarge(`The data of a block is limited to ${most.blockBytes} bytes.`);
      return {
        ...part,
        name: beginningOf(part.name, most.title),
        fallback: beginningOf(part.fallback, most.fallback),
      };
    case 'interrupt':
      return part;
  }
}

function cutTool(part: Extract<Part, { type: 'tool' }>, bytes: number): Part {
  const { input, output, ...rest } = part;
  let cut: Extract<Part, { type: 'tool' }> = { ...rest, toolName: beginningOf(part.toolName, most.title) };
  if (part.title !== undefined) cut.title = beginningOf(part.title, most.title);
  if (part.errorText !== undefined) cut.errorText = beginningOf(part.errorText, most.title);
  for (const [name, value] of Object.entries({ input, output })) {
    if (value === undefined) continue;
    const available = bytes - bytesOf({ ...cut, truncated: true, [name]: '' });
    const limit = Math.min(most.valueBytes, available);
    const json = JSON.stringify(value);
    cut =
      Buffer.byteLength(json) <= limit
        ? { ...cut, [name]: value }
        : { ...cut, [name]: shortJson(json, limit - 2), truncated: true };
  }
  return cut;
}

function cutText(part: Extract<Part, { type: 'reasoning' }>, limit: number): Part {
  const { text = '' } = part;
  if (text.length <= most.reasoning && bytesOf(text) - 2 <= limit) return part;
  return { ...part, text: shortJson(text, limit), truncated: true };
}

/** The beginning of a text that has at most `bytes` bytes as JSON, without its quotation marks. */
export function shortJson(text: string, bytes: number): string {
  let cut = beginningOf(text, bytes);
  for (let size = bytesOf(cut) - 2; size > Math.max(0, bytes) && cut !== ''; size = bytesOf(cut) - 2)
    cut = beginningOf(cut, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  return cut;
}
