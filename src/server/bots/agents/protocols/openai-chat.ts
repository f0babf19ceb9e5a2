// Chat completions of OpenAI as a stream, as most servers of language models offer them.
// https://platform.openai.com/docs/api-reference/chat-streaming. Fields that only compatible servers send are marked.
import type { AgentEvent, AgentProtocol, AgentReader, AgentRun, ServerEvent } from '../protocol.ts';
import { type CallDelta, createCalls } from './openai-chat-calls.ts';
import { idsOfCalls, messagesOfTurn, openaiChatRequest } from './openai-chat-request.ts';
import { createThinkTags } from './think-tags.ts';

export const openaiChat: AgentProtocol = {
  name: 'openai-chat',
  request: openaiChatRequest,
  createReader: createOpenaiChatReader,
};

/** The first choice of a chunk, or of a completion that is not a stream. Nothing in it is trusted. */
interface Choice {
  index?: unknown;
  delta?: Delta | null;
  message?: Delta | null;
  finish_reason?: unknown;
}

interface Delta {
  content?: unknown;
  refusal?: unknown;
  /** Compatible servers. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: unknown;
  /** Compatible servers, in chunks. */
  annotations?: unknown;
}

function createOpenaiChatReader(run: AgentRun): AgentReader {
  const offered = new Set(run.tools.map(({ name }) => name));
  const turn = messagesOfTurn(run);
  const calls = createCalls(idsOfCalls(turn));
  const content = createThinkTags();
  let finishReason: string | undefined;
  let usage: AgentEvent | undefined;
  let text = '';
  let isOver = false;

  function over(...events: AgentEvent[]): AgentEvent[] {
    isOver = true;
    return usage ? [usage, ...events] : events;
  }

  function* readText(delta: string): Generator<AgentEvent> {
    if (delta === '') return;
    // Text after a call: the agent has run it itself. Its result is not part of this protocol.
    yield* calls.done(offered);
    text += delta;
    yield { type: 'text', delta };
  }

  function* readContent(given: string): Generator<AgentEvent> {
    for (const piece of content.read(given)) {
      if (piece.isReasoning) yield { type: 'reasoning', delta: piece.text };
      else yield* readText(piece.text);
    }
  }

  function* readDelta(delta: Delta): Generator<AgentEvent> {
    const reasoning = textOf(delta.reasoning_content) || textOf(delta.reasoning);
    if (reasoning !== '') yield { type: 'reasoning', delta: reasoning };
    yield* readContent(textOf(delta.content));
    yield* readText(textOf(delta.refusal));
    for (const one of listOf(delta.annotations)) {
      const source = sourceOf(one);
      if (source) yield shifted(source, content.removed);
    }
    for (const one of listOf(delta.tool_calls)) if (isObject(one)) yield* calls.read(one as CallDelta);
  }

  /** The end of a response whose `finish_reason` was read. */
  function finish(reason: string): AgentEvent[] {
    const rest = content.end();
    const events: AgentEvent[] = rest === '' ? [] : [...readText(rest)];
    if (reason === 'content_filter' || reason === 'error') {
      return over(...events, { type: 'failed', code: reason });
    }
    if (reason === 'length') return over(...events, { type: 'end', reason: 'truncated' });
    const isWaiting = reason === 'tool_calls' || reason === 'function_call';
    if (calls.size > 0 && (isWaiting || calls.names().some((name) => offered.has(name)))) {
      const asked = { role: 'assistant', content: text === '' ? null : text, tool_calls: calls.asMessage() };
      events.push(...calls.inputs(), { type: 'saveState', state: [...turn, asked] });
      return over(...events, { type: 'end', reason: 'calls' });
    }
    return over(...events, ...calls.done(offered), { type: 'end', reason: 'finished' });
  }

  return {
    read({ event, data }) {
      if (isOver) return [];
      if (data.trim() === '[DONE]') return endOf(true);
      const chunk = parse(data);
      if (!chunk) return [];
      if (event === 'error' || isObject(chunk.error) || typeof chunk.error === 'string') {
        return over({ type: 'failed', code: 'error' });
      }
      usage = usageOf(chunk.usage) ?? usage;
      const choice = listOf(chunk.choices).find(isFirst);
      if (!choice) return [];
      const events = [...readDelta(choice.delta ?? choice.message ?? {})];
      finishReason = reasonOf(choice.finish_reason) ?? finishReason;
      return events;
    },
    end: () => (isOver ? [] : endOf(false)),
  };

  /** `isMarked`: the server has sent `[DONE]`. Some servers send no `finish_reason` before it. */
  function endOf(isMarked: boolean): AgentEvent[] {
    if (finishReason !== undefined) return finish(finishReason);
    if (!isMarked) return over({ type: 'failed', code: 'incomplete' });
    return finish(calls.asMessage().length > 0 ? 'tool_calls' : 'stop');
  }
}

/** The reason of a choice. Some servers write a missing one as a text. */
const reasonOf = (value: unknown): string | undefined =>
  typeof value === 'string' && !['', 'null', 'none'].includes(value.toLowerCase()) ? value : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isFirst = (choice: unknown): choice is Choice => isObject(choice) && (choice.index ?? 0) === 0;

function parse(data: ServerEvent['data']): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text, or the texts of a list of parts `{type: 'text', text}`, which compatible servers send; '' for anything else. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => (isObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

function usageOf(usage: unknown): AgentEvent | undefined {
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
function sourceOf(annotation: unknown): Extract<AgentEvent, { type: 'source' }> | undefined {
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

/** The offsets of the agent count the reasoning that was in its text. */
const shifted = (source: Extract<AgentEvent, { type: 'source' }>, removed: number): AgentEvent =>
  source.end === undefined ? source : { ...source, end: Math.max(0, source.end - removed) };
