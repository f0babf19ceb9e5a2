// Tests of the Responses API: what each event becomes, and what is requested.
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../protocol.ts';
import { openaiResponses } from './openai-responses.ts';
import {
  answerOf,
  callsOf,
  pageTool,
  readAll,
  readStream,
  runOf,
  savedStateOf,
  streamOf,
} from './testing.ts';
import * as told from './told.testing.ts';

const item = (output_index: number, fields: object) => ({
  added: { type: 'response.output_item.added', output_index, item: { ...fields, status: 'in_progress' } },
  done: { type: 'response.output_item.done', output_index, item: { status: 'completed', ...fields } },
});
const delta = (output_index: number, text: string, content_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  delta: text,
});
const message = (output_index: number, text: string, annotations: object[] = []) =>
  item(output_index, {
    type: 'message',
    id: `msg_${output_index}`,
    content: [{ type: 'output_text', text, annotations }],
  });
const reasoning = (output_index: number, text: string, summary_index = 0) => ({
  type: 'response.reasoning_summary_text.delta',
  ...{ output_index, summary_index, delta: text },
});
const completedWith = (output: object[], more: object = {}) => ({
  type: 'response.completed',
  response: { output, ...more },
});
const completed = { type: 'response.completed', response: { status: 'completed', output: [] } };
const read = (events: readonly unknown[], fields = {}) => readAll(openaiResponses, events, runOf(fields));

const pageCall = (n: number, input: string) =>
  item(n - 1, {
    type: 'function_call',
    id: `fc_${n}`,
    call_id: `c${n}`,
    name: 'open_page',
    arguments: input,
  });
const order = pageCall(1, '{"path":"/a"}');
const rules = pageCall(2, '{}');
const approval = item(2, {
  ...{ type: 'mcp_approval_request', id: 'mcpr_1', name: 'refund', server_label: 'shop' },
  arguments: '{"id":"A-1"}',
});
const thought = item(0, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'abc' });

const citation = {
  ...{ type: 'url_citation', url: 'https://example.com/r', title: 'Returns' },
  ...{ start_index: 0, end_index: 11 },
};

