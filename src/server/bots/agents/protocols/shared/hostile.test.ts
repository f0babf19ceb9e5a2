// Whatever an agent sends: no reader throws, everything it returns is valid, and nothing grows without end.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentProtocol } from '../../protocol.ts';
import { agUi } from '../ag-ui/ag-ui.ts';
import { applyPatch } from '../ag-ui/json-patch.ts';
import { aiSdk } from '../ai-sdk.ts';
import { openaiResponses } from '../openai-responses.ts';
import { pageTool, readAll, readStream, runOf, savedStateOf, streamOf } from '../testing.ts';
import { lineOf, parseJson, savedStateBytes, webAddressOf } from './values.ts';

const words = (text: string) => text.trim().split(/\s+/);
const types = {
  'ag-ui': words(`
    TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END TEXT_MESSAGE_CHUNK
    TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_CHUNK TOOL_CALL_RESULT
    REASONING_MESSAGE_CONTENT REASONING_MESSAGE_CHUNK REASONING_ENCRYPTED_VALUE
    THINKING_TEXT_MESSAGE_START THINKING_TEXT_MESSAGE_CONTENT STEP_STARTED STEP_FINISHED SUBAGENT_STARTED
    ACTIVITY_SNAPSHOT ACTIVITY_DELTA STATE_SNAPSHOT STATE_DELTA MESSAGES_SNAPSHOT CUSTOM RUN_FINISHED RUN_ERROR`),
  'openai-responses': words(`
    response.output_text.delta response.refusal.delta response.output_text.annotation.added
    response.reasoning_summary_text.delta response.reasoning_text.delta
    response.output_item.added response.output_item.done
    response.function_call_arguments.done response.mcp_call_arguments.done
    response.mcp_call.in_progress response.mcp_call.failed response.web_search_call.searching
    response.completed response.incomplete response.failed error`),
  'ai-sdk': words(`
    start start-step finish-step reset-step text-start text-delta text-end
    reasoning-start reasoning-delta reasoning-end tool-input-start tool-input-delta tool-input-available
    tool-input-error tool-approval-request tool-output-available tool-output-error tool-output-denied
    source-url source-document data-status data-order message-metadata finish error abort`),
};

const protocols: AgentProtocol[] = [agUi, openaiResponses, aiSdk];

/** Values for fields that may hold anything: right ones, wrong ones, and names that objects have of themselves. */
const ids = ['a', 'b', '0', '', '__proto__', 'constructor', 7, null];
const scalars = [
  ...ids,
  ...words(`open_page web toString {"a":1} { https://example.com/a javascript:alert(1) assistant user
    add copy /a/0 /- /__proto__/x`),
  ...[' ', 'a\nb', true, -1, 0, 1.5, 1e300],
];
const itemTypes = words(`
  message reasoning function_call mcp_call mcp_approval_request web_search_call file_search_call
  code_interpreter_call output_text url_citation file_citation interrupt success cancelled constructor
  __proto__ text`);
const fieldNames = words(`
  messageId toolCallId parentMessageId id item_id approvalId entityId sourceId role delta toolCallName toolName
  content arguments input output title output_index content_index summary_index item annotation response url
  filename stepName name value activityType patch snapshot messages outcome usage subagentRunId data
  messageMetadata finishReason preliminary dynamic citations errorText subtype encryptedValue providerMetadata
  replace approvalDescriptor call_id text interrupts toolCalls function annotations op path from status
  reason message responseSchema pendingToolCallIds parts items error inputTokens`);

/** Makes values from a seed: a generator of its own, because one of the library costs a hundred times as much. */
function createValues(seed: number) {
  let state = seed | 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;

  function object(depth: number): Record<string, unknown> {
    const entries = Array.from({ length: below(10) }, (): [string, unknown] => {
      const name = one(fieldNames);
      return [name, /Id$|^id$|_id$|_index$/.test(name) && below(3) > 0 ? one(ids) : value(depth)];
    });
    return { type: one(itemTypes), id: one(ids), ...Object.fromEntries(entries) };
  }
  function value(depth: number): unknown {
    const kind = depth === 0 ? 0 : below(5);
    if (kind < 3) return one(scalars);
    return kind === 3 ? Array.from({ length: below(4) }, () => value(depth - 1)) : object(depth - 1);
  }
  const event = (types: readonly string[]): unknown => {
    const kind = below(12);
    if (kind === 0) return value(2);
    if (kind === 1) return one(['{', '', '[]', 'null', '[DONE]', '"x"']);
    return { ...object(3), type: one(types), name: one(['source', 'open_page', 7]) };
  };
  return {
    below,
    value,
    events: (types: readonly string[], most: number) =>
      Array.from({ length: below(most) }, () => event(types)),
  };
}
const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

const isText = (value: unknown) => typeof value === 'string';
const isLine = (value: unknown) => isText(value) && value !== '' && lineOf(value) === value;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isId = (value: unknown) => isText(value) && value !== '';
const isJson = (value: unknown) => value !== undefined && JSON.stringify(value) !== undefined;

