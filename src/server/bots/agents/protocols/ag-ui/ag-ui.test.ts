// Tests of AG-UI: what each event becomes, and the same streams read by the client of the protocol.
import type { Message } from '@ag-ui/client';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../protocol.ts';
import { messagesOfAgUi } from '../peers.testing.ts';
import {
  answerOf,
  callsOf,
  pageTool,
  readAll,
  readStream,
  runOf,
  savedStateOf,
  streamOf,
} from '../testing.ts';
import * as told from '../told.testing.ts';
import { agUi } from './ag-ui.ts';

const started = { type: 'RUN_STARTED', threadId: 'conversation_1', runId: 'run_1' };
const finished = { type: 'RUN_FINISHED', threadId: 'conversation_1', runId: 'run_1' };
const start = (messageId: string, role?: string) => ({ type: 'TEXT_MESSAGE_START', messageId, role });
const content = (messageId: string, delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
const stop = (messageId: string) => ({ type: 'TEXT_MESSAGE_END', messageId });
const text = (id: string, ...deltas: string[]) => [
  start(id, 'assistant'),
  ...deltas.map((delta) => content(id, delta)),
  stop(id),
];
const result = (toolCallId: string, content: unknown) => {
  return { type: 'TOOL_CALL_RESULT', messageId: `result of ${toolCallId}`, toolCallId, content };
};
const asking = (interrupts: unknown) => ({ ...finished, outcome: { type: 'interrupt', interrupts } });
const call = (toolCallId: string, toolCallName: string, ...deltas: string[]) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  ...deltas.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
  { type: 'TOOL_CALL_END', toolCallId },
];
const read = (events: readonly unknown[], fields = {}) => readAll(agUi, [started, ...events], runOf(fields));

const reading = [{ op: 'replace', path: '/text', value: 'Reading' }];

