// The queue of one stream. Its reader is a web stream, or directly the response of Node, which needs 7 KB less for each open
// stream (decision 140). A slow reader is disconnected.
import type { ServerResponse } from 'node:http';
import { limits } from '../../protocol/limits.ts';
import type { Backlog } from './pub-sub.ts';

/** Bytes that can be queued for a reader before it is disconnected: a few of the largest messages. */
const queueBytes = 4 * limits.payloadBytes;
/** Bytes that can be queued for all readers together, and that each of them can have beyond that. */
const backlogBytes = 24 * limits.payloadBytes;
const fairBytes = 131_072;

/** Where the bytes go. */
interface Sink {
  /** Returns whether more can be written at once; otherwise the sink asks for it. */
  write(bytes: Uint8Array): boolean;
  end(): void;
}

export interface BoundedStream {
  /** Its body in a Response. */
  readable: ReadableStream<Uint8Array>;
  send(bytes: Uint8Array): void;
  /** Ends the stream after the queued bytes have been sent. */
  close(): void;
}

/** The streams whose bytes can be written to a response of Node, by their bodies. */
const direct = new WeakMap<ReadableStream, (outgoing: ServerResponse) => void>();

/**
 * Sends a response of a bounded stream by the response of Node from now on, and returns true; false for other responses. The
 * body of the response must not be read.
 */
export function sendDirectly({ body, status, headers }: Response, outgoing: ServerResponse): boolean {
  const attach = body && direct.get(body);
  if (!attach) return false;
  const cookies = headers.getSetCookie();
  outgoing.writeHead(status, {
    ...Object.fromEntries(headers),
    ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
  });
  attach(outgoing);
  return true;
}

/**
 * A stream with a bounded queue, which `backlog` counts; `onEnd` is called once when it ends for any reason. Code that keeps a
 * stream open keeps `send` and `close` only, so that the web stream can be removed when it is not used.
 */
export function createBoundedStream(backlog: Backlog, onEnd: () => void): BoundedStream {
  const queue: Uint8Array[] = [];
  let queued = 0;
  let sink: Sink | undefined;
  /** Whether the sink takes bytes now; then the queue is empty. */
  let isReady = false;
  let ended = false;

  const count = (bytes: number): void => {
    queued += bytes;
    backlog.bytes += bytes;
  };
  const end = (): void => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  const discard = (): void => {
    queue.length = 0;
    count(-queued);
    end();
  };
  /** The sink can take bytes. */
  const resume = (): void => {
    isReady = true;
    while (isReady && sink) {
      const next = queue.shift();
      if (next === undefined) break;
      count(-next.length);
      isReady = sink.write(next);
    }
    if (ended && queue.length === 0) sink?.end();
  };
  const readable = webStream(resume, discard, (created) => {
    sink = created;
  });
  direct.set(readable, (outgoing) => {
    sink = nodeSink(outgoing, resume, discard);
    if (outgoing.destroyed) discard();
    else resume();
  });

  return {
    readable,
    send(bytes) {
      if (ended) return;
      if (isReady && sink) {
        isReady = sink.write(bytes);
        return;
      }
      queue.push(bytes);
      count(bytes.length);
      if (queued <= (backlog.bytes > backlogBytes ? fairBytes : queueBytes)) return;
      discard();
      sink?.end();
    },
    close() {
      if (ended) return;
      end();
      if (queue.length === 0) sink?.end();
    },
  };
}

function webStream(resume: () => void, discard: () => void, use: (sink: Sink) => void) {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        use({
          write(bytes) {
            controller.enqueue(bytes);
            // It asks for more by `pull`.
            return false;
          },
          end: () => controller.close(),
        });
      },
      pull: resume,
      cancel: discard,
    },
    // The stream itself queues nothing: the bounded queue is the only one.
    { highWaterMark: 0 },
  );
}

function nodeSink(outgoing: ServerResponse, resume: () => void, discard: () => void): Sink {
  outgoing.on('drain', resume);
  outgoing.on('close', discard);
  // A write can come after the client has gone and before Node reports it.
  outgoing.on('error', discard);
  return {
    write: (bytes) => outgoing.write(bytes),
    end: () => void outgoing.end(),
  };
}