/** Whether an event is as the type says. */
function isValid(event: AgentEvent): boolean {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return isText(event.delta) && event.delta !== '';
    case 'paragraph':
    case 'text-was-reasoning':
    case 'step':
    case 'step-back':
      return true;
    case 'status':
      return event.text === '' || isLine(event.text);
    case 'tool':
      return isId(event.id) && isLine(event.name) && (!('title' in event) || isLine(event.title));
    case 'tool-input':
      return isId(event.id) && isJson(event.input);
    case 'tool-output':
      return isId(event.id) && isJson(event.output);
    case 'tool-error':
    case 'tool-denied':
      return isId(event.id);
    case 'source':
      return (
        isLine(event.title) &&
        (!('url' in event) || webAddressOf(event.url) === event.url) &&
        (!('end' in event) || isCount(event.end))
      );
    case 'block':
      return isId(event.id) && isLine(event.name) && isJson(event.data) && isText(event.fallback);
    case 'interrupt': {
      const { id, reason, message, toolId, toolName, responseSchema } = event.interrupt;
      return (
        isId(id) &&
        ['tool_call', 'input_required', 'confirmation'].includes(reason) &&
        isText(message) &&
        (toolId === undefined || isId(toolId)) &&
        (toolName === undefined || isLine(toolName)) &&
        (responseSchema === undefined || (typeof responseSchema === 'object' && responseSchema !== null))
      );
    }
    case 'saveState':
      return Buffer.byteLength(JSON.stringify(event.state)) <= savedStateBytes;
    case 'usage':
      return isCount(event.inputTokens) && isCount(event.outputTokens);
    case 'end':
      return ['finished', 'truncated', 'stopped', 'calls', 'interrupted'].includes(event.reason);
    case 'failed':
      return /^(incomplete|agent_error|invalid_interrupt|state_too_large|content_filter|busy)$/.test(
        event.code,
      );
  }
}

/** Whether calls are told in their order, and whether there is one end. */
function isOrdered(events: readonly AgentEvent[]): boolean {
  const states = new Map<string, number>();
  const places = { tool: 0, 'tool-input': 1, 'tool-output': 2, 'tool-error': 2, 'tool-denied': 2 };
  for (const event of events) {
    if (!(event.type in places)) continue;
    const { id, type } = event as Extract<AgentEvent, { type: keyof typeof places }>;
    const earlier = states.get(id) ?? -1;
    // A step that is taken back takes its calls with it, so their ids may come again.
    if (places[type] <= earlier && !events.some((one) => one.type === 'step-back')) return false;
    if (earlier === -1 && type !== 'tool') return false;
    states.set(id, places[type]);
  }
  const ends = events.filter(({ type }) => type === 'end' || type === 'failed');
  return ends.length === 1 && events.at(-1) === ends[0];
}

describe.each(protocols.map((protocol) => [protocol.name, protocol] as const))('%s', (name, protocol) => {
  const own = types[name as keyof typeof types];
  const run = runOf({ tools: [pageTool], blocks: ['order', 'a b'] });

  test('no event throws, and nothing of a wrong type is let through', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const found = readAll(protocol, createValues(seed).events(own, 20), run);
        expect(found.filter((one) => !isValid(one))).toEqual([]);
        expect(isOrdered(found), JSON.stringify(found)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  test('the text of a stream can come in any pieces', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const values = createValues(seed);
        const events = values.events(own, 10);
        const size = 1 + values.below(40);
        // A parser tells of no event without data.
        const expected = events.filter((event) => event !== '');
        expect(readStream(protocol, streamOf(events), run, size)).toEqual(readAll(protocol, expected, run));
      }),
      { numRuns: 100 },
    );
  });

  test('whatever was kept, the next request can be made and its response read', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const values = createValues(seed);
        const found = readAll(protocol, values.events(own, 20), run);
        const payload = values.value(3);
        const resume = [{ interruptId: 'a', toolId: 'b', status: 'resolved' as const, payload }];
        const next = {
          ...run,
          state: savedStateOf(found) ?? { message: payload, messages: payload, items: payload },
          resume,
        };
        expect(isJson(protocol.request(next))).toBe(true);
        for (const one of readAll(protocol, values.events(own, 20), next)) expect(isValid(one)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('deep nesting is not read', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const ids = { id: 'a', messageId: 'a', toolCallId: 'a', toolCallName: 't', toolName: 't' };
    const events = own.flatMap((type) => [
      `{"type":"${type}","id":"a","messageId":"a","toolCallId":"a","toolName":"t","output":${deep}}`,
      { type, ...ids, delta: deep, content: deep },
    ]);
    for (const one of readAll(protocol, events, run)) expect(isValid(one)).toBe(true);
  });
});

