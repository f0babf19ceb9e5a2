// Tests of UI message streams: what each chunk becomes, and real streams of the AI SDK, which reads them too.
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  jsonSchema,
  parseJsonEventStream,
  readUIMessageStream,
  safeValidateUIMessages,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentRun } from '../../protocol.ts';
import { answerOf, callsOf, keptOf, pageTool, readAll, readStream, runOf, streamOf } from '../testing.ts';
import { aiSdk } from './ai-sdk.ts';

const text = (id: string, ...deltas: string[]) => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const call = (toolCallId: string, toolName: string, input: unknown) => [
  { type: 'tool-input-start', toolCallId, toolName },
  { type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(input) },
  { type: 'tool-input-available', toolCallId, toolName, input },
];
const start = { type: 'start', messageId: 'answer_1' };
const finish = { type: 'finish', finishReason: 'stop' };
const end: AgentEvent = { type: 'end', reason: 'finished' };
const read = (events: readonly unknown[], fields = {}) => readAll(aiSdk, [start, ...events], runOf(fields));

const table: [name: string, events: unknown[], expected: AgentEvent[]][] = [
  [
    'text of two steps with the same id',
    [
      { type: 'start-step' },
      ...text('0', 'On ', 'its way.'),
      { type: 'finish-step' },
      { type: 'start-step' },
      ...text('0', 'Bye.'),
      { type: 'finish-step' },
      finish,
      '[DONE]',
    ],
    [
      { type: 'step' },
      { type: 'text', delta: 'On ' },
      { type: 'text', delta: 'its way.' },
      { type: 'step' },
      { type: 'paragraph' },
      { type: 'text', delta: 'Bye.' },
      end,
    ],
  ],
  [
    'reasoning of two parts',
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'The number.' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'So search.' },
      { type: 'reasoning-end', id: 'r' },
      finish,
    ],
    [{ type: 'reasoning', delta: 'The number.' }, { type: 'reasoning', delta: '\n\nSo search.' }, end],
  ],
  [
    'calls that overlap, fail, are denied, and give more than one output',
    [
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'get_order', title: 'Looking up' },
      { type: 'tool-input-start', toolCallId: 'c2', toolName: 'get_rules', dynamic: true },
      { type: 'tool-input-available', toolCallId: 'c2', toolName: 'get_rules', input: {}, dynamic: true },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'get_order', input: { id: 'A-1' } },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'half', preliminary: true },
      { type: 'tool-output-error', toolCallId: 'c2', errorText: 'secret' },
      { type: 'tool-output-available', toolCallId: 'c1', output: { status: 'sent' } },
      { type: 'tool-input-error', toolCallId: 'c3', toolName: 'x', input: '{', errorText: 'secret' },
      ...call('c4', 'refund', {}),
      { type: 'tool-output-denied', toolCallId: 'c4' },
      ...call('c5', 'search', {}),
      { type: 'tool-output-available', toolCallId: 'c5', output: [1], preliminary: true },
      { type: 'tool-output-available', toolCallId: 'c5', output: [1, 2], preliminary: true },
      finish,
    ],
    [
      { type: 'tool', id: 'c1', name: 'get_order', title: 'Looking up' },
      { type: 'tool', id: 'c2', name: 'get_rules' },
      { type: 'tool-input', id: 'c2', input: {} },
      { type: 'tool-input', id: 'c1', input: { id: 'A-1' } },
      { type: 'tool-error', id: 'c2' },
      { type: 'tool-output', id: 'c1', output: { status: 'sent' } },
      { type: 'tool', id: 'c3', name: 'x' },
      { type: 'tool-input', id: 'c3', input: '{' },
      { type: 'tool-error', id: 'c3' },
      { type: 'tool', id: 'c4', name: 'refund' },
      { type: 'tool-input', id: 'c4', input: {} },
      { type: 'tool-denied', id: 'c4' },
      { type: 'tool', id: 'c5', name: 'search' },
      { type: 'tool-input', id: 'c5', input: {} },
      { type: 'tool-output', id: 'c5', output: [1, 2] },
      end,
    ],
  ],
  [
    'sources, of which only those of the web have an address',
    [
      { type: 'source-url', sourceId: 's1', url: 'https://example.com/r', title: 'Returns' },
      { type: 'source-url', sourceId: 's2', url: 'javascript:alert(1)', title: 'Bad' },
      { type: 'source-url', sourceId: 's3', url: 'file:///etc/passwd' },
      {
        type: 'source-document',
        sourceId: 's4',
        mediaType: 'application/pdf',
        title: '',
        filename: 'terms.pdf',
      },
      ...text('t', 'x').slice(0, 2),
      { type: 'text-end', id: 't', citations: [{ title: 'Cited', url: 'https://example.com/c' }, 7] },
      finish,
    ],
    [
      { type: 'source', title: 'Returns', url: 'https://example.com/r' },
      { type: 'source', title: 'Bad' },
      { type: 'source', title: 'terms.pdf' },
      { type: 'text', delta: 'x' },
      { type: 'source', title: 'Cited', url: 'https://example.com/c' },
      end,
    ],
  ],
  [
    'a status, and other data not at all',
    [
      { type: 'data-status', data: 'Searching\norders', transient: true },
      { type: 'data-status', data: { text: 'Reading' } },
      { type: 'data-status', data: '' },
      { type: 'data-order', id: 'o1', data: { id: 'A-1' } },
      { type: 'file', url: 'data:,x', mediaType: 'text/plain' },
      finish,
    ],
    [
      { type: 'status', text: 'Searching orders' },
      { type: 'status', text: 'Reading' },
      { type: 'status', text: '' },
      end,
    ],
  ],
  [
    'a step that is taken back, with its calls and its text',
    [
      { type: 'start-step' },
      ...text('0', 'Kept.'),
      { type: 'start-step' },
      ...text('0', 'wrong'),
      ...call('c1', 'open_page', {}),
      { type: 'reset-step' },
      ...text('0', 'right'),
      finish,
    ],
    [
      { type: 'step' },
      { type: 'text', delta: 'Kept.' },
      { type: 'step' },
      { type: 'paragraph' },
      { type: 'text', delta: 'wrong' },
      { type: 'tool', id: 'c1', name: 'open_page' },
      { type: 'tool-input', id: 'c1', input: {} },
      { type: 'step-back' },
      { type: 'paragraph' },
      { type: 'text', delta: 'right' },
      end,
    ],
  ],
  [
    'usage, where the server tells it',
    [{ ...finish, messageMetadata: { usage: { inputTokens: 3, outputTokens: 4 } } }],
    [{ type: 'usage', inputTokens: 3, outputTokens: 4 }, end],
  ],
  [
    'a length that was reached',
    [{ type: 'finish', finishReason: 'length' }],
    [{ type: 'end', reason: 'truncated' }],
  ],
  [
    'an answer that was stopped',
    [...text('t', 'half').slice(0, 2), { type: 'abort', reason: 'secret' }, '[DONE]'],
    [
      { type: 'text', delta: 'half' },
      { type: 'end', reason: 'stopped' },
    ],
  ],
  [
    'a failure in the middle, without its words',
    [
      ...text('t', 'half').slice(0, 2),
      { type: 'error', errorText: 'secret' },
      ...text('u', 'x'),
      finish,
      '[DONE]',
    ],
    [
      { type: 'text', delta: 'half' },
      { type: 'failed', code: 'agent_error' },
    ],
  ],
  [
    'a failure that only the reason tells',
    [{ type: 'finish', finishReason: 'error' }],
    [{ type: 'failed', code: 'agent_error' }],
  ],
  ...['content-filter', 'content_filter'].map((finishReason): (typeof table)[number] => [
    `a filter: ${finishReason}`,
    [...text('t', 'half'), { type: 'finish', finishReason }],
    [
      { type: 'text', delta: 'half' },
      { type: 'failed', code: 'content_filter' },
    ],
  ]),
  [
    'a model whose stream broke off (version 7)',
    [...text('t', 'half'), { type: 'finish', finishReason: 'interrupted' }],
    [
      { type: 'text', delta: 'half' },
      { type: 'failed', code: 'incomplete' },
    ],
  ],
  ...['other', 'unknown', 'tool-calls', undefined].map((finishReason): (typeof table)[number] => [
    `another reason: ${finishReason}`,
    [...text('t', 'all'), { type: 'finish', finishReason }],
    [{ type: 'text', delta: 'all' }, end],
  ]),
  [
    'reasoning of each step that only a closing tag ends',
    [
      { type: 'start-step' },
      ...text('0', 'Hm</think>One'),
      { type: 'finish-step' },
      { type: 'start-step' },
      ...text('0', 'Hm again', '</think>', 'Two'),
      finish,
    ],
    [
      { type: 'step' },
      { type: 'text', delta: 'Hm' },
      { type: 'text-was-reasoning' },
      { type: 'text', delta: 'One' },
      { type: 'step' },
      { type: 'paragraph' },
      { type: 'text', delta: 'Hm again' },
      { type: 'text-was-reasoning' },
      { type: 'text', delta: 'Two' },
      end,
    ],
  ],
  [
    'an approval that the route has given itself (version 7)',
    [
      ...call('c1', 'refund', { id: 1 }),
      { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1', isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'a1', approved: true },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'sent' },
      ...call('c2', 'refund', { id: 2 }),
      { type: 'tool-approval-request', approvalId: 'a2', toolCallId: 'c2' },
      { type: 'tool-approval-response', approvalId: 'a2', approved: false },
      { type: 'tool-output-denied', toolCallId: 'c2' },
      finish,
    ],
    [
      { type: 'tool', id: 'c1', name: 'refund' },
      { type: 'tool-input', id: 'c1', input: { id: 1 } },
      { type: 'tool-output', id: 'c1', output: 'sent' },
      { type: 'tool', id: 'c2', name: 'refund' },
      { type: 'tool-input', id: 'c2', input: { id: 2 } },
      { type: 'tool-denied', id: 'c2' },
      end,
    ],
  ],
  [
    'an answer that is not a stream',
    [
      { id: 'm', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello' }] },
      '[DONE]',
    ],
    [{ type: 'text', delta: 'Hello' }, end],
  ],
  [
    'a text that is not a stream',
    [{ text: 'Hello', usage: {} }, '[DONE]'],
    [{ type: 'text', delta: 'Hello' }, end],
  ],
  [
    'an error that is not a stream',
    [{ error: 'secret' }, '[DONE]'],
    [{ type: 'failed', code: 'agent_error' }],
  ],
  [
    'an end without finish',
    text('t', 'half'),
    [
      { type: 'text', delta: 'half' },
      { type: 'failed', code: 'incomplete' },
    ],
  ],
  ['the mark of the end without finish', [...text('t', 'x'), '[DONE]'], [{ type: 'text', delta: 'x' }, end]],
  [
    'unknown chunks and data without JSON',
    [
      '{',
      '[1]',
      '7',
      {},
      { type: 7 },
      { type: 'new-chunk' },
      { type: 'text-delta', id: 'unknown', delta: 'x' },
      finish,
    ],
    [end],
  ],
];

describe('the reader of UI message streams', () => {
  test.each(table)('reads %s', (_, events, expected) => {
    expect(read(events)).toEqual(expected);
    expect(readStream(aiSdk, streamOf([start, ...events]))).toEqual(expected);
  });

  test('gives the blocks that the page can draw', () => {
    const data = { id: 'A-1', title: 'Order A-1' };
    expect(
      read([{ type: 'data-order', id: 'o1', data }, { type: 'data-order', data: 7 }, finish], {
        blocks: ['order'],
      }),
    ).toEqual([
      { type: 'block', id: 'order:o1', name: 'order', data, fallback: 'Order A-1' },
      { type: 'block', id: 'order 1', name: 'order', data: 7, fallback: 'order' },
      end,
    ]);
  });

  test('forgets earlier steps where the message is too long, and fails where the last one is', () => {
    const step = (size: number) => [
      { type: 'start-step' },
      ...call('c0', 'own', {}),
      { type: 'tool-output-available', toolCallId: 'c0', output: 'x'.repeat(size) },
      { type: 'finish-step' },
      { type: 'start-step' },
      ...call('c1', 'open_page', { path: '/a' }),
      finish,
    ];
    for (const size of [70_000, 300_000])
      expect(keptOf(read(step(size), { tools: [pageTool] }))).toMatchObject({
        message: {
          id: 'answer_1',
          parts: [{ type: 'step-start' }, { type: 'tool-open_page', toolCallId: 'c1' }],
        },
      });
    const long = read([...call('c1', 'open_page', { path: 'x'.repeat(70_000) }), finish], {
      tools: [pageTool],
    });
    expect(long.at(-1)).toEqual({ type: 'failed', code: 'state_too_large' });
  });
});

/** A route as the documentation of the AI SDK shows it, with a scripted model: one list of parts for each step. */
function createRoute(script: readonly (readonly object[])[], needsApproval = false) {
  const executed: unknown[] = [];
  const usage = { inputTokens: { total: 3 }, outputTokens: { total: 4 } };
  const model = new MockLanguageModelV3({
    doStream: script.map((parts) => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          ...parts,
          ...(parts.some(({ type }: { type?: string }) => type === 'finish')
            ? []
            : [{ type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } }]),
        ] as never[],
      }),
    })),
  });
  const order = jsonSchema<{ id: string }>({ type: 'object', properties: { id: { type: 'string' } } });
  const tools = {
    get_order: tool({
      inputSchema: order,
      needsApproval,
      execute: async (input: { id: string }) => {
        executed.push(input);
        if (input.id === 'B-2') throw new Error('No such order.');
        return { status: 'sent' };
      },
    }),
    open_page: tool({ inputSchema: jsonSchema<{ path: string }>({ type: 'object' }) }),
    // The library is not written for exactOptionalPropertyTypes.
  } as unknown as ToolSet;
  async function ask(run: AgentRun): Promise<Response> {
    const { messages } = JSON.parse(JSON.stringify(aiSdk.request(run))) as { messages: UIMessage[] };
    const validated = await safeValidateUIMessages({ messages, tools: tools as never });
    if (!validated.success) throw validated.error;
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages, { tools }),
      tools,
      stopWhen: stepCountIs(5),
      onError() {},
      ...(needsApproval ? { experimental_toolApprovalSecret: 'secret of the route' } : {}),
    });
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      generateMessageId: () => 'answer_1',
      messageMetadata: ({ part }) =>
        part.type === 'finish' ? { usage: { inputTokens: 3, outputTokens: 4 } } : undefined,
    });
  }
  return { ask, executed, model };
}

