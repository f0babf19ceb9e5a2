// Tests of AG-UI: what each event becomes, and the same streams read by the client of the protocol.

import { HttpAgent, type Message } from '@ag-ui/client';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { AGUIMock } from '@copilotkit/aimock';
import { describe, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../protocol.ts';
import { answerOf, callsOf, keptOf, pageTool, readAll, readStream, runOf, streamOf } from '../testing.ts';
import { agUi } from './ag-ui.ts';

const started = { type: 'RUN_STARTED', threadId: 'conversation_1', runId: 'run_1' };
const finished = { type: 'RUN_FINISHED', threadId: 'conversation_1', runId: 'run_1' };
const text = (messageId: string, ...deltas: string[]) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
];
const call = (toolCallId: string, toolCallName: string, ...deltas: string[]) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  ...deltas.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
  { type: 'TOOL_CALL_END', toolCallId },
];
const end: AgentEvent = { type: 'end', reason: 'finished' };
const read = (events: readonly unknown[], fields = {}) => readAll(agUi, [started, ...events], runOf(fields));

/** A stream, and what it becomes. */
const table: [name: string, events: unknown[], expected: AgentEvent[]][] = [
  [
    'text of two messages',
    [...text('m1', 'On ', 'its way.'), ...text('m2', 'Bye.'), finished],
    [
      { type: 'text', delta: 'On ' },
      { type: 'text', delta: 'its way.' },
      { type: 'paragraph' },
      { type: 'text', delta: 'Bye.' },
      end,
    ],
  ],
  [
    'text in chunks, the second without its id',
    [
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', role: 'assistant', delta: 'On ' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'its way.' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', delta: 'Bye.' },
      finished,
    ],
    [
      { type: 'text', delta: 'On ' },
      { type: 'text', delta: 'its way.' },
      { type: 'paragraph' },
      { type: 'text', delta: 'Bye.' },
      end,
    ],
  ],
  [
    'two messages at the same time, one after the other',
    [
      { type: 'TEXT_MESSAGE_START', messageId: 'm1' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm2' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'one ' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'three' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'two' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm2' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
      finished,
    ],
    [
      { type: 'text', delta: 'one ' },
      { type: 'text', delta: 'two' },
      { type: 'paragraph' },
      { type: 'text', delta: 'three' },
      end,
    ],
  ],
  [
    'text of a user, of a system and of a subagent: none',
    [
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'user' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'x' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', role: 'system', delta: 'x' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'x' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'searcher', description: 'Searches orders' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm3', role: 'assistant', subagentRunId: 's1' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm3', delta: 'x', subagentRunId: 's1' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm3', subagentRunId: 's1' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
      finished,
    ],
    [{ type: 'status', text: 'Searches orders' }, end],
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
      { type: 'reasoning', delta: 'The number ' },
      { type: 'reasoning', delta: 'begins with A.' },
      { type: 'reasoning', delta: '\n\nSo ' },
      { type: 'reasoning', delta: 'search.' },
      { type: 'reasoning', delta: '\n\nOld.' },
      { type: 'text', delta: 'Done.' },
      end,
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
      { type: 'TOOL_CALL_RESULT', messageId: 't2', toolCallId: 'c2', content: 'Thirty days.' },
      {
        type: 'TOOL_CALL_RESULT',
        messageId: 't1',
        toolCallId: 'c1',
        content: [
          { type: 'text', text: '{"status":' },
          { type: 'text', text: '"sent"}' },
        ],
      },
      finished,
    ],
    [
      { type: 'tool', id: 'c1', name: 'get_order' },
      { type: 'tool', id: 'c2', name: 'get_rules' },
      { type: 'tool-input', id: 'c2', input: {} },
      { type: 'tool-input', id: 'c1', input: { id: 'A-1' } },
      { type: 'tool-output', id: 'c2', output: 'Thirty days.' },
      { type: 'tool-output', id: 'c1', output: { status: 'sent' } },
      end,
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
      { type: 'tool', id: 'c1', name: 'get_order' },
      { type: 'tool-input', id: 'c1', input: { id: 'A-1' } },
      { type: 'tool', id: 'c2', name: 'get_rules' },
      { type: 'tool-input', id: 'c2', input: {} },
      end,
    ],
  ],
  [
    'steps and an activity with a text as a status',
    [
      { type: 'STEP_STARTED', stepName: 'Plan\nit' },
      { type: 'STEP_FINISHED', stepName: 'Plan\nit' },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'SEARCH', content: { text: 'Searching' } },
      {
        type: 'ACTIVITY_DELTA',
        messageId: 'a1',
        activityType: 'SEARCH',
        patch: [{ op: 'replace', path: '/text', value: 'Reading' }],
      },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a2', activityType: 'PLAN', content: { steps: [1] } },
      finished,
    ],
    [
      { type: 'status', text: 'Plan it' },
      { type: 'status', text: '' },
      { type: 'status', text: 'Searching' },
      { type: 'status', text: 'Reading' },
      end,
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
      { type: 'source', title: 'Returns', url: 'https://example.com/returns' },
      { type: 'source', title: 'Bad' },
      { type: 'source', title: 'https://example.com/a', url: 'https://example.com/a' },
      end,
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
    [
      { type: 'text', delta: 'Streamed.' },
      { type: 'paragraph' },
      { type: 'text', delta: 'Not streamed.' },
      end,
    ],
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
      end,
    ],
  ],
  [
    'usage of several models, and a success that is named',
    [
      ...text('m1', 'x'),
      {
        ...finished,
        outcome: { type: 'success' },
        usage: [
          { model: 'a', inputTokens: 3, outputTokens: 4 },
          { model: 'b', inputTokens: 10 },
        ],
      },
    ],
    [{ type: 'text', delta: 'x' }, { type: 'usage', inputTokens: 13, outputTokens: 4 }, end],
  ],
  [
    'a run that was stopped',
    [...text('m1', 'x'), { ...finished, outcome: { type: 'cancelled' } }],
    [
      { type: 'text', delta: 'x' },
      { type: 'end', reason: 'stopped' },
    ],
  ],
  [
    'a failure in the middle, without its words, and nothing after it',
    [
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'half' },
      { type: 'RUN_ERROR', message: 'secret', code: 'secret', usage: [{ inputTokens: 1, outputTokens: 2 }] },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'x' },
      finished,
    ],
    [
      { type: 'text', delta: 'half' },
      { type: 'usage', inputTokens: 1, outputTokens: 2 },
      { type: 'failed', code: 'agent_error' },
    ],
  ],
  [
    'an end without RUN_FINISHED',
    text('m1', 'half'),
    [
      { type: 'text', delta: 'half' },
      { type: 'failed', code: 'incomplete' },
    ],
  ],
  [
    'unknown events and data without JSON',
    ['{', '[1]', '7', '', { type: 'NEW_EVENT' }, {}, { type: 7 }, { type: '__proto__' }, finished],
    [end],
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
        {
          ...finished,
          outcome: {
            type: 'interrupt',
            interrupts: [
              { id: 'i1', reason: 'tool_call', message: 'Refund A-1?', toolCallId: 'c1' },
              { id: 'i2', reason: 'acme:form', responseSchema: { type: 'object' } },
              { id: 'i2', reason: 'twice' },
              { id: 'i3', reason: 'sure' },
              { id: 7 },
            ],
          },
        },
      ],
      { tools: [{ ...pageTool, name: 'refund' }] },
    );
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
            {
              id: 'c1',
              role: 'assistant',
              toolCalls: [
                { id: 'c1', type: 'function', function: { name: 'refund', arguments: '{"id":"A-1"}' } },
              ],
            },
          ],
        },
      },
      {
        type: 'interrupt',
        interrupt: {
          id: 'i1',
          reason: 'tool_call',
          message: 'Refund A-1?',
          toolId: 'c1',
          toolName: 'refund',
          input: { id: 'A-1' },
        },
      },
      {
        type: 'interrupt',
        interrupt: { id: 'i2', reason: 'input_required', message: '', responseSchema: { type: 'object' } },
      },
      {
        type: 'interrupt',
        interrupt: { id: 'i3', reason: 'confirmation', message: '', input: { reason: 'sure' } },
      },
      { type: 'end', reason: 'interrupted' },
    ]);
  });

  test('fails if a run waits for an interrupt that nobody can answer', () => {
    for (const interrupts of [[], undefined, 'x', [{ reason: 'a' }]])
      expect(read([{ ...finished, outcome: { type: 'interrupt', interrupts } }])).toEqual([
        { type: 'failed', code: 'invalid_interrupt' },
      ]);
  });

  test('ends with the calls of offered tools that have no result: all, or those that are named', () => {
    const events = [
      ...call('c1', 'open_page', '{"path":"/a"}'),
      ...call('c2', 'open_page', '{"path":"/b"}'),
      ...call('c3', 'own_tool', '{}'),
      ...call('c4', 'open_page', '{}'),
      { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'c4', content: 'ok' },
    ];
    const waiting = (outcome?: object) => {
      const found = read([...events, { ...finished, outcome }], { tools: [pageTool] });
      expect(found.at(-1)).toEqual({ type: 'end', reason: 'calls' });
      return (keptOf(found) as { calls: string[] }).calls;
    };
    expect(waiting()).toEqual(['c1', 'c2']);
    expect(waiting({ type: 'success' })).toEqual(['c1', 'c2']);
    expect(waiting({ type: 'success', pendingToolCallIds: ['c2', 'c3'] })).toEqual(['c2']);
    expect(read([...events, finished]).at(-1)).toEqual(end);
  });

  test('never asks to run a call whose input was cut off', () => {
    const events = read(
      [
        { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'open_page' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"path":' },
        finished,
      ],
      { tools: [pageTool] },
    );
    expect(events).toEqual([{ type: 'tool', id: 'c1', name: 'open_page' }, end]);
  });

  test('gives the blocks that the page can draw, and their changes', () => {
    const blocks = ['order'];
    const snapshot = { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'order' };
    const patch = [{ op: 'add', path: '/status', value: 'sent' }];
    const events = [
      { ...snapshot, content: { id: 'A-1', title: 'Order A-1' } },
      { ...snapshot, content: { id: 'other' }, replace: false },
      { type: 'ACTIVITY_DELTA', messageId: 'a1', activityType: 'order', patch },
      { ...snapshot, messageId: 'a2', content: { text: 'x'.repeat(20_000) } },
      finished,
    ];
    expect(read(events, { blocks })).toEqual([
      {
        type: 'block',
        id: 'a1',
        name: 'order',
        data: { id: 'A-1', title: 'Order A-1' },
        fallback: 'Order A-1',
      },
      {
        type: 'block',
        id: 'a1',
        name: 'order',
        data: { id: 'A-1', title: 'Order A-1', status: 'sent' },
        fallback: 'Order A-1',
      },
      end,
    ]);
  });

  test('drops a state that is too large, and does not keep half of it', () => {
    const large = { type: 'STATE_SNAPSHOT', snapshot: { text: 'x'.repeat(64_000) } };
    expect(read([large, finished])).toEqual([end]);
    expect(keptOf(read([large, finished], { state: { state: { a: 1 } } }))).toEqual({
      interrupts: [],
      calls: [],
      messages: [],
    });
    // The same state goes on where the agent does not change it.
    expect(keptOf(read([finished], { state: { state: { a: 1 } } }))).toMatchObject({ state: { a: 1 } });
  });

  test('does not keep texts that are too long', () => {
    const events = read(
      [...text('m1', 'x'.repeat(70_000)), ...call('c1', 'open_page', '{"path":"/"}'), finished],
      { tools: [pageTool] },
    );
    expect(keptOf(events)).toMatchObject({ calls: ['c1'], messages: [{ id: 'c1' }] });
    const huge = read([...call('c1', 'open_page', JSON.stringify('x'.repeat(70_000))), finished], {
      tools: [pageTool],
    });
    expect(huge.at(-1)).toEqual({ type: 'failed', code: 'state_too_large' });
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
        {
          ...finished,
          outcome: {
            type: 'interrupt',
            interrupts: [
              { id: 'i1', reason: 'confirmation' },
              { id: 'i2', reason: 'confirmation' },
            ],
          },
        },
      ],
      { tools: [pageTool] },
    );
    const history = [
      ...full.history,
      { id: 'message_2', role: 'assistant' as const, text: 'Wait.', createdAt: '2026-01-02T03:04:06.000Z' },
    ];
    const request = agUi.request({
      ...full,
      history,
      instructions: '',
      state: keptOf(events),
      resume: [
        { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
        { interruptId: 'c1', toolId: 'c1', toolName: 'open_page', status: 'resolved', payload: { ok: true } },
      ],
    });
    expect(request.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
      { interruptId: 'i2', status: 'cancelled' },
    ]);
    // What the agent wrote is there once, with its ids.
    expect(request.messages).toEqual([
      { id: 'message_0', role: 'assistant', content: 'Hello' },
      { id: 'message_1', role: 'user', content: 'Where is A-1?' },
      { id: 'm1', role: 'assistant', content: 'Wait.' },
      expect.objectContaining({ id: 'c1', toolCalls: [expect.objectContaining({ id: 'c1' })] }),
      expect.objectContaining({ id: 'c2', toolCalls: [expect.objectContaining({ id: 'c2' })] }),
      { id: 'result:c1', role: 'tool', toolCallId: 'c1', content: '{"ok":true}' },
      {
        id: 'result:c2',
        role: 'tool',
        toolCallId: 'c2',
        content: 'The call was cancelled.',
        error: 'The call was cancelled.',
      },
    ]);
    expect(RunAgentInputSchema.parse(request)).toEqual(request);
  });

  test('sends the state of the agent back, also in the next turn, but not the messages', () => {
    const state = { state: { a: 1 }, messages: [{ id: 'm1', role: 'assistant', content: 'x' }] };
    const request = agUi.request(runOf({ state }));
    expect(request).toMatchObject({ state: { a: 1 }, messages: [{ id: 'message_1' }] });
    for (const wrong of [7, 'x', [], { state: 1, messages: 7, calls: 'x', interrupts: {} }, null])
      expect(() =>
        agUi.request(runOf({ state: wrong, resume: [{ interruptId: 'x', status: 'resolved' }] })),
      ).not.toThrow();
  });

  test('shows the result of a call of the run before it, and never waits for it again', () => {
    const state = {
      messages: [
        {
          id: 'c1',
          role: 'assistant',
          toolCalls: [{ id: 'c1', type: 'function', function: { name: 'open_page', arguments: '{}' } }],
        },
      ],
      interrupts: ['i1'],
    };
    const resume = [{ interruptId: 'i1', toolId: 'c1', status: 'resolved' as const }];
    const result = { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'c1', content: 'ok' };
    expect(read([result, finished], { state, resume, tools: [pageTool] })).toEqual([
      { type: 'tool-output', id: 'c1', output: 'ok' },
      { type: 'saveState', state: { interrupts: [], calls: [], messages: [] } },
      end,
    ]);
    expect(read([finished], { state, resume, tools: [pageTool] }).at(-1)).toEqual(end);
  });
});

