// Reads the events of a run of AG-UI 1.0, and the older ones of reasoning (THINKING_…).
import { isBusy } from '../../busy.ts';
import type { AgentReader, AgentRun } from '../../protocol.ts';
import { createReasoning } from '../shared/answer-texts.ts';
import { createEventReader, type Emit } from '../shared/event-reader.ts';
import { createToolCalls } from '../shared/tool-calls.ts';
import {
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
import { emitEnd, emitUnread, emitUsage } from './end.ts';
import { applyPatch } from './json-patch.ts';
import { isSuperseding, isTextTheAnswer } from './resume.ts';
import {
  contentText,
  createKeptState,
  createRunMessages,
  earlierMessages,
  savedRunOf,
  withAnswer,
} from './saved-run.ts';
import { createOwnTexts, readSnapshot } from './snapshot.ts';
import { maxInterrupts } from './waiting.ts';

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
  const calls = createToolCalls();
  const reasoning = createReasoning();
  const activities = createActivities(run.blocks ?? []);
  const ofTurn = earlierMessages(run, earlier);
  const messages = createRunMessages(ofTurn, calls.get);
  const texts = createOwnTexts(ofTurn, messages);
  /** The run begins with the end of what was open at the agent, because the visitor wrote a message in place of an answer. */
  const supersedes = isSuperseding(run, earlier);
  /** Whether the agent knows the message of the visitor, as far as it can be told. */
  let isRead = true;
  const interrupts: JsonObject[] = [];
  let hasCalled = false;
  /** The agent keeps the thread itself. */
  let hasThread = earlier.answers !== undefined;
  /** Messages of users, systems and subagents. */
  const ignored = new Set<string>();
  for (const { id, function: made } of earlier.messages.flatMap((one) => objectsOf(one.toolCalls))) {
    const { name, arguments: input } = objectOf(made) ?? {};
    calls.know(idOf(id) ?? '', name, inputOfText(textOf(input) ?? ''));
  }
  const keptState = createKeptState(earlier.state);
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
    hasCalled = true;
    if (isNew && call) messages.call(id, call.name, idOf(parentMessageId));
    return id;
  }

  /** The result of a call. Only the first one counts. */
  function result(id: string, messageId: string, text: string, emit: Emit, hasFailed = false): void {
    const call = calls.get(id);
    if (!call || call.state === 'done') return;
    messages.result(messageId, id, text);
    if (hasFailed) calls.settle(id, 'tool-error', emit);
    else calls.settle(id, 'tool-output', emit, valueOfText(text));
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

  const answers = () => (hasThread ? withAnswer(earlier.answers ?? [], texts.ofRun()) : []);
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
      if (id !== undefined && isOwn(id, { subagentRunId: event.subagentRunId }))
        texts.write(id, event.delta, emit);
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
      if (isOwn(id, event)) texts.write(id, event.delta, emit);
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
      if (id !== undefined && text !== undefined) result(id, idOf(messageId) ?? `result:${id}`, text, emit);
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
    STATE_SNAPSHOT: ({ snapshot }) => keptState.change(snapshot),
    STATE_DELTA({ delta }) {
      const changed = applyPatch(keptState.whole ?? {}, delta);
      if (changed) keptState.change(changed.value);
    },
    MESSAGES_SNAPSHOT(event, emit) {
      const snapshot = readSnapshot(event.messages, run, texts.shown);
      hasThread = true;
      isRead = snapshot.hasMessage || isTextTheAnswer(earlier);
      for (const { id, text } of snapshot.texts) {
        texts.write(id, text, emit, true);
        texts.close(id, emit);
      }
      for (const { id, name, input } of snapshot.calls) calls.know(id, name, inputOfText(input));
      for (const { messageId, toolCallId, content, hasFailed } of snapshot.results)
        result(toolCallId, messageId, content, emit, hasFailed);
    },
    CUSTOM(event, emit) {
      const { name, value } = event;
      if (name === 'on_interrupt' && interrupts.length < maxInterrupts) interrupts.push(event);
      const source = name === 'source' ? objectOf(value) : undefined;
      const url = webAddressOf(source?.url);
      const title = firstLine(source?.title, url);
      if (title !== undefined) emit({ type: 'source', title, ...(url === undefined ? {} : { url }) });
    },
    RUN_ERROR({ message, code, usage }, emit) {
      emitUsage(usage, emit);
      if (!texts.isAnswered && !hasCalled && isBusy(message, code)) emit({ type: 'failed', code: 'busy' });
      // The interrupts may be unknown to the agent by now: then the message alone is sent.
      else if (supersedes && !texts.isAnswered)
        emitUnread({ run, state: keptState.value, answers: answers() }, emit);
      else emit({ type: 'failed', code: 'agent_error' });
    },
    RUN_FINISHED(event, emit) {
      texts.closeAll(emit);
      const isUnread = supersedes && (!isRead || !texts.isAnswered);
      const ending = { run, state: keptState.value, answers: answers(), calls, messages, events: interrupts };
      emitEnd(event, { ...ending, isUnread }, emit);
    },
  };

  const reader = createEventReader({
    read(event, emit) {
      closeChunks(event.type, emit);
      const name = textOf(event.type) ?? '';
      if (Object.hasOwn(handlers, name)) handlers[name]?.(event, emit);
    },
  });
  return { ...reader, droppedState: () => keptState.dropped };
}
