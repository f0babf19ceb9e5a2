// A relay through the notifications of PostgreSQL. Every process receives all messages, in groups.
import { randomBytes } from 'node:crypto';
import { isConnectionLost } from '../../storage/postgres/failures.ts';
import { openNotifications } from '../../storage/postgres/notifications.ts';
import { createTopicListeners, type Relay } from './relay.ts';
import { packBatches, type RelayMessage, unpackBatch } from './relay-batches.ts';

/** Milliseconds during which messages are collected into a group. */
const gatheringTimeMs = 2;
/** Messages that can wait to be sent, also while there is no connection; further ones are lost. */
const maxQueued = 10_000;

/**
 * Connects a process. Throws StartError when notifications do not arrive at it. `setting`: the one with the address, for error
 * messages.
 */
export async function connectPostgresRelay(url: string, setting = 'DATABASE_URL'): Promise<Relay> {
  /** Identifies this process, because it also receives its own messages. */
  const sender = randomBytes(9).toString('base64url');
  const listeners = createTopicListeners();
  const gapListeners = new Set<() => void>();
  let queue: RelayMessage[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let sent = 0;
  let isClosed = false;

  const notifications = await openNotifications(url, {
    setting,
    onText(text) {
      const { head, messages } = unpackBatch(text);
      if (head.slice(0, sender.length) === sender) return;
      for (const { topic, message } of messages) listeners.call(topic, message);
    },
    onReconnected() {
      schedule();
      for (const listener of gapListeners) listener();
    },
  });

  async function flush(): Promise<void> {
    timer = undefined;
    // The connection was lost while they were gathered: they wait for the next one.
    if (!notifications.isConnected()) return;
    const messages = queue;
    queue = [];
    // A number, because PostgreSQL delivers two equal texts of one transaction once.
    sent += 1;
    const batches = packBatches(`${sender} ${sent}`, messages);
    if (batches.length === 0) return;
    // They wait for the next connection. Receivers would find what is missing by their checks, which take seconds.
    await notifications.send(batches).catch((error: unknown) => {
      if (isConnectionLost(error)) queue = [...messages, ...queue].slice(0, maxQueued);
    });
  }

  /** One statement at a time, so that the order is kept; meanwhile messages are gathered. */
  function schedule(): void {
    if (isClosed || queue.length === 0 || sending || timer || !notifications.isConnected()) return;
    timer = setTimeout(() => {
      sending = flush().finally(() => {
        sending = undefined;
        schedule();
      });
    }, gatheringTimeMs);
  }

  return {
    publish(topic, message) {
      if (isClosed || queue.length >= maxQueued) return;
      queue.push({ topic, message });
      schedule();
    },
    subscribe(topic, listener) {
      const remove = listeners.add(topic, listener);
      return { ready: Promise.resolve(), end: () => void remove() };
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => void gapListeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      await flush();
      await notifications.close();
    },
  };
}