/** The message that the AI SDK makes of a stream. */
async function messageOf(stream: string): Promise<UIMessage | undefined> {
  const chunks = parseJsonEventStream({
    stream: new Blob([stream]).stream(),
    schema: uiMessageChunkSchema,
  }).pipeThrough(
    new TransformStream<{ success: boolean; value?: unknown }, UIMessageChunk>({
      transform(part, controller) {
        if (part.success) controller.enqueue(part.value as UIMessageChunk);
      },
    }),
  );
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: chunks })) last = message;
  return last;
}
const textOfMessage = (message: UIMessage | undefined) =>
  message?.parts
    .flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []))
    .join('\n\n');
const callsOfMessage = (message: UIMessage | undefined) =>
  Object.fromEntries(
    (message?.parts ?? []).flatMap((part) =>
      'toolCallId' in part
        ? [
            [
              part.toolCallId,
              {
                name: part.type === 'dynamic-tool' ? part.toolName : part.type.slice(5),
                input: part.input,
                ...(part.state === 'output-available' ? { output: part.output } : {}),
                ...(part.state === 'output-error' ? { end: 'tool-error' } : {}),
              },
            ],
          ]
        : [],
    ),
  );

const modelText = (id: string, ...deltas: string[]) => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const modelCall = (toolCallId: string, toolName: string, input: object) => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

