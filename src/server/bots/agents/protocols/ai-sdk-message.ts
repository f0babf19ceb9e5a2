// Builds the assistant's message from a stream, as the AI SDK does. The next request contains it with the answers to
// its approvals.
import type { AgentRun } from '../protocol.ts';
import { answerTo, cancelledResult, isApproval } from './shared/request-texts.ts';
import {
  bytesOf,
  fittingState,
  idOf,
  type JsonObject,
  objectOf,
  objectsOf,
  savedStateBytes,
  textOf,
} from './shared/values.ts';

/** The message that the previous run of this turn has kept; undefined if there is none. */
export function savedMessageOf({ state, resume }: AgentRun): JsonObject | undefined {
  const message = resume.length > 0 ? objectOf(objectOf(state)?.message) : undefined;
  return message && idOf(message.id) !== undefined ? message : undefined;
}

/**
 * Returns the message with the answers. Approvals and calls without an answer are denied or cancelled, because the
 * agent could not continue otherwise.
 */
export function respondedMessage(message: JsonObject, { resume, tools }: AgentRun): JsonObject {
  const offered = new Set(tools.map(({ name }) => name));
  const parts = objectsOf(message.parts).map((part) => {
    const approval = objectOf(part.approval);
    if (part.state === 'approval-requested' && approval) {
      const answer = resume.find(({ interruptId }) => interruptId === approval.id);
      return {
        ...part,
        state: 'approval-responded',
        approval: { ...approval, approved: isApproval(answer) },
      };
    }
    const answer = answerTo(part.toolCallId, resume);
    // The page may not offer the tool any more. Others are tools of the agent.
    const isOurs = answer !== undefined || offered.has(toolNameOf(part) ?? '');
    if (part.state !== 'input-available' || !isOurs) return part;
    return answer?.status === 'resolved'
      ? { ...part, state: 'output-available', output: answer.payload ?? null }
      : { ...part, state: 'output-error', errorText: cancelledResult };
  });
  return { ...message, parts };
}

/** The name of the tool of a part; undefined for other parts. */
export function toolNameOf({ type, toolName }: JsonObject): string | undefined {
  if (type === 'dynamic-tool') return textOf(toolName);
  return typeof type === 'string' && type.startsWith('tool-') ? type.slice(5) : undefined;
}

/** Fields of a call that its server needs in the next request. */
const callFields = ['title', 'providerExecuted', 'toolMetadata'] as const;

/** The maximum number of bytes in memory. More could not be stored. */
const maxBytes = 4 * savedStateBytes;

export interface UiMessage {
  apply(chunk: JsonObject): void;
  /** The message to store; undefined if it is too large. */
  saved(): { message: JsonObject } | undefined;
}

