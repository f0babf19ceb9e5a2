// Tests the connection that is kept open: resume, refusal, retries, silence, waking, and a complete cleanup.
import { setImmediate as nextTask } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { backoffMs } from '../core/backoff.ts';
import { ApiError, NetworkError } from '../core/errors.ts';
import type { Fetch } from '../core/http.ts';
import { ChatClient } from './chat.ts';
import { type Connection, type ConnectionOptions, type ConnectionState, connect } from './stream.ts';

const encoder = new TextEncoder();

/** A stream that the fake server has opened. */
class FakeStream {
  cancelled = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly response: Response;

  constructor(headers: Record<string, string> = {}) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.cancelled = true;
      },
    });
    this.response = new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } });
  }

  async send(text: string | Uint8Array): Promise<void> {
    this.#controller?.enqueue(typeof text === 'string' ? encoder.encode(text) : text);
    await settle();
  }

  async end(): Promise<void> {
    this.#controller?.close();
    await settle();
  }

  async fail(): Promise<void> {
    this.#controller?.error(new TypeError('terminated'));
    await settle();
  }
}

/** Runs all pending tasks that do not need a timer. */
const settle = () => vi.advanceTimersByTimeAsync(0);
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

const apiError = (code: number, retryAfterMs?: number) => new ApiError(code, undefined, retryAfterMs);

let connection: Connection | undefined;
let states: ConnectionState[];
let data: string[];
const onOpen = vi.fn<(continuity: { resumed: boolean }) => void>();
const onError = vi.fn<(error: ApiError) => void>();

/** Connects to a server with one response for each attempt; the last one is repeated. */
function start(
  answers: (() => FakeStream | Response | Error)[],
  more: Partial<ConnectionOptions> = {},
): { open: ReturnType<typeof vi.fn<ConnectionOptions['open']>>; streams: FakeStream[] } {
  const streams: FakeStream[] = [];
  const open = vi.fn<ConnectionOptions['open']>(async () => {
    const make = answers.length > 1 ? answers.shift() : answers[0];
    const answer = make?.() ?? new Error('no answer');
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer;
    streams.push(answer);
    return answer.response;
  });
  connection = connect({
    open,
    onData: (text) => data.push(text),
    onState: (state) => states.push(state),
    onOpen,
    onError,
    random: () => 1,
    ...more,
  });
  return { open, streams };
}

const alive = (headers?: Record<string, string>) => () => new FakeStream(headers);
const down = () => new NetworkError('down');

beforeEach(() => {
  vi.useFakeTimers();
  states = [];
  data = [];
  vi.clearAllMocks();
});
afterEach(() => {
  connection?.close();
  // Closes the connection after every test.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('an open stream', () => {
  test('delivers the data of message frames in order, wherever they are split', async () => {
    const { streams } = start([alive()]);
    await settle();
    expect(states).toEqual(['connecting', 'open']);
    const bytes = encoder.encode('data: ä😀\n\nevent: other\ndata: no\n\nevent: message\ndata: b\n\n');
    for (const byte of bytes) await streams[0]?.send(new Uint8Array([byte]));
    expect(data).toEqual(['ä😀', 'b']);
  });

  test('invalid data does not throw and does not end it', async () => {
    const { streams } = start([alive()]);
    await settle();
    await streams[0]?.send(new Uint8Array([0xff, 0xfe, 0, 0xc3, 0x28, 0x0a, 0x0a]));
    await streams[0]?.send('<html>\n\n: \n\n:::\n\ndata\n\ndata: ok\n\n');
    expect(data).toEqual(['', 'ok']);
    expect(connection?.state).toBe('open');
  });

  test('a listener that throws is reported, and still receives the next frame', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const fault = new Error('mine');
    const signals: string[] = [];
    const { streams, open } = start([alive()], {
      onData(text) {
        signals.push(text);
        if (text === 'a') throw fault;
      },
    });
    await settle();
    await streams[0]?.send('data: a\n\ndata: b\n\n');
    expect(signals).toEqual(['a', 'b']);
    expect(error).toHaveBeenCalledExactlyOnceWith(fault);
    expect([connection?.state, open.mock.calls.length]).toEqual(['open', 1]);
    error.mockRestore();
  });

  test('onOpen and onState that throw are reported, and do not end the stream', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const fault = new Error('mine');
    const { streams, open } = start([alive()], {
      onOpen() {
        throw fault;
      },
      onState(state) {
        states.push(state);
        throw fault;
      },
    });
    await settle();
    await streams[0]?.send('data: a\n\n');
    expect(data).toEqual(['a']);
    await streams[0]?.fail();
    await seconds(2);
    expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open']);
    await streams[1]?.send('data: b\n\n');
    expect([data, open.mock.calls.length]).toEqual([['a', 'b'], 2]);
    // The silence of the stream is noticed, too.
    await seconds(46);
    expect(states.at(-1)).toBe('waiting');
    connection?.close();
    expect(error.mock.calls).toEqual(Array(9).fill([fault]));
    error.mockRestore();
  });

  test('a frame without an end counts as a cut, after which it reconnects', async () => {
    const { streams, open } = start([alive()]);
    await settle();
    await streams[0]?.send('x'.repeat(1_000_001));
    expect(connection?.state).toBe('waiting');
    expect(streams[0]?.cancelled).toBe(true);
    await seconds(2);
    expect(open).toHaveBeenCalledTimes(2);
  });

  test('closing in the middle of frames stops at once', async () => {
    const { streams } = start([alive()], {
      onData(text) {
        data.push(text);
        connection?.close();
      },
    });
    await settle();
    await streams[0]?.send('data: a\n\ndata: b\n\n');
    expect(data).toEqual(['a']);
    expect(streams[0]?.cancelled).toBe(true);
  });
});

