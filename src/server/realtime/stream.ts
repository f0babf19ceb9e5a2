// The event stream of one subscriber: replayed frames first, then live ones, without gaps or duplicates. A slow reader is
// disconnected.
import { limits } from '../../protocol/limits.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { StreamState } from '../storage/chat/stream-access.ts';
import type { Database, Tx } from '../storage/database.ts';
import { resume } from './event-replay.ts';
import type { FanOut } from './fan-out.ts';
import type { Presence } from './presence.ts';
import type { Backlog, PubSub, Subscriber } from './pub-sub.ts';
import { type Frame, openingFrame, pingBytes, pingFrame } from './sse-frames.ts';

/** Bytes that can be queued for a reader before it is disconnected: a few of the largest messages. */
const queueBytes = 4 * limits.payloadBytes;
/** Bytes that can be queued for all readers together, and that each of them can have beyond that. */
const backlogBytes = 24 * limits.payloadBytes;
const fairBytes = 131_072;

/** Returns the conversation, the user and the digest of the user key of the stream. Throws when the user has no access (any more). */
export type Authorize = (
  tx: Tx,
) => Promise<{ conversation: ConversationRow; userId: string; keyHash: string }>;

export interface StreamServices {
  db: Database;
  pubSub: PubSub;
  fanOut: Pick<FanOut, 'join'>;
  presence: Presence;
}

/** The limits of one stream. */
export interface StreamGrant {
  /** Acquires a slot for a stream of the user; the result releases it. Rejects when none is free. */
  acquireSlot(userId: string): Promise<() => void>;
  /** Whether the user key of the stream is still valid. */
  isValid(): boolean;
  /** Whether the user key of the stream is accepted with this state of the database. */
  accepts(state: StreamState): boolean;
}

/**
 * Opens a stream that continues after the sequence number `after`, the Last-Event-ID of the client. The response header
 * of that name is where the stream really continues: the same number when the replay is complete. Rejects with the
 * errors of `authorize` and `acquireSlot`.
 */
export async function openStream(
  { db, pubSub, fanOut, presence }: StreamServices,
  authorize: Authorize,
  after: number | undefined,
  { acquireSlot, isValid, accepts }: StreamGrant,
): Promise<Response> {
  const { conversation, userId, keyHash } = await db.read(authorize);
  const releaseSlot = await acquireSlot(userId);
  let unsubscribe = () => {};
  const feed = fanOut.join(conversation.id);
  const output = createBoundedStream(pubSub.backlog, () => {
    unsubscribe();
    feed?.leave();
    releaseSlot();
  });
  // Frames that are published while the log is read; subscribing first means that none is lost.
  let waiting: Frame[] | undefined = [];
  /** The sequence number of the last frame. */
  let last = 0;
  const subscriber: Subscriber = {
    botId: conversation.botId,
    conversationId: conversation.id,
    ownerId: conversation.ownerId,
    userId,
    keyHash,
    send(frame) {
      if (waiting) return void waiting.push(frame);
      // This stream has read further than the others of the conversation were given.
      if (frame.seq !== undefined && frame.seq <= last) return;
      last = frame.seq ?? last;
      output.send(frame === pingFrame ? pingBytes(last) : frame.bytes);
    },
    isValid,
    accepts,
    close: () => output.close(),
  };
  // A closing server closes the subscriber before `subscribe` returns.
  unsubscribe = pubSub.subscribe(subscriber);
  try {
    await feed?.ready;
    const read = () => db.read(async (tx) => resume(tx, (await authorize(tx)).conversation, after));
    let { position, missed } = await read();
    // Another stream of the conversation has read later, and the feed begins after it.
    while (feed && !feed.start(missed.at(-1)?.seq ?? position)) ({ position, missed } = await read());
    last = position;
    output.send(openingFrame.bytes);
    for (const frame of [...missed, ...waiting]) {
      if (frame.seq === undefined || frame.seq <= last) continue;
      last = frame.seq;
      output.send(frame.bytes);
    }
    // Queued frames without a sequence number (typing, deltas) are in the snapshot.
    for (const frame of presence.snapshot(conversation.id, userId)) output.send(frame.bytes);
    waiting = undefined;
    return new Response(output.readable, {
      headers: { ...streamHeaders, 'last-event-id': String(position) },
    });
  } catch (error) {
    output.close();
    throw error;
  }
}

/** Headers of every stream: no caching, no proxy buffering, no compression by proxies. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** A readable stream with a bounded queue, which `backlog` counts; `onEnd` is called once when it ends for any reason. */
export function createBoundedStream(backlog: Backlog, onEnd: () => void) {
  const queue: Uint8Array[] = [];
  let queued = 0;
  let isReaderWaiting = false;
  let ended = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  const count = (bytes: number): void => {
    queued += bytes;
    backlog.bytes += bytes;
  };
  const discard = (): void => {
    queue.length = 0;
    count(-queued);
    end();
  };
  const end = (): void => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  const readable = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull(given) {
        const next = queue.shift();
        isReaderWaiting = next === undefined;
        if (next === undefined) return;
        count(-next.length);
        given.enqueue(next);
        if (ended && queue.length === 0) given.close();
      },
      cancel: discard,
    },
    // The stream itself queues nothing: the bounded queue above is the only one.
    { highWaterMark: 0 },
  );

  return {
    readable,
    send(bytes: Uint8Array): void {
      if (ended) return;
      if (isReaderWaiting) {
        isReaderWaiting = false;
        controller?.enqueue(bytes);
        return;
      }
      queue.push(bytes);
      count(bytes.length);
      if (queued <= (backlog.bytes > backlogBytes ? fairBytes : queueBytes)) return;
      discard();
      controller?.close();
    },
    /** Ends the stream after the queued bytes have been sent. */
    close(): void {
      if (ended) return;
      end();
      if (queue.length === 0) controller?.close();
    },
  };
}
