// Reads the events of a response of the Responses API.
import type { AgentReader, AgentRun } from '../../protocol.ts';
import { createAnswerTexts } from '../shared/answer-texts.ts';
import { createEventReader, type Emit } from '../shared/event-reader.ts';
import { createReasoning } from '../shared/reasoning.ts';
import { createToolCalls } from '../shared/tool-calls.ts';
import { countOf, fittingState, type JsonObject, objectOf, objectsOf, textOf } from '../shared/values.ts';
import { createCitations } from './citations.ts';
import { createItems } from './items.ts';

/** The status that the visitor reads while the provider runs a tool. */
const statuses: Record<string, string> = {
  'response.web_search_call.searching': 'Searching the web',
  'response.file_search_call.searching': 'Searching files',
  'response.code_interpreter_call.interpreting': 'Running code',
};

/** Items without a number of one response. */
const maxUnnumbered = 200;

/** `turn`: the items of the earlier runs of this turn. */
export function createResponsesReader(run: AgentRun, turn: readonly JsonObject[]): AgentReader {
  const texts = createAnswerTexts();
  const calls = createToolCalls();
  const reasoning = createReasoning();
  const citations = createCitations(texts);
  const items = createItems(calls);
  const hasTools = run.tools.length > 0;

  /** The positions of items by id, for servers that do not number them. */
  const unnumbered = new Map<string, number>();

  /** Items are identified by their position, because some servers change their ids during a response. */
  function placeOf({ output_index, item_id, item }: JsonObject): string {
    const index = countOf(output_index);
    if (index !== undefined) return String(index);
    const id = textOf(item_id) ?? textOf(objectOf(item)?.id) ?? '';
    const place = unnumbered.get(id) ?? unnumbered.size;
    if (unnumbered.size < maxUnnumbered) unnumbered.set(id, place);
    return String(place);
  }
  const partOf = (event: JsonObject): string => `${placeOf(event)}/${countOf(event.content_index) ?? 0}`;

  function write(event: JsonObject, emit: Emit): void {
    const delta = textOf(event.delta);
    if (delta === undefined || delta === '') return;
    citations.begin(partOf(event));
    texts.write(placeOf(event), delta, emit);
  }

  const summarize = (event: JsonObject, emit: Emit) => {
    const number = countOf(event.summary_index ?? event.content_index) ?? 0;
    reasoning.write(`${placeOf(event)}/${number}`, textOf(event.delta) ?? '', emit);
  };

  /** An item is complete. A server may send only this, without the events before it. */
  function finishItem(place: string, item: JsonObject, emit: Emit): void {
    items.begin(item, emit);
    if (item.type === 'message') {
      const isStreamed = texts.has(place);
      for (const [index, part] of objectsOf(item.content).entries()) {
        const key = `${place}/${index}`;
        const text = textOf(part.text) ?? textOf(part.refusal);
        if (!isStreamed && text !== undefined) {
          citations.begin(key);
          texts.write(place, text, emit);
        }
        for (const annotation of objectsOf(part.annotations)) citations.add(key, annotation, emit);
      }
      texts.close(place, emit);
    }
    items.finish(place, item, emit);
  }

  function finish(response: JsonObject, reason: 'finished' | 'truncated' | 'stopped', emit: Emit): void {
    for (const [index, item] of objectsOf(response.output).entries()) {
      if (!items.isFinished(String(index))) finishItem(String(index), item, emit);
    }
    texts.closeAll(emit);
    emitUsage(response, emit);
    const interrupts = reason === 'finished' ? items.interrupts() : [];
    // A call of an unknown function waits for a result, too. The result tells the model that the function does not
    // exist.
    const waiting = reason === 'finished' && hasTools ? calls.pending(items.functionNames()) : [];
    const isWaiting = interrupts.length > 0 || waiting.length > 0;
    const kept = isWaiting ? fittingState(items.saved(turn)) : undefined;
    if (isWaiting && !kept) {
      emit({ type: 'failed', code: 'state_too_large' });
      return;
    }
    if (kept) emit({ type: 'saveState', state: kept });
    for (const interrupt of interrupts) emit({ type: 'interrupt', interrupt });
    const after = waiting.length > 0 ? 'calls' : reason;
    emit({ type: 'end', reason: interrupts.length > 0 ? 'interrupted' : after });
  }

  const inputDone = (event: JsonObject, emit: Emit) => {
    const input = textOf(event.arguments) ?? textOf(event.input) ?? textOf(event.code);
    if (input !== undefined) items.completeInput(placeOf(event), input, emit);
  };

  const handlers: Record<string, (event: JsonObject, emit: Emit) => void> = {
    'response.output_text.delta': write,
    'response.refusal.delta': write,
    'response.output_text.annotation.added': (event, emit) =>
      citations.add(partOf(event), objectOf(event.annotation) ?? {}, emit),
    'response.reasoning_summary_text.delta': summarize,
    'response.reasoning_text.delta': summarize,
    'response.output_item.added': (event, emit) => {
      const item = objectOf(event.item);
      if (item) items.begin(item, emit, placeOf(event));
    },
    'response.function_call_arguments.done': inputDone,
    'response.mcp_call_arguments.done': inputDone,
    'response.custom_tool_call_input.done': inputDone,
    'response.code_interpreter_call_code.done': inputDone,
    'response.mcp_call.in_progress': (event, emit) => {
      const text = items.nameAt(placeOf(event));
      if (text !== undefined) emit({ type: 'status', text });
    },
    'response.mcp_call.failed': (event, emit) => items.fail(placeOf(event), emit),
    'response.output_item.done': (event, emit) => {
      const item = objectOf(event.item);
      if (item) finishItem(placeOf(event), item, emit);
    },
    'response.completed': ({ response }, emit) => finish(objectOf(response) ?? {}, 'finished', emit),
    'response.incomplete': ({ response }, emit) => finish(objectOf(response) ?? {}, 'truncated', emit),
    'response.cancelled': ({ response }, emit) => finish(objectOf(response) ?? {}, 'stopped', emit),
    'response.failed': ({ response }, emit) => {
      emitUsage(objectOf(response) ?? {}, emit);
      emit({ type: 'failed', code: 'agent_error' });
    },
    error: (_, emit) => emit({ type: 'failed', code: 'agent_error' }),
  };

  return createEventReader({
    read(event, emit) {
      const name = textOf(event.type) ?? '';
      const text = Object.hasOwn(statuses, name) ? statuses[name] : undefined;
      if (text !== undefined) emit({ type: 'status', text });
      if (Object.hasOwn(handlers, name)) handlers[name]?.(event, emit);
    },
  });
}

function emitUsage({ usage }: JsonObject, emit: Emit): void {
  const { input_tokens, output_tokens } = objectOf(usage) ?? {};
  const [inputTokens, outputTokens] = [countOf(input_tokens), countOf(output_tokens)];
  if (inputTokens === undefined && outputTokens === undefined) return;
  emit({ type: 'usage', inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 });
}
