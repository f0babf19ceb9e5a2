// Reads the values of a chunk of chat completions. Compatible servers write many of them in forms of their own: nothing is trusted.
import type { AgentEvent } from '../protocol.ts';
import type { CallDelta } from './openai-chat-calls.ts';

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
  const given = isObject(tool_calls) ? [tool_calls] : listOf(tool_calls);
  const found = given.filter(isObject).map((one): CallDelta => {
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
