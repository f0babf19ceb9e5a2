// One listener's stream: replay first, then live frames, without gap or double. A slow reader is dropped, not awaited.

import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { Database, Tx } from '../storage/database.ts';
import { resume } from './event-replay.ts';
import type { Live } from './presence.ts';
import type { Bus, Listener } from './pub-sub.ts';
import { type Frame, openingFrame } from './sse-frames.ts';

/** Bytes that may wait for a reader before it is dropped. */
const queueBytes = 1_000_000;

/** Finds who wants to listen to what, and throws when they may not (any more). */
export type Admission = (tx: Tx) => Promise<{ conversation: ConversationRow; userId: string }>;

/** How a stream is let in. */
export interface Entry {
  /** Takes a place for a stream of the user; the result gives it back. Throws when there is none. */
  occupy(userId: string): () => void;
  /** Whether the key that it was opened with is still good. */
  isValid(): boolean;
}

/**
 * Opens a stream that continues after the place `after`, what the client gave as Last-Event-ID. The answer's header
 * of that name is the place where it really continues: the same when nothing is missed. Rejects with what `admit` and
 * `occupy` throw.
 */
export async function openStream(
  { db, bus, live }: { db: Database; bus: Bus; live: Live },
  admit: Admission,
  after: number | undefined,
  { occupy, isValid }: Entry,
): Promise<Response> {
  const { conversation, userId } = await db.read(admit);
  const leave = occupy(userId);
  let unlisten = () => {};
  const outlet = createOutlet(() => {
    unlisten();
    leave();
  });
  // Frames that arrive while the backlog is read wait here; listening first means that none falls between.
  let waiting: Frame[] | undefined = [];
  const listener: Listener = {
    botId: conversation.botId,
    conversationId: conversation.id,
    ownerId: conversation.ownerId,
    userId,
    send(frame) {
      if (waiting) waiting.push(frame);
      else outlet.send(frame.bytes);
    },
    isValid,
    close: () => outlet.close(),
  };
  // A server that stops closes the listener before it has given the way to take it off.
  unlisten = bus.listen(listener);
  try {
    const { position, missed } = await db.read(async (tx) =>
      resume(tx, (await admit(tx)).conversation, after),
    );
    let last = position;
    outlet.send(openingFrame.bytes);
    for (const frame of [...missed, ...waiting]) {
      if (frame.seq === undefined || frame.seq <= last) continue;
      last = frame.seq;
      outlet.send(frame.bytes);
    }
    // What waited without a place (typing, deltas) is in the snapshot.
    for (const frame of live.snapshot(conversation.id, userId)) outlet.send(frame.bytes);
    waiting = undefined;
    return new Response(outlet.readable, {
      headers: { ...streamHeaders, 'last-event-id': String(position) },
    });
  } catch (error) {
    outlet.close();
    throw error;
  }
}

/** Headers of every stream: no cache, no proxy buffering, no compression on the way. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** A readable stream with a queue of bounded size; `onEnd` is called once, however it ends. */
function createOutlet(onEnd: () => void) {
  const queue: Uint8Array[] = [];
  let queued = 0;
  let hungry = false;
  let ended = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

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
        hungry = next === undefined;
        if (next === undefined) return;
        queued -= next.length;
        given.enqueue(next);
        if (ended && queue.length === 0) given.close();
      },
      cancel: end,
    },
    // Nothing waits inside the stream: the bound above is the only queue.
    { highWaterMark: 0 },
  );

  return {
    readable,
    send(bytes: Uint8Array): void {
      if (ended) return;
      if (hungry) {
        hungry = false;
        controller?.enqueue(bytes);
        return;
      }
      queue.push(bytes);
      queued += bytes.length;
      if (queued <= queueBytes) return;
      queue.length = 0;
      end();
      controller?.close();
    },
    /** What is queued is still sent. */
    close(): void {
      if (ended) return;
      end();
      if (queue.length === 0) controller?.close();
    },
  };
}
