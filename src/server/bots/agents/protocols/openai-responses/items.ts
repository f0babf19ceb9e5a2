// The items of a response: calls of tools that the server, the page or the provider runs, and requests for approval.
import type { AskedInterrupt } from '../../protocol.ts';
import type { Emit } from '../shared/event-reader.ts';
import type { ToolCalls } from '../shared/tool-calls.ts';
import {
  bytesOf,
  firstLine,
  idOf,
  inputOfText,
  type JsonObject,
  savedStateBytes,
  textOf,
  valueOfText,
} from '../shared/values.ts';

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
  /** An item begins. `place`: in the response, if it is known. */
  begin(item: JsonObject, emit: Emit, place?: string): void;
  /** The input of the call at a place, as the model has written it. */
  completeInput(place: string, input: string, emit: Emit): void;
  fail(place: string, emit: Emit): void;
  /** An item is complete. */
  finish(place: string, item: JsonObject, emit: Emit): void;
  isFinished(place: string): boolean;
  nameAt(place: string): string | undefined;
  interrupts(): AskedInterrupt[];
  /** The names of the calls for the client, which the provider does not run. */
  functionNames(): ReadonlySet<string>;
  /**
   * Returns alternatives of the data to store, the largest first. `turn`: the items of the earlier runs of the turn.
   */
  saved(turn: readonly JsonObject[]): { items: JsonObject[] }[];
}

export function createItems(calls: ToolCalls): Items {
  /** The ids of the calls, by place. */
  const places = new Map<string, string>();
  const finished = new Map<string, JsonObject>();
  let bytes = 0;
  const interrupts = new Map<string, AskedInterrupt>();
  const functionNames = new Set<string>();

  function begin(item: JsonObject, emit: Emit, place?: string): string | undefined {
    const id = callIdOf(item);
    const [name, title] = providerToolOf(item) ?? [item.name, undefined];
    if (id === undefined) return undefined;
    if (place !== undefined && places.size < maxItems) places.set(place, id);
    calls.begin(id, name, title, emit);
    return id;
  }

  return {
    begin: (item, emit, place) => void begin(item, emit, place),
    completeInput(place, input, emit) {
      const id = places.get(place);
      if (id !== undefined) calls.complete(id, emit, { value: inputOfText(input) });
    },
    fail(place, emit) {
      const id = places.get(place);
      if (id !== undefined) calls.settle(id, 'tool-error', emit);
    },
    finish(place, item, emit) {
      if (finished.size >= maxItems || finished.has(place)) return;
      bytes += savedTypes.includes(item.type) ? bytesOf(item) : 0;
      // Items that could not be stored are not kept in memory.
      finished.set(place, bytes <= 4 * savedStateBytes && savedTypes.includes(item.type) ? item : {});
      const id = places.get(place) ?? callIdOf(item);
      if (id === undefined) return;
      const isComplete = item.status === undefined || item.status === 'completed';
      // Half an input must not be run.
      if (item.type === 'function_call' && !isComplete) return calls.settle(id, 'tool-error', emit);
      calls.complete(id, emit, { value: inputOf(item) });
      if (item.type === 'function_call') functionNames.add(calls.get(id)?.name ?? '');
      if (item.type === 'mcp_approval_request') ask(id, item);
      else if (item.type !== 'function_call') {
        const hasFailed = !isComplete || (item.error ?? undefined) !== undefined;
        calls.settle(id, hasFailed ? 'tool-error' : 'tool-output', emit, outputOf(item));
      }
    },
    isFinished: (place) => finished.has(place),
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
  if (type === 'function_call' || type === 'custom_tool_call') return idOf(item.call_id);
  const isCall = type === 'mcp_call' || type === 'mcp_approval_request' || providerToolOf(item) !== undefined;
  return isCall ? idOf(item.id) : undefined;
}

function inputOf(item: JsonObject): unknown {
  const text = textOf(item.arguments) ?? textOf(item.input);
  return text === undefined ? (item.action ?? item.queries ?? item.code ?? {}) : inputOfText(text);
}

function outputOf(item: JsonObject): unknown {
  const text = textOf(item.output);
  return text === undefined ? (item.results ?? item.outputs ?? null) : valueOfText(text);
}
