// Whether the database answers. A statement is not limited in time, because some take long: a question on a connection of
// its own, once a second, tells a slow statement from a database that is away.
import pg from 'pg';
import { DatabaseUnavailable } from '../database.ts';

/** Milliseconds that a request waits for a database that does not answer. */
export const waitLimit = 5_000;
/** Milliseconds without an answer after which the process is not ready: a short interruption must not stop all. */
const readyTime = 10_000;
/** Milliseconds between two questions, at most. */
const interval = 1_000;
/** Milliseconds between two looks at those who wait. */
const lookInterval = 250;

export interface Availability {
  /** The database has answered something. */
  answered(): void;
  /** Whether it has answered nothing since this time (`now`), for as long as a request waits. */
  isLost(since: number): boolean;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /**
   * Rejects with DatabaseUnavailable when the database has answered nothing for as long as a request waits, from `since`
   * on; otherwise with the result of `waiting`, which goes on in any case.
   */
  orLost<T>(since: number, waiting: Promise<T>): Promise<T>;
  /** Whether it has answered lately. */
  isReady(): boolean;
  close(): Promise<void>;
}

export interface AvailabilityOptions {
  url: string;
  /** The statement that is asked. */
  question: string;
  onAnswer(rows: unknown[]): void;
  /** Called when the database has not answered for as long as requests wait: what hangs is to be ended. */
  onLost(): void;
  /** Called when it does not answer, and when it answers again. */
  onChange?: ((isAvailable: boolean) => void) | undefined;
}

/** Begins to ask. The database has just answered. */
export function createAvailability(options: AvailabilityOptions): Availability {
  const { url, question, onAnswer, onLost, onChange } = options;
  const now = () => performance.now();
  let lastAnswer = now();
  let isAway = false;
  let isClosed = false;
  let client: pg.Client | undefined;
  let isAsking = false;
  const waiting = new Set<{ since: number; reject(error: Error): void }>();

  function answered(): void {
    lastAnswer = now();
    if (!isAway) return;
    isAway = false;
    onChange?.(true);
  }
  const isLost = (since: number) => now() - Math.max(since, lastAnswer) >= waitLimit;

  let lastLook = now();
  function look(): void {
    // Time in which this process did not run says nothing about the database.
    const stalled = now() - lastLook - lookInterval;
    lastLook = now();
    if (stalled > interval) lastAnswer += stalled;
    if (now() - lastAnswer >= waitLimit) {
      if (!isAway) {
        isAway = true;
        onChange?.(false);
      }
      // Again and again, because new connections may hang, too.
      onLost();
    }
    for (const one of waiting) if (isLost(one.since)) one.reject(unavailable());
  }

  async function ask(): Promise<void> {
    if (isAsking || isClosed) return;
    isAsking = true;
    const asked =
      client ??
      new pg.Client({
        connectionString: url,
        keepAlive: true,
        application_name: 'platform-webchat availability',
      });
    // Whatever hangs is given up after as long as requests wait.
    const limit = setTimeout(() => discard(asked), waitLimit);
    try {
      if (client === undefined) {
        asked.on('error', () => {});
        client = asked;
        await asked.connect();
      }
      const { rows } = await asked.query(question);
      answered();
      onAnswer(rows);
    } catch {
      discard(asked);
    } finally {
      clearTimeout(limit);
      isAsking = false;
    }
  }

  function discard(failed: pg.Client): void {
    if (client === failed) client = undefined;
    destroy(failed);
  }

  const timers = [setInterval(() => void ask(), interval), setInterval(look, lookInterval)];
  for (const timer of timers) timer.unref();

  return {
    answered,
    isLost,
    now,
    async orLost(since, promise) {
      let one: { since: number; reject(error: Error): void } | undefined;
      const lost = new Promise<never>((_, reject) => {
        one = { since, reject };
        waiting.add(one);
      });
      try {
        return await Promise.race([promise, lost]);
      } finally {
        if (one) waiting.delete(one);
      }
    },
    isReady: () => now() - lastAnswer < readyTime,
    async close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      if (client) discard(client);
    },
  };
}

export const unavailable = (cause?: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable('The database does not answer.', { cause });

/** Ends a connection without waiting for anything: its statements fail. */
export function destroy(client: pg.ClientBase): void {
  // Not in the types of `pg`.
  (client as pg.ClientBase & { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
