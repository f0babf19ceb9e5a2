// The request of a run: sends it to the address of the agent and reads the events of the response as they arrive. It follows no
// redirects, because only the first address is checked.
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { readRetryAfter } from '../../api/outgoing-requests.ts';
import { type Addresses, AddressRefused } from '../webhooks/addresses.ts';
import { PostFailure, send, targetOf, toPostFailure } from '../webhooks/post.ts';
import { type BatchScheduler, createBatchScheduler } from './batch-scheduler.ts';
import { isBusyResponse } from './busy.ts';
import type { ServerEvent } from './protocol.ts';
import { AgentFailure, bytesOf, createBodyReader } from './response.ts';

export interface AgentRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  addresses: Addresses;
  signal: AbortSignal;
  times?: Partial<RequestTimes> | undefined;
  /** The bytes and events that this response and later ones may have together. */
  budget?: RunBudget | undefined;
  /** Shares the main thread between all runs of a server; and the bot of this one. */
  scheduler?: BatchScheduler | undefined;
  botId?: string | undefined;
}

/** The bytes and the events that can still be received. */
export interface RunBudget {
  bytes: number;
  events: number;
}

/** The limits of one run: a tiny event costs as much work as a larger one. */
export const runBudget = (): RunBudget => ({ bytes: 10_000_000, events: 100_000 });

/** Events that are handled at once. */
export const batchSize = 100;

/** Times in milliseconds. */
export interface RequestTimes {
  /** The longest time without a byte, before the first one and between two. */
  idle: number;
  /** Before each further attempt. */
  retries: readonly number[];
  /** Before each further request while the agent is busy with an earlier run of the conversation. */
  busy: readonly number[];
  /** The longest `Retry-After` that is respected, because a visitor is waiting. */
  longestRetry: number;
}

export const defaultTimes: RequestTimes = {
  idle: 60_000,
  retries: [1_000, 3_000],
  // A run that was stopped may go on for some time.
  busy: [500, 1_000, 2_000, 4_000, 8_000, 15_000],
  longestRetry: 30_000,
};

/** Whether the same request may succeed a little later. 529 is "overloaded" of some providers. */
const isTemporaryStatus = (status: number): boolean =>
  [408, 425, 429].includes(status) || (status >= 500 && status <= 599 && ![501, 505].includes(status));

/** The codes of connections that failed before the headers of a response, and may succeed a little later. */
const temporaryCodes: readonly unknown[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH'],
];

function isTemporary(error: unknown): boolean {
  // A busy agent is asked again with longer pauses (step.ts).
  if (error instanceof AgentFailure)
    return error.code !== 'busy' && error.status !== undefined && isTemporaryStatus(error.status);
  // Also a connection that was closed without a response.
  if (error instanceof PostFailure) return error.reason === 'connection_closed';
  return temporaryCodes.includes((error as { code?: unknown }).code);
}

/** Milliseconds that the server asks to wait; `retry-after-ms` is a header of model servers. */
function pauseOf({ headers }: IncomingMessage): number | undefined {
  const milliseconds = headers['retry-after-ms'];
  if (typeof milliseconds === 'string' && /^\d{1,9}$/.test(milliseconds)) return Number(milliseconds);
  return readRetryAfter(headers['retry-after'], Date.now());
}

/** Ends the request after a silence. */
interface IdleTimer {
  restart(): void;
  pause(): void;
}

/**
 * Yields the events of the response in batches; a JSON response is one event, with an end after it. Before the first byte of a
 * response with a status of 2xx, it tries again. Throws AgentFailure, or the reason of `signal`. Closes the connection when the
 * caller stops to read.
 */
export async function* requestAgent(request: AgentRequest): AsyncGenerator<ServerEvent[]> {
  const { signal } = request;
  signal.throwIfAborted();
  const times = { ...defaultTimes, ...request.times };
  const closing = new AbortController();
  const close = () => closing.abort();
  let timeout: NodeJS.Timeout | undefined;
  const timer: IdleTimer = {
    restart() {
      clearTimeout(timeout);
      timeout = setTimeout(close, times.idle);
    },
    pause: () => clearTimeout(timeout),
  };
  timer.restart();
  signal.addEventListener('abort', close, { once: true });
  try {
    const response = await openResponse(request, times, closing.signal, timer.restart);
    yield* readEvents(response, request, request.budget ?? runBudget(), timer);
  } catch (error) {
    signal.throwIfAborted();
    throw closing.signal.aborted ? new AgentFailure('timeout') : toAgentFailure(error);
  } finally {
    timer.pause();
    signal.removeEventListener('abort', close);
    close();
  }
}

