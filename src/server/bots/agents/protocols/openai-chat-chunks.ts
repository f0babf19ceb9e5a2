// Reads the values of a chunk of chat completions. Compatible servers write many of them in forms of their own: nothing is trusted.
import type { AgentEvent } from '../protocol.ts';

/** The first choice of a chunk, or of a completion that is not a stream. */
export interface Choice {
  index?: unknown;
  delta?: unknown;
  message?: unknown;
  /** Of completions without chat, which some servers send. */
  text?: unknown;
  finish_reason?: unknown;
  error?: unknown;
}

export interface Delta {
  content?: unknown;
  refusal?: unknown;
  /** Compatible servers. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  thinking?: unknown;
  reasoning_details?: unknown;
  tool_calls?: unknown;
  /** The form of calls before `tool_calls`. */
  function_call?: unknown;
  /** Compatible servers, in chunks. */
  annotations?: unknown;
}

export type Source = Extract<AgentEvent, { type: 'source' }>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Whether an object reports an error in place of an answer. */
export const isError = ({ error, object }: { error?: unknown; object?: unknown }): boolean =>
  object === 'error' || isObject(error) || (typeof error === 'string' && error !== '');

/**
 * The new content of a choice: `delta`, or `message` of a completion that is not a stream. Some servers send the whole message at
 * the end of a stream: it counts if nothing else has arrived, or if all content so far came as messages (`hasDeltas` is false).
 */
export function deltaOf({ delta, message, text }: Choice, hasContent: boolean, hasDeltas: boolean): Delta {
  if (isObject(delta) && (hasContent || hasFields(delta))) return delta;
  const isWithoutDelta = delta === undefined || delta === null;
  if (isObject(message) && (!hasContent || (isWithoutDelta && !hasDeltas))) return message;
  return typeof text === 'string' ? { content: text } : {};
}

export const hasFields = (delta: Delta): boolean =>
  contentOf(delta.content).text !== '' ||
  contentOf(delta.content).reasoning !== '' ||
  contentOf(delta.refusal).text !== '' ||
  reasoningOf(delta) !== '' ||
  callsOf(delta).length > 0 ||
  listOf(delta.annotations).length > 0;

/** A text, or the texts of a list of parts such as `{type: 'text', text}`; '' for anything else. */
export function contentOf(value: unknown): { text: string; reasoning: string } {
  if (typeof value === 'string') return { text: value, reasoning: '' };
  const found = { text: '', reasoning: '' };
  for (const part of Array.isArray(value) ? value : [value]) {
    if (typeof part === 'string') found.text += part;
    if (!isObject(part)) continue;
    const { type = 'text', text, thinking, reasoning } = part;
    if (type === 'text' || type === 'output_text') found.text += typeof text === 'string' ? text : '';
    if (type === 'thinking' || type === 'reasoning')
      found.reasoning += contentOf(thinking ?? reasoning ?? text).text;
  }
  return found;
}

/** The reasoning of a delta, in the first of its fields that has one: some servers repeat it in another. */
export function reasoningOf(delta: Delta): string {
  const { reasoning_content, reasoning, thinking, reasoning_details } = delta;
  for (const value of [reasoning_content, reasoning, thinking]) {
    const { text } = contentOf(value);
    if (text !== '') return text;
  }
  return listOf(reasoning_details)
    .map((one) => (isObject(one) ? (one.text ?? one.summary) : undefined))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** The calls of a delta. */
export function callsOf({ tool_calls, function_call }: Delta): CallDelta[] {
  const items = isObject(tool_calls) ? [tool_calls] : listOf(tool_calls);
  const found = items.filter(isObject).map((one): CallDelta => {
    const isFlat = one.function === undefined && (one.name !== undefined || one.arguments !== undefined);
    return isFlat ? { ...one, function: one } : one;
  });
  // Some servers send both forms of the same call.
  return found.length === 0 && isObject(function_call) ? [{ index: -1, function: function_call }] : found;
}

/** The words of other servers for the reasons of OpenAI. */
const reasons: Record<string, string> = {
  max_tokens: 'length',
  model_length: 'length',
  content_filtered: 'content_filter',
  safety: 'content_filter',
  sensitive: 'content_filter',
  network_error: 'error',
};

/** The reason of a choice; undefined for none. Some servers write a missing one as a text. */
export function reasonOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const reason = value.trim().toLowerCase().replaceAll('-', '_');
  if (reason === '' || reason === 'null' || reason === 'none') return undefined;
  return Object.hasOwn(reasons, reason) ? reasons[reason] : reason;
}

export function usageOf(usage: unknown): AgentEvent | undefined {
  if (!isObject(usage)) return undefined;
  return {
    type: 'usage',
    inputTokens: countOf(usage.prompt_tokens),
    outputTokens: countOf(usage.completion_tokens),
  };
}

const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;