describe('a route of the AI SDK', () => {
  test('is understood, and the AI SDK reads the same text and calls', async () => {
    const { ask } = createRoute([
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'A number.' },
        { type: 'reasoning-end', id: 'r' },
        ...modelText('0', 'Let me ', 'see.'),
        { type: 'tool-input-start', id: 'c1', toolName: 'get_order' },
        { type: 'tool-input-start', id: 'c2', toolName: 'get_order' },
        { type: 'tool-input-delta', id: 'c1', delta: '{"id":"A-1"}' },
        { type: 'tool-input-delta', id: 'c2', delta: '{"id":"B-2"}' },
        { type: 'tool-input-end', id: 'c1' },
        { type: 'tool-input-end', id: 'c2' },
        modelCall('c1', 'get_order', { id: 'A-1' }),
        modelCall('c2', 'get_order', { id: 'B-2' }),
        {
          type: 'finish',
          usage: { inputTokens: {}, outputTokens: {} },
          finishReason: { unified: 'tool-calls' },
        },
      ],
      [
        { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com/r', title: 'Returns' },
        ...modelText('0', 'It is on its way. ✓'),
      ],
    ]);
    const stream = await (await ask(runOf())).text();
    const ours = readStream(aiSdk, stream);
    const theirs = await messageOf(stream);
    expect(answerOf(ours)).toBe('Let me see.\n\nIt is on its way. ✓');
    expect(answerOf(ours)).toBe(textOfMessage(theirs));
    expect(callsOf(ours)).toEqual({
      c1: { name: 'get_order', input: { id: 'A-1' }, output: { status: 'sent' } },
      c2: { name: 'get_order', input: { id: 'B-2' }, end: 'tool-error' },
    });
    expect(callsOf(ours)).toEqual(callsOfMessage(theirs));
    expect(ours).toContainEqual({ type: 'reasoning', delta: 'A number.' });
    expect(ours.slice(-2)).toEqual([{ type: 'usage', inputTokens: 3, outputTokens: 4 }, end]);
  });

  test.each([
    ['approves', { approved: true }, 'It is on its way.'],
    ['declines', { approved: false }, 'As you like.'],
  ])('goes on after the visitor %s, and runs the tool accordingly', async (_, payload, answer) => {
    const { ask, executed, model } = createRoute(
      [
        [
          ...modelText('0', 'May I?'),
          {
            ...modelCall('c1', 'get_order', { id: 'A-1' }),
            providerMetadata: { acme: { signature: 'abc' } },
          },
        ],
        modelText('0', answer),
      ],
      true,
    );
    const first = readStream(aiSdk, await (await ask(runOf())).text());
    const interrupts = first.flatMap((event) => (event.type === 'interrupt' ? [event.interrupt] : []));
    expect(interrupts).toEqual([
      {
        id: expect.any(String),
        reason: 'tool_call',
        message: '',
        toolId: 'c1',
        toolName: 'get_order',
        input: { id: 'A-1' },
      },
    ]);
    expect(first.at(-1)).toEqual({ type: 'end', reason: 'interrupted' });
    expect(executed).toEqual([]);
    const next = runOf({
      history: [...runOf().history, { id: 'm2', role: 'assistant', text: 'May I?', createdAt: '' }],
      state: keptOf(first),
      resume: [{ interruptId: interrupts[0]?.id ?? '', toolId: 'c1', status: 'resolved', payload }],
    });
    const second = readStream(aiSdk, await (await ask(next)).text(), next);
    expect(executed).toEqual(payload.approved ? [{ id: 'A-1' }] : []);
    expect(answerOf(second)).toBe(answer);
    expect(second.filter(({ type }) => type.startsWith('tool'))).toEqual([
      payload.approved
        ? { type: 'tool-output', id: 'c1', output: { status: 'sent' } }
        : { type: 'tool-denied', id: 'c1' },
    ]);
    expect(second.at(-1)).toEqual(end);
    // The model reads its own call as it made it, once.
    const prompt = JSON.stringify(model.doStreamCalls[1]?.prompt);
    expect(prompt.match(/May I\?/g)).toHaveLength(1);
    expect(prompt).toContain('"signature":"abc"');
  });

  test('gets the results of the tools of the page', async () => {
    const { ask, model } = createRoute([
      [modelCall('c1', 'open_page', { path: '/a' }), modelCall('c2', 'open_page', { path: '/b' })],
      modelText('0', 'Open.'),
    ]);
    const run = runOf({ tools: [pageTool] });
    const first = readStream(aiSdk, await (await ask(run)).text(), run);
    expect(first.at(-1)).toEqual({ type: 'end', reason: 'calls' });
    const next = {
      ...run,
      state: keptOf(first),
      resume: [{ interruptId: 'c1', toolId: 'c1', status: 'resolved' as const, payload: { ok: true } }],
    };
    const second = readStream(aiSdk, await (await ask(next)).text(), next);
    expect(answerOf(second)).toBe('Open.');
    const prompt = JSON.stringify(model.doStreamCalls[1]?.prompt);
    expect(prompt).toContain('"ok":true');
    expect(prompt).toContain('The call was cancelled.');
  });

  test('fails without the words of its error', async () => {
    const { ask } = createRoute([[...modelText('0', 'half'), { type: 'error', error: new Error('secret') }]]);
    const ours = readStream(aiSdk, await (await ask(runOf())).text());
    expect(ours.at(-1)).toEqual({ type: 'failed', code: 'agent_error' });
    expect(JSON.stringify(ours)).not.toContain('secret');
  });

  test('can write its stream itself, without a finish', async () => {
    const stream = createUIMessageStream({
      execute({ writer }) {
        writer.write({ type: 'data-status', data: 'Reading', transient: true });
        for (const chunk of text('t', 'One ', 'two.')) writer.write(chunk as UIMessageChunk);
      },
    });
    const body = await createUIMessageStreamResponse({ stream }).text();
    expect(readStream(aiSdk, body)).toEqual([
      { type: 'status', text: 'Reading' },
      { type: 'text', delta: 'One ' },
      { type: 'text', delta: 'two.' },
      end,
    ]);
    expect(textOfMessage(await messageOf(body))).toBe('One two.');
  });
});

