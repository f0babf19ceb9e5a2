// Monitors whether the database responds. Statements have no time limit, because some take long. A check on a separate
// connection, once a second, distinguishes a slow statement from an unavailable database.
import pg from 'pg';
import { DatabaseUnavailable } from '../database.ts';

/** Milliseconds that a request waits for an unresponsive database. */
export const waitLimitMs = 5_000;
/**
 * Milliseconds without a response after which the process is not ready: a short interruption must not stop all
 * processes.
 */
const readyTimeMs = 10_000;
/** The maximum number of milliseconds between two checks. */
const intervalMs = 1_000;
/** Milliseconds between two checks of the waiting requests. */
const waitCheckIntervalMs = 250;

export interface Availability {
  /** The database has responded. */
  answered(): void;
  /** Whether it has not responded since this time (`now`) for as long as a request waits. */
  isLost(since: number): boolean;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /**
   * Rejects with DatabaseUnavailable if the database does not respond from `since` on for as long as a request waits.
   * Otherwise it settles like `waiting`, which continues in any case.
   */
  orLost<T>(since: number, waiting: Promise<T>): Promise<T>;
  /** Whether it has responded recently. */
  isReady(): boolean;
  close(): Promise<void>;
}

export interface AvailabilityOptions {
  url: string;
  /** The statement of the check. */
  question: string;
  onAnswer(rows: unknown[]): void;
  /** Called when the database has not responded for as long as requests wait: hanging connections must be closed. */
  onLost(): void;
  /** Called when it does not respond, and when it responds again. */
  onChange?: ((isAvailable: boolean) => void) | undefined;
}

/** Starts the checks. The database has just responded. */
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
  const isLost = (since: number) => now() - Math.max(since, lastAnswer) >= waitLimitMs;

  let lastLook = now();
  function look(): void {
    // Time in which this process did not run says nothing about the database.
    const stalled = now() - lastLook - waitCheckIntervalMs;
    lastLook = now();
    if (stalled > intervalMs) lastAnswer += stalled;
    if (now() - lastAnswer >= waitLimitMs) {
      if (!isAway) {
        isAway = true;
        onChange?.(false);
      }
      // Repeated, because new connections may hang, too.
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
    // A hanging check is abandoned after the time that requests wait.
    const limit = setTimeout(() => discard(asked), waitLimitMs);
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

  const timers = [setInterval(() => void ask(), intervalMs), setInterval(look, waitCheckIntervalMs)];
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
    isReady: () => now() - lastAnswer < readyTimeMs,
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
