// Tests what a snapshot of messages adds to the stream of a run, ids that are used again, large states and busy agents.
import { describe, expect, test } from 'vitest';
import { answerOf, callsOf, readAll, runOf, savedStateOf } from '../testing.ts';
import { agUi } from './ag-ui.ts';

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const text = (messageId: string, ...deltas: string[]) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
];
const call = (toolCallId: string) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'get_order', parentMessageId: 'm1' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"id":"A-1"}' },
  { type: 'TOOL_CALL_END', toolCallId },
];
const user = { id: 'message_1', role: 'user', content: 'Where is A-1?' };
const assistant = (id: string, content: string) => ({ id, role: 'assistant', content });
const snapshot = (...messages: object[]) => ({ type: 'MESSAGES_SNAPSHOT', messages });
const read = (events: readonly object[], fields = {}) =>
  readAll(agUi, [started, ...events, finished], runOf(fields));

describe('a snapshot', () => {
  test('ends the steps whose results only it has, with success or failure', () => {
    const tool = { role: 'tool', content: 'Sent.' };
    const events = read([
      ...call('c1'),
      ...call('c2'),
      ...call('c3'),
      { type: 'TOOL_CALL_RESULT', messageId: 't3', toolCallId: 'c3', content: 'first' },
      snapshot(
        user,
        { id: 't1', toolCallId: 'c1', ...tool },
        { id: 't2', toolCallId: 'c2', ...tool, error: 'error' },
        { id: 't3', toolCallId: 'c3', ...tool },
        { id: 't4', toolCallId: 'unknown', ...tool },
      ),
    ]);
    expect(callsOf(events)).toEqual({
      c1: { name: 'get_order', input: { id: 'A-1' }, output: 'Sent.' },
      c2: { name: 'get_order', input: { id: 'A-1' }, end: 'tool-error' },
      c3: { name: 'get_order', input: { id: 'A-1' }, output: 'first' },
    });
  });

  const whole = 'It is on its way.';
  test.each([
    ['another id', [assistant('x1', whole)], whole],
    ['the same id', [assistant('m1', whole)], whole],
    ['other white space', [assistant('x1', ` ${whole}\n`)], whole],
    ['another message', [assistant('x1', whole), assistant('x2', 'Bye.')], `${whole}\n\nBye.`],
    ['the rest of a message', [assistant('m1', `${whole} Bye.`)], `${whole} Bye.`],
    ['the same text twice', [assistant('x1', whole), assistant('x2', whole)], `${whole}\n\n${whole}`],
    ['a part of the text', [assistant('x1', 'way.')], `${whole}\n\nway.`],
  ])('with %s says nothing twice', (_, messages, expected) => {
    const events = read([
      ...text('m1', 'It is ', 'on its way.'),
      snapshot(user, ...messages),
      snapshot(user, ...messages),
    ]);
    expect(answerOf(events)).toBe(expected);
  });

  test('with two streamed messages as one says nothing twice', () => {
    const events = read([
      ...text('m1', 'Let me look.'),
      ...call('c1'),
      ...text('m2', 'It was sent.'),
      snapshot(user, assistant('x', 'Let me look.\n\nIt was sent.')),
    ]);
    expect(answerOf(events)).toBe('Let me look.\n\nIt was sent.');
  });

  test('of the whole conversation without the messages of users says nothing of earlier turns', () => {
    const history = [
      { id: 'h1', role: 'assistant' as const, text: 'Hello, Ada.', createdAt: '' },
      ...runOf().history,
    ];
    const events = read([snapshot(assistant('x1', 'Hello, Ada.'), assistant('x2', 'It was sent.'))], {
      history,
    });
    expect(answerOf(events)).toBe('It was sent.');
  });

  test('after an approval says nothing of what stood before the question', () => {
    const state = { messages: [assistant('m0', 'Let me see.')], interrupts: ['i1'], calls: [] };
    const resume = [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }];
    const events = read([snapshot(user, assistant('x0', 'Let me see.'), assistant('x1', 'Refunded.'))], {
      state,
      resume,
    });
    expect(answerOf(events)).toBe('Refunded.');
  });

  test('gives the text of a message of which the stream had only the call', () => {
    const events = read([...call('c1'), snapshot(user, assistant('m1', 'Let me look.'))]);
    expect(answerOf(events)).toBe('Let me look.');
  });
});