describe('resuming', () => {
  const openedIds = (open: { mock: { calls: unknown[][] } }) => open.mock.calls.map(([id]) => id);

  test('requests signals after the last id; it has resumed if the server continues there', async () => {
    const { open, streams } = start([alive({ 'last-event-id': '4' }), alive({ 'last-event-id': '6' })]);
    await settle();
    await streams[0]?.send('id: 5\ndata: a\n\nid: 6\ndata: b\n\ndata: c\n\nid: 7\ndata: cut');
    await streams[0]?.end();
    await seconds(2);
    expect(openedIds(open)).toEqual([undefined, '6']);
    expect(onOpen.mock.calls).toEqual([[{ resumed: false }], [{ resumed: true }]]);
  });

  test('a position is sufficient to resume, even without a frame', async () => {
    const { open, streams } = start([alive({ 'last-event-id': '4' })]);
    await settle();
    await streams[0]?.fail();
    await seconds(2);
    expect(openedIds(open)).toEqual([undefined, '4']);
    expect(onOpen).toHaveBeenLastCalledWith({ resumed: true });
  });

  test('it has not resumed if the server starts at another position, which is then used', async () => {
    const { open, streams } = start([alive({ 'last-event-id': '9' })], { lastEventId: '4' });
    await settle();
    expect(onOpen.mock.calls).toEqual([[{ resumed: false }]]);
    await streams[0]?.end();
    await seconds(2);
    expect(openedIds(open)).toEqual(['4', '9']);
  });

  test('a plain server never resumes', async () => {
    const { open, streams } = start([alive()]);
    await settle();
    await streams[0]?.send('data: a\n\n');
    await streams[0]?.end();
    await seconds(2);
    expect(openedIds(open)).toEqual([undefined, undefined]);
    expect(onOpen.mock.calls).toEqual([[{ resumed: false }], [{ resumed: false }]]);
  });

  test('an id is kept over failed attempts', async () => {
    const { open, streams } = start([alive({ 'last-event-id': '4' }), down, down, alive()]);
    await settle();
    await streams[0]?.end();
    await seconds(10);
    expect(openedIds(open)).toEqual([undefined, '4', '4', '4']);
  });
});

describe('refusal', () => {
  test.each([400, 401, 403, 404, 409, 410])('%d stops and is reported once', async (code) => {
    const error = apiError(code);
    const { open } = start([() => error]);
    await settle();
    await seconds(3_600);
    expect(open).toHaveBeenCalledTimes(1);
    expect(onError.mock.calls).toEqual([[error]]);
    expect(states).toEqual(['connecting', 'closed']);
  });

  test('a refusal on reconnecting stops, too', async () => {
    const { open, streams } = start([alive(), () => apiError(403)]);
    await settle();
    await streams[0]?.end();
    await seconds(3_600);
    expect(open).toHaveBeenCalledTimes(2);
    expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'closed']);
  });
});

/** The seconds between attempts. */
async function pauses(open: { mock: { calls: unknown[] } }, count: number): Promise<number[]> {
  const found: number[] = [];
  await settle();
  for (let waited = 0, seen = open.mock.calls.length; found.length < count; ) {
    await vi.advanceTimersByTimeAsync(100);
    waited += 100;
    if (open.mock.calls.length === seen) continue;
    seen = open.mock.calls.length;
    found.push(waited / 1_000);
    waited = 0;
  }
  return found;
}

