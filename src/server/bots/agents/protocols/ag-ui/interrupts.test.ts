// Tests interrupts as the servers of frameworks send them: LangGraph, with and without AG-UI's own outcome, Mastra, and LangChain's
// middleware. The forms are those of @ag-ui/langgraph 0.0.43, @ag-ui/mastra 1.1.2 and langchain 1.2.
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AskedInterrupt, Resumed } from '../../protocol.ts';
import { readAll, runOf, savedStateOf } from '../testing.ts';
import * as told from '../told.testing.ts';
import { agUi } from './ag-ui.ts';

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const outcome = (...interrupts: object[]) => ({ ...finished, outcome: { type: 'interrupt', interrupts } });
/** The event of LangGraph: its value is a text, or an object as JSON. */
const onInterrupt = (value: unknown, id = 'lg1') => ({
  type: 'CUSTOM',
  name: 'on_interrupt',
  value: typeof value === 'string' ? value : JSON.stringify(value),
  rawEvent: { id, value },
});
const ofLangGraph = (raw: unknown, fields = {}) =>
  outcome({ id: 'lg1', reason: 'langgraph:interrupt', metadata: { langgraph: { raw } }, ...fields });
const suspend = {
  type: 'mastra_suspend',
  toolCallId: 'call_1',
  toolName: 'refund',
  suspendPayload: { message: 'Refund 20 euros?' },
  args: { order: 'A-1', amount: 20 },
  resumeSchema: '{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}',
  runId: 'run_m',
};
const ofMastra = outcome({
  ...{ id: 'run_m::call_1', reason: 'mastra:tool_suspend', toolCallId: 'call_1' },
  responseSchema: JSON.parse(suspend.resumeSchema) as object,
  metadata: { mastra: suspend },
});
const refund = { question: 'Refund 20 euros?', tool: 'refund', input: { order: 'A-1', amount: 20 } };
const actions = {
  action_requests: [{ name: 'refund', args: { order: 'A-1' }, description: 'Refund A-1?' }],
  review_configs: [{ action_name: 'refund', allowed_decisions: ['approve', 'edit', 'reject'] }],
};
const inbox = [
  {
    action_request: { action: 'refund', args: { order: 'A-1' } },
    config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
    description: 'Refund A-1?',
  },
];

const asked = (events: readonly AgentEvent[]): AskedInterrupt[] =>
  events.flatMap((event) => (event.type === 'interrupt' ? [event.interrupt] : []));
const read = (...events: object[]) => readAll(agUi, [started, ...events]);