/** A stream, and what it becomes. */
const table: [name: string, events: unknown[], expected: AgentEvent[]][] = [
  [
    'text of two messages',
    [...text('m1', 'On ', 'its way.'), ...text('m2', 'Bye.'), finished],
    [told.text('On '), told.text('its way.'), told.paragraph, told.text('Bye.'), told.finished],
  ],
  [
    'text in chunks, the second without its id',
    [
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', role: 'assistant', delta: 'On ' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'its way.' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', delta: 'Bye.' },
      finished,
    ],
    [told.text('On '), told.text('its way.'), told.paragraph, told.text('Bye.'), told.finished],
  ],
  [
    'two messages at the same time, one after the other',
    [
      ...[start('m1'), start('m2'), content('m1', 'one '), content('m2', 'three'), content('m1', 'two')],
      ...[stop('m2'), stop('m1'), finished],
    ],
    [told.text('one '), told.text('two'), told.paragraph, told.text('three'), told.finished],
  ],
  [
    'text of a user, of a system and of a subagent: none',
    [
      ...[start('m1', 'user'), content('m1', 'x'), stop('m1')],
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', role: 'system', delta: 'x' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'x' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'searcher', description: 'Searches orders' },
      ...text('m3', 'x').map((event) => ({ ...event, subagentRunId: 's1' })),
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
      finished,
    ],
    [told.status('Searches orders'), told.finished],
  ],
  [
    'reasoning of two messages, and the older events of it',
    [
      { type: 'REASONING_START', messageId: 'r1' },
      { type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'The number ' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'begins with A.' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r1' },
      { type: 'REASONING_END', messageId: 'r1' },
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r2', delta: 'So ' },
      { type: 'REASONING_MESSAGE_CHUNK', delta: 'search.' },
      { type: 'THINKING_START', title: 'Thinking' },
      { type: 'THINKING_TEXT_MESSAGE_START' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Old.' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'THINKING_END' },
      ...text('m1', 'Done.'),
      finished,
    ],
    [
      told.reasoning('The number '),
      told.reasoning('begins with A.'),
      told.reasoning('\n\nSo '),
      told.reasoning('search.'),
      told.reasoning('\n\nOld.'),
      told.text('Done.'),
      told.finished,
    ],
  ],
  [
    'two calls that overlap, with their results in the other order',
    [
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'get_order', parentMessageId: 'm1' },
      { type: 'TOOL_CALL_START', toolCallId: 'c2', toolCallName: 'get_rules', parentMessageId: 'm1' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"id":' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c2', delta: '{}' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '"A-1"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c2' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      result('c2', 'Thirty days.'),
      result(
        'c1',
        ['{"status":', '"sent"}'].map((text) => ({ type: 'text', text })),
      ),
      finished,
    ],
    [
      told.tool('c1', 'get_order'),
      told.tool('c2', 'get_rules'),
      told.input('c2', {}),
      told.input('c1', { id: 'A-1' }),
      told.output('c2', 'Thirty days.'),
      told.output('c1', { status: 'sent' }),
      told.finished,
    ],
  ],
  [
    'calls in chunks, closed by the next one and by the end',
    [
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'get_order', delta: '{"id":' },
      { type: 'TOOL_CALL_CHUNK', delta: '"A-1"}' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c2', toolCallName: 'get_rules' },
      finished,
    ],
    [
      told.tool('c1', 'get_order'),
      told.input('c1', { id: 'A-1' }),
      told.tool('c2', 'get_rules'),
      told.input('c2', {}),
      told.finished,
    ],
  ],
  [
    'steps and an activity with a text as a status',
    [
      { type: 'STEP_STARTED', stepName: 'Plan\nit' },
      { type: 'STEP_FINISHED', stepName: 'Plan\nit' },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'SEARCH', content: { text: 'Searching' } },
      { type: 'ACTIVITY_DELTA', messageId: 'a1', activityType: 'SEARCH', patch: reading },
      finished,
    ],
    [
      told.status('Plan it'),
      told.status(''),
      told.status('Searching'),
      told.status('Reading'),
      told.finished,
    ],
  ],
  [
    'sources, of which only those of the web have an address',
    [
      { type: 'CUSTOM', name: 'source', value: { title: ' Returns\n ', url: 'https://example.com/returns' } },
      { type: 'CUSTOM', name: 'source', value: { title: 'Bad', url: 'javascript:alert(1)' } },
      { type: 'CUSTOM', name: 'source', value: { url: 'https://example.com/a' } },
      { type: 'CUSTOM', name: 'source', value: {} },
      { type: 'CUSTOM', name: 'other', value: { title: 'No', url: 'https://example.com' } },
      { type: 'RAW', event: { a: 1 } },
      finished,
    ],
    [
      told.source('Returns', { url: 'https://example.com/returns' }),
      told.source('Bad'),
      told.source('https://example.com/a', { url: 'https://example.com/a' }),
      told.finished,
    ],
  ],
  [
    'messages of this turn that only a snapshot has',
    [
      ...text('m1', 'Streamed.'),
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'old', role: 'assistant', content: 'Earlier.' },
          { id: 'message_1', role: 'user', content: 'Where is A-1?' },
          { id: 'm1', role: 'assistant', content: 'Streamed.' },
          { id: 'm2', role: 'assistant', content: 'Not streamed.' },
          { id: 'm3', role: 'assistant', content: 'Of another.', subagentRunId: 's1' },
        ],
      },
      finished,
    ],
    [told.text('Streamed.'), told.paragraph, told.text('Not streamed.'), told.finished],
  ],
  [
    'state, from a snapshot and a change',
    [
      { type: 'STATE_SNAPSHOT', snapshot: { count: 1, items: ['a'] } },
      {
        type: 'STATE_DELTA',
        delta: [
          { op: 'replace', path: '/count', value: 2 },
          { op: 'add', path: '/items/-', value: 'b' },
        ],
      },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/missing', value: 2 }] },
      finished,
    ],
    [
      {
        type: 'saveState',
        state: { state: { count: 2, items: ['a', 'b'] }, interrupts: [], calls: [], messages: [] },
      },
      told.finished,
    ],
  ],
];

