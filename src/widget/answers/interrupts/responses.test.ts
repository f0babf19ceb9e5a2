// @vitest-environment jsdom
// Tests the sending of answers: once each, kept without a connection, and given up when another answer was faster.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChatClientBase } from '../../../client/chat/caller.ts';
import type { InterruptPart } from '../../../protocol/parts.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import { type Responses, responsesOf } from './responses.ts';

const open: InterruptPart = {
  id: 'i',
  at: 0,
  type: 'interrupt',
  reason: 'confirmation',
  message: 'Shall I?',
  expiresAt: '2026-01-01T00:00:00.000Z',
  state: 'open',
};
const yes = { status: 'resolved', payload: { approved: true } } as const;
const no = { status: 'resolved', payload: { approved: false } } as const;

/** The answers of the network, in order; without one a request fails. */
let network: (() => Response | Promise<Response>)[];
let requests: { url: string; body: unknown }[];
let reported: unknown[];
let scope: AbortController;
let responses: Responses;
let context: SessionContext;

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const settledAs = (answer: { status: string; payload?: unknown }) => ({
  ...open,
  state: answer.status,
  by: 'visitor',
  response: answer.payload,
});
const accepts = () => json(200, { interrupt: settledAs(yes), messageId: 'm' });
const refuses = (code: number, type: string, metadata?: object) => () =>
  json(code, { id: 'err_1', code, type, message: 'No.', metadata });
const isDown = () => Promise.reject(new TypeError('Failed to fetch'));
const status = () => responses.of('i')?.status;
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  network = [];
  requests = [];
  reported = [];
  scope = new AbortController();
  const fetch = async (url: RequestInfo | URL, init?: RequestInit) => {
    requests.push({ url: String(url), body: JSON.parse(String(init?.body)) });
    return (network.shift() ?? isDown)();
  };
  context = {
    client: new ChatClientBase({ chatUrl: 'https://chat.test/bot', userKey: 'key', fetch }),
    getSignal: () => scope.signal,
    report: (error: unknown) => reported.push(error),
    widget: {},
  } as unknown as SessionContext;
  responses = responsesOf(context);
});
afterEach(() => {
  scope.abort();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('an answer is sent once, and the settled interrupt is known', async () => {
  network = [accepts];
  responses.send('i', yes);
  expect(status()).toBe('sending');
  await pass();
  expect(requests).toEqual([{ url: 'https://chat.test/bot/interrupts/i/response', body: yes }]);
  expect(responses.of('i')).toMatchObject({ status: 'settled', settled: { state: 'resolved' } });
  await pass(600_000);
  expect(requests).toHaveLength(1);
  expect(responsesOf(context)).toBe(responses);
});

test('without a connection the answer waits, and is sent again until the server has it', async () => {
  network = [isDown, () => json(503, {}), accepts];
  responses.send('i', yes);
  await pass();
  expect(status()).toBe('queued');
  await pass(60_000);
  expect(status()).toBe('settled');
  expect(requests.map(({ body }) => body)).toEqual([yes, yes, yes]);
  expect(reported).toEqual([]);
});

test('trying again sends at once, and only once', async () => {
  network = [isDown, accepts];
  responses.send('i', yes);
  await pass();
  responses.of('i')?.retry();
  responses.of('i')?.retry();
  await pass();
  expect(status()).toBe('settled');
  expect(requests).toHaveLength(2);
});

test('a discarded answer is not sent any more, and another one can be given', async () => {
  network = [isDown, accepts];
  responses.send('i', yes);
  await pass();
  responses.discard('i');
  expect(status()).toBeUndefined();
  await pass(600_000);
  expect(requests).toHaveLength(1);
  responses.send('i', no);
  await pass();
  expect(requests.map(({ body }) => body)).toEqual([yes, no]);
});

test('a second answer takes the place of the first, whose response changes nothing', async () => {
  let answerFirst = (_: Response) => {};
  network = [
    () =>
      new Promise<Response>((resolve) => {
        answerFirst = resolve;
      }),
    () => json(200, { interrupt: settledAs(no), messageId: 'm' }),
  ];
  responses.send('i', yes);
  await pass();
  expect(requests).toHaveLength(1);
  responses.send('i', no);
  await pass();
  answerFirst(accepts());
  await pass();
  expect(responses.of('i')?.settled).toMatchObject({ response: { approved: false } });
});

test('an answer that came too late shows how the interrupt was settled', async () => {
  network = [refuses(409, 'RelationConflict', { interrupt: settledAs(no) })];
  responses.send('i', yes);
  await pass();
  expect(responses.of('i')?.settled).toMatchObject({ state: 'resolved', response: { approved: false } });
  expect(reported).toEqual([]);
});

test('an interrupt that does not exist any more is not available', async () => {
  network = [refuses(404, 'ResourceNotFound')];
  responses.send('i', yes);
  await pass();
  expect(responses.of('i')?.settled).toEqual({ state: 'cancelled' });
});

test('a refused answer is kept, reported, and can be sent again', async () => {
  network = [refuses(403, 'Forbidden'), accepts];
  responses.send('i', yes);
  await pass();
  expect(responses.of('i')).toMatchObject({ status: 'refused', answer: yes, issues: undefined });
  expect(reported).toHaveLength(1);
  responses.of('i')?.retry();
  await pass();
  expect(status()).toBe('settled');
});

test('the issues of a refused form are known, whatever their shape', async () => {
  const issue = { property: 'name', rule: 'required' };
  network = [
    refuses(400, 'InvalidPayload', { issues: [issue, null, 'x'] }),
    refuses(400, 'InvalidPayload', { issues: 'x' }),
  ];
  responses.send('i', yes);
  await pass();
  expect(responses.of('i')?.issues).toEqual([issue]);
  responses.send('i', yes);
  await pass();
  expect(responses.of('i')?.issues).toBeUndefined();
});

test('with the end of the conversation nothing is sent any more', async () => {
  responses.send('i', yes);
  await pass();
  scope.abort();
  expect(status()).toBeUndefined();
  await pass(600_000);
  expect(requests).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
