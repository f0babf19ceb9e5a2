// Brings the frames of the log to the subscribers of a conversation at all processes.
import type { Logger } from 'pino';
import { framesAfter } from '../../realtime/event-replay.ts';
import type { FanOut, PubSub } from '../../realtime/pub-sub.ts';
import type { Frame } from '../../realtime/sse-frames.ts';
import { conversationById, sequencesOf } from '../../storage/chat/conversations.ts';
import type { Database } from '../../storage/database.ts';
import type { ConversationTopics } from '../relay/conversation-topics.ts';
import type { Relay } from '../relay/relay.ts';
import { createSequencer, type Sequencer } from './sequencer.ts';

/** Bytes of the largest frame that is sent to other processes. A larger one is read from the log where it is needed. */
const maxFrameBytes = 1_500;
/** Milliseconds between two checks whether the last frame of a conversation was lost. */
const defaultTailIntervalMs = 5_000;
/** Conversations that are checked by one statement. */
const tailGroup = 1_000;

export interface FanOutOptions {
  db: Database;
  pubSub: PubSub;
  relay: Relay;
  topics: ConversationTopics;
  logger: Logger;
  /** Called when a conversation has its first subscriber here, and messages of other processes arrive. */
  onFirstSubscriber?(conversationId: string): void;
  /** Called with each frame before the subscribers get it. */
  beforeDelivery?(conversationId: string, frame: Frame): void;
  /** Milliseconds between two checks whether the last frame was lost, by default 5,000. */
  tailInterval?: number | undefined;
}

interface Entry {
  sequencer: Sequencer;
  subscribers: number;
}

/**
 * The relay delivers fast, and the log decides: a frame that does not arrive is read
 * from it, after a gap in the sequence numbers, or within the interval of the checks if it was the last one.
 */
export function createClusterFanOut(options: FanOutOptions): FanOut & { close(): void } {
  const {
    db,
    pubSub,
    relay,
    topics,
    logger,
    beforeDelivery,
    onFirstSubscriber,
    tailInterval = defaultTailIntervalMs,
  } = options;
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  let isClosed = false;

  const read = (conversationId: string, after: number) =>
    db.read(async (tx) => {
      const conversation = await conversationById(tx, conversationId);
      return conversation && framesAfter(tx, conversation, after);
    });

  function createEntry(conversationId: string): Entry {
    const sequencer = createSequencer({
      deliver(frame) {
        beforeDelivery?.(conversationId, frame);
        pubSub.publish(conversationId, frame);
      },
      read: (after) => read(conversationId, after),
      // Clients reconnect, and list the messages.
      onLost: () => pubSub.closeConversation(conversationId),
      onError: (error) => logger.warn({ err: error, conversationId }, 'missed signals could not be read'),
    });
    return { sequencer, subscribers: 0 };
  }

  async function checkTails(): Promise<void> {
    const all = [...entries];
    for (let from = 0; from < all.length && !isClosed; from += tailGroup) {
      const group = all.slice(from, from + tailGroup);
      const ids = group.map(([id]) => id);
      const sequences = await db.read((tx) => sequencesOf(tx, ids));
      for (const [id, { sequencer }] of group) {
        const seq = sequences.get(id);
        if (seq === undefined) pubSub.closeConversation(id);
        else sequencer.expect(seq);
      }
    }
  }

  // A frame: its sequence number, a space, its bytes.
  topics.on('f', (conversationId, message) => {
    const space = message.indexOf(' ');
    const seq = Number(message.slice(0, space));
    const bytes = Buffer.from(message.slice(space + 1));
    if (Number.isSafeInteger(seq)) entries.get(conversationId)?.sequencer.accept(seq, { seq, bytes });
  });
  // A reference: the sequence number.
  topics.on('r', (conversationId, message) => {
    const seq = Number(message);
    if (Number.isSafeInteger(seq)) entries.get(conversationId)?.sequencer.accept(seq);
  });
  const tails = startPeriodicCheck(
    checkTails,
    tailInterval,
    logger,
    'the sequence numbers could not be checked',
  );
  const stopGaps = relay.onGap(() => void tails.run());

  return {
    publish(conversationId, frame) {
      const { seq, bytes } = frame;
      if (seq === undefined) throw new Error('A frame of the log has a sequence number.');
      entries.get(conversationId)?.sequencer.accept(seq, frame);
      if (bytes.length > maxFrameBytes) topics.send(conversationId, 'r', `${seq}`);
      else topics.send(conversationId, 'f', `${seq} ${decoder.decode(bytes)}`);
    },
    join(conversationId) {
      const entry = entries.get(conversationId) ?? createEntry(conversationId);
      entries.set(conversationId, entry);
      entry.subscribers += 1;
      const interest = topics.hold(conversationId);
      // Asks the others for indicators and answers that were begun before.
      if (entry.subscribers === 1) {
        void interest.ready.then(() => {
          topics.send(conversationId, 'q', '');
          onFirstSubscriber?.(conversationId);
        });
      }
      let hasLeft = false;
      return {
        ready: interest.ready,
        start: entry.sequencer.start,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          interest.end();
          entry.subscribers -= 1;
          if (entry.subscribers > 0) return;
          entry.sequencer.close();
          entries.delete(conversationId);
        },
      };
    },
    close() {
      isClosed = true;
      stopGaps();
      tails.stop();
      for (const { sequencer } of entries.values()) sequencer.close();
    },
  };
}

export interface PeriodicCheck {
  /** Checks now, unless a check is running. Never rejects. */
  run(): Promise<void>;
  stop(): void;
}

/**
 * Runs a check again and again, one at a time. `interval`: milliseconds between the beginnings of two checks. `failure`: what
 * the log says when a check has failed.
 */
export function startPeriodicCheck(
  check: () => Promise<void>,
  interval: number,
  logger: Logger,
  failure: string,
): PeriodicCheck {
  let isChecking = false;
  let hasFailed = false;
  let isStopped = false;

  async function run(): Promise<void> {
    if (isChecking || isStopped) return;
    isChecking = true;
    try {
      await check();
      hasFailed = false;
    } catch (error) {
      // Logged once, because all checks fail while the database is unavailable.
      if (!hasFailed && !isStopped) logger.warn({ err: error }, failure);
      hasFailed = true;
    } finally {
      isChecking = false;
    }
  }

  const timer = setInterval(() => void run(), interval).unref();
  return {
    run,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