describe('an id that is used for another message', () => {
  test('begins a paragraph', () => {
    expect(answerOf(read([...text('m1', 'One.'), ...text('m1', 'Two.')]))).toBe('One.\n\nTwo.');
    expect(
      answerOf(read([...text('m1', 'One.'), ...call('c1'), ...text('m1', 'Two.'), ...text('m1', 'Three.')])),
    ).toBe('One.\n\nTwo.\n\nThree.');
  });

  test('begins a paragraph after chunks that a call has ended', () => {
    const chunk = (delta: string) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta });
    expect(answerOf(read([chunk('On'), chunk('e.'), ...call('c1'), chunk('Two.')]))).toBe('One.\n\nTwo.');
  });

  test('continues a message that has not ended', () => {
    const [start, one, end] = text('m1', 'One ');
    const two = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'two.' };
    expect(answerOf(read([start, one, ...call('c1'), two, end] as object[]))).toBe('One two.');
  });
});

describe('a state that is too large', () => {
  const large = 'x'.repeat(70_000);
  const droppedIn = (events: readonly object[]) => {
    const reader = agUi.createReader(runOf());
    for (const event of [started, ...events, finished])
      reader.read({ event: 'message', data: JSON.stringify(event) });
    return reader.droppedState?.();
  };

  test('is kept without its messages, which each request has', () => {
    const events = [{ type: 'STATE_SNAPSHOT', snapshot: { cart: ['A-1'], messages: [{ content: large }] } }];
    expect(savedStateOf(read(events))).toMatchObject({ state: { cart: ['A-1'] } });
    expect(droppedIn(events)).toBe(0);
  });

  test('is told of if it cannot be kept, and not after the agent has made it smaller', () => {
    const events = [{ type: 'STATE_SNAPSHOT', snapshot: { large } }];
    expect(droppedIn(events)).toBe(70_012);
    const smaller = { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/large', value: 'x' }] };
    expect(droppedIn([...events, smaller])).toBe(0);
    expect(savedStateOf(read([...events, smaller]))).toMatchObject({ state: { large: 'x' } });
  });
});

test.each([
  [{ message: 'Thread already running' }, 'busy'],
  [{ message: 'HTTP 422: {"detail":"Thread is already running a task. Wait for it to finish."}' }, 'busy'],
  [{ message: 'Failed', code: 'THREAD_BUSY' }, 'busy'],
  [{ message: 'The model is out of tokens.', code: 'model_error' }, 'agent_error'],
])('the error %j has the code %s', (error, code) => {
  expect(read([{ type: 'RUN_ERROR', ...error }]).at(-1)).toEqual({ type: 'failed', code });
  // A text that the visitor has read is not asked for again.
  for (const begun of [text('m1', 'Half'), call('c1')])
    expect(read([...begun, { type: 'RUN_ERROR', ...error }]).at(-1)).toMatchObject({ code: 'agent_error' });
});

test('an agent that keeps the thread gets its answers with its own ids', () => {
  const state = { type: 'STATE_SNAPSHOT', snapshot: {} };
  const stream = [...text('lg1', 'Let me look.'), ...text('lg2', 'It was sent.'), state];
  const of = (id: string, role: 'assistant' | 'user', text: string) => ({ id, role, text, createdAt: '' });
  const answer = of('message_2', 'assistant', 'Let me look.\n\nIt was sent.');
  const next = of('message_3', 'user', 'Thanks');
  const idsAfter = (events: readonly object[]) => {
    const history = [...runOf().history, answer, { ...answer, id: 'message_4' }, next];
    const { messages } = agUi.request(runOf({ state: savedStateOf(read(events)), history }));
    return (messages as { id: string }[]).map(({ id }) => id);
  };
  expect(idsAfter([...stream, snapshot(user)])).toEqual(['message_1', 'lg2', 'message_4', 'message_3']);
  expect(idsAfter(stream)).toEqual(['message_1', 'message_2', 'message_4', 'message_3']);
});