async function openResponse(
  request: AgentRequest,
  { retries, longestRetry }: RequestTimes,
  signal: AbortSignal,
  restartTimer: () => void,
): Promise<IncomingMessage> {
  for (let attempt = 0; ; attempt += 1) {
    const delay = retries[attempt];
    let retryAfter: number | undefined;
    let isUseless = false;
    try {
      const response = await open(request, signal);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status <= 299) return response;
      retryAfter = pauseOf(response);
      isUseless = response.headers['x-should-retry'] === 'false';
      const isBusy = await isBusyResponse(response);
      response.destroy();
      if (isBusy) throw new AgentFailure('busy', { status });
      throw new AgentFailure('status', { status });
    } catch (error) {
      if (isUseless || !isTemporary(error) || delay === undefined || signal.aborted) throw error;
      const pause = Math.max(delay, retryAfter ?? 0);
      if (pause > Math.max(delay, longestRetry)) throw error;
      restartTimer();
      // With a jitter of 20 %, so that runs that were refused at the same time are not retried at the same time.
      await wait(Math.max(retryAfter ?? 0, pause * (0.8 + 0.4 * Math.random())), undefined, { signal });
      restartTimer();
    }
  }
}

/** Sends a request and does not read the response. Throws the errors of `send`. */
export async function sendOnce(request: AgentRequest): Promise<void> {
  const response = await open(request, request.signal);
  response.destroy();
}

async function open(
  { url, headers, body, addresses }: AgentRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const target = targetOf(url);
  addresses.assertHost(target.hostname);
  const response = await send(target, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'platform-webchat',
      ...headers,
      'content-length': Buffer.byteLength(body),
    },
    lookup: addresses.lookup,
    // A new connection each time: the agent may close a kept-alive one while it is in use.
    agent: false,
    signal,
    body,
  });
  // An error event without a listener would end the process; a reader of the body receives it as well.
  response.on('error', () => {});
  return response;
}

/** Yields the events in batches. Between two of them, other runs and all other work of the server have their turn. */
async function* readEvents(
  response: IncomingMessage,
  { scheduler = createBatchScheduler(), botId = '', signal }: AgentRequest,
  budget: RunBudget,
  timer: IdleTimer,
): AsyncGenerator<ServerEvent[]> {
  const body = createBodyReader(response.headers['content-type']);
  const decoder = new TextDecoder();
  const spend = (bytes: number) => {
    budget.bytes -= bytes;
    if (budget.bytes < 0) throw new AgentFailure('too_large');
  };
  async function* inBatches(events: ServerEvent[]): AsyncGenerator<ServerEvent[]> {
    for (let from = 0; from < events.length; from += batchSize) {
      await scheduler.next(botId);
      signal.throwIfAborted();
      const batch = events.slice(from, from + batchSize).slice(0, Math.max(0, budget.events));
      budget.events -= batch.length;
      // The time in which the server is busy is not a silence of the agent.
      timer.pause();
      if (batch.length > 0) yield batch;
      timer.restart();
      if (budget.events <= 0 && from + batch.length < events.length)
        throw new AgentFailure('too_many_events');
    }
  }
  let received = 0;
  const chunks = bytesOf(response, ({ length }) => {
    timer.restart();
    received += length;
    spend(length);
  });
  let read = 0;
  for await (const chunk of chunks) {
    // Of a compressed response, its whole length counts.
    read += chunk.length;
    if (read > received) {
      spend(read - received);
      received = read;
    }
    yield* inBatches(body.read(decoder.decode(chunk, { stream: true })));
  }
  yield* inBatches([...body.read(decoder.decode()), ...body.end()]);
}

function toAgentFailure(error: unknown): AgentFailure {
  if (error instanceof AgentFailure) return error;
  // Of the parser.
  if (error instanceof RangeError) return new AgentFailure('event_too_large');
  if (error instanceof AddressRefused || error instanceof PostFailure || error instanceof Error) {
    return new AgentFailure(toPostFailure(error, undefined).reason);
  }
  return new AgentFailure('connection_failed');
}
