// UI message streams of the AI SDK (https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol): the request of a run, and its reader.
import { limits } from '../../../../protocol/limits.ts';
import type { AgentProtocol, AgentReader, AgentRun, AskedInterrupt } from '../protocol.ts';
import { createUiMessage, respondedMessage, savedMessageOf, toolNameOf } from './ai-sdk-message.ts';
import { createAnswerTexts, createReasoning } from './shared/answer-texts.ts';
import { createEventReader, type Emit } from './shared/event-reader.ts';
import { groundingText, historyOfTurn } from './shared/request-texts.ts';
import { createToolCalls } from './shared/tool-calls.ts';
import {
  countOf,
  firstLine,
  idOf,
  type JsonObject,
  lineOf,
  objectOf,
  objectsOf,
  plainOf,
  textOf,
  webAddressOf,
} from './shared/values.ts';
import { withThinkTags } from './think-tags.ts';

/**
 * The protocol: what `useChat` sends. `system` and `tools` are further fields of the body, which a route can pass to
 * `streamText`; passages and the context of the page are in the message of the user, since every route reads that.
 */
export const aiSdk: AgentProtocol = {
  name: 'ai-sdk',
  request(run) {
    const savedMessage = savedMessageOf(run);
    const tools = run.tools.map(({ name, description, inputSchema }) => [
      name,
      { description, parameters: inputSchema },
    ]);
    return {
      id: run.conversationId,
      messages: [
        ...messagesOf(run, savedMessage !== undefined),
        ...(savedMessage ? [respondedMessage(savedMessage, run)] : []),
      ],
      trigger: 'submit-message',
      ...(savedMessage ? { messageId: savedMessage.id } : {}),
      ...(run.instructions === '' ? {} : { system: run.instructions }),
      ...(tools.length === 0 ? {} : { tools: Object.fromEntries(tools) }),
    };
  },
  createReader: (run) => withThinkTags(createAiSdkReader(run), run.isThinking),
};

function messagesOf(run: AgentRun, isContinued: boolean): JsonObject[] {
  const history = historyOfTurn(run, isContinued);
  const last = history.findLastIndex(({ role }) => role === 'user');
  const grounding = groundingText(run);
  return history.map(({ id, role, text }, index) => ({
    id,
    role,
    parts: [
      ...(index === last && grounding !== '' ? [{ type: 'text', text: grounding }] : []),
      { type: 'text', text },
    ],
  }));
}

/** The reasons of an end that are failures. `interrupted`: the stream of the model has broken off. */
const failures = new Map([
  ['error', 'agent_error'],
  ['content-filter', 'content_filter'],
  ['interrupted', 'incomplete'],
]);

const reasonOf = (reason: unknown): string => (typeof reason === 'string' ? reason.replaceAll('_', '-') : '');

/** Approvals of one run, and texts that are open at once. */
const most = { interrupts: 20, open: 100 };