describe('the visitor sees the tool, its input and the question', () => {
  const input = { order: 'A-1', amount: 20 };
  const whole = { message: 'Refund 20 euros?', toolName: 'refund', input, reason: 'tool_call' };
  const refundOf = { message: 'Refund A-1?', toolName: 'refund', input: { order: 'A-1' } };
  const withFee = { ...suspend, suspendPayload: { question: 'Sure?', fee: 3 } };
  const requests = [
    { name: 'refund', args: { order: 'A-1' } },
    { name: 'mail', args: { to: 'ada' } },
  ];
  test.each<[string, object[], object]>([
    ['a suspended tool of Mastra', [ofMastra], whole],
    ['one that came as an event', [{ ...onInterrupt(suspend), rawEvent: undefined }, finished], whole],
    ['an interrupt of LangGraph with an outcome', [ofLangGraph(refund)], whole],
    ['one that came as an event', [onInterrupt(refund), finished], whole],
    ['one that came as both', [onInterrupt(refund), ofLangGraph(refund)], whole],
    ['a text', [onInterrupt('Go on?'), finished], { message: 'Go on?', reason: 'confirmation' }],
    ['a text in the outcome', [ofLangGraph('Go on?', { message: 'Go on?' })], { message: 'Go on?' }],
    [
      'a message with other fields beside it',
      [ofLangGraph({ message: 'Pay?', iban: 'DE00', amount: 7 }, { message: 'Pay?' })],
      { message: 'Pay?', input: { iban: 'DE00', amount: 7 } },
    ],
    [
      'the name of something else than a tool',
      [onInterrupt({ question: 'Is this you?', name: 'Ada' }), finished],
      { message: 'Is this you?', input: { name: 'Ada' }, reason: 'confirmation' },
    ],
    [
      'what Mastra suspends with beside the question',
      [outcome({ id: 'i', reason: 'mastra:tool_suspend', metadata: { mastra: withFee } })],
      { message: 'Sure?', input: { ...input, details: { fee: 3 } } },
    ],
    ["the middleware of LangChain's agents", [onInterrupt(actions), finished], refundOf],
    [
      'its names in JavaScript, with two actions',
      [onInterrupt({ actionRequests: requests, reviewConfigs: [] }), finished],
      { input: { actions: requests.map(({ name, args }) => ({ tool: name, input: args })) } },
    ],
    ['a request of the agent inbox', [onInterrupt(inbox), finished], refundOf],
    [
      'the metadata of a server that is not known',
      [
        outcome({
          id: 'i',
          reason: 'x',
          metadata: { acme: { tool_name: 'refund', args: { a: 1 }, prompt: 'Ok?' } },
        }),
      ],
      { message: 'Ok?', toolName: 'refund', input: { a: 1 } },
    ],
  ])('of %s', (_, events, expected) => {
    const found = asked(read(...events));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(expected);
  });

  test('or everything that the agent has sent, if nothing of it is known', () => {
    const metadata = { acme: { kind: 7, rows: [1, 2] } };
    for (const [events, input] of [
      [[outcome({ id: 'i', reason: 'x', metadata })], metadata],
      [[onInterrupt({ rows: [1, 2] }), finished], { rows: [1, 2] }],
      [[onInterrupt([7]), finished], [7]],
    ] as const)
      expect(asked(read(...events))).toMatchObject([{ message: '', input }]);
  });

  test('and not what metadata says to programs beside a question of its own', () => {
    const metadata = { ui: { color: 'red' } };
    const [one] = asked(read(outcome({ id: 'i', reason: 'confirmation', message: 'Go on?', metadata })));
    expect(one).toEqual({ id: 'i', reason: 'confirmation', message: 'Go on?' });
  });

  test('and a long text as a whole, among the values', () => {
    const text = `Sure? ${'x'.repeat(3_000)}`;
    expect(asked(read(onInterrupt(text), finished))).toMatchObject([{ input: { message: text } }]);
  });

  test('with the form that the value asks for', () => {
    const responseSchema = { type: 'object', properties: { name: { type: 'string' } } };
    for (const value of [
      { question: 'Name?', responseSchema },
      { question: 'Name?', response_schema: responseSchema },
    ])
      expect(asked(read(onInterrupt(value), finished))).toMatchObject([
        { message: 'Name?', reason: 'input_required', responseSchema },
      ]);
  });
});

