// Tests of UI message streams: what each chunk becomes, and real streams of the AI SDK, which reads them too.
import {
  convertToModelMessages,
  jsonSchema,
  safeValidateUIMessages,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentRun } from '../protocol.ts';
import { aiSdk } from './ai-sdk.ts';
import { partsOfAiSdk } from './peers.testing.ts';
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

const text = (id: string, ...deltas: string[]) => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const reasoning = (id: string, delta: string) => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, delta },
  { type: 'reasoning-end', id },
];
const output = (toolCallId: string, value: unknown, more: object = {}) => ({
  ...{ type: 'tool-output-available', toolCallId, output: value },
  ...more,
});
const call = (toolCallId: string, toolName: string, input: unknown) => [
  { type: 'tool-input-start', toolCallId, toolName },
  { type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(input) },
  { type: 'tool-input-available', toolCallId, toolName, input },
];
const start = { type: 'start', messageId: 'answer_1' };
const finish = { type: 'finish', finishReason: 'stop' };
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
      told.step,
      told.text('On '),
      told.text('its way.'),
      told.step,
      told.paragraph,
      told.text('Bye.'),
      told.finished,
    ],
  ],
  [
    'reasoning of two parts',
    [...reasoning('r', 'The number.'), ...reasoning('r', 'So search.'), finish],
    [told.reasoning('The number.'), told.reasoning('\n\nSo search.'), told.finished],
  ],
  [
    'calls that overlap, fail, are denied, and give more than one output',
    [
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'get_order', title: 'Looking up' },
      { type: 'tool-input-start', toolCallId: 'c2', toolName: 'get_rules', dynamic: true },
      { type: 'tool-input-available', toolCallId: 'c2', toolName: 'get_rules', input: {}, dynamic: true },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'get_order', input: { id: 'A-1' } },
      output('c1', 'half', { preliminary: true }),
      { type: 'tool-output-error', toolCallId: 'c2', errorText: 'secret' },
      output('c1', { status: 'sent' }),
      { type: 'tool-input-error', toolCallId: 'c3', toolName: 'x', input: '{', errorText: 'secret' },
      ...call('c4', 'refund', {}),
      { type: 'tool-output-denied', toolCallId: 'c4' },
      ...call('c5', 'search', {}),
      output('c5', [1], { preliminary: true }),
      output('c5', [1, 2], { preliminary: true }),
      finish,
    ],
    [
      told.tool('c1', 'get_order', 'Looking up'),
      told.tool('c2', 'get_rules'),
      told.input('c2', {}),
      told.input('c1', { id: 'A-1' }),
      told.error('c2'),
      told.output('c1', { status: 'sent' }),
      told.tool('c3', 'x'),
      { type: 'tool-input', id: 'c3', input: '{' },
      told.error('c3'),
      told.tool('c4', 'refund'),
      told.input('c4', {}),
      told.denied('c4'),
      told.tool('c5', 'search'),
      told.input('c5', {}),
      told.output('c5', [1, 2]),
      told.finished,
    ],
  ],
  [
    'sources, of which only those of the web have an address',
    [
      { type: 'source-url', sourceId: 's1', url: 'https://example.com/r', title: 'Returns' },
      { type: 'source-url', sourceId: 's2', url: 'javascript:alert(1)', title: 'Bad' },
      { type: 'source-url', sourceId: 's3', url: 'file:///etc/passwd' },
      { type: 'source-document', sourceId: 's4', mediaType: 'application/pdf', filename: 'terms.pdf' },
      ...text('t', 'x').slice(0, 2),
      { type: 'text-end', id: 't', citations: [{ title: 'Cited', url: 'https://example.com/c' }, 7] },
      finish,
    ],
    [
      told.source('Returns', { url: 'https://example.com/r' }),
      told.source('Bad'),
      told.source('terms.pdf'),
      told.text('x'),
      told.source('Cited', { url: 'https://example.com/c' }),
      told.finished,
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
    [told.status('Searching orders'), told.status('Reading'), told.status(''), told.finished],
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
      told.step,
      told.text('Kept.'),
      told.step,
      told.paragraph,
      told.text('wrong'),
      told.tool('c1', 'open_page'),
      told.input('c1', {}),
      { type: 'step-back' },
      told.paragraph,
      told.text('right'),
      told.finished,
    ],
  ],
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
      told.step,
      told.text('Hm'),
      told.textWasReasoning,
      told.text('One'),
      told.step,
      told.paragraph,
      told.text('Hm again'),
      told.textWasReasoning,
      told.text('Two'),
      told.finished,
    ],
  ],
  [
    'an approval that the route has given itself (version 7)',
    [
      ...call('c1', 'refund', { id: 1 }),
      { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1', isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'a1', approved: true },
      output('c1', 'sent'),
      ...call('c2', 'refund', { id: 2 }),
      { type: 'tool-approval-request', approvalId: 'a2', toolCallId: 'c2' },
      { type: 'tool-approval-response', approvalId: 'a2', approved: false },
      { type: 'tool-output-denied', toolCallId: 'c2' },
      ...call('c3', 'refund', { id: 3 }),
      { type: 'tool-approval-request', approvalId: 'a3', toolCallId: 'c3', isAutomatic: true },
      finish,
    ],
    [
      told.tool('c1', 'refund'),
      told.input('c1', { id: 1 }),
      told.output('c1', 'sent'),
      told.tool('c2', 'refund'),
      told.input('c2', { id: 2 }),
      told.denied('c2'),
      told.tool('c3', 'refund'),
      told.input('c3', { id: 3 }),
      told.finished,
    ],
  ],
  [
    'an answer that is not a stream',
    [
      { id: 'm', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello' }] },
      '[DONE]',
    ],
    [told.text('Hello'), told.finished],
  ],
  [
    'a text that is not a stream',
    [{ text: 'Hello', usage: {} }, '[DONE]'],
    [told.text('Hello'), told.finished],
  ],
];

describe('the reader of UI message streams', () => {
  test.each(table)('reads %s', (_, events, expected) => {
    expect(read(events)).toEqual(expected);
    expect(readStream(aiSdk, streamOf([start, ...events]))).toEqual(expected);
  });

  test('forgets earlier steps where the message is too long, and fails where the last one is', () => {
    const step = (size: number) => [
      { type: 'start-step' },
      ...call('c0', 'own', {}),
      output('c0', 'x'.repeat(size)),
      { type: 'finish-step' },
      { type: 'start-step' },
      ...call('c1', 'open_page', { path: '/a' }),
      finish,
    ];
    for (const size of [70_000, 300_000])
      expect(savedStateOf(read(step(size), { tools: [pageTool] }))).toMatchObject({
        message: {
          id: 'answer_1',
          parts: [{ type: 'step-start' }, { type: 'tool-open_page', toolCallId: 'c1' }],
        },
      });
    const long = read([...call('c1', 'open_page', { path: 'x'.repeat(70_000) }), finish], {
      tools: [pageTool],
    });
    expect(long.at(-1)).toEqual(told.failed('state_too_large'));
  });
});

/** A route as the documentation of the AI SDK shows it, with a scripted model: one list of parts for each step. */
function createRoute(script: readonly (readonly object[])[]) {
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
      execute: async (input: { id: string }) => {
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
    });
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      generateMessageId: () => 'answer_1',
      messageMetadata: ({ part }) =>
        part.type === 'finish' ? { usage: { inputTokens: 3, outputTokens: 4 } } : undefined,
    });
  }
  return { ask, model };
}

