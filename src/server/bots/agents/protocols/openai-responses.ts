// The Responses API of OpenAI, which other servers implement too: the request of a run, and its reader.
import { limits } from '../../../../protocol/limits.ts';
import type { AgentProtocol, AgentReader, AgentRun } from '../protocol.ts';
import { createItems } from './openai-responses-items.ts';
import { type AnswerTexts, createAnswerTexts, createReasoning } from './shared/answer-texts.ts';
import { createEventReader, type Emit } from './shared/event-reader.ts';
import {
  answerTo,
  groundedText,
  groundingText,
  historyOfTurn,
  isApproval,
  resultText,
} from './shared/request-texts.ts';
import { createToolCalls } from './shared/tool-calls.ts';
import {
  countOf,
  firstLine,
  fittingState,
  type JsonObject,
  objectOf,
  objectsOf,
  textOf,
  webAddressOf,
} from './shared/values.ts';
import { withThinkTags } from './think-tags.ts';

/**
 * The protocol. Nothing is stored at the provider (`store: false`), so each response contains the encrypted reasoning,
 * and the request after an interrupt sends it back. Models that do not reason can refuse `include`: `options:
 * {"include": null}`.
 */
export const openaiResponses: AgentProtocol = {
  name: 'openai-responses',
  request(run) {
    const { instructions } = run;
    const tools = run.tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    }));
    return {
      ...(run.model === undefined ? {} : { model: run.model }),
      ...(instructions === '' ? {} : { instructions }),
      input: inputOf(run),
      ...(tools.length === 0 ? {} : { tools }),
      include: ['reasoning.encrypted_content'],
      max_output_tokens: run.maxOutputTokens,
      store: false,
      stream: true,
    };
  },
  createReader: (run) => withThinkTags(createResponsesReader(run, itemsOfTurn(run)), run.isThinking),
};

/** The conversation, and the items of the model in this turn. */
function inputOf(run: AgentRun): JsonObject[] {
  const items = itemsOfTurn(run);
  const history = historyOfTurn(run, items.length > 0);
  const last = history.findLastIndex(({ role }) => role === 'user');
  const grounding = groundingText(run);
  const messages = history.map(({ role, text }, index) => ({
    role,
    content: index === last ? groundedText(grounding, text) : text,
  }));
  return [...messages, ...items];
}

/** The items of the earlier runs of this turn, with the answers to what they ask. */
function itemsOfTurn({ state, resume }: AgentRun): JsonObject[] {
  if (resume.length === 0) return [];
  const items = objectsOf(objectOf(state)?.items);
  const answered = new Set(
    items.flatMap(({ type, call_id, approval_request_id }) => {
      if (type === 'function_call_output') return [call_id];
      return type === 'mcp_approval_response' ? [approval_request_id] : [];
    }),
  );
  const answers = items.flatMap((item): JsonObject[] => {
    if (item.type === 'function_call' && !answered.has(item.call_id)) {
      const output = resultText(answerTo(item.call_id, resume));
      return [{ type: 'function_call_output', call_id: item.call_id, output }];
    }
    if (item.type !== 'mcp_approval_request' || answered.has(item.id)) return [];
    const answer = resume.find(({ interruptId }) => interruptId === item.id);
    return [{ type: 'mcp_approval_response', approval_request_id: item.id, approve: isApproval(answer) }];
  });
  return [...items, ...answers];
}

/** The status that the visitor reads while the provider runs a tool. */
const statuses: Record<string, string> = {
  'response.web_search_call.searching': 'Searching the web',
  'response.file_search_call.searching': 'Searching files',
  'response.code_interpreter_call.interpreting': 'Running code',
};

/** Items without a number of one response. */
const maxUnnumbered = 200;

/** Messages and parts of one response whose texts are told apart. */
const maxTexts = 1_000;