/** Builds the message. `earlier`: what the previous run of this turn has kept, with its answers. */
export function createUiMessage(earlier: JsonObject | undefined, runId: string): UiMessage {
  const message: JsonObject = { id: `answer:${runId}`, role: 'assistant', ...earlier };
  let parts = objectsOf(message.parts).map((part) => ({ ...part }));
  const texts = new Map<string, JsonObject>();
  const calls = new Map(parts.map((part) => [textOf(part.toolCallId) ?? '', part]));
  let bytes = 0;

  function open(kind: 'text' | 'reasoning', { id, providerMetadata }: JsonObject): void {
    const part: JsonObject = { type: kind, text: '', ...metadata({ providerMetadata }) };
    texts.set(`${kind}:${String(id)}`, part);
    parts.push(part);
  }

  function write(kind: string, { id, delta, providerMetadata }: JsonObject): void {
    const part = texts.get(`${kind}:${String(id)}`);
    if (part)
      Object.assign(
        part,
        { text: `${textOf(part.text) ?? ''}${textOf(delta) ?? ''}` },
        metadata({ providerMetadata }),
      );
  }

  function call(chunk: JsonObject): JsonObject | undefined {
    const { toolCallId, toolName, dynamic, providerMetadata } = chunk;
    const id = idOf(toolCallId);
    const name = textOf(toolName);
    if (id === undefined) return undefined;
    let part = calls.get(id);
    if (!part && name === undefined) return undefined;
    if (!part) {
      part = dynamic === true ? { type: 'dynamic-tool', toolName: name } : { type: `tool-${name}` };
      part.toolCallId = id;
      part.state = 'input-streaming';
      calls.set(id, part);
      parts.push(part);
    }
    for (const field of callFields) if (chunk[field] !== undefined) part[field] = chunk[field];
    return Object.assign(part, metadata({ callProviderMetadata: providerMetadata }));
  }

  /** Sets the result of a call. */
  function settle({ toolCallId, providerMetadata }: JsonObject, fields: JsonObject): void {
    const part = calls.get(textOf(toolCallId) ?? '');
    if (part) Object.assign(part, fields, metadata({ resultProviderMetadata: providerMetadata }));
  }

  const handlers: Record<string, (chunk: JsonObject) => void> = {
    start({ messageId }) {
      const id = idOf(messageId);
      if (id !== undefined) message.id = id;
    },
    'start-step': () => void parts.push({ type: 'step-start' }),
    'finish-step': () => texts.clear(),
    'reset-step'() {
      const begin = parts.findLastIndex(({ type }) => type === 'step-start') + 1;
      for (const { toolCallId } of parts.splice(begin)) calls.delete(textOf(toolCallId) ?? '');
      texts.clear();
    },
    'text-start': (chunk) => open('text', chunk),
    'text-delta': (chunk) => write('text', chunk),
    'text-end': (chunk) => write('text', { ...chunk, delta: '' }),
    'reasoning-start': (chunk) => open('reasoning', chunk),
    'reasoning-delta': (chunk) => write('reasoning', chunk),
    'reasoning-end': (chunk) => write('reasoning', { ...chunk, delta: '' }),
    'tool-input-start': (chunk) => void call(chunk),
    'tool-input-available'(chunk) {
      const part = call(chunk);
      if (part) Object.assign(part, { state: 'input-available', input: chunk.input ?? null });
    },
    'tool-input-error'(chunk) {
      const { input, errorText } = chunk;
      const part = call(chunk);
      const inputFields = part?.type === 'dynamic-tool' ? { input } : { rawInput: input };
      if (part)
        Object.assign(part, { state: 'output-error', ...inputFields, errorText: textOf(errorText) ?? '' });
    },
    'tool-approval-request'(chunk) {
      const part = calls.get(textOf(chunk.toolCallId) ?? '');
      if (!part) return;
      const { approvalId, approvalDescriptor, signature } = chunk;
      part.state = 'approval-requested';
      part.approval = {
        id: approvalId,
        ...metadata({ descriptor: approvalDescriptor, signature }),
        ...('inputSchemaInput' in chunk ? { inputSchemaInput: chunk.inputSchemaInput } : {}),
      };
    },
    'tool-approval-response'({ approvalId, approved, reason }) {
      const part = parts.find(({ approval }) => objectOf(approval)?.id === approvalId);
      if (!part) return;
      part.state = 'approval-responded';
      part.approval = { ...objectOf(part.approval), ...metadata({ approved, reason }) };
    },
    // A message of the user that the route has added to the run.
    'steering-message': ({ id, parts: steeringParts }) =>
      void parts.push({ type: 'steering-message', id, parts: steeringParts }),
    'tool-output-available': (chunk) =>
      settle(chunk, { state: 'output-available', output: chunk.output ?? null }),
    'tool-output-error': (chunk) =>
      settle(chunk, { state: 'output-error', errorText: textOf(chunk.errorText) ?? '' }),
    'tool-output-denied': (chunk) => settle(chunk, { state: 'output-denied' }),
  };

  /** Removes steps before the last one, which the agent does not need. */
  function forgetSteps(): void {
    parts = parts.slice(
      Math.max(
        0,
        parts.findLastIndex(({ type }) => type === 'step-start'),
      ),
    );
    bytes = bytesOf(parts);
  }

  return {
    apply(chunk) {
      const name = textOf(chunk.type) ?? '';
      if (!Object.hasOwn(handlers, name)) return;
      const delta = textOf(chunk.delta);
      bytes += delta === undefined ? bytesOf(chunk) : delta.length;
      if (bytes > maxBytes && name === 'start-step') {
        parts.push({ type: 'step-start' });
        forgetSteps();
      } else if (bytes <= maxBytes) handlers[name]?.(chunk);
    },
    saved() {
      if (bytes > maxBytes) return undefined;
      const last = parts.findLastIndex(({ type }) => type === 'step-start');
      return fittingState([
        { message: { ...message, parts } },
        { message: { ...message, parts: parts.slice(Math.max(0, last)) } },
      ]);
    },
  };
}

/** Returns the fields that are not undefined. */
const metadata = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