describe('the answer reaches the server in its own form', () => {
  const approve = { status: 'resolved', payload: { approved: true } } as const;
  const refuse = { status: 'resolved', payload: { approved: false } } as const;

  /** The request with an answer, or with a message of the visitor in its place. */
  function answered(events: readonly object[], answer: Omit<Resumed, 'interruptId'> | string) {
    const found = read(...events);
    const state = savedStateOf(found);
    const text = { id: 'message_2', role: 'user' as const, createdAt: '2026-01-02T03:04:06.000Z' };
    const run =
      typeof answer === 'string'
        ? runOf({ state, history: [...runOf().history, { ...text, text: answer }] })
        : runOf({ state, resume: asked(found).map(({ id }) => ({ interruptId: id, ...answer })) });
    const request = agUi.request(run);
    expect(RunAgentInputSchema.parse(request)).toEqual(request);
    return { resume: request.resume, forwardedProps: request.forwardedProps };
  }

  const command = (resume: unknown, more = {}) => ({
    resume: undefined,
    forwardedProps: { command: { resume, ...more } },
  });
  const entry = (interruptId: string, fields: object) => ({
    resume: [{ interruptId, ...fields }],
    forwardedProps: {},
  });
  const event = { interruptEvent: { toolCallId: 'call_1', runId: 'run_m' } };
  const ofEvent = [{ ...onInterrupt(suspend), rawEvent: undefined }, finished];
  const decisions = (...all: object[]) => ({ decisions: all });

  test.each<[string, object[], Parameters<typeof answered>[1], object]>([
    ['an event of LangGraph', [onInterrupt(refund), finished], approve, command({ approved: true })],
    ['a refusal', [onInterrupt(refund), finished], refuse, command({ approved: false })],
    ['a message in its place', [onInterrupt('Your name?'), finished], 'Petra', command('Petra')],
    ['a message that is JSON', [onInterrupt('How many?'), finished], '42', command('"42"')],
    ['an outcome of LangGraph', [onInterrupt(refund), ofLangGraph(refund)], approve, entry('lg1', approve)],
    ['a message in its place', [ofLangGraph(refund)], 'Why?', entry('lg1', { status: 'cancelled' })],
    ['a suspended tool of Mastra', [ofMastra], approve, entry('run_m::call_1', approve)],
    ['a message in its place', [ofMastra], 'Why?', entry('run_m::call_1', { status: 'cancelled' })],
    ['its event', ofEvent, approve, command({ approved: true }, event)],
    ['a message in its place', ofEvent, 'Why?', command(false, event)],
    ['the middleware', [onInterrupt(actions), finished], approve, command(decisions({ type: 'approve' }))],
    [
      'a refusal of it',
      [onInterrupt(actions), finished],
      refuse,
      command(decisions({ type: 'reject', message: 'The visitor declined.' })),
    ],
    [
      'a message in its place, also with an outcome',
      [ofLangGraph(actions)],
      'Not now',
      entry('lg1', { status: 'resolved', payload: decisions({ type: 'reject', message: 'Not now' }) }),
    ],
    ['the inbox', [onInterrupt(inbox), finished], approve, command([{ type: 'accept', args: null }])],
    ['a refusal of it', [onInterrupt(inbox), finished], refuse, command([{ type: 'ignore', args: null }])],
    ['a message', [onInterrupt(inbox), finished], 'Why?', command([{ type: 'response', args: 'Why?' }])],
    [
      'two events, by their ids',
      [onInterrupt('One?', 'a'), onInterrupt('Two?', 'b'), finished],
      approve,
      command({ a: { approved: true }, b: { approved: true } }),
    ],
  ])('%s', (_, events, answer, expected) => {
    expect(answered(events, answer)).toEqual(expected);
  });
});

describe('a message in place of an answer', () => {
  const superseding = (state: unknown) =>
    runOf({
      state,
      history: [{ id: 'message_2', role: 'user', text: 'Hours?', createdAt: '2026-01-02T03:04:06.000Z' }],
    });
  const state = { interrupts: ['i1'], calls: [], messages: [] };
  const said = (delta: string) => [
    { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta },
    { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
  ];
  const snapshot = (...messages: object[]) => ({ type: 'MESSAGES_SNAPSHOT', messages });
  const endOf = (...events: object[]) => readAll(agUi, [started, ...events], superseding(state)).at(-1);

  test('is sent once more if the agent only ended what was open', () => {
    const unread = told.ended('unread');
    expect(endOf(finished)).toEqual(unread);
    expect(
      endOf(...said('Not refunded.'), snapshot({ id: 'u', role: 'user', content: 'Refund' }), finished),
    ).toEqual(unread);
    expect(endOf({ type: 'RUN_ERROR', message: 'No such interrupt.' })).toEqual(unread);
    const stored = savedStateOf(readAll(agUi, [started, finished], superseding(state)));
    expect(agUi.request(superseding(stored)).resume).toBeUndefined();
  });

  test('is answered if the agent has read it', () => {
    const done = told.finished;
    expect(endOf(...said('Nine to five.'), finished)).toEqual(done);
    for (const id of ['message_2', 'other'])
      expect(
        endOf(...said('Nine to five.'), snapshot({ id, role: 'user', content: 'Hours?' }), finished),
      ).toEqual(done);
  });
});
