// Responses of scripted agents of each protocol (calls of tools, or a text), and readers of the requests that they get.
import type { ProtocolName } from '../../../protocol/admin.ts';
import { chunk, done, frames } from './testing.ts';

type Item = Record<string, unknown>;

/** A call of a tool. `input`: JSON. */
export interface Call {
  id: string;
  name: string;
  input: string;
}

export interface AgentScript {
  calls(calls: readonly Call[]): string;
  text(text: string): string;
  /** The names of the tools in a request. */
  names(body: Item): unknown[];
  /** The results in a request by the ids of their calls, in their order. Those that are JSON are parsed. */
  results(body: Item): Map<unknown, unknown>;
}

const items = (value: unknown) => (value ?? []) as Item[];

function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

/** The items with an id at `id`, and what they have at `value`. */
const resultsIn = (list: readonly Item[], id: string, value: string): Map<unknown, unknown> =>
  new Map(list.flatMap((item) => (item[id] === undefined ? [] : [[item[id], parsed(item[value])]])));

const runOfAgUi = (...events: object[]): string =>
  frames([
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    ...events,
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ]);

/** An answer of the Responses API. */
const responded = (events: object[], output: object[] = []): string =>
  frames([...events, { type: 'response.completed', response: { id: 'r', status: 'completed', output } }]);

export const scripts: Record<ProtocolName, AgentScript> = {
  'openai-chat': {
    calls(calls) {
      const tool_calls = calls.map(({ id, name, input }, index) => ({
        index,
        id,
        function: { name, arguments: input },
      }));
      return chunk({ tool_calls }) + chunk({}, 'tool_calls') + done;
    },
    text: (content) => chunk({ content }) + chunk({}, 'stop') + done,
    names: ({ tools }) => items(tools).map((tool) => (tool.function as Item).name),
    results: ({ messages }) => resultsIn(items(messages), 'tool_call_id', 'content'),
  },
  'openai-responses': {
    calls(calls) {
      const output = calls.map(({ id, name, input }) => {
        return {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: id,
          name,
          arguments: input,
          status: 'completed',
        };
      });
      const events = output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } },
        { type: 'response.output_item.done', output_index, item },
      ]);
      return responded(events, output);
    },
    text: (delta) =>
      responded([
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', id: 'm', content: [] },
        },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'm', delta },
      ]),
    names: ({ tools }) => items(tools).map(({ name }) => name),
    results: ({ input }) =>
      resultsIn(
        items(input).filter(({ type }) => type === 'function_call_output'),
        'call_id',
        'output',
      ),
  },
  'ag-ui': {
    calls: (calls) =>
      runOfAgUi(
        ...calls.flatMap(({ id, name, input }) => [
          { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
          { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: input },
          { type: 'TOOL_CALL_END', toolCallId: id },
        ]),
      ),
    text: (delta) => runOfAgUi({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta }),
    names: ({ tools }) => items(tools).map(({ name }) => name),
    results: ({ messages }) => resultsIn(items(messages), 'toolCallId', 'content'),
  },
  'ai-sdk': {
    calls: (calls) =>
      frames([
        { type: 'start', messageId: 'm' },
        ...calls.map(({ id, name, input }) => {
          return { type: 'tool-input-available', toolCallId: id, toolName: name, input: JSON.parse(input) };
        }),
        { type: 'finish' },
      ]) + done,
    text: (delta) =>
      frames([
        { type: 'start' },
        { type: 'text-start', id: 'a' },
        { type: 'text-delta', id: 'a', delta },
        { type: 'text-end', id: 'a' },
        { type: 'finish' },
      ]) + done,
    names: ({ tools = {} }) => Object.keys(tools as object),
    results({ messages }) {
      const parts = items(messages).flatMap((one) => items(one.parts));
      return resultsIn(
        parts.map((part) => ({ ...part, result: part.output ?? part.errorText })),
        'toolCallId',
        'result',
      );
    },
  },
};