const callsOfPeer = (parts: UIMessage['parts']) =>
  Object.fromEntries(
    parts.flatMap((part) => {
      if (!('toolCallId' in part)) return [];
      const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice(5);
      const end = part.state === 'output-error' ? { end: 'tool-error' } : {};
      const output = part.state === 'output-available' ? { output: part.output } : end;
      return [[part.toolCallId, { name, input: part.input, ...output }]];
    }),
  );

const modelCall = (toolCallId: string, toolName: string, input: object) => ({
  ...{ type: 'tool-call', toolCallId, toolName },
  input: JSON.stringify(input),
});

describe('a route of the AI SDK', () => {
  test('is understood, and the AI SDK reads the same text and calls', async () => {
    const { ask } = createRoute([
      [
        ...reasoning('r', 'A number.'),
        ...text('0', 'Let me ', 'see.'),
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
        ...text('0', 'It is on its way. ✓'),
      ],
    ]);
    const stream = await (await ask(runOf())).text();
    const ours = readStream(aiSdk, stream);
    const theirs = await partsOfAiSdk(stream);
    const texts = theirs.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
    expect(answerOf(ours)).toBe('Let me see.\n\nIt is on its way. ✓');
    expect(answerOf(ours)).toBe(texts.join('\n\n'));
    expect(callsOf(ours)).toEqual({
      c1: { name: 'get_order', input: { id: 'A-1' }, output: { status: 'sent' } },
      c2: { name: 'get_order', input: { id: 'B-2' }, end: 'tool-error' },
    });
    expect(callsOf(ours)).toEqual(callsOfPeer(theirs));
    expect(ours).toContainEqual(told.reasoning('A number.'));
    expect(ours.slice(-2)).toEqual([told.usage(3, 4), told.finished]);
  });

  test('gets the results of the tools of the page', async () => {
    const { ask, model } = createRoute([
      [modelCall('c1', 'open_page', { path: '/a' }), modelCall('c2', 'open_page', { path: '/b' })],
      text('0', 'Open.'),
    ]);
    const run = runOf({ tools: [pageTool] });
    const first = readStream(aiSdk, await (await ask(run)).text(), run);
    expect(first.at(-1)).toEqual(told.ended('calls'));
    const next = {
      ...run,
      state: savedStateOf(first),
      resume: [{ interruptId: 'c1', toolId: 'c1', status: 'resolved' as const, payload: { ok: true } }],
    };
    const second = readStream(aiSdk, await (await ask(next)).text(), next);
    expect(answerOf(second)).toBe('Open.');
    const prompt = JSON.stringify(model.doStreamCalls[1]?.prompt);
    expect(prompt).toContain('"ok":true');
    expect(prompt).toContain('The call was cancelled.');
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
    const passage = '{"number":1,"title":"Returns","text":"Thirty days."}';
    expect(request).toEqual({
      id: 'conversation_1',
      messages: [
        { id: 'message_0', role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] },
        {
          id: 'message_1',
          role: 'user',
          parts: [
            { type: 'text', text: expect.stringContaining(passage) },
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

  test('answers the approval that the stream asked for, with its signature', () => {
    const found = read([
      ...call('c1', 'refund', { id: 'A-1' }),
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1', signature: 'abc' },
      finish,
    ]);
    const { type: _, interrupt } = found.at(-2) as Extract<AgentEvent, { type: 'interrupt' }>;
    expect(interrupt).toEqual({
      ...{ id: 'a1', reason: 'tool_call', message: '', toolId: 'c1', toolName: 'refund' },
      input: { id: 'A-1' },
    });
    expect(found.at(-1)).toEqual(told.ended('interrupted'));
    const { messages } = aiSdk.request(
      runOf({
        state: savedStateOf(found),
        resume: [{ interruptId: 'a1', status: 'resolved', payload: { approved: true } }],
      }),
    ) as { messages: UIMessage[] };
    const part = {
      ...{ type: 'tool-refund', toolCallId: 'c1', state: 'approval-responded', input: { id: 'A-1' } },
      approval: { id: 'a1', signature: 'abc', approved: true },
    };
    expect(messages.at(-1)).toEqual({ id: 'answer_1', role: 'assistant', parts: [part] });
  });
});
