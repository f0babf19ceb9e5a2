// Keeps one stream of a conversation open: connects, watches for silence, backs off, resumes. It knows no message.
import { backoffMs } from '../core/backoff.ts';
import { ApiError, isRetryable, NetworkError } from '../core/errors.ts';
import { createSseParser } from './sse.ts';

/** `waiting` is the pause before the next attempt; `closed` is for good. */
export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';

/** A stream of one conversation that is kept open until `close()`. */
export interface Connection {
  readonly state: ConnectionState;
  /** Tries at once when waiting or when a ping is overdue. Called by itself when the page becomes visible. */
  wake(): void;
  close(): void;
}

export interface ConnectionOptions {
  /** Opens the stream; rejects as `send` does. `lastEventId` is where to resume. */
  open(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  /** The data of one `message` frame. */
  onData(data: string): void;
  /** The stream is open. `resumed` false: signals may have been missed since the last time, so list. */
  onOpen?(continuity: { resumed: boolean }): void;
  onState?(state: ConnectionState): void;
  /** Refused for good (4xx other than 408 and 429). The connection is closed. */
  onError?(error: ApiError): void;
  /** Where to resume, from an earlier connection. */
  lastEventId?: string | undefined;
  random?: () => number;
}

/** Milliseconds without a byte after which a stream counts as dead; the server pings every 30 s. */
const silenceMs = 45_000;
/** Milliseconds without a byte after which a page that wakes does not trust its stream: one ping is missing. */
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

  /** Ends the present attempt; nothing it still has under way counts any more. */
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
    // `open` has let go of the signal with the response's head; the body ends with the attempt.
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}));
    const type = response.headers.get('content-type') ?? '';
    if (!reader || !type.startsWith('text/event-stream')) throw new NetworkError('The stream was cut.');
    // Our server answers with the position the stream goes on from; a plain server answers without it.
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
        // The listener's fault, not the stream's.
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
      // Only a stream that spoke counts as healed: a server that accepts and drops at once must not be hammered.
      attempts = 0;
      lastByteAt = Date.now();
      feed(decoder.decode(value, { stream: true }));
    }
  };

  const wake = () => {
    if (state === 'waiting' || (state === 'open' && Date.now() - lastByteAt > overdueMs)) run();
  };

  // In Node there is no page: nothing to wake on, the timers are enough.
  const life = new AbortController();
  const { signal: lifetime } = life;
  if (typeof document !== 'undefined') {
    const onVisible = () => document.visibilityState === 'visible' && wake();
    document.addEventListener('visibilitychange', onVisible, { signal: lifetime });
    // Another network, or a page out of the back/forward cache: the old connection is gone though nothing says so.
    addEventListener('online', run, { signal: lifetime });
    addEventListener('pageshow', (event) => event.persisted && run(), { signal: lifetime });
    // A page that is kept for the way back would keep its connection (Chromium): six of them are all there are on HTTP/1.1.
    addEventListener('pagehide', abandon, { signal: lifetime });
  }

  const close = () => {
    life.abort();
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
