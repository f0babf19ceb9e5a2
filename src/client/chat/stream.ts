// Keeps one stream of a conversation open: connects, detects silence and lost frames, waits between attempts, resumes.
import { ping } from '../../protocol/signal.ts';
import { createSseParser } from '../../protocol/sse.ts';
import { backoffMs } from '../core/backoff.ts';
import { ApiError, isRetryable, NetworkError } from '../core/errors.ts';

/** `waiting` is the pause before the next attempt; `closed` is permanent. */
export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';

/** A stream of one conversation that is kept open until `close()`. */
export interface Connection {
  readonly state: ConnectionState;
  /** The position to resume from: the id of the last frame. */
  readonly lastEventId: string | undefined;
  /**
   * Reconnects at once if it is waiting, or if no byte has arrived for 10 s. Called automatically when the page becomes
   * visible and when the clock has jumped.
   */
  wake(): void;
  /** Another request has reached the server: ends a pause after a lost connection, which has lasted a second. */
  reached(): void;
  close(): void;
}

export interface ConnectionOptions {
  /** Opens the stream; rejects as `send` does. `lastEventId` is the position to resume from. */
  open(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  /** The data and the id of one `message` frame; the id is '' if the frame has none. */
  onData(data: string, id: string): void;
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
/** Milliseconds after which an attempt without a response has failed. 9,000 streams return to one server in this time. */
const attemptMs = 10_000;
/**
 * Milliseconds without a byte after which a page that wakes up does not trust its stream. To open it again is the
 * shortest test: another request would use another connection, and nothing is lost by it. At most one in this time.
 */
const doubtMs = 10_000;
/** Milliseconds between two looks at the clock. It has jumped when one comes later than twice this time. */
const tickMs = 5_000;

/** Opens and keeps a connection until `close()`. */
export function connect(options: ConnectionOptions): Connection {
  let state: ConnectionState = 'closed';
  let lastEventId = options.lastEventId;
  let attempts = 0;
  let attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The time of the last byte, or of the start of the attempt. */
  let activeAt = 0;
  let tickAt = 0;
  /** The server did not ask for the present pause. */
  let mayRetryEarly = false;
  /** The position after which a frame was lost: it is requested once. */
  let lostAfter: string | undefined;

  /** Calls the caller: an error of a listener is not an error of the stream. */
  const notify = (listener: () => void) => {
    try {
      listener();
    } catch (error) {
      console.error(error);
    }
  };

  const enter = (next: ConnectionState) => {
    if (state === next) return;
    state = next;
    notify(() => options.onState?.(next));
  };

  /** Ends the present attempt, and ignores its pending results. */
  const abandon = () => {
    attempt.abort();
    clearTimeout(timer);
  };

  const cut = (cause?: unknown) => new NetworkError('The stream was cut.', { cause });

  const watch = () => {
    clearTimeout(timer);
    const now = Date.now();
    const isLate = now - tickAt > 2 * tickMs;
    tickAt = now;
    // The clock may have been set back.
    activeAt = Math.min(activeAt, now);
    const left = activeAt + (state === 'open' ? silenceMs : attemptMs) - now;
    // The device was asleep. A hidden page has late timers anyway, and is woken when it becomes visible.
    if (isLate && isDoubtful() && !isHidden()) run();
    else if (left <= 0) retry(cut());
    else timer = setTimeout(watch, Math.min(left, tickMs));
  };

  const retry = (error: unknown) => {
    abandon();
    if (error instanceof ApiError && !isRetryable(error)) {
      close();
      options.onError?.(error);
      return;
    }
    mayRetryEarly = !(error instanceof ApiError);
    timer = setTimeout(run, backoffMs(++attempts, error, options.random));
    enter('waiting');
  };

  const run = () => {
    abandon();
    attempt = new AbortController();
    const { signal } = attempt;
    enter('connecting');
    // The listener may have closed the connection.
    if (signal.aborted) return;
    activeAt = tickAt = Date.now();
    watch();
    read(signal).catch((error) => {
      if (!signal.aborted) retry(error);
    });
  };

  const read = async (signal: AbortSignal): Promise<void> => {
    const response = await options.open(lastEventId, signal);
    const reader = response.body?.getReader();
    if (signal.aborted) return void reader?.cancel().catch(() => {});
    // `open` stops observing the signal after the response headers; the body must end with the attempt.
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}));
    const type = response.headers.get('content-type') ?? '';
    if (!reader || !type.startsWith('text/event-stream')) throw cut();
    // Our server returns the position from which the stream continues; a plain server does not.
    const position = response.headers.get('last-event-id') ?? undefined;
    const resumed = position !== undefined && position === lastEventId;
    lastEventId = position;
    const decoder = new TextDecoder();
    const feed = createSseParser(({ event, data, id }) => {
      if (signal.aborted) return;
      if (id) {
        // The ids of our server have no gaps. A ping has the id of the frame before it.
        const ahead = position === undefined ? 0 : Number(id) - Number(lastEventId) - (data === ping ? 0 : 1);
        if (ahead < 0) return;
        if (ahead > 0) {
          // A frame was lost. If it is lost again, the caller lists the messages.
          if (lostAfter === lastEventId) lastEventId = undefined;
          lostAfter = lastEventId;
          return retry(cut());
        }
        lastEventId = id;
      }
      if (event === 'message') notify(() => options.onData(data, id));
    });
    enter('open');
    if (signal.aborted) return;
    activeAt = tickAt = Date.now();
    watch();
    notify(() => options.onOpen?.({ resumed }));
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        throw cut(cause);
      });
      if (signal.aborted) return;
      if (done) throw cut();
      // Reset only after the first byte: a server that accepts and drops connections must not be called in a fast loop.
      attempts = 0;
      activeAt = Date.now();
      feed(decoder.decode(value, { stream: true }));
    }
  };

  const isDoubtful = () => Date.now() - activeAt > doubtMs;
  // Node has no page; its timers are sufficient there.
  const isHidden = () => typeof document !== 'undefined' && document.visibilityState === 'hidden';
  const wake = () => {
    if (state === 'waiting' || (state !== 'closed' && isDoubtful())) run();
  };
  const reached = () => {
    if (state === 'waiting' && mayRetryEarly && Date.now() - activeAt >= 1_000) run();
  };

  const lifetimeController = new AbortController();
  const { signal: lifetime } = lifetimeController;
  if (typeof document !== 'undefined') {
    const onVisible = () => isHidden() || wake();
    document.addEventListener('visibilitychange', onVisible, { signal: lifetime });
    // Chromium resumes pages that it has frozen.
    document.addEventListener('resume', onVisible, { signal: lifetime });
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
    get lastEventId() {
      return lastEventId;
    },
    wake,
    reached,
    close,
  };
}
