// Reads the events of a run of AG-UI 1.0, and the older ones of reasoning (THINKING_…).
import type { AgentReader, AgentRun } from '../../protocol.ts';
import { createAnswerTexts } from '../shared/answer-texts.ts';
import { createEventReader, type Emit } from '../shared/event-reader.ts';
import { createReasoning } from '../shared/reasoning.ts';
import { createToolCalls } from '../shared/tool-calls.ts';
import {
  bytesOf,
  firstLine,
  idOf,
  inputOfText,
  type JsonObject,
  objectOf,
  objectsOf,
  textOf,
  valueOfText,
  webAddressOf,
} from '../shared/values.ts';
import { createActivities } from './activities.ts';
import { contentText } from './content.ts';
import { emitEnd, emitUsage } from './end.ts';
import { applyPatch } from './json-patch.ts';
import { createRunMessages, earlierMessages, savedRunOf, stateBytes } from './saved-run.ts';

/** Messages that are not of the agent. */
const maxIgnored = 1_000;

/** Events that may come between the chunks of a message or call. The next chunk may then have no id. */
const asides: readonly unknown[] = [
  'RAW',
  'CUSTOM',
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'REASONING_ENCRYPTED_VALUE',
];

type Handlers = Record<string, (event: JsonObject, emit: Emit) => void>;