/** Reads the chunks of a UI message stream. */
export function createAiSdkReader(run: AgentRun): AgentReader {
  const savedMessage = savedMessageOf(run);
  const earlier = savedMessage && respondedMessage(savedMessage, run);
  const message = createUiMessage(earlier, run.runId);
  const texts = createAnswerTexts();
  const calls = createToolCalls();
  for (const part of objectsOf(earlier?.parts))
    calls.know(idOf(part.toolCallId) ?? '', toolNameOf(part), part.input);
  const reasoning = createReasoning();
  /** Ids of texts are used again in each step. */
  const open = new Map<string, string>();
  let opened = 0;
  /** Blocks without an id. */
  let unnamed = 0;
  /** Outputs that may be followed by a later one. */
  const preliminary = new Map<string, unknown>();
  const interrupts = new Map<string, AskedInterrupt>();
  let finished: { reason: unknown } | undefined;

  const keyOf = (kind: string, { id }: JsonObject): string | undefined => open.get(`${kind}:${String(id)}`);
  function begin(kind: string, { id }: JsonObject): void {
    opened += 1;
    if (idOf(id) !== undefined && open.size < most.open) open.set(`${kind}:${String(id)}`, String(opened));
  }

  function closeTexts(emit: Emit): void {
    open.clear();
    texts.closeAll(emit);
  }

  function settle(
    { toolCallId }: JsonObject,
    type: 'tool-output' | 'tool-error' | 'tool-denied',
    emit: Emit,
    output?: unknown,
  ): void {
    const id = idOf(toolCallId) ?? '';
    preliminary.delete(id);
    calls.settle(id, type, emit, output);
  }

  function beginCall({ toolCallId, toolName, title }: JsonObject, emit: Emit): string {
    const id = idOf(toolCallId) ?? '';
    if (id !== '') calls.begin(id, toolName, title, emit);
    return id;
  }

  function source(chunk: JsonObject, emit: Emit): void {
    const url = webAddressOf(chunk.url);
    const title = firstLine(chunk.title, chunk.filename, url);
    if (title !== undefined) emit({ type: 'source', title, ...(url === undefined ? {} : { url }) });
  }

  function usage({ messageMetadata }: JsonObject, emit: Emit): void {
    const { inputTokens, outputTokens } = objectOf(objectOf(messageMetadata)?.usage) ?? {};
    const [input, output] = [countOf(inputTokens), countOf(outputTokens)];
    if (input === undefined && output === undefined) return;
    emit({ type: 'usage', inputTokens: input ?? 0, outputTokens: output ?? 0 });
  }

  /** The end of the stream, after a `finish` or `[DONE]`: streams that a route writes itself have no `finish`. */
  function done(emit: Emit, isMarked: boolean): void {
    if (!isMarked && !finished) return;
    closeTexts(emit);
    for (const [id, output] of preliminary) calls.settle(id, 'tool-output', emit, output);
    const asked = [...interrupts.values()].filter(({ toolId }) => calls.get(toolId ?? '')?.state === 'ready');
    const waiting = calls.pending(new Set(run.tools.map(({ name }) => name)));
    const isWaiting = waiting.length > 0 || asked.length > 0;
    const state = isWaiting ? message.saved() : undefined;
    const failure = failures.get(reasonOf(finished?.reason));
    if (failure !== undefined) emit({ type: 'failed', code: failure });
    if (isWaiting && !state) emit({ type: 'failed', code: 'state_too_large' });
    if (state) emit({ type: 'saveState', state });
    for (const interrupt of asked) emit({ type: 'interrupt', interrupt });
    if (asked.length > 0) emit({ type: 'end', reason: 'interrupted' });
    const other = finished?.reason === 'length' ? 'truncated' : 'finished';
    emit({ type: 'end', reason: waiting.length > 0 ? 'calls' : other });
  }

  const handlers: Record<string, (chunk: JsonObject, emit: Emit) => void> = {
    'start-step'(_, emit) {
      texts.mark();
      calls.mark();
      emit({ type: 'step' });
    },
    'finish-step': (_, emit) => closeTexts(emit),
    'reset-step'(_, emit) {
      open.clear();
      texts.reset();
      calls.reset();
      emit({ type: 'step-back' });
    },
    'text-start': (chunk) => begin('text', chunk),
    'text-delta'(chunk, emit) {
      const key = keyOf('text', chunk);
      if (key !== undefined) texts.write(key, textOf(chunk.delta) ?? '', emit);
    },
    'text-end'(chunk, emit) {
      const key = keyOf('text', chunk);
      if (key === undefined) return;
      texts.close(key, emit);
      open.delete(`text:${String(chunk.id)}`);
      for (const citation of objectsOf(chunk.citations)) source(citation, emit);
    },
    'reasoning-start': (chunk) => begin('reasoning', chunk),
    'reasoning-delta'(chunk, emit) {
      const key = keyOf('reasoning', chunk);
      if (key !== undefined) reasoning.write(key, textOf(chunk.delta) ?? '', emit);
    },
    'reasoning-end': (chunk) => void open.delete(`reasoning:${String(chunk.id)}`),
    'tool-input-start': (chunk, emit) => void beginCall(chunk, emit),
    'tool-input-available'(chunk, emit) {
      calls.complete(beginCall(chunk, emit), emit, { value: chunk.input ?? null });
    },
    'tool-input-error'(chunk, emit) {
      calls.complete(beginCall(chunk, emit), emit, { value: chunk.input ?? null });
      settle(chunk, 'tool-error', emit);
    },
    'tool-approval-request'({ approvalId, toolCallId, isAutomatic }) {
      const id = idOf(approvalId);
      const call = calls.get(idOf(toolCallId) ?? '');
      // The rules of the route answer an automatic one.
      if (id === undefined || isAutomatic === true || !call || interrupts.size >= most.interrupts) return;
      interrupts.set(id, {
        id,
        reason: 'tool_call',
        message: '',
        toolId: call.id,
        toolName: call.name,
        input: call.input,
      });
    },
    'tool-approval-response': ({ approvalId }) => void interrupts.delete(idOf(approvalId) ?? ''),
    'tool-output-available'(chunk, emit) {
      const id = idOf(chunk.toolCallId);
      if (id === undefined || !calls.get(id)) return;
      if (chunk.preliminary === true) preliminary.set(id, chunk.output);
      else settle(chunk, 'tool-output', emit, chunk.output);
    },
    'tool-output-error': (chunk, emit) => settle(chunk, 'tool-error', emit),
    'tool-output-denied': (chunk, emit) => settle(chunk, 'tool-denied', emit),
    'source-url': source,
    'source-document': (chunk, emit) => source({ ...chunk, url: undefined }, emit),
    'message-metadata': usage,
    finish(chunk, emit) {
      usage(chunk, emit);
      finished = { reason: chunk.finishReason };
    },
    error: (_, emit) => emit({ type: 'failed', code: 'agent_error' }),
    abort(_, emit) {
      closeTexts(emit);
      emit({ type: 'end', reason: 'stopped' });
    },
  };

  function data(name: string, chunk: JsonObject, emit: Emit): void {
    const fields = objectOf(chunk.data) ?? {};
    const text = firstLine(
      chunk.data,
      fields.text,
      fields.message,
      fields.title,
      fields.label,
      fields.status,
    );
    if (name === 'status') emit({ type: 'status', text: text ?? '' });
    // Transient data does not belong to the message.
    else if (run.blocks?.includes(name) && chunk.transient !== true) {
      const fallback = plainOf(fields.fallback, limits.parts.fallback) || (text ?? name);
      const id = idOf(chunk.id);
      unnamed += id === undefined ? 1 : 0;
      // An id belongs to one name. Without one, each chunk is a block of its own.
      const key = id === undefined ? `${name} ${unnamed}` : `${name}:${id}`;
      emit({ type: 'block', id: key, name, data: chunk.data ?? null, fallback });
    }
  }

  /** The body of a route that does not stream: a UI message, a text, or an error. */
  function whole(chunk: JsonObject, emit: Emit): void {
    if ((chunk.error ?? undefined) !== undefined) emit({ type: 'failed', code: 'agent_error' });
    const chunkParts = chunk.role === 'assistant' ? objectsOf(chunk.parts) : [{ ...chunk, type: 'text' }];
    for (const [index, part] of chunkParts.entries())
      if (part.type === 'text') texts.write(`whole ${index}`, textOf(part.text) ?? '', emit);
  }

  return createEventReader({
    read(chunk, emit) {
      if (chunk.type === undefined) return whole(chunk, emit);
      const type = textOf(chunk.type) ?? '';
      message.apply(chunk);
      if (type.startsWith('data-')) data(lineOf(type.slice(5)) ?? '', chunk, emit);
      else if (Object.hasOwn(handlers, type)) handlers[type]?.(chunk, emit);
    },
    done,
  });
}