/** Reads the events of a response of the Responses API. `turn`: the items of the earlier runs of this turn. */
export function createResponsesReader(run: AgentRun, turn: readonly JsonObject[]): AgentReader {
  const texts = createAnswerTexts();
  const calls = createToolCalls();
  const reasoning = createReasoning();
  const citations = createCitations(texts);
  const items = createItems(calls, turn.length);
  const hasTools = run.tools.length > 0;

  /** The positions of items by id, for servers that do not number them. */
  const unnumbered = new Map<string, number>();

  /** Items are identified by their position, because some servers change their ids during a response. */
  function placeOf({ output_index, item_id, item }: JsonObject): string {
    const index = countOf(output_index);
    if (index !== undefined) return String(index);
    const itemFields = objectOf(item);
    const id = textOf(item_id) ?? textOf(itemFields?.id) ?? textOf(itemFields?.call_id) ?? '';
    const place = unnumbered.get(id) ?? unnumbered.size;
    if (unnumbered.size < maxUnnumbered) unnumbered.set(id, place);
    return String(place);
  }
  const partOf = (event: JsonObject): string => `${placeOf(event)}/${countOf(event.content_index) ?? 0}`;

  /** The texts that have arrived, by place, and the places whose text has not ended. */
  const written = new Map<string, string>();
  const open = new Set<string>();
  /** The parts whose text has arrived. */
  const parts = new Set<string>();

  function writeText(place: string, part: string, text: string, emit: Emit): void {
    if (text === '') return;
    if (parts.size < maxTexts) parts.add(part);
    if (written.has(place) || written.size < maxTexts)
      written.set(place, `${written.get(place) ?? ''}${text}`);
    citations.begin(part);
    texts.write(place, text, emit);
  }

  function write(event: JsonObject, emit: Emit): void {
    const place = placeOf(event);
    if (open.size < maxTexts) open.add(place);
    writeText(place, partOf(event), textOf(event.delta) ?? '', emit);
  }

  /** The whole text of a part. Some servers send no pieces before it. */
  function writeWhole(event: JsonObject, text: string | undefined, emit: Emit): void {
    const place = placeOf(event);
    open.delete(place);
    if (text !== undefined && !parts.has(partOf(event))) writeText(place, partOf(event), text, emit);
  }

  const summarize = (event: JsonObject, emit: Emit) => {
    const number = countOf(event.summary_index ?? event.content_index) ?? 0;
    reasoning.write(`${placeOf(event)}/${number}`, textOf(event.delta) ?? '', emit);
  };

  /** An item is complete. A server may send only this, without the events before it. */
  function finishItem(place: string, item: JsonObject, emit: Emit): void {
    items.begin(item, emit, place);
    if (item.type === 'message') {
      open.delete(place);
      const had = written.get(place) ?? '';
      for (const [index, part] of objectsOf(item.content).entries()) {
        const key = `${place}/${index}`;
        if (had === '') writeText(place, key, textOfPart(part), emit);
        for (const annotation of objectsOf(part.annotations)) citations.add(key, annotation, emit);
      }
      // The rest of a text of which pieces were lost, or further parts.
      const whole = objectsOf(item.content).map(textOfPart).join('');
      if (had !== '' && whole.startsWith(had))
        writeText(place, `${place}/rest`, whole.slice(had.length), emit);
      texts.close(place, emit);
    }
    items.finish(place, item, emit);
  }

  function finish(
    response: JsonObject,
    reason: 'finished' | 'truncated' | 'stopped',
    emit: Emit,
    isFiltered = false,
  ): void {
    const output = objectsOf(response.output);
    const messages = output
      .filter(({ type }) => type === 'message')
      .flatMap(({ content }) => objectsOf(content));
    const all = [...written.values()].join('');
    // Servers that number nothing: the text has arrived at another place.
    const isWritten = all !== '' && messages.map(textOfPart).join('') === all;
    for (const [index, item] of output.entries()) {
      const place = String(unnumbered.get(textOf(item.id) ?? textOf(item.call_id) ?? '') ?? index);
      const isKnown = isWritten && item.type === 'message' && !written.has(place);
      if (!items.isFinished(place) && !isKnown) finishItem(place, item, emit);
    }
    if (all === '' && messages.length === 0)
      writeText('text', 'text/0', textOf(response.output_text) ?? '', emit);
    if (reason === 'finished')
      for (const { place, item } of items.unfinished()) finishItem(place, item, emit);
    texts.closeAll(emit);
    emitUsage(response, emit);
    if (isFiltered) emit({ type: 'failed', code: 'content_filter' });
    const interrupts = reason === 'finished' ? items.interrupts() : [];
    // A call of an unknown function waits for a result, too. The result tells the model that the function does not
    // exist.
    const waiting = reason === 'finished' && hasTools ? calls.pending(items.functionNames()) : [];
    const isWaiting = interrupts.length > 0 || waiting.length > 0;
    const savedState = isWaiting ? fittingState(items.saved(turn)) : undefined;
    if (isWaiting && !savedState) {
      emit({ type: 'failed', code: 'state_too_large' });
      return;
    }
    if (savedState) emit({ type: 'saveState', state: savedState });
    for (const interrupt of interrupts) emit({ type: 'interrupt', interrupt });
    const after = waiting.length > 0 ? 'calls' : reason;
    emit({ type: 'end', reason: interrupts.length > 0 ? 'interrupted' : after });
  }

  const appendInput = (event: JsonObject) => items.appendInput(placeOf(event), textOf(event.delta) ?? '');

  const inputDone = (event: JsonObject, emit: Emit) => {
    const input = textOf(event.arguments) ?? textOf(event.input) ?? textOf(event.code);
    if (input !== undefined) items.completeInput(placeOf(event), input, emit);
  };

  /** A response that is not a stream, or the last word about one. */
  function finishBy(response: JsonObject, emit: Emit): void {
    const { status, incomplete_details } = response;
    if (status === 'failed' || (response.error ?? undefined) !== undefined) {
      emitUsage(response, emit);
      emit({ type: 'failed', code: 'agent_error' });
    } else if (status === 'incomplete') {
      finish(response, 'truncated', emit, objectOf(incomplete_details)?.reason === 'content_filter');
    } else finish(response, status === 'cancelled' ? 'stopped' : 'finished', emit);
  }

  const handlers: Record<string, (event: JsonObject, emit: Emit) => void> = {
    'response.output_text.delta': write,
    'response.refusal.delta': write,
    'response.output_text.done': (event, emit) => writeWhole(event, textOf(event.text), emit),
    'response.refusal.done': (event, emit) => writeWhole(event, textOf(event.refusal), emit),
    'response.content_part.done': (event, emit) => {
      const part = objectOf(event.part) ?? {};
      if (part.type === 'reasoning_text') return;
      writeWhole(event, textOfPart(part), emit);
      for (const annotation of objectsOf(part.annotations)) citations.add(partOf(event), annotation, emit);
    },
    'response.output_text.annotation.added': (event, emit) =>
      citations.add(partOf(event), objectOf(event.annotation) ?? {}, emit),
    'response.reasoning_summary_text.delta': summarize,
    'response.reasoning_text.delta': summarize,
    'response.output_item.added': (event, emit) => {
      const item = objectOf(event.item);
      if (item) items.begin(item, emit, placeOf(event));
    },
    'response.function_call_arguments.delta': appendInput,
    'response.mcp_call_arguments.delta': appendInput,
    'response.custom_tool_call_input.delta': appendInput,
    'response.function_call_arguments.done': (event, emit) => {
      const { name, call_id, item_id } = event;
      // Some servers do not tell that the item begins.
      if (textOf(name) !== undefined)
        items.begin({ type: 'function_call', name, call_id, id: item_id }, emit, placeOf(event));
      inputDone(event, emit);
    },
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
    // The name of older servers.
    'response.done': ({ response }, emit) => finishBy(objectOf(response) ?? {}, emit),
    'response.incomplete': ({ response }, emit) =>
      finishBy({ ...objectOf(response), status: 'incomplete' }, emit),
    'response.cancelled': ({ response }, emit) => finish(objectOf(response) ?? {}, 'stopped', emit),
    'response.failed': ({ response }, emit) => finishBy({ ...objectOf(response), status: 'failed' }, emit),
    error: (_, emit) => emit({ type: 'failed', code: 'agent_error' }),
  };

  return createEventReader({
    read(event, emit) {
      const name = textOf(event.type) ?? '';
      const text = Object.hasOwn(statuses, name) ? statuses[name] : undefined;
      if (text !== undefined) emit({ type: 'status', text });
      if (Object.hasOwn(handlers, name)) handlers[name]?.(event, emit);
      // A response that is not a stream, and an error of a server or proxy before it.
      else if (event.object === 'response' || (name === '' && Array.isArray(event.output)))
        finishBy(event, emit);
      else if (name === '' && (event.error ?? undefined) !== undefined)
        emit({ type: 'failed', code: 'agent_error' });
    },
    // Some servers send `[DONE]` in place of `response.completed`. An open text is half a text.
    done(emit, isMarked) {
      if (isMarked && open.size === 0) finish({}, 'finished', emit);
    },
  });
}