export function createAgUiReader(run: AgentRun): AgentReader {
  const earlier = savedRunOf(run.state);
  const texts = createAnswerTexts();
  const calls = createToolCalls();
  const reasoning = createReasoning();
  const activities = createActivities(run.blocks ?? []);
  const messages = createRunMessages(earlierMessages(run, earlier), calls.get);
  const asked = new Set(run.history.map(({ id }) => id));
  /** Messages of users, systems and subagents. */
  const ignored = new Set<string>();
  for (const { id, function: made } of earlier.messages.flatMap((one) => objectsOf(one.toolCalls))) {
    const { name, arguments: input } = objectOf(made) ?? {};
    calls.know(idOf(id) ?? '', name, inputOfText(textOf(input) ?? ''));
  }
  let state: unknown = earlier.state;
  let textChunk: string | undefined;
  let callChunk: string | undefined;
  let reasoningId = 0;
  let step: string | undefined;

  /** Whether a message is the agent's own; texts of subagents are not shown. */
  function isOwn(id: string, event: JsonObject): boolean {
    const isForeign =
      event.subagentRunId !== undefined || (event.role !== undefined && event.role !== 'assistant');
    if (isForeign && ignored.size < maxIgnored) ignored.add(id);
    return !isForeign && !ignored.has(id);
  }

  function write(id: string | undefined, delta: unknown, emit: Emit): void {
    const text = textOf(delta);
    if (id === undefined || text === undefined || text === '') return;
    messages.text(id, text);
    texts.write(id, text, emit);
  }

  function think(id: string, { delta, subagentRunId }: JsonObject, emit: Emit): void {
    const text = textOf(delta);
    if (text === undefined || subagentRunId !== undefined) return;
    messages.reasoning(id, text);
    reasoning.write(id, text, emit);
  }

  function beginCall(
    { toolCallId, toolCallName, parentMessageId }: JsonObject,
    emit: Emit,
  ): string | undefined {
    const id = idOf(toolCallId);
    if (id === undefined) return undefined;
    const isNew = !calls.get(id);
    calls.begin(id, toolCallName, undefined, emit);
    const call = calls.get(id);
    if (isNew && call) messages.call(id, call.name, idOf(parentMessageId));
    return id;
  }

  /** Ends messages and calls that came as chunks. */
  function closeChunks(type: unknown, emit: Emit): void {
    if (asides.includes(type)) return;
    if (type !== 'TEXT_MESSAGE_CHUNK' && textChunk !== undefined) {
      texts.close(textChunk, emit);
      textChunk = undefined;
    }
    if (type !== 'TOOL_CALL_CHUNK' && callChunk !== undefined) {
      calls.complete(callChunk, emit);
      callChunk = undefined;
    }
  }

  function changeState(value: unknown): void {
    // An incomplete state would mislead the agent. Without a state it begins again.
    state = bytesOf(value) <= stateBytes ? value : undefined;
  }

  const begin = (name: string | undefined, emit: Emit) => {
    step = name;
    if (name !== undefined) emit({ type: 'status', text: name });
  };
  const finish = (name: string | undefined, emit: Emit) => {
    if (name === step) emit({ type: 'status', text: '' });
  };

  const handlers: Handlers = {
    TEXT_MESSAGE_START(event) {
      const id = idOf(event.messageId);
      if (id !== undefined) isOwn(id, event);
    },
    TEXT_MESSAGE_CONTENT(event, emit) {
      const id = idOf(event.messageId);
      if (id !== undefined && isOwn(id, { subagentRunId: event.subagentRunId })) write(id, event.delta, emit);
    },
    TEXT_MESSAGE_END({ messageId }, emit) {
      const id = idOf(messageId);
      if (id !== undefined) texts.close(id, emit);
    },
    TEXT_MESSAGE_CHUNK(event, emit) {
      const id = idOf(event.messageId) ?? textChunk;
      if (id === undefined) return;
      if (textChunk !== undefined && id !== textChunk) texts.close(textChunk, emit);
      textChunk = id;
      if (isOwn(id, event)) write(id, event.delta, emit);
    },
    TOOL_CALL_START: (event, emit) => void beginCall(event, emit),
    TOOL_CALL_ARGS({ toolCallId, delta }) {
      calls.append(idOf(toolCallId) ?? '', textOf(delta) ?? '');
    },
    TOOL_CALL_END({ toolCallId }, emit) {
      calls.complete(idOf(toolCallId) ?? '', emit);
    },
    TOOL_CALL_CHUNK(event, emit) {
      const id = idOf(event.toolCallId) ?? callChunk;
      if (id === undefined) return;
      if (callChunk !== undefined && id !== callChunk) calls.complete(callChunk, emit);
      callChunk = id;
      beginCall({ ...event, toolCallId: id }, emit);
      calls.append(id, textOf(event.delta) ?? '');
    },
    TOOL_CALL_RESULT({ toolCallId, messageId, content }, emit) {
      const id = idOf(toolCallId);
      const text = contentText(content);
      if (id === undefined || text === undefined || !calls.get(id)) return;
      messages.result(idOf(messageId) ?? `result:${id}`, id, text);
      calls.settle(id, 'tool-output', emit, valueOfText(text));
    },
    REASONING_MESSAGE_CONTENT: (event, emit) => think(idOf(event.messageId) ?? '', event, emit),
    REASONING_MESSAGE_CHUNK: (event, emit) =>
      think(idOf(event.messageId) ?? reasoning.last ?? '', event, emit),
    REASONING_ENCRYPTED_VALUE({ subtype, entityId, encryptedValue }) {
      const id = idOf(entityId);
      const value = textOf(encryptedValue);
      if (id !== undefined && value !== undefined) messages.encrypted(subtype, id, value);
    },
    THINKING_TEXT_MESSAGE_START() {
      reasoningId += 1;
    },
    THINKING_TEXT_MESSAGE_CONTENT: (event, emit) => think(`thinking:${reasoningId}`, event, emit),
    STEP_STARTED: ({ stepName }, emit) => begin(firstLine(stepName), emit),
    STEP_FINISHED: ({ stepName }, emit) => finish(firstLine(stepName), emit),
    SUBAGENT_STARTED: ({ name, description }, emit) => begin(firstLine(description, name), emit),
    ACTIVITY_SNAPSHOT: activities.snapshot,
    ACTIVITY_DELTA: activities.change,
    STATE_SNAPSHOT: ({ snapshot }) => changeState(snapshot),
    STATE_DELTA({ delta }) {
      const changed = applyPatch(state ?? {}, delta);
      if (changed) changeState(changed.value);
    },
    MESSAGES_SNAPSHOT(event, emit) {
      const all = objectsOf(event.messages);
      const last = all.findLastIndex(({ role }) => role === 'user');
      for (const { id, role, content, subagentRunId } of all.slice(last + 1)) {
        const known = idOf(id);
        if (known === undefined || role !== 'assistant' || subagentRunId !== undefined) continue;
        if (asked.has(known) || messages.has(known) || texts.has(known)) continue;
        write(known, contentText(content), emit);
        texts.close(known, emit);
      }
    },
    CUSTOM({ name, value }, emit) {
      const source = name === 'source' ? objectOf(value) : undefined;
      const url = webAddressOf(source?.url);
      const title = firstLine(source?.title, url);
      if (title !== undefined) emit({ type: 'source', title, ...(url === undefined ? {} : { url }) });
    },
    RUN_ERROR({ usage }, emit) {
      emitUsage(usage, emit);
      emit({ type: 'failed', code: 'agent_error' });
    },
    RUN_FINISHED(event, emit) {
      texts.closeAll(emit);
      emitEnd(event, { run, state, calls, messages }, emit);
    },
  };

  return createEventReader({
    read(event, emit) {
      closeChunks(event.type, emit);
      const name = textOf(event.type) ?? '';
      if (Object.hasOwn(handlers, name)) handlers[name]?.(event, emit);
    },
  });
}
