// The event stream of one subscriber: replayed frames first, then live ones, without gaps or duplicates. A slow reader is
// disconnected.
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { StreamState } from '../storage/chat/participants.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createBoundedStream } from './bounded-stream.ts';
import { closedBody } from './closing-steps.ts';
import { resume } from './event-replay.ts';
import type { Presence } from './presence.ts';
import type { FanOut, Feed, PubSub, Subscriber } from './pub-sub.ts';
import { type Frame, openingFrame, pingBytes, pingFrame } from './sse-frames.ts';

/** Returns the conversation, the user and the digest of the user key of the stream. Throws when the user has no access (any more). */
export type Authorize = (
  tx: Tx,
) => Promise<{ conversation: ConversationRow; userId: string; keyHash: string }>;

export interface EventStreamServices {
  db: Database;
  pubSub: PubSub;
  fanOut: Pick<FanOut, 'join'>;
  presence: Presence;
}

/** The limits of one stream. */
export interface EventStreamGrant {
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
export async function openEventStream(
  { db, pubSub, fanOut, presence }: EventStreamServices,
  authorize: Authorize,
  after: number | undefined,
  { acquireSlot, isValid, accepts }: EventStreamGrant,
): Promise<Response> {
  const { conversation, userId, keyHash } = await db.read(authorize);
  const releaseSlot = await acquireSlot(userId);
  const feed = fanOut.join(conversation.id);
  const { botId, id: conversationId, ownerId } = conversation;
  const reader = addReader(
    pubSub,
    { botId, conversationId, ownerId, userId, keyHash, isValid, accepts },
    endingOf(feed, releaseSlot),
  );
  try {
    await feed?.ready;
    const read = () => db.read(async (tx) => resume(tx, (await authorize(tx)).conversation, after));
    let { position, missed } = await read();
    // Another stream of the conversation has read later, and the feed begins after it.
    while (feed && !feed.start(missed.at(-1)?.seq ?? position)) ({ position, missed } = await read());
    // Queued frames without a sequence number (typing, deltas) are in the snapshot.
    const body = reader.begin(position, missed, presence.snapshot(conversationId, userId));
    return new Response(body, {
      headers: { ...streamHeaders, 'last-event-id': String(position) },
    });
  } catch (error) {
    reader.close();
    throw error;
  }
}

/**
 * Functions that live as long as a stream are created in functions of their own: closures of one function share what any of
 * them refers to, and the authorization refers to the whole request.
 */
const endingOf = (feed: Feed | undefined, releaseSlot: () => void) => () => {
  feed?.leave();
  releaseSlot();
};

/** Subscribes a stream. Frames that are published before `begin` wait, so that none is lost while the log is read. */
function addReader(pubSub: PubSub, identity: Omit<Subscriber, 'send' | 'close'>, onEnd: () => void) {
  let unsubscribe = () => {};
  const { readable, send, close } = createBoundedStream(pubSub.backlog, () => {
    unsubscribe();
    onEnd();
  });
  let waiting: Frame[] | undefined = [];
  /** The sequence number of the last frame. */
  let last = 0;
  /** The last frame of a stream that was closed before it began. */
  let only: Frame | undefined;
  // A closing server closes the subscriber before `subscribe` returns.
  unsubscribe = pubSub.subscribe({
    ...identity,
    send(frame) {
      if (waiting) return void waiting.push(frame);
      // This stream has read further than the others of the conversation were given.
      if (frame.seq !== undefined && frame.seq <= last) return;
      last = frame.seq ?? last;
      send(frame === pingFrame ? pingBytes(last) : frame.bytes);
    },
    close(frame) {
      if (waiting) only ??= frame;
      else if (frame) send(frame.bytes);
      close();
    },
  });
  return {
    close,
    /**
     * Returns the body of the response. `missed`: the frames after the position; `transient`: those without a sequence
     * number, as they are now.
     */
    begin(position: number, missed: readonly Frame[], transient: readonly Frame[]): BodyInit {
      if (only) return closedBody(only);
      last = position;
      send(openingFrame.bytes);
      for (const frame of [...missed, ...(waiting ?? [])]) {
        if (frame.seq === undefined || frame.seq <= last) continue;
        last = frame.seq;
        send(frame.bytes);
      }
      for (const frame of transient) send(frame.bytes);
      waiting = undefined;
      return readable;
    },
  };
}

/** Headers of every stream: no caching, no proxy buffering, no compression by proxies. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};
