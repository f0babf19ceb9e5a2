// Chat completions of OpenAI as a stream, as most servers of language models offer them.
// https://platform.openai.com/docs/api-reference/chat-streaming. Fields that only compatible servers send are marked.
import type { AgentEvent, AgentProtocol, AgentReader, AgentRun, Resumed, ServerEvent } from '../protocol.ts';
import {
  type Choice,
  callsOf,
  contentOf,
  createCalls,
  type Delta,
  deltaOf,
  hasFields,
  isError,
  isObject,
  listOf,
  reasoningOf,
  reasonOf,
  type Source,
  sourceOf,
  usageOf,
} from './openai-chat-chunks.ts';
import { answerTo, groundedText, groundingText, historyOfTurn } from './shared/request-texts.ts';
import { idOf, type JsonObject, objectsOf } from './shared/values.ts';
import { createThinkTags, type ThinkEvent } from './think-tags.ts';

export const openaiChat: AgentProtocol = {
  name: 'openai-chat',
  request: openaiChatRequest,
  createReader: createOpenaiChatReader,
};

function createOpenaiChatReader(run: AgentRun): AgentReader {
  const offered = new Set(run.tools.map(({ name }) => name));
  const turn = messagesOfTurn(run);
  const calls = createCalls(idsOfCalls(turn));
  const content = createThinkTags(run.isThinking);
  let finishReason: string | undefined;
  let usage: AgentEvent | undefined;
  let text = '';
  let isOver = false;
  let hasDeltas = false;

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

  function* readEvents(events: readonly ThinkEvent[]): Generator<AgentEvent> {
    for (const event of events) {
      if (event.type === 'text') yield* readText(event.delta);
      else {
        if (event.type === 'text-was-reasoning') text = '';
        yield event;
      }
    }
  }

  function* readDelta(delta: Delta): Generator<AgentEvent> {
    const texts = contentOf(delta.content);
    const reasoning = reasoningOf(delta) || texts.reasoning;
    if (reasoning !== '') {
      yield* readEvents(content.isSeparate());
      yield { type: 'reasoning', delta: reasoning };
    }
    yield* readEvents(content.read(texts.text));
    yield* readText(contentOf(delta.refusal).text);
    for (const one of listOf(delta.annotations)) {
      const source = sourceOf(one);
      if (source) yield shifted(source, content.removed);
    }
    for (const one of callsOf(delta)) yield* calls.read(one);
  }

  /** The end of a response whose `finish_reason` was read. */
  function finish(reason: string): AgentEvent[] {
    const events: AgentEvent[] = [...readEvents(content.end())];
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
      if (event === 'error' || isError(chunk)) return over({ type: 'failed', code: 'error' });
      usage = usageOf(chunk.usage) ?? usage;
      const choice = listOf(chunk.choices).find(isFirst);
      if (!choice) return [];
      if (isError(choice)) return over({ type: 'failed', code: 'error' });
      const hasContent = text !== '' || calls.size > 0;
      const events = [...readDelta(deltaOf(choice, hasContent, hasDeltas))];
      hasDeltas ||= isObject(choice.delta) && hasFields(choice.delta);
      finishReason = reasonOf(choice.finish_reason) ?? finishReason;
      return events;
    },
    end: () => (isOver ? [] : endOf(false)),
  };

  /** `isMarked`: the server has sent `[DONE]`. Some servers send no `finish_reason` before it. */
  function endOf(isMarked: boolean): AgentEvent[] {
    if (finishReason !== undefined) return finish(finishReason);
    if (!isMarked) return over(...readEvents(content.end()), { type: 'failed', code: 'incomplete' });
    return finish(calls.asMessage().length > 0 ? 'tool_calls' : 'stop');
  }
}

const isFirst = (choice: unknown): choice is Choice => isObject(choice) && Number(choice.index ?? 0) === 0;

function parse(data: ServerEvent['data']): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The offsets of the agent count the reasoning that was in its text. */
const shifted = (source: Source, removed: number): AgentEvent =>
  source.end === undefined ? source : { ...source, end: Math.max(0, source.end - removed) };

/** Returns the body of a chat completion. Texts of the visitor and found passages are never part of the instructions. */
export function openaiChatRequest(run: AgentRun): Record<string, unknown> {
  const { model, instructions, tools, maxOutputTokens } = run;
  const turn = messagesOfTurn(run);
  return {
    model,
    messages: [
      ...(instructions === '' ? [] : [{ role: 'system', content: instructions }]),
      ...conversationOf(run, turn.length > 0),
      ...turn,
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function',
            function: { name, description, parameters: inputSchema },
          })),
        }),
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: maxOutputTokens,
  };
}

/** The conversation, with the data before the message that the run answers. */
function conversationOf(run: AgentRun, isContinued: boolean): object[] {
  const history = historyOfTurn(run, isContinued);
  const last = history.findLastIndex(({ role }) => role === 'user');
  const grounding = groundingText(run);
  return history.map(({ role, text }, index) => ({
    role,
    content: index === last ? groundedText(grounding, text) : text,
  }));
}

/** The messages of the model in this turn, with a result for each of its calls, because servers require one. */
export function messagesOfTurn({ state, resume }: AgentRun): JsonObject[] {
  if (resume.length === 0) return [];
  const messages = objectsOf(state);
  const answered = new Set(messages.map(({ tool_call_id }) => tool_call_id));
  return messages.flatMap((message) => [
    message,
    ...callIdsOf(message)
      .filter((id) => !answered.has(id))
      .map((id) => toolMessage(id, resume)),
  ]);
}

/** The ids of all calls of some messages. */
export const idsOfCalls = (messages: readonly JsonObject[]): ReadonlySet<string> =>
  new Set(messages.flatMap(callIdsOf));

const callIdsOf = ({ tool_calls }: JsonObject): string[] =>
  objectsOf(tool_calls).flatMap(({ id }) => idOf(id) ?? []);

function toolMessage(id: string, resume: readonly Resumed[]): JsonObject {
  const answer = answerTo(id, resume);
  const content = answer?.status === 'resolved' ? (answer.payload ?? null) : { error: 'cancelled' };
  return {
    role: 'tool',
    tool_call_id: id,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  };
}
