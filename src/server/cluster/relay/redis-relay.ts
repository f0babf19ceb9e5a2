// A relay through Redis or Valkey, for many processes: each receives only the channels in which it has a listener.
import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { StartError } from '../../startup/start-error.ts';
import { createTopicListeners, type Relay } from './relay.ts';
import { packBatches, unpackBatch } from './relay-batches.ts';

/** The number of channels over which the topics are distributed. */
const channels = 256;
/** Time limit in milliseconds for the connection at the start, and for each response. */
const connectTimeoutMs = 10_000;
/** Milliseconds between two tests of a connection. A connection that is silent for this time is closed. */
const testIntervalMs = 10_000;
const silentTimeMs = 30_000;
/** Milliseconds of the longest pause before another attempt to connect. */
const maxPauseMs = 2_000;

/**
 * Connects a process. `prefix`: the beginning of the names of the channels, the same for all processes of a server.
 * Throws StartError if Redis cannot be reached. If Redis becomes unavailable later, messages are lost until it returns.
 */
export async function connectRedisRelay(url: string, prefix: string): Promise<Relay> {
  // Only here, because few servers use it.
  const { Redis } = await import('ioredis');
  const open = (): Redis => {
    const connection = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResubscribe: false,
      maxRetriesPerRequest: null,
      connectTimeout: connectTimeoutMs,
      socketTimeout: silentTimeMs,
      // A part of the pause is random, so that the processes do not all reconnect at the same time.
      retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, maxPauseMs) * (0.5 + Math.random() / 2),
    });
    // Without a listener, each failed attempt would be printed.
    connection.on('error', () => {});
    return connection;
  };
  const [publisher, subscriber] = [open(), open()];
  /** Identifies this process, because it also receives its own messages. */
  const sender = randomBytes(9).toString('base64url');
  const listeners = createTopicListeners();
  /** Topics with listeners, by channel. */
  const heldChannels = new Map<string, Set<string>>();
  const gapListeners = new Set<() => void>();
  let wasReady = false;
  let isClosed = false;

  subscriber.on('message', (_, text: string) => {
    const { head, messages } = unpackBatch(text);
    if (head === sender) return;
    for (const { topic, message } of messages) listeners.call(topic, message);
  });
  subscriber.on('ready', () => {
    if (!wasReady) return;
    const names = [...heldChannels.keys()];
    const subscribed = names.length > 0 ? subscriber.subscribe(...names) : Promise.resolve();
    subscribed.then(
      () => {
        for (const listener of gapListeners) listener();
      },
      // The connection is lost again.
      () => {},
    );
  });

  await Promise.all([connectOnce(publisher), connectOnce(subscriber)]).catch((error: unknown) => {
    publisher.disconnect();
    subscriber.disconnect();
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StartError(`RELAY_URL: Redis cannot be reached: ${reason}`);
  });
  wasReady = true;
  // Detects a connection that is lost without an error, for example because of a firewall.
  const timer = setInterval(() => {
    for (const connection of [publisher, subscriber]) connection.ping().catch(() => {});
  }, testIntervalMs).unref();

  return {
    publish(topic, message) {
      if (isClosed) return;
      const channel = channelOf(prefix, topic);
      for (const text of packBatches(sender, [{ topic, message }])) {
        // Messages that cannot be sent are lost; the checks of the receivers find the gap.
        publisher.publish(channel, text).catch(() => {});
      }
    },
    subscribe(topic, listener) {
      const channel = channelOf(prefix, topic);
      const remove = listeners.add(topic, listener);
      const topics = heldChannels.get(channel) ?? new Set();
      heldChannels.set(channel, topics.add(topic));
      return {
        ready: settled(subscriber.subscribe(channel)),
        end() {
          if (!remove()) return;
          topics.delete(topic);
          if (topics.size > 0) return;
          heldChannels.delete(channel);
          subscriber.unsubscribe(channel).catch(() => {});
        },
      };
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => void gapListeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      // Runs after the messages that were published before.
      await publisher.quit().catch(() => publisher.disconnect());
      subscriber.disconnect();
    },
  };
}

/** Also resolves while Redis is unavailable: `onGap` is called when it returns. */
const settled = (command: Promise<unknown>): Promise<void> =>
  command.then(
    () => {},
    () => {},
  );

/** Connects, and rejects with the reason if the first attempt fails. */
async function connectOnce(connection: Redis): Promise<void> {
  let reason: unknown;
  connection.on('error', (error) => {
    reason ??= error;
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      connection.connect(),
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('It does not answer.')), connectTimeoutMs);
      }),
    ]);
  } catch (error) {
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
  }
}

/** The channel of a topic. */
function channelOf(prefix: string, topic: string): string {
  const shard = createHash('sha256').update(topic).digest()[0] ?? 0;
  return `webchat:${prefix}:${shard % channels}`;
}