describe('the reader of AG-UI', () => {
  test.each(table)('reads %s', (_, events, expected) => {
    expect(read(events)).toEqual(expected);
    expect(readStream(agUi, streamOf([started, ...events]))).toEqual(expected);
  });

  test('asks the question of an interrupt, and stores the messages of its run', () => {
    const events = read(
      [
        ...text('m1', 'May I?'),
        { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r1', delta: 'Hm.' },
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r1', encryptedValue: 'abc' },
        ...call('c1', 'refund', '{"id":"A-1"}'),
        { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
        asking([
          { id: 'i1', reason: 'tool_call', message: 'Refund A-1?', toolCallId: 'c1' },
          { id: 'i2', reason: 'acme:form', responseSchema: { type: 'object' } },
          { id: 'i2', reason: 'twice' },
          { id: 'i3', reason: 'sure' },
          { id: 7 },
        ]),
      ],
      { tools: [{ ...pageTool, name: 'refund' }] },
    );
    const refund = { name: 'refund', arguments: '{"id":"A-1"}' };
    expect(events.slice(-5)).toEqual([
      {
        type: 'saveState',
        state: {
          state: { a: 1 },
          interrupts: ['i1', 'i2', 'i3'],
          calls: [],
          messages: [
            { id: 'm1', role: 'assistant', content: 'May I?' },
            { id: 'r1', role: 'reasoning', content: 'Hm.', encryptedValue: 'abc' },
            { id: 'c1', role: 'assistant', toolCalls: [{ id: 'c1', type: 'function', function: refund }] },
          ],
        },
      },
      {
        type: 'interrupt',
        interrupt: {
          ...{ id: 'i1', reason: 'tool_call', message: 'Refund A-1?' },
          ...{ toolId: 'c1', toolName: 'refund', input: { id: 'A-1' } },
        },
      },
      told.interrupt({ id: 'i2', reason: 'input_required', message: '', responseSchema: { type: 'object' } }),
      told.interrupt({ id: 'i3', reason: 'confirmation', message: '', input: { reason: 'sure' } }),
      told.ended('interrupted'),
    ]);
  });

  test('fails if a run waits for an interrupt that nobody can answer', () => {
    for (const interrupts of [[], undefined, 'x', [{ reason: 'a' }]])
      expect(read([asking(interrupts)])).toEqual([told.failed('invalid_interrupt')]);
  });

  test('ends with the calls of offered tools that have no result: all, or those that are named', () => {
    const events = [
      ...call('c1', 'open_page', '{"path":"/a"}'),
      ...call('c2', 'open_page', '{"path":"/b"}'),
      ...call('c3', 'own_tool', '{}'),
      ...call('c4', 'open_page', '{}'),
      result('c4', 'ok'),
    ];
    const waiting = (outcome?: object) => {
      const found = read([...events, { ...finished, outcome }], { tools: [pageTool] });
      expect(found.at(-1)).toEqual(told.ended('calls'));
      return (savedStateOf(found) as { calls: string[] }).calls;
    };
    expect(waiting()).toEqual(['c1', 'c2']);
    expect(waiting({ type: 'success' })).toEqual(['c1', 'c2']);
    expect(waiting({ type: 'success', pendingToolCallIds: ['c2', 'c3'] })).toEqual(['c2']);
    expect(read([...events, finished]).at(-1)).toEqual(told.finished);
  });

  test('never asks to run a call whose input was cut off', () => {
    const cut = call('c1', 'open_page', '{"path":').slice(0, 2);
    const events = read([...cut, finished], { tools: [pageTool] });
    expect(events).toEqual([told.tool('c1', 'open_page'), told.finished]);
  });

  test('drops a state that is too large, and does not keep half of it', () => {
    const large = { type: 'STATE_SNAPSHOT', snapshot: { text: 'x'.repeat(64_000) } };
    expect(read([large, finished])).toEqual([told.finished]);
    const nothing = { interrupts: [], calls: [], messages: [] };
    expect(savedStateOf(read([large, finished], { state: { state: { a: 1 } } }))).toEqual(nothing);
    // The same state goes on where the agent does not change it.
    expect(savedStateOf(read([finished], { state: { state: { a: 1 } } }))).toMatchObject({ state: { a: 1 } });
  });

  test('does not keep texts that are too long', () => {
    const events = read(
      [...text('m1', 'x'.repeat(70_000)), ...call('c1', 'open_page', '{"path":"/"}'), finished],
      { tools: [pageTool] },
    );
    expect(savedStateOf(events)).toMatchObject({ calls: ['c1'], messages: [{ id: 'c1' }] });
    const huge = read([...call('c1', 'open_page', JSON.stringify('x'.repeat(70_000))), finished], {
      tools: [pageTool],
    });
    expect(huge.at(-1)).toEqual(told.failed('state_too_large'));
  });
});

describe('the request of AG-UI', () => {
  const full = runOf({
    instructions: 'Be kind.',
    history: [
      { id: 'message_0', role: 'assistant', text: 'Hello', createdAt: '2026-01-02T03:04:04.000Z' },
      ...runOf().history,
    ],
    tools: [pageTool],
    context: [{ description: 'The page', value: 'Cart' }],
    knowledge: [{ number: 1, title: 'Returns', text: 'Thirty days.' }],
  });

  test('says everything about the run, and is valid', () => {
    const request = agUi.request(full);
    expect(request).toEqual({
      threadId: 'conversation_1',
      runId: 'run_1',
      protocolVersion: '1.0',
      state: {},
      messages: [
        { id: 'instructions', role: 'system', content: 'Be kind.' },
        { id: 'message_0', role: 'assistant', content: 'Hello' },
        { id: 'message_1', role: 'user', content: 'Where is A-1?' },
      ],
      tools: [{ name: 'open_page', description: 'Opens a page.', parameters: pageTool.inputSchema }],
      context: [
        { description: 'The page', value: 'Cart' },
        { description: expect.stringContaining('Cite it as [1].'), value: 'Thirty days.' },
      ],
      forwardedProps: {},
    });
    expect(RunAgentInputSchema.parse(request)).toEqual(request);
  });

  test('answers every interrupt and every call of the run before it', () => {
    const events = read(
      [
        ...text('m1', 'Wait.'),
        ...call('c1', 'open_page', '{"path":"/a"}'),
        ...call('c2', 'open_page', '{"path":"/b"}'),
        asking(['i1', 'i2'].map((id) => ({ id, reason: 'confirmation' }))),
      ],
      { tools: [pageTool] },
    );
    const answer = { id: 'message_2', role: 'assistant' as const, text: 'Wait.', createdAt: '' };
    const done = { toolId: 'c1', toolName: 'open_page', status: 'resolved', payload: { ok: true } } as const;
    const request = agUi.request({
      ...full,
      history: [...full.history, answer],
      instructions: '',
      state: savedStateOf(events),
      resume: [
        { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
        { interruptId: 'c1', ...done },
      ],
    });
    expect(request.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
      { interruptId: 'i2', status: 'cancelled' },
    ]);
    // Each message of the agent is there once, with its ids.
    const cancelled = 'The call was cancelled.';
    expect(request.messages).toEqual([
      { id: 'message_0', role: 'assistant', content: 'Hello' },
      { id: 'message_1', role: 'user', content: 'Where is A-1?' },
      { id: 'm1', role: 'assistant', content: 'Wait.' },
      expect.objectContaining({ id: 'c1', toolCalls: [expect.objectContaining({ id: 'c1' })] }),
      expect.objectContaining({ id: 'c2', toolCalls: [expect.objectContaining({ id: 'c2' })] }),
      { id: 'result:c1', role: 'tool', toolCallId: 'c1', content: '{"ok":true}' },
      { id: 'result:c2', role: 'tool', toolCallId: 'c2', content: cancelled, error: cancelled },
    ]);
    expect(RunAgentInputSchema.parse(request)).toEqual(request);
  });

  test('sends the state of the agent back, also in the next turn, but not the messages', () => {
    const state = { state: { a: 1 }, messages: [{ id: 'm1', role: 'assistant', content: 'x' }] };
    const request = agUi.request(runOf({ state }));
    expect(request).toMatchObject({ state: { a: 1 }, messages: [{ id: 'message_1' }] });
    const resume = [{ interruptId: 'x', status: 'resolved' as const }];
    for (const wrong of [7, 'x', [], { state: 1, messages: 7, calls: 'x', interrupts: {} }, null])
      expect(() => agUi.request(runOf({ state: wrong, resume }))).not.toThrow();
  });

  test('shows the result of a call of the run before it, and never waits for it again', () => {
    const made = { name: 'open_page', arguments: '{}' };
    const state = {
      messages: [
        { id: 'c1', role: 'assistant', toolCalls: [{ id: 'c1', type: 'function', function: made }] },
      ],
      interrupts: ['i1'],
    };
    const resume = [{ interruptId: 'i1', toolId: 'c1', status: 'resolved' as const }];
    expect(read([result('c1', 'ok'), finished], { state, resume, tools: [pageTool] })).toEqual([
      told.output('c1', 'ok'),
      { type: 'saveState', state: { interrupts: [], calls: [], messages: [] } },
      told.finished,
    ]);
    expect(read([finished], { state, resume, tools: [pageTool] }).at(-1)).toEqual(told.finished);
  });
});

test('a run can be stopped at the address of a runtime of CopilotKit, and at no other', () => {
  const run = { threadId: 't/1', runId: 'r' };
  const stopped = { url: 'http://a.test/api/agent/shop/stop/t%2F1', body: { runId: 'r' } };
  expect(agUi.cancel?.('http://a.test/api/agent/shop/run', run)).toEqual(stopped);
  expect(agUi.cancel?.('http://a.test/agent', run)).toBeUndefined();
});

const ofAssistant = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'assistant' && message.subagentRunId === undefined ? [message] : [],
  );
const clientText = (messages: readonly Message[]) =>
  ofAssistant(messages)
    .flatMap(({ content }) => (content ? [content] : []))
    .join('\n\n');
const clientCalls = (messages: readonly Message[]) =>
  Object.fromEntries(
    ofAssistant(messages)
      .flatMap(({ toolCalls = [] }) => toolCalls)
      .map(({ id, function: { name, arguments: input } }) => [
        id,
        [name, input === '' ? {} : JSON.parse(input)],
      ]),
  );
const namesAndInputs = (events: readonly AgentEvent[]) =>
  Object.fromEntries(Object.entries(callsOf(events)).map(([id, { name, input }]) => [id, [name, input]]));

/** The client throws for what is not whole, and takes snapshots as the whole conversation. */
const readByClient = table.filter(([name]) => !/^messages of this turn|^state/.test(name));
test.each(readByClient)('the client of AG-UI reads the same text and calls: %s', async (_, events) => {
  const stream = [started, ...events];
  const messages = await messagesOfAgUi(stream);
  const ours = readAll(agUi, stream);
  expect(answerOf(ours)).toBe(clientText(messages));
  expect(namesAndInputs(ours)).toEqual(clientCalls(messages));
});
