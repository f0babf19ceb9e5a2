// The items of a response: calls of tools that the server, the page or the provider runs, and requests for approval.
import type { AskedInterrupt } from '../protocol.ts';
import type { Emit } from './shared/event-reader.ts';
import type { ToolCalls } from './shared/tool-calls.ts';
import {
  bytesOf,
  firstLine,
  idOf,
  inputOfText,
  type JsonObject,
  savedStateBytes,
  textOf,
  valueOfText,
} from './shared/values.ts';

/** Tools of the provider that have no name of their own: their name and title. */
const providerTools: Record<string, readonly [name: string, title: string]> = {
  web_search_call: ['web_search', 'Web search'],
  file_search_call: ['file_search', 'File search'],
  code_interpreter_call: ['code_interpreter', 'Code'],
};

const providerToolOf = ({ type }: JsonObject) =>
  typeof type === 'string' && Object.hasOwn(providerTools, type) ? providerTools[type] : undefined;

/** Items that the next request needs. */
const savedTypes: readonly unknown[] = [
  'message',
  'reasoning',
  'function_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
];

/** Items of one response that are told apart. */
const maxItems = 200;

export interface Items {
  /** An item begins at a place in the response, unless one has begun there. */
  begin(item: JsonObject, emit: Emit, place: string): void;
  /** A piece of the input of the call at a place. */
  appendInput(place: string, piece: string): void;
  /** The input of the call at a place, as the model has written it. */
  completeInput(place: string, input: string, emit: Emit): void;
  fail(place: string, emit: Emit): void;
  /** An item is complete. */
  finish(place: string, item: JsonObject, emit: Emit): void;
  isFinished(place: string): boolean;
  /** The calls for the client that have begun and did not finish. */
  unfinished(): { place: string; item: JsonObject }[];
  nameAt(place: string): string | undefined;
  interrupts(): AskedInterrupt[];
  /** The names of the calls for the client, which the provider does not run. */
  functionNames(): ReadonlySet<string>;
  /**
   * Returns alternatives of the data to store, the largest first. `turn`: the items of the earlier runs of the turn.
   */
  saved(turn: readonly JsonObject[]): { items: JsonObject[] }[];
}

/** The maximum number of characters of inputs that arrive in pieces. */
const maxInputLength = 1_000_000;

/** `earlier`: the number of items of the earlier runs of the turn. */
export function createItems(calls: ToolCalls, earlier: number): Items {
  /** The ids of the calls, by place. */
  const places = new Map<string, string>();
  /** The calls for the client that have begun, and the inputs that have arrived without an item, by place. */
  const begun = new Map<string, JsonObject>();
  const inputs = new Map<string, string>();
  let inputLength = 0;
  const finished = new Map<string, JsonObject>();
  let bytes = 0;
  const interrupts = new Map<string, AskedInterrupt>();
  const functionNames = new Set<string>();

  function begin(item: JsonObject, emit: Emit, place: string): void {
    if (places.has(place)) return;
    // Some servers give no ids.
    const own = isClientCall(item) ? `call-${earlier}-${place}` : undefined;
    const id = callIdOf(item) ?? own;
    const [name, title] = providerToolOf(item) ?? [item.name, undefined];
    if (id === undefined || places.size >= maxItems) return;
    places.set(place, id);
    if (isClientCall(item)) begun.set(place, item);
    calls.begin(id, name, title, emit);
  }

  function appendInput(place: string, piece: string): void {
    inputLength += piece.length;
    if (inputLength <= maxInputLength) inputs.set(place, `${inputs.get(place) ?? ''}${piece}`);
  }

  /** A call for the client with its id and its whole input, which the next request needs. */
  function completed(place: string, item: JsonObject, id: string): JsonObject {
    if (item.type !== 'function_call') return item;
    const inputText = textOf(item.arguments) ?? '';
    return { ...item, call_id: id, arguments: inputText === '' ? (inputs.get(place) ?? '{}') : inputText };
  }

  return {
    begin,
    appendInput,
    completeInput(place, input, emit) {
      inputs.set(place, input);
      const id = places.get(place);
      if (id !== undefined) calls.complete(id, emit, { value: inputOfText(input) });
    },
    fail(place, emit) {
      const id = places.get(place);
      if (id !== undefined) calls.settle(id, 'tool-error', emit);
    },
    finish(place, received, emit) {
      if (finished.size >= maxItems || finished.has(place)) return;
      const id = places.get(place);
      const item = id === undefined ? received : completed(place, received, id);
      bytes += savedTypes.includes(item.type) ? bytesOf(item) : 0;
      // Items that could not be stored are not kept in memory.
      finished.set(place, bytes <= 4 * savedStateBytes && savedTypes.includes(item.type) ? item : {});
      if (id === undefined) return;
      const isComplete = item.status === undefined || item.status === null || item.status === 'completed';
      // Half an input must not be run.
      if (item.type === 'function_call' && !isComplete) return calls.settle(id, 'tool-error', emit);
      calls.complete(id, emit, { value: inputOf(item, inputs.get(place)) });
      if (item.type === 'function_call') functionNames.add(calls.get(id)?.name ?? '');
      if (item.type === 'mcp_approval_request') ask(id, item);
      else if (item.type !== 'function_call') {
        const hasFailed = !isComplete || (item.error ?? undefined) !== undefined;
        calls.settle(id, hasFailed ? 'tool-error' : 'tool-output', emit, outputOf(item));
      }
    },
    isFinished: (place) => finished.has(place),
    unfinished: () =>
      [...begun]
        .filter(([place]) => !finished.has(place))
        .map(([place, { status: _, ...item }]) => ({ place, item })),
    nameAt: (place) => calls.get(places.get(place) ?? '')?.name,
    interrupts: () => [...interrupts.values()],
    functionNames: () => functionNames,
    saved(turn) {
      const own = [...finished.values()].filter(({ type }) => type !== undefined);
      const all = [...turn, ...own];
      const isWhole = bytes <= 4 * savedStateBytes;
      // The provider can list the tools again, but it needs all other items to continue.
      return isWhole ? [{ items: all }, { items: all.filter(({ type }) => type !== 'mcp_list_tools') }] : [];
    },
  };

  function ask(id: string, item: JsonObject): void {
    const call = calls.get(id);
    if (!call) return;
    const server = firstLine(item.server_label);
    interrupts.set(id, {
      id,
      reason: 'tool_call',
      message: server === undefined ? '' : `${server}: ${call.name}`,
      toolId: id,
      toolName: call.name,
      input: call.input,
    });
  }
}

/**
 * Returns the id of a call: for calls that the client runs, the id to which the output refers. Undefined for other
 * items.
 */
function callIdOf(item: JsonObject): string | undefined {
  const { type } = item;
  if (isClientCall(item)) return idOf(item.call_id) ?? idOf(item.id);
  const isCall = type === 'mcp_call' || type === 'mcp_approval_request' || providerToolOf(item) !== undefined;
  return isCall ? idOf(item.id) : undefined;
}

const isClientCall = ({ type }: JsonObject): boolean =>
  type === 'function_call' || type === 'custom_tool_call';

/** `pieces`: the input as far as it has arrived before the item. */
function inputOf(item: JsonObject, pieces: string | undefined): unknown {
  const text = textOf(item.arguments) || textOf(item.input) || pieces;
  return text === undefined ? (item.action ?? item.queries ?? item.code ?? {}) : inputOfText(text);
}

function outputOf(item: JsonObject): unknown {
  const text = textOf(item.output);
  return text === undefined ? (item.results ?? item.outputs ?? null) : valueOfText(text);
}