const table: [name: string, events: unknown[], expected: AgentEvent[]][] = [
  [
    'text of two messages, and a refusal',
    [
      { type: 'response.created', response: {} },
      message(0, '').added,
      delta(0, 'On '),
      delta(0, 'its way.'),
      message(0, 'On its way.').done,
      message(1, '').added,
      { type: 'response.refusal.delta', output_index: 1, content_index: 0, delta: 'No.' },
      message(1, 'No.').done,
      completed,
    ],
    [told.text('On '), told.text('its way.'), told.paragraph, told.text('No.'), told.finished],
  ],
  [
    'reasoning: summaries and the text itself',
    [
      thought.added,
      reasoning(0, 'The number.'),
      reasoning(0, 'So ', 1),
      reasoning(0, 'search.', 1),
      thought.done,
      { type: 'response.reasoning_text.delta', output_index: 1, content_index: 0, delta: 'Open.' },
      completed,
    ],
    [
      told.reasoning('The number.'),
      told.reasoning('\n\nSo '),
      told.reasoning('search.'),
      told.reasoning('\n\nOpen.'),
      told.finished,
    ],
  ],
  [
    'tools of the provider, with a status',
    [
      item(0, { type: 'web_search_call', id: 'ws_1' }).added,
      { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_1' },
      item(0, { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'A-1' } }).done,
      item(1, { type: 'mcp_call', id: 'mcp_1', name: 'get_order', server_label: 'shop', arguments: '' })
        .added,
      { type: 'response.mcp_call.in_progress', output_index: 1, item_id: 'mcp_1' },
      { type: 'response.mcp_call_arguments.done', output_index: 1, arguments: '{"id":"A-1"}' },
      item(1, {
        type: 'mcp_call',
        id: 'mcp_1',
        name: 'get_order',
        arguments: '{"id":"A-1"}',
        output: '{"a":1}',
      }).done,
      item(2, { type: 'mcp_call', id: 'mcp_2', name: 'get_rules', arguments: '' }).added,
      { type: 'response.mcp_call.failed', output_index: 2, item_id: 'mcp_2' },
      item(2, { type: 'mcp_call', id: 'mcp_2', name: 'get_rules', arguments: '{}', error: 'secret' }).done,
      item(3, { type: 'file_search_call', id: 'fs_1', queries: ['a'], status: 'incomplete' }).done,
      completed,
    ],
    [
      told.tool('ws_1', 'web_search', 'Web search'),
      told.status('Searching the web'),
      told.input('ws_1', { type: 'search', query: 'A-1' }),
      told.output('ws_1', null),
      told.tool('mcp_1', 'get_order'),
      told.status('get_order'),
      told.input('mcp_1', { id: 'A-1' }),
      told.output('mcp_1', { a: 1 }),
      told.tool('mcp_2', 'get_rules'),
      told.error('mcp_2'),
      told.tool('fs_1', 'file_search', 'File search'),
      told.input('fs_1', ['a']),
      told.error('fs_1'),
      told.finished,
    ],
  ],
  [
    'sources, once each, with the place in all of the text',
    [
      delta(0, 'First.'),
      message(0, 'First.').done,
      delta(1, 'Thirty days.'),
      {
        type: 'response.output_text.annotation.added',
        output_index: 1,
        content_index: 0,
        annotation: citation,
      },
      message(1, 'Thirty days.', [
        citation,
        { type: 'file_citation', file_id: 'file_1', filename: 'terms.pdf', index: 12 },
        { type: 'url_citation', url: 'javascript:alert(1)', title: '' },
        { type: 'file_path', file_id: 'file_2' },
      ]).done,
      completed,
    ],
    [
      told.text('First.'),
      told.paragraph,
      told.text('Thirty days.'),
      told.source('Returns', { url: 'https://example.com/r', end: 17 }),
      told.source('terms.pdf', { end: 18 }),
      told.finished,
    ],
  ],
  [
    'items that only the end has',
    [
      completedWith(
        [message(0, 'Whole.').done.item, item(1, { type: 'web_search_call', id: 'ws_1' }).done.item],
        { usage: { input_tokens: 3, output_tokens: 4 } },
      ),
    ],
    [
      told.text('Whole.'),
      told.tool('ws_1', 'web_search', 'Web search'),
      told.input('ws_1', {}),
      told.output('ws_1', null),
      told.usage(3, 4),
      told.finished,
    ],
  ],
  [
    'a server that numbers nothing',
    [
      { type: 'response.output_text.delta', item_id: 'm', delta: 'One.' },
      { type: 'response.output_text.delta', item_id: 'n', delta: 'Two.' },
      completedWith([message(0, 'One.').done.item, message(1, 'Two.').done.item]),
    ],
    [told.text('One.'), told.paragraph, told.text('Two.'), told.finished],
  ],
];

const textDone = (text: string, fields = {}) => ({ type: 'response.output_text.done', text, ...fields });
const whole = { status: 'completed', output: [message(0, 'Hello').done.item] };