describe('retries', () => {
  test.each([
    ['network errors', down],
    ['408', () => apiError(408)],
    ['429', () => apiError(429)],
    ['500', () => apiError(500)],
    ['503', () => apiError(503)],
    ['another content type', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['no body', () => new Response(null, { headers: { 'content-type': 'text/event-stream' } })],
  ])('after %s it waits longer each time, but for a minute not more than 5 s', async (_, answer) => {
    const { open } = start([answer]);
    expect(await pauses(open, 17)).toEqual([1.8, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 10, 20, 40, 60, 60]);
    expect(onError).not.toHaveBeenCalled();
  });

  test('a server that accepts and drops connections is not called in a fast loop', async () => {
    const { open } = start([
      () => {
        const stream = new FakeStream();
        void stream.end();
        return stream;
      },
    ]);
    expect(await pauses(open, 6)).toEqual([1.8, 2, 4, 5, 5, 5]);
  });

  test('a stream that has delivered data resets the pause', async () => {
    const { open, streams } = start([down, down, down, alive()]);
    await seconds(8);
    expect(connection?.state).toBe('open');
    await streams[0]?.send(': hello\n\n');
    await streams[0]?.end();
    await seconds(2);
    expect(open).toHaveBeenCalledTimes(5);
  });

  test.each([0, 0.5, 1])('a ten-minute outage takes at most 30 attempts (random %d)', async (random) => {
    const { open } = start([down], { random: () => random });
    await seconds(600);
    expect(open.mock.calls.length).toBeLessThanOrEqual(30);
    expect(open.mock.calls.length).toBeGreaterThan(15);
  });

  test('jitter spreads clients over the step, most of all over the first one', async () => {
    const { open } = start([down], { random: () => 0 });
    expect(await pauses(open, 3)).toEqual([0.2, 1.6, 3.2]);
  });

  test('Retry-After is respected, and does not shorten a pause', async () => {
    const { open } = start([() => apiError(429, 20_000), () => apiError(503, 100), down]);
    expect(await pauses(open, 2)).toEqual([20, 2]);
  });

  test('a Retry-After of months is not treated as zero', async () => {
    const fetch = vi.fn<Fetch>(
      async () => new Response('', { status: 503, headers: { 'retry-after': '9999999' } }),
    );
    connection = new ChatClient({ chatUrl: 'https://chat.test', fetch }).listen('c', { onSignal() {} });
    await seconds(3_600);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('silence', () => {
  test('45 s without a byte count as a cut; the old stream is closed', async () => {
    const { open, streams } = start([alive()]);
    await seconds(44);
    await streams[0]?.send('data: x\n\n');
    await seconds(44);
    expect(connection?.state).toBe('open');
    await seconds(1);
    expect(connection?.state).toBe('waiting');
    expect(streams[0]?.cancelled).toBe(true);
    await seconds(2);
    expect(open).toHaveBeenCalledTimes(2);
    expect(connection?.state).toBe('open');
  });

  test('comments count as activity', async () => {
    const { open, streams } = start([alive()]);
    for (let i = 0; i < 10; i++) {
      await seconds(30);
      await streams[0]?.send(':\n');
    }
    expect(open).toHaveBeenCalledTimes(1);
  });

  test('later data of the old stream is ignored', async () => {
    const { streams } = start([alive()]);
    await seconds(47);
    expect(streams.length).toBe(2);
    await streams[0]?.send('data: late\n\n').catch(() => {});
    await streams[1]?.send('data: x\n\n');
    expect(data).toEqual(['x']);
  });
});

describe('waking', () => {
  test('ends a pause at once', async () => {
    const { open } = start([down, down, down, down, alive()]);
    await seconds(8);
    expect([connection?.state, open.mock.calls.length]).toEqual(['waiting', 4]);
    connection?.wake();
    await settle();
    expect(connection?.state).toBe('open');
  });

  test('keeps a stream with recent data, and replaces one that was silent for more than 10 s', async () => {
    const { open, streams } = start([alive()]);
    await seconds(10);
    connection?.wake();
    await settle();
    expect(open).toHaveBeenCalledTimes(1);
    await seconds(1);
    connection?.wake();
    await settle();
    expect(open).toHaveBeenCalledTimes(2);
    expect(streams[0]?.cancelled).toBe(true);
    expect(states).toEqual(['connecting', 'open', 'connecting', 'open']);
  });

  test('does nothing while connecting or closed', async () => {
    const { open } = start([() => new Response(null)], { open: () => new Promise(() => {}) });
    connection?.wake();
    expect(states).toEqual(['connecting']);
    connection?.close();
    connection?.wake();
    await seconds(60);
    expect([open.mock.calls.length, states.at(-1)]).toEqual([0, 'closed']);
  });
});

describe('lost frames', () => {
  const openedIds = (open: { mock: { calls: unknown[][] } }) => open.mock.calls.map(([id]) => id);
  const frame = (id: number, data = `m${id}`) => `id: ${id}\ndata: ${data}\n\n`;
  const at = (position: string) => alive({ 'last-event-id': position });

  test('a frame that is missing before a later one is requested once, and both arrive in order', async () => {
    const { open, streams } = start([at('4'), at('5')]);
    await settle();
    await streams[0]?.send(frame(5) + frame(7) + frame(8));
    expect(data).toEqual(['m5']);
    await seconds(2);
    await streams[1]?.send(frame(6) + frame(7) + frame(8) + frame(9));
    expect(openedIds(open)).toEqual([undefined, '5']);
    expect(data).toEqual(['m5', 'm6', 'm7', 'm8', 'm9']);
    expect(onOpen.mock.calls).toEqual([[{ resumed: false }], [{ resumed: true }]]);
  });

  test('a ping shows that the frame before it was lost', async () => {
    const { open, streams } = start([at('4'), at('4')]);
    await settle();
    await streams[0]?.send(frame(4, 'ping'));
    expect([connection?.state, data]).toEqual(['open', ['ping']]);
    await streams[0]?.send(frame(5, 'ping'));
    await seconds(2);
    await streams[1]?.send(frame(5) + frame(5, 'ping'));
    expect(openedIds(open)).toEqual([undefined, '4']);
    expect(data).toEqual(['ping', 'm5', 'ping']);
  });

  test('repeated and overtaken frames are delivered once', async () => {
    const { open, streams } = start([at('4'), at('5')]);
    await settle();
    await streams[0]?.send(frame(5) + frame(5) + frame(3) + frame(7) + frame(6));
    await seconds(2);
    await streams[1]?.send(frame(6) + frame(7) + frame(6) + frame(8));
    expect(openedIds(open)).toEqual([undefined, '5']);
    expect(data).toEqual(['m5', 'm6', 'm7', 'm8']);
  });

  test('a frame that is lost twice is not requested again: the caller lists the messages', async () => {
    const { open, streams } = start([at('4'), at('4'), at('7')]);
    await settle();
    await streams[0]?.send(frame(6));
    await seconds(2);
    await streams[1]?.send(frame(6));
    await seconds(2);
    await streams[2]?.send(frame(7, 'ping') + frame(8));
    expect(openedIds(open)).toEqual([undefined, '4', undefined]);
    expect(onOpen.mock.calls.map(([{ resumed }]) => resumed)).toEqual([false, true, false]);
    expect(data).toEqual(['ping', 'm8']);
  });

  test('a frame without data only moves the position', async () => {
    const { open, streams } = start([at('4')]);
    await settle();
    await streams[0]?.send(`id: 5\n\n${frame(6)}`);
    expect([open.mock.calls.length, data, connection?.lastEventId]).toEqual([1, ['m6'], '6']);
  });

  test('frames without an id do not move it, and are never taken for repeated ones', async () => {
    const { open, streams } = start([at('4')]);
    await settle();
    await streams[0]?.send(`${frame(5)}data: typing\n\ndata: typing\n\n${frame(6)}`);
    expect([open.mock.calls.length, data]).toEqual([1, ['m5', 'typing', 'typing', 'm6']]);
  });

  test('the ids of a server that returns no position are not counted', async () => {
    const { open, streams } = start([alive()]);
    await settle();
    for (const id of [7, 3, 900]) await streams[0]?.send(frame(id));
    expect([open.mock.calls.length, data]).toEqual([1, ['m7', 'm3', 'm900']]);
  });
});

describe('sleep, and other requests', () => {
  test('a jump of the clock replaces the stream at once', async () => {
    const { open } = start([alive()]);
    await seconds(4);
    vi.setSystemTime(Date.now() + 33_000);
    await seconds(1);
    expect([open.mock.calls.length, connection?.state]).toEqual([2, 'open']);
  });

  test('a silent stream is replaced after 45 s, also if the clock was set back', async () => {
    const { open } = start([alive()]);
    await seconds(4);
    vi.setSystemTime(Date.now() - 3_600_000);
    await seconds(55);
    expect([open.mock.calls.length, connection?.state]).toEqual([2, 'open']);
  });

  test('an attempt without a response fails after 10 s, and waking replaces it', async () => {
    const opened = vi.fn(() => new Promise<Response>(() => {}));
    start([], { open: opened });
    await seconds(9);
    connection?.wake();
    expect([opened.mock.calls.length, connection?.state]).toEqual([1, 'connecting']);
    await seconds(1);
    expect(connection?.state).toBe('waiting');
    connection?.wake();
    expect([opened.mock.calls.length, connection?.state]).toEqual([2, 'connecting']);
  });

  test('a successful request ends the pause after a lost connection, at most once in a second', async () => {
    const { open } = start([down]);
    await seconds(12);
    const { length } = open.mock.calls;
    connection?.reached();
    await settle();
    expect(open).toHaveBeenCalledTimes(length + 1);
    connection?.reached();
    connection?.reached();
    await settle();
    expect(open).toHaveBeenCalledTimes(length + 1);
  });

  test('a successful request does not end a pause that the server asked for', async () => {
    const { open } = start([() => apiError(429, 60_000)]);
    await seconds(30);
    connection?.reached();
    await settle();
    expect(open).toHaveBeenCalledTimes(1);
  });

  test('a successful request leaves an open stream alone', async () => {
    const { open } = start([alive()]);
    await seconds(44);
    connection?.reached();
    expect([open.mock.calls.length, connection?.state]).toEqual([1, 'open']);
  });

  test('9,000 streams that lose their server make at most 6,500 attempts in any second, and are back 5 s after it', async () => {
    // A linear congruential generator, so that every run draws the same numbers.
    let drawn = 1;
    const random = () => {
      drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
      return drawn / 2 ** 32;
    };
    for (const awayMs of [2_000, 36_000]) {
      const perSecond = new Map<number, number>();
      let latest = 0;
      for (let i = 0; i < 9_000; i++) {
        let at = 0;
        for (let failures = 1; at < awayMs; failures++) {
          at += backoffMs(failures, undefined, random);
          const second = Math.floor(at / 1_000);
          perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
        }
        latest = Math.max(latest, at - awayMs);
      }
      expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(6_500);
      expect(latest).toBeLessThanOrEqual(5_000);
    }
  });
});

describe('close', () => {
  test('close() cancels the stream, and no attempt follows', async () => {
    const { open, streams } = start([alive()]);
    await settle();
    connection?.close();
    connection?.close();
    await settle();
    expect(streams[0]?.cancelled).toBe(true);
    await seconds(3_600);
    expect(open).toHaveBeenCalledTimes(1);
    expect(states).toEqual(['connecting', 'open', 'closed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('close() during a pause prevents the next attempt', async () => {
    const { open } = start([down]);
    await settle();
    connection?.close();
    await seconds(60);
    expect(open).toHaveBeenCalledTimes(1);
  });

  test('close() while connecting: a late response whose body has failed with the attempt causes no unhandled error', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    let answer: (response: Response) => void = () => {};
    start([], {
      open: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    connection?.close();
    const failed = new ReadableStream({
      start: (controller) => controller.error(new DOMException('The operation was aborted.', 'AbortError')),
    });
    answer(new Response(failed));
    await settle();
    // Node reports it after the microtasks.
    await nextTask();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('close() while connecting aborts the attempt, and a late response is discarded', async () => {
    const late = new FakeStream();
    let signal: AbortSignal | undefined;
    let answer: (response: Response) => void = () => {};
    start([], {
      open(_, given) {
        signal = given;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    connection?.close();
    expect(signal?.aborted).toBe(true);
    answer(late.response);
    await settle();
    expect(late.cancelled).toBe(true);
    expect(onOpen).not.toHaveBeenCalled();
    expect(states).toEqual(['connecting', 'closed']);
  });

  test('close() inside onOpen cancels the stream', async () => {
    const { streams } = start([alive()], { onOpen: () => connection?.close() });
    await settle();
    expect(connection?.state).toBe('closed');
    expect(streams[0]?.cancelled).toBe(true);
  });

  test.each(['connecting', 'open'])('close() inside onState(%j) is permanent', async (last) => {
    let isArmed = false;
    const { open, streams } = start([alive()], {
      onState(state) {
        states.push(state);
        if (isArmed && state === last) connection?.close();
      },
    });
    await settle();
    isArmed = true;
    await streams[0]?.fail();
    await seconds(2);
    expect([states.at(-1), connection?.state]).toEqual(['closed', 'closed']);
    expect(vi.getTimerCount()).toBe(0);
    expect(onOpen).toHaveBeenCalledOnce();
    const attempts = open.mock.calls.length;
    await seconds(3_600);
    expect([open.mock.calls.length, states.at(-1)]).toEqual([attempts, 'closed']);
    if (last === 'open') expect(streams.at(-1)?.cancelled).toBe(true);
    else expect(attempts).toBe(1);
  });
});