test('a thousand events of each kind leave no more behind than one message can have', () => {
  for (const protocol of protocols) {
    for (const type of types[protocol.name as keyof typeof types]) {
      const reader = protocol.createReader(runOf({ tools: [pageTool], blocks: ['order'] }));
      let tools = 0;
      for (let index = 0; index < 1_000; index += 1) {
        const id = `id_${index}`;
        const itemType = index % 2 ? 'mcp_approval_request' : 'function_call';
        const item = { id, call_id: id, type: itemType, name: 'open_page' };
        const data = JSON.stringify({
          type,
          ...{ id, messageId: id, toolCallId: id, approvalId: id, item_id: id, output_index: index },
          ...{ toolCallName: 'open_page', toolName: 'open_page', input: {}, delta: 'x'.repeat(50) },
          ...{ role: index % 2 ? 'user' : 'assistant', content: { text: 'x' }, activityType: 'order', item },
          ...{ annotation: { type: 'url_citation', url: 'https://example.com', title: id }, arguments: '{}' },
        });
        for (const event of reader.read({ event: 'message', data })) tools += event.type === 'tool' ? 1 : 0;
      }
      expect(tools).toBeLessThanOrEqual(100);
      const end = reader.end();
      expect(end.filter(({ type }) => type !== 'text' && type !== 'paragraph').length).toBeLessThan(300);
    }
  }
});

describe('a JSON patch', () => {
  const value = { a: [1, 2], b: { c: null } };
  test.each<[name: string, patch: unknown, expected: unknown]>([
    ['add to a list', [{ op: 'add', path: '/a/1', value: 9 }], { ...value, a: [1, 9, 2] }],
    ['add at the end', [{ op: 'add', path: '/a/-', value: 9 }], { ...value, a: [1, 2, 9] }],
    ['add a name', [{ op: 'add', path: '/d~1~0', value: 9 }], { ...value, 'd/~': 9 }],
    ['replace the whole', [{ op: 'replace', path: '', value: 7 }], 7],
    ['remove', [{ op: 'remove', path: '/a/0' }], { ...value, a: [2] }],
    ['move', [{ op: 'move', from: '/b/c', path: '/d' }], { a: [1, 2], b: {}, d: null }],
    ['copy', [{ op: 'copy', from: '/a', path: '/b/c' }], { a: [1, 2], b: { c: [1, 2] } }],
    ['test', [{ op: 'test', path: '/b', value: { c: null } }], value],
    ['nothing', [], value],
  ])('can %s', (_, patch, expected) => {
    const before = structuredClone(value);
    expect(applyPatch(value, patch)).toEqual({ value: expected });
    expect(value).toEqual(before);
  });

  test.each<[name: string, patch: unknown]>([
    ['no list', { op: 'add' }],
    ['no operation', [7]],
    ['an unknown operation', [{ op: 'merge', path: '/a', value: 1 }]],
    ['no value', [{ op: 'add', path: '/a' }]],
    ['no pointer', [{ op: 'remove', path: 'a' }]],
    ['a wrong escape', [{ op: 'add', path: '/~2', value: 1 }]],
    ['a name that is not there', [{ op: 'replace', path: '/x', value: 1 }]],
    ['a place that is not there', [{ op: 'add', path: '/a/3', value: 1 }]],
    ['a place with a leading zero', [{ op: 'remove', path: '/a/00' }]],
    ['the last place, where nothing is', [{ op: 'remove', path: '/a/-' }]],
    ['a value inside itself', [{ op: 'move', from: '/b', path: '/b/c' }]],
    ['a test that fails', [{ op: 'test', path: '/a', value: [2, 1] }]],
    ['a prototype of its own', [{ op: 'add', path: '/__proto__', value: { polluted: 1 } }]],
    ['the prototype', [{ op: 'add', path: '/__proto__/polluted', value: 1 }]],
    ['the constructor', [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }]],
    ['a part that fails after one that does not', Array(2).fill({ op: 'remove', path: '/a' })],
    ['too many operations', Array(1_001).fill({ op: 'test', path: '/b/c', value: null })],
    ['copies that double the value', Array(30).fill({ op: 'copy', from: '', path: '/a/0' })],
  ])('is refused as a whole for %s', (_, patch) => {
    expect(applyPatch(value, patch)).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test('titles are one line of plain text, and addresses are those of the web', () => {
  expect(lineOf('  a\n\tb\u0000\u202ec \u2028')).toBe('a b c');
  expect(lineOf('x'.repeat(1_000))).toHaveLength(300);
  expect(lineOf(`${'x'.repeat(299)}😀`)).toBe('x'.repeat(299));
  for (const nothing of ['', ' \n', 7, null, {}]) expect(lineOf(nothing)).toBeUndefined();
  expect(webAddressOf('https://example.com/a')).toBe('https://example.com/a');
  const long = `https://a/${'x'.repeat(3_000)}`;
  for (const wrong of ['javascript:alert(1)', 'data:,x', '//example.com', 'x', 7, long])
    expect(webAddressOf(wrong)).toBeUndefined();
  expect(parseJson('"[[[["')).toBe('[[[[');
  expect(parseJson('"\\"[[[["')).toBe('"[[[[');
});
