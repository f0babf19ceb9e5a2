// The request of a run: sends it to the address of the agent and reads the events of the response as they arrive. It follows no
// redirects, because only the first address is checked.
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createSseParser } from '../../../protocol/streams/sse.ts';
import { readRetryAfter } from '../../api/retry-after.ts';
import { type Addresses, AddressRefused } from '../webhooks/addresses.ts';
import { PostFailure, send, targetOf, toPostFailure } from '../webhooks/post.ts';
import { AgentFailure } from './failure.ts';
import type { ServerEvent } from './protocol.ts';
import { isBusyResponse } from './steps/busy-response.ts';

export interface AgentRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  addresses: Addresses;
  signal: AbortSignal;
  times?: Partial<RequestTimes> | undefined;
  /** The bytes that this response and those after it may have together. */
  bytes?: ByteBudget | undefined;
}

/** Bytes that can still be received. */
export interface ByteBudget {
  left: number;
}

/** The bytes that one run may receive. */
export const runBytes = (): ByteBudget => ({ left: 10_000_000 });

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

/** Bytes of a response that is not a stream. The parser limits one event to 1,000,000 characters. */
const maxJsonBytes = 1_000_000;

const retriedStatuses = [429, 502, 503];

/**
 * Yields the events of the response; the body of a JSON response is one event. Before the first byte of a response with a
 * status of 2xx, it tries again. Throws AgentFailure, or the reason of `signal`. Closes the connection when the caller stops
 * to read.
 */
export async function* requestAgent(request: AgentRequest): AsyncGenerator<ServerEvent> {
  const { signal } = request;
  signal.throwIfAborted();
  const times = { ...defaultTimes, ...request.times };
  const closing = new AbortController();
  const close = () => closing.abort();
  let timer = setTimeout(close, times.idle);
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(close, times.idle);
  };
  signal.addEventListener('abort', close, { once: true });
  try {
    const response = await openResponse(request, times, closing.signal, restartTimer);
    yield* readEvents(response, request.bytes ?? runBytes(), restartTimer);
  } catch (error) {
    signal.throwIfAborted();
    throw closing.signal.aborted ? new AgentFailure('timeout') : toAgentFailure(error);
  } finally {
    clearTimeout(timer);
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
    try {
      const response = await open(request, signal);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status <= 299) return response;
      retryAfter = readRetryAfter(response.headers['retry-after'], Date.now());
      const isBusy = await isBusyResponse(response);
      response.destroy();
      if (isBusy) throw new AgentFailure('busy', { status });
      throw new AgentFailure('status', { status });
    } catch (error) {
      const isTemporary =
        error instanceof AgentFailure
          ? error.code !== 'busy' && retriedStatuses.includes(error.status ?? 0)
          : (error as { code?: unknown }).code === 'ECONNREFUSED';
      if (!isTemporary || delay === undefined || signal.aborted) throw error;
      const pause = Math.max(delay, retryAfter ?? 0);
      if (pause > Math.max(delay, longestRetry)) throw error;
      restartTimer();
      // With a jitter of 20 %, so that runs that were refused at the same time are not retried at the same time.
      await wait(Math.max(retryAfter ?? 0, pause * (0.8 + 0.4 * Math.random())), undefined, { signal });
      restartTimer();
    }
  }
}

/** Sends a request of which the response is not read. Throws what `send` throws. */
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

async function* readEvents(
  response: IncomingMessage,
  budget: ByteBudget,
  onBytes: () => void,
): AsyncGenerator<ServerEvent> {
  const type = response.headers['content-type'] ?? 'text/event-stream';
  const isJson = /^application\/json\b/i.test(type);
  if (!isJson && !/^text\/event-stream\b/i.test(type)) throw new AgentFailure('content_type');
  const decoder = new TextDecoder();
  const events: ServerEvent[] = [];
  const feed = createSseParser(({ event, data }) => event !== '' && events.push({ event, data }));
  let bytes = 0;
  let json = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    onBytes();
    bytes += chunk.length;
    budget.left -= chunk.length;
    if (budget.left < 0 || (isJson && bytes > maxJsonBytes)) throw new AgentFailure('too_large');
    const text = decoder.decode(chunk, { stream: true });
    if (isJson) json += text;
    else feed(text);
    yield* events.splice(0);
  }
  if (isJson) yield { event: 'message', data: json + decoder.decode() };
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