const textOfPart = (part: JsonObject): string => textOf(part.text) ?? textOf(part.refusal) ?? '';

function emitUsage({ usage }: JsonObject, emit: Emit): void {
  const { input_tokens, output_tokens } = objectOf(usage) ?? {};
  const [inputTokens, outputTokens] = [countOf(input_tokens), countOf(output_tokens)];
  if (inputTokens === undefined && outputTokens === undefined) return;
  emit({ type: 'usage', inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 });
}

/** Citations of one response. The same source can be cited many times. */
const maxCitations = 10 * limits.parts.sources;

export interface Citations {
  /** A part of a message begins or continues. */
  begin(key: string): void;
  add(key: string, annotation: JsonObject, emit: Emit): void;
}

/** Reads the sources of a response: annotations of its text, with the positions of their citations. */
export function createCitations(texts: AnswerTexts): Citations {
  /** The length of the text before each part. */
  const begins = new Map<string, number>();
  const seen = new Set<string>();
  return {
    begin(key) {
      if (!begins.has(key) && begins.size < maxCitations) begins.set(key, texts.length);
    },
    add(key, { type, url, title, filename, file_id, end_index, index }, emit) {
      if (type !== 'url_citation' && type !== 'file_citation' && type !== 'container_file_citation') return;
      const address = type === 'url_citation' ? webAddressOf(url) : undefined;
      const name = firstLine(title, filename, address, file_id);
      if (name === undefined || seen.size >= maxCitations) return;
      const begin = begins.get(key);
      const place = countOf(end_index) ?? countOf(index);
      const end = begin === undefined || place === undefined ? undefined : begin + place;
      const id = JSON.stringify([key, address, name, end]);
      // An annotation arrives several times: when it is added, with its part and with its item.
      if (seen.has(id)) return;
      seen.add(id);
      emit({
        type: 'source',
        title: name,
        ...(address === undefined ? {} : { url: address }),
        ...(end === undefined ? {} : { end }),
      });
    },
  };
}