/** The source of an annotation `url_citation`, whose fields some servers do not nest. */
export function sourceOf(annotation: unknown): Source | undefined {
  if (!isObject(annotation) || annotation.type !== 'url_citation') return undefined;
  const { url, title, end_index } = isObject(annotation.url_citation) ? annotation.url_citation : annotation;
  if (typeof url !== 'string' || url === '') return undefined;
  return {
    type: 'source',
    title: typeof title === 'string' && title !== '' ? title : url,
    url,
    ...(typeof end_index === 'number' && end_index > 0 ? { end: Math.floor(end_index) } : {}),
  };
}

/** A piece of a call. Nothing in it is trusted. */
export interface CallDelta {
  index?: unknown;
  id?: unknown;
  function?: unknown;
}

interface Call {
  id: string;
  /** The id that the agent gave; '' for none. */
  agentId: string;
  /** '' until it is known. */
  name: string;
  /** The JSON that was read so far. */
  input: string;
  /** The input that was already passed to the runner, as a text. */
  reported: string | undefined;
  isDone: boolean;
}

export interface Calls {
  /** The number of calls. */
  readonly size: number;
  names(): string[];
  read(delta: CallDelta): AgentEvent[];
  /** The inputs that were not passed to the runner yet. */
  inputs(): AgentEvent[];
  /** Marks the calls with a complete input as done, except those of `ours`: the agent has run them itself. */
  done(ours: ReadonlySet<string>): AgentEvent[];
  /** Returns the calls that are not done, in the form of the assistant's message in the next request. */
  asMessage(): object[];
}

/** The maximum number of calls in a response; further ones are dropped. */
const maxCalls = 200;

/**
 * Joins the pieces of the calls of tools in a stream of chat completions, told apart by their index. `known`: the ids of
 * earlier calls of the turn, which no call of this response can have.
 */
export function createCalls(knownIds: ReadonlySet<string> = new Set()): Calls {
  const calls: Call[] = [];
  /** The newest call of an index: some servers use the same one again. */
  const byIndex = new Map<number, Call>();

  const named = () => calls.filter(({ name }) => name !== '');

  /** The newest call of an id: pieces of calls without indexes may alternate. */
  const ofId = (id: string) => (id === '' ? undefined : calls.findLast(({ agentId }) => agentId === id));

  function callOf(index: number | undefined, id: string, name: string, piece: string): Call | undefined {
    const found = index === undefined ? (ofId(id) ?? calls.at(-1)) : byIndex.get(index);
    const isOther = id !== '' && found !== undefined && found.agentId !== '' && found.agentId !== id;
    // A server without ids and indexes: each name begins a call.
    const isNamed = id === '' && name !== '' && found !== undefined && found.name !== '';
    const isNext = isNamed && (index === undefined || (isShortAndWhole(found.input) && piece.trim() !== ''));
    if (found && !isOther && !isNext) return found;
    if (calls.length >= maxCalls) return undefined;
    const isUsed = (one: string) => knownIds.has(one) || calls.some((other) => other.id === one);
    let own = id;
    for (let n = knownIds.size + calls.length + 1; own === '' || isUsed(own); n += 1) own = `call-${n}`;
    const call: Call = {
      id: own,
      agentId: id,
      name: '',
      input: '',
      reported: undefined,
      isDone: false,
    };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  }

  function* report(call: Call): Generator<AgentEvent> {
    if (call.reported === call.input) return;
    call.reported = call.input;
    yield { type: 'tool-input', id: call.id, input: inputOf(call.input) };
  }

  return {
    get size() {
      return named().length;
    },
    names: () => named().map(({ name }) => name),
    read({ index, id, function: functionDelta }) {
      const { name, arguments: input } = {
        ...(functionDelta as { name?: unknown; arguments?: unknown } | null),
      };
      const newName = typeof name === 'string' ? name : '';
      // Some servers send the input as an object.
      const isValue = typeof input === 'object' && input !== null;
      const piece = isValue ? JSON.stringify(input) : typeof input === 'string' ? input : '';
      const call = callOf(indexOf(index), typeof id === 'string' ? id : '', newName, piece);
      if (!call) return [];
      call.input += piece;
      if (call.name !== '' || newName === '') return [];
      call.name = newName;
      return [{ type: 'tool', id: call.id, name: newName }];
    },
    inputs: () => named().flatMap((call) => [...report(call)]),
    done: (ours) =>
      named().flatMap((call) => {
        if (call.isDone || ours.has(call.name) || !isWhole(call.input)) return [];
        call.isDone = true;
        return [...report(call), { type: 'tool-output' as const, id: call.id, output: undefined }];
      }),
    asMessage: () =>
      named()
        .filter(({ isDone }) => !isDone)
        .map(({ id, name, input }) => ({
          id,
          type: 'function',
          // Servers refuse a conversation with arguments that are not JSON. The result says what was wrong.
          function: { name, arguments: input.trim() !== '' && isWhole(input) ? input : '{}' },
        })),
  };
}

/** The value of an input; {} if the call has none, and the text if it is not JSON. */
function inputOf(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** An index, which some servers write as a text. */
function indexOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/** Whether an input is complete. Long ones are not parsed with each piece. */
const isShortAndWhole = (input: string): boolean =>
  input.length <= 16_000 && input.trim() !== '' && isWhole(input);

const isWhole = (input: string): boolean => typeof inputOf(input) !== 'string';
