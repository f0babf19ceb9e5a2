// Notifications of PostgreSQL (LISTEN, NOTIFY) on a separate connection, which is opened again if it is lost.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { StartError } from '../../startup/start-error.ts';
import { firstLineOf } from './process-lock.ts';

/**
 * The channel. Channels belong to a database, so several servers on one PostgreSQL do not receive each other's
 * notifications.
 */
const channel = 'platform_webchat';
/** Time limit in milliseconds for a notification to this process itself. */
const arrivalTimeoutMs = 10_000;
/** Milliseconds between two tests of the connection. */
const testIntervalMs = 10_000;
/** Milliseconds before the first attempt to connect again, and the longest pause. */
const minPauseMs = 100;
const maxPauseMs = 5_000;
/** Begins a notification to oneself. */
const testPrefix = 'test ';

export interface NotificationOptions {
  /** Called with each text that was sent, also by this process. */
  onText(text: string): void;
  /** Called when the connection was lost and is open again. */
  onReconnected(): void;
  /** The setting with the address, for error messages. */
  setting: string;
}

export interface Notifications {
  /** Sends texts of at most 7,999 bytes, without NUL. Rejects when they could not be sent. */
  send(texts: readonly string[]): Promise<void>;
  /** False until `onReconnected` is called. */
  isConnected(): boolean;
  close(): Promise<void>;
}

/**
 * Connects, and resolves when a notification to oneself has arrived. Throws StartError when the database cannot be reached,
 * or when none arrives: a connection pooler that shares connections between transactions loses them without an error.
 */
export async function openNotifications(
  url: string,
  { onText, onReconnected, setting }: NotificationOptions,
): Promise<Notifications> {
  let client: pg.Client | undefined;
  let isClosed = false;
  /** Called when the notification to oneself of this text arrives. */
  const awaited = new Map<string, () => void>();

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: arrivalTimeoutMs,
      application_name: 'platform-webchat relay',
    });
    next.on('error', () => {});
    next.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith(testPrefix)) return onText(payload);
      awaited.get(payload)?.();
    });
    try {
      await next.connect();
      // Notifications need not survive a crash, and a commit that waits for the disk would delay them.
      await next.query(`SET synchronous_commit = off; LISTEN ${channel}`);
      await test(next);
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
    next.once('end', () => {
      if (client === next && !isClosed) void reconnect();
    });
    return next;
  }

  /** Rejects if a notification to oneself does not arrive, or the connection is lost before. */
  async function test(connection: pg.Client): Promise<void> {
    const text = testPrefix + randomUUID();
    let timer: NodeJS.Timeout | undefined;
    let onEnd = (): void => {};
    try {
      await Promise.all([
        new Promise<void>((resolve, reject) => {
          awaited.set(text, resolve);
          onEnd = () => reject(new Error('The connection was closed.'));
          connection.once('end', onEnd);
          // After a pause of the process, its timers come first, and what has arrived meanwhile is read then.
          timer = setTimeout(() => setImmediate(reject, new NotDelivered()), arrivalTimeoutMs);
        }),
        connection.query('SELECT pg_notify($1, $2)', [channel, text]),
      ]);
    } finally {
      clearTimeout(timer);
      connection.off('end', onEnd);
      awaited.delete(text);
    }
  }

  async function reconnect(): Promise<void> {
    client = undefined;
    for (let pause = minPauseMs; !isClosed; pause = Math.min(2 * pause, maxPauseMs)) {
      // A part of the pause is random, so that the processes do not all reconnect at the same time.
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
      const next = isClosed ? undefined : await connect().catch(() => undefined);
      if (!next) continue;
      if (isClosed) return void next.end().catch(() => {});
      client = next;
      return onReconnected();
    }
  }

  client = await connect().catch((error: unknown) => {
    throw new StartError(
      error instanceof NotDelivered
        ? `${setting}: notifications (LISTEN) do not arrive. A connection pooler loses them: set RELAY_DATABASE_URL to the address of PostgreSQL itself.`
        : `${setting}: the database cannot be opened: ${firstLineOf(error)}`,
    );
  });
  // Detects a connection that is lost without an error, for example because of a firewall.
  const timer = setInterval(() => {
    const tested = client;
    if (tested) test(tested).catch(() => void tested.end().catch(() => {}));
  }, testIntervalMs).unref();

  return {
    async send(texts) {
      if (!client) throw new Error('The connection for notifications is lost.');
      await client.query('SELECT pg_notify($1, t) FROM unnest($2::text[]) AS l(t)', [channel, texts]);
    },
    isConnected: () => client !== undefined,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await client?.end();
    },
  };
}

/** A notification to oneself did not arrive. */
class NotDelivered extends Error {}
