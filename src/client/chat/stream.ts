// Keeps one stream of a conversation open: connects, detects silence, waits between attempts, resumes.
import { backoffMs } from '../core/backoff.ts';
import { ApiError, isRetryable, NetworkError } from '../core/errors.ts';
import { createSseParser } from './sse.ts';

/** `waiting` is the pause before the next attempt; `closed` is permanent. */
export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';

/** A stream of one conversation that is kept open until `close()`. */
export interface Connection {
  readonly state: ConnectionState;
  /** Reconnects at once if it is waiting or a ping is overdue. Called automatically when the page becomes visible. */
  wake(): void;
  close(): void;
}

export interface ConnectionOptions {
  /** Opens the stream; rejects as `send` does. `lastEventId` is the position to resume from. */
  open(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  /** The data of one `message` frame. */
  onData(data: string): void;
  /** The stream is open. If `resumed` is false, signals may have been missed, so the caller must list again. */
  onOpen?(continuity: { resumed: boolean }): void;
  onState?(state: ConnectionState): void;
  /** The server refused permanently (4xx other than 408 and 429). The connection is closed. */
  onError?(error: ApiError): void;
  /** The position to resume from, of an earlier connection. */
  lastEventId?: string | undefined;
  random?: () => number;
}

/** Milliseconds without a byte after which a stream is considered dead; the server sends a ping every 30 s. */
const silenceMs = 45_000;
/** Milliseconds without a byte after which a page that wakes up reconnects: one ping is missing. */
const overdueMs = 35_000;

/** Opens and keeps a connection until `close()`. */
export function connect(options: ConnectionOptions): Connection {
  let state: ConnectionState = 'closed';
  let lastEventId = options.lastEventId;
  let attempts = 0;
  let attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastByteAt = 0;

  const enter = (next: ConnectionState) => {
    if (state === next) return;
    state = next;
    options.onState?.(next);
  };

  /** Ends the present attempt, and ignores its pending results. */
  const abandon = () => {
    attempt.abort();
    clearTimeout(timer);
  };

  const watch = () => {
    clearTimeout(timer);
    const left = lastByteAt + silenceMs - Date.now();
    if (left <= 0) retry(new NetworkError('The stream was cut.'));
    else timer = setTimeout(watch, left);
  };

  const retry = (error: unknown) => {
    abandon();
    if (error instanceof ApiError && !isRetryable(error)) {
      close();
      options.onError?.(error);
      return;
    }
    timer = setTimeout(run, backoffMs(++attempts, error, options.random));
    enter('waiting');
  };

  const run = () => {
    abandon();
    attempt = new AbortController();
    const { signal } = attempt;
    enter('connecting');
    read(signal).catch((error) => {
      if (!signal.aborted) retry(error);
    });
  };

  const read = async (signal: AbortSignal): Promise<void> => {
    const response = await options.open(lastEventId, signal);
    const reader = response.body?.getReader();
    if (signal.aborted) return void reader?.cancel();
    // `open` stops observing the signal after the response headers; the body must end with the attempt.
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}));
    const type = response.headers.get('content-type') ?? '';
    if (!reader || !type.startsWith('text/event-stream')) throw new NetworkError('The stream was cut.');
    // Our server returns the position from which the stream continues; a plain server does not.
    const position = response.headers.get('last-event-id') ?? undefined;
    const resumed = position !== undefined && position === lastEventId;
    lastEventId = position;
    const decoder = new TextDecoder();
    const feed = createSseParser((frame) => {
      if (signal.aborted) return;
      if (frame.id) lastEventId = frame.id;
      if (frame.event !== 'message') return;
      try {
        options.onData(frame.data);
      } catch (error) {
        // An error of the listener is not an error of the stream.
        console.error(error);
      }
    });
    enter('open');
    lastByteAt = Date.now();
    watch();
    options.onOpen?.({ resumed });
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        throw new NetworkError('The stream was cut.', { cause });
      });
      if (signal.aborted) return;
      if (done) throw new NetworkError('The stream was cut.');
      // Reset only after the first byte: a server that accepts and drops connections must not be called in a fast loop.
      attempts = 0;
      lastByteAt = Date.now();
      feed(decoder.decode(value, { stream: true }));
    }
  };

  const wake = () => {
    if (state === 'waiting' || (state === 'open' && Date.now() - lastByteAt > overdueMs)) run();
  };

  // Node has no page events; the timers are sufficient there.
  const lifetimeController = new AbortController();
  const { signal: lifetime } = lifetimeController;
  if (typeof document !== 'undefined') {
    const onVisible = () => document.visibilityState === 'visible' && wake();
    document.addEventListener('visibilitychange', onVisible, { signal: lifetime });
    // After a network change or a return from the back/forward cache the connection is dead without any event.
    addEventListener('online', run, { signal: lifetime });
    addEventListener('pageshow', (event) => event.persisted && run(), { signal: lifetime });
    // Chromium keeps the connections of a page in the back/forward cache, and HTTP/1.1 allows six for an origin.
    addEventListener('pagehide', abandon, { signal: lifetime });
  }

  const close = () => {
    lifetimeController.abort();
    abandon();
    enter('closed');
  };

  run();
  return {
    get state() {
      return state;
    },
    wake,
    close,
  };
}