/** The messages that the client of the protocol makes of a stream. */
async function clientMessages(events: readonly unknown[]): Promise<Message[]> {
  const fetch = async () =>
    new Response(streamOf(events), { headers: { 'content-type': 'text/event-stream' } });
  // It warns of older events.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const agent = new HttpAgent({ url: 'http://agent.test/', threadId: 'conversation_1', fetch });
  const { newMessages } = await agent.runAgent({ runId: 'run_1' });
  vi.restoreAllMocks();
  return newMessages;
}

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
const readByClient = table.filter(
  ([name]) => !/^a failure|^an end without|^unknown events|^messages of this turn|^state/.test(name),
);
test.each(readByClient)('the client of AG-UI reads the same text and calls: %s', async (_, events) => {
  const stream = [started, ...events];
  const messages = await clientMessages(stream);
  const ours = readAll(agUi, stream);
  expect(answerOf(ours)).toBe(clientText(messages));
  expect(namesAndInputs(ours)).toEqual(clientCalls(messages));
});

test('a server of AG-UI that is not ours understands the request, and is understood', async () => {
  const mock = new AGUIMock();
  mock.onPredicate(
    ({ messages = [], ...input }) => {
      const { protocolVersion } = input as { protocolVersion?: string };
      return protocolVersion === '1.0' && messages.some(({ content }) => content === 'Where is A-1?');
    },
    [
      { ...started, type: 'RUN_STARTED' },
      { type: 'STEP_STARTED', stepName: 'search' },
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'get_order' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"id":"A-1"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c1', content: '{"status":"sent"}' },
      { type: 'STEP_FINISHED', stepName: 'search' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'It is on its way. ✓' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
      { ...finished, type: 'RUN_FINISHED' },
    ],
  );
  const url = await mock.start();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(agUi.request(runOf())),
    });
    const ours = readStream(agUi, await response.text());
    expect(answerOf(ours)).toBe('It is on its way. ✓');
    expect(callsOf(ours)).toEqual({
      c1: { name: 'get_order', input: { id: 'A-1' }, output: { status: 'sent' } },
    });
    expect(ours.at(-1)).toEqual(end);
    const client = new HttpAgent({ url, threadId: 'conversation_1' });
    client.addMessage({ id: 'message_1', role: 'user', content: 'Where is A-1?' });
    const { newMessages } = await client.runAgent({ runId: 'run_1' });
    expect(clientText(newMessages)).toBe(answerOf(ours));
  } finally {
    await mock.stop();
  }
});