describe('the request of a UI message stream', () => {
  test('is what useChat sends, with passages in the message of the user, and is valid', async () => {
    const request = aiSdk.request(
      runOf({
        instructions: 'Be kind.',
        history: [{ id: 'message_0', role: 'assistant', text: 'Hello', createdAt: '' }, ...runOf().history],
        tools: [pageTool],
        knowledge: [{ number: 1, title: 'Returns', text: 'Thirty days.' }],
      }),
    );
    expect(request).toEqual({
      id: 'conversation_1',
      messages: [
        { id: 'message_0', role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] },
        {
          id: 'message_1',
          role: 'user',
          parts: [
            {
              type: 'text',
              text: expect.stringContaining('{"number":1,"title":"Returns","text":"Thirty days."}'),
            },
            { type: 'text', text: 'Where is A-1?' },
          ],
        },
      ],
      trigger: 'submit-message',
      system: 'Be kind.',
      tools: { open_page: { description: 'Opens a page.', parameters: pageTool.inputSchema } },
    });
    expect(await safeValidateUIMessages({ messages: request.messages })).toMatchObject({ success: true });
  });

  test('keeps the signature of an approval', () => {
    const found = read([
      ...call('c1', 'refund', { id: 'A-1' }),
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1', signature: 'abc' },
      finish,
    ]);
    const { messages } = aiSdk.request(
      runOf({
        state: keptOf(found),
        resume: [{ interruptId: 'a1', status: 'resolved', payload: { approved: true } }],
      }),
    ) as { messages: UIMessage[] };
    expect(messages.at(-1)).toEqual({
      id: 'answer_1',
      role: 'assistant',
      parts: [
        {
          type: 'tool-refund',
          toolCallId: 'c1',
          state: 'approval-responded',
          input: { id: 'A-1' },
          approval: { id: 'a1', signature: 'abc', approved: true },
        },
      ],
    });
  });
});