describe('the responses of compatible servers', () => {
  test.each<[string, unknown[]]>([
    ['only output_text.done', [textDone('Hello', { output_index: 0, content_index: 0 }), completed]],
    [
      'pieces, and the whole text',
      [
        delta(0, 'Hel'),
        delta(0, 'lo'),
        textDone('Hello', { output_index: 0 }),
        message(0, 'Hello').done,
        completed,
      ],
    ],
    [
      'only content_part.done',
      [
        { type: 'response.content_part.done', output_index: 0, part: { type: 'output_text', text: 'Hello' } },
        completed,
      ],
    ],
    ['only refusal.done', [{ type: 'response.refusal.done', output_index: 0, refusal: 'Hello' }, completed]],
    ['only output_item.done', [message(0, 'Hello').done, completed]],
    ['only response.completed', [{ type: 'response.completed', response: whole }]],
    [
      'only output_text of the response',
      [{ type: 'response.completed', response: { status: 'completed', output: [], output_text: 'Hello' } }],
    ],
    ['a response that is not a stream', [{ object: 'response', ...whole }, '[DONE]']],
    ['a lost end of the text', [delta(0, 'Hel'), message(0, 'Hello').done, completed]],
    [
      'no numbers, and reasoning before the text',
      [
        { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hello' },
        completedWith([thought.done.item, message(1, 'Hello').done.item]),
      ],
    ],
    [
      'neither numbers nor ids',
      [
        { type: 'response.output_text.delta', delta: 'Hello' },
        completedWith([thought.done.item, message(1, 'Hello').done.item]),
      ],
    ],
  ])('have one text: %s', (_, events) => {
    const found = read(events);
    expect(answerOf(found)).toBe('Hello');
    expect(found.at(-1)).toEqual(told.finished);
  });

  test('can begin with reasoning between tags, or with its end alone', () => {
    expect(read([delta(0, '<think>Hm'), delta(0, '</think>\n'), delta(0, 'Hello'), completed])).toEqual([
      told.reasoning('Hm'),
      told.text('Hello'),
      told.finished,
    ]);
    expect(read([delta(0, 'Hm</thi'), delta(0, 'nk>Hello'), completed])).toEqual([
      told.text('Hm'),
      told.textWasReasoning,
      told.text('Hello'),
      told.finished,
    ]);
  });

  test('name their events in the line of the event alone', () => {
    const stream =
      'event: response.output_text.delta\ndata: {"delta":"Hello"}\n\nevent: response.completed\ndata: {}\n\n';
    expect(readStream(openaiResponses, stream)).toEqual([told.text('Hello'), told.finished]);
  });

  const call = { type: 'function_call', name: 'open_page' };
  const path = '{"path":"/a"}';
  const added = (fields: object) => ({ ...order.added, item: { ...call, ...fields } });
  const done = (fields: object) => ({ ...order.done, item: { ...call, ...fields } });
  const pieces = ['{"path"', ':"/a"}'].map((piece) => {
    return { type: 'response.function_call_arguments.delta', output_index: 0, delta: piece };
  });
  test.each<[string, unknown[], string]>([
    ['no call_id', [added({ id: 'fc_1' }), done({ id: 'fc_1', arguments: path }), completed], 'fc_1'],
    ['no ids', [done({ arguments: path }), completed], 'call-0-0'],
    [
      'arguments in pieces alone',
      [added({ call_id: 'c1' }), ...pieces, done({ call_id: 'c1', arguments: '' }), completed],
      'c1',
    ],
    ['no end of the item', [added({ call_id: 'c1' }), ...pieces, completed], 'c1'],
    [
      'no beginning of the item',
      [
        {
          type: 'response.function_call_arguments.done',
          output_index: 0,
          item_id: 'fc_1',
          name: 'open_page',
          arguments: path,
        },
        completed,
      ],
      'fc_1',
    ],
    ['only response.completed', [completedWith([{ ...call, id: 'fc_1', arguments: path }])], 'fc_1'],
  ])('call a tool, and receive its result: %s', (_, events, id) => {
    const found = read(events, { tools: [pageTool] });
    expect(callsOf(found)).toEqual({ [id]: { name: 'open_page', input: { path: '/a' } } });
    expect(found.at(-1)).toEqual(told.ended('calls'));
    const resume = [{ interruptId: id, status: 'resolved' as const, payload: 'opened' }];
    const { input } = openaiResponses.request(runOf({ state: savedStateOf(found), resume })) as {
      input: object[];
    };
    expect(input.slice(-2)).toMatchObject([
      { type: 'function_call', call_id: id, name: 'open_page', arguments: '{"path":"/a"}' },
      { type: 'function_call_output', call_id: id, output: 'opened' },
    ]);
    // The calls of the next response have other ids.
    const again = { ...order.done, item: { ...call, arguments: '{}' } };
    const next = read([again, completed], { tools: [pageTool], state: savedStateOf(found), resume });
    expect(Object.keys(callsOf(next))).not.toContain(id);
  });
});

describe('the reader of the Responses API', () => {
  test.each(table)('reads %s', (_, events, expected) => {
    expect(read(events)).toEqual(expected);
    expect(readStream(openaiResponses, streamOf(events))).toEqual(expected);
  });

  test('ends with the calls of offered tools, which can overlap, and keeps the data for the next request', () => {
    const events = [
      thought.done,
      { ...order.added, output_index: 1 },
      { ...rules.added, output_index: 2 },
      { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{}' },
      { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"path":"/a"}' },
      { ...order.done, output_index: 1 },
      { ...rules.done, output_index: 2 },
      completed,
    ];
    const found = read(events, { tools: [pageTool] });
    expect(found).toEqual([
      told.tool('c1', 'open_page'),
      told.tool('c2', 'open_page'),
      told.input('c2', {}),
      told.input('c1', { path: '/a' }),
      { type: 'saveState', state: { items: [thought.done.item, order.done.item, rules.done.item] } },
      told.ended('calls'),
    ]);
    // Without an offer nobody runs them.
    expect(read(events).at(-1)).toEqual(told.finished);
  });

  test('asks for approvals, and never runs a call whose input was cut off', () => {
    const cut = { ...order.done, item: { ...order.done.item, status: 'incomplete' } };
    const found = read([cut, approval.done, completed], { tools: [pageTool] });
    expect(found).toEqual([
      told.tool('c1', 'open_page'),
      told.error('c1'),
      told.tool('mcpr_1', 'refund'),
      told.input('mcpr_1', { id: 'A-1' }),
      { type: 'saveState', state: { items: [cut.item, approval.done.item] } },
      told.interrupt({
        ...{ id: 'mcpr_1', reason: 'tool_call', message: 'shop: refund' },
        ...{ toolId: 'mcpr_1', toolName: 'refund', input: { id: 'A-1' } },
      }),
      told.ended('interrupted'),
    ]);
  });

  test('does not keep lists of tools that are too long, and fails if the rest is too long', () => {
    const list = item(0, { type: 'mcp_list_tools', id: 'l', tools: ['x'.repeat(65_000)] }).done;
    expect(savedStateOf(read([list, approval.done, completed]))).toEqual({ items: [approval.done.item] });
    const long = item(0, { type: 'reasoning', id: 'r', encrypted_content: 'x'.repeat(65_000) }).done;
    expect(read([long, approval.done, completed]).at(-1)).toEqual(told.failed('state_too_large'));
  });
});

describe('the request of the Responses API', () => {
  test('says everything about the run', () => {
    const run = runOf({
      model: 'm',
      instructions: 'Be kind.',
      history: [{ id: 'message_0', role: 'assistant', text: 'Hello', createdAt: '' }, ...runOf().history],
      tools: [pageTool],
      context: [{ description: 'The page', value: 'Cart' }],
      knowledge: [{ number: 1, title: 'Returns', text: 'Thirty days.' }],
    });
    const data =
      /"title":"Returns","text":"Thirty days\."[^\n]*"The page","value":"Cart"[^\n]*\n\nThe message of the visitor:\n\nWhere is A-1\?$/;
    expect(openaiResponses.request(run)).toEqual({
      model: 'm',
      instructions: 'Be kind.',
      input: [
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: expect.stringMatching(data) },
      ],
      tools: [
        {
          ...{ type: 'function', name: 'open_page', description: 'Opens a page.', strict: false },
          parameters: pageTool.inputSchema,
        },
      ],
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 2_048,
      store: false,
      stream: true,
    });
    expect(openaiResponses.request(runOf())).not.toHaveProperty('tools');
    expect(openaiResponses.request(runOf())).not.toHaveProperty('instructions');
  });

  test('answers every call and every approval, and carries them into later requests of the turn', () => {
    const fields = { tools: [pageTool], model: 'm' };
    const events = [thought.done, order.done, rules.done, approval.done, completed];
    const first = read(
      events.map((event, output_index) => ({ ...event, output_index })),
      fields,
    );
    const run = runOf({
      ...fields,
      history: [...runOf().history, { id: 'message_2', role: 'assistant', text: 'May I?', createdAt: '' }],
      state: savedStateOf(first),
      resume: [
        { interruptId: 'mcpr_1', toolId: 'mcpr_1', status: 'resolved', payload: { approved: true } },
        { interruptId: 'c1', toolId: 'c1', status: 'resolved', payload: { ok: true } },
      ],
    });
    const turn = [
      thought.done.item,
      order.done.item,
      rules.done.item,
      approval.done.item,
      { type: 'function_call_output', call_id: 'c1', output: '{"ok":true}' },
      { type: 'function_call_output', call_id: 'c2', output: 'The call was cancelled.' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ];
    expect(openaiResponses.request(run).input).toEqual([{ role: 'user', content: 'Where is A-1?' }, ...turn]);
    const again = { ...order.done, output_index: 0, item: { ...order.done.item, call_id: 'c3' } };
    const second = readAll(openaiResponses, [again, completed], run);
    expect(savedStateOf(second)).toEqual({ items: [...turn, again.item] });
    const resume = [{ interruptId: 'c3', status: 'resolved' as const, payload: 'done' }];
    expect(openaiResponses.request({ ...run, state: savedStateOf(second), resume }).input).toEqual([
      { role: 'user', content: 'Where is A-1?' },
      ...turn,
      again.item,
      { type: 'function_call_output', call_id: 'c3', output: 'done' },
    ]);
    // A refusal, a cancelled approval and a missing answer all decline.
    for (const answer of [
      { status: 'resolved', payload: { approved: 'yes' } },
      { status: 'cancelled', payload: { approved: true } },
    ] as const)
      expect(
        openaiResponses.request({ ...run, resume: [{ interruptId: 'mcpr_1', ...answer }] }).input,
      ).toContainEqual({ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false });
  });
});
