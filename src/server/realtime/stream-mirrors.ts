// Messages that another process is writing, for the subscribers of this one: in order and without duplicates, although pieces
// can be lost, doubled or late. The message in the log ends a stream, because the order to end it can be lost.
import type { Message } from '../../protocol/message.ts';
import type { ConversationTopics } from '../cluster/conversation-topics.ts';
import { createConversationEntries } from './conversation-entries.ts';
import { abortFrame, completeFrame, deltaFrame } from './message-streams.ts';
import type { PubSub } from './pub-sub.ts';
import type { Frame } from './sse-frames.ts';
import { pieceMessages, readPiece, type StreamIds, type StreamPiece } from './stream-messages.ts';

/**
 * Milliseconds without a sign of the writer after which a stream is aborted: several of its announcements, and longer than a
 * bot may wait between two pieces that it sends through the Runtime API.
 */
const idleTime = 70_000;
/** Milliseconds between two questions for lost pieces. */
const askingTime = 500;
/** Milliseconds for which the message of an ended stream is awaited from the log, before it is read. */
const logTime = 1_000;
/** Milliseconds for which the id of an ended stream is kept, so that a late piece does not begin it again. */
const memoryTime = 60_000;
/** Milliseconds to wait for the end of a stream that a visitor stops. */
const stopTime = 3_000;

export interface StreamMirrors {
  /** Asks the process that writes the stream to stop it. Resolves when it has ended, or nobody answers. */
  stop(conversationId: string, streamId: string): Promise<void>;
  snapshot(conversationId: string): Frame[];
  /** A piece that was stored in the database. It is shown here, and sent to the other processes. */
  publishPiece(conversationId: string, piece: StreamPiece): void;
  /** Aborts a stream of the database here and at the other processes. */
  abortStream(conversationId: string, streamId: string): void;
  /** Sets where the streams of the database are. */
  share(streams: SharedStreams): void;
  /** Reads the streams of the database, because the conversation has its first subscriber here. */
  refresh(conversationId: string): void;
  /** Must be called with each frame of the log before subscribers get it: they expect the end of a stream before. */
  beforeDelivery(conversationId: string, frame: Frame): void;
}

/** Streams whose text is in the database, because any process can get their pieces. */
export interface SharedStreams {
  /** Returns the whole texts of the streams of a conversation. */
  read(conversationId: string): Promise<StreamPiece[]>;
  /** Stops a stream. Returns false if it is none of these, or does not run any more. */
  stop(conversationId: string, streamId: string): Promise<boolean>;
}

interface Mirror {
  ids: StreamIds;
  text: string;
  sequence: number;
  /** When the writer was asked for lost pieces, on the clock of performance.now(). */
  asked: number;
  idle: NodeJS.Timeout;
  ending?: NodeJS.Timeout;
}

interface MirrorOptions {
  pubSub: PubSub;
  topics: ConversationTopics;
  /** Returns a message, undefined if it was deleted. */
  readMessage(id: string): Promise<Message | undefined>;
  /** Stops a stream that is written here. */
  stopOwn(conversationId: string, streamId: string): Promise<void> | undefined;
  onError(error: unknown): void;
}

export function createStreamMirrors(options: MirrorOptions): StreamMirrors {
  const { pubSub, topics, readMessage, stopOwn, onError } = options;
  /** By the ids of streams. */
  const mirrors = createConversationEntries<Mirror>();
  /** Timers of streams that have ended. */
  const ended = new Map<string, NodeJS.Timeout>();
  const waitingForEnd = new Map<string, Set<() => void>>();
  const decoder = new TextDecoder();
  let shared: SharedStreams | undefined;

  function begin(conversationId: string, ids: StreamIds): Mirror {
    const idle = setTimeout(() => abort(conversationId, ids.streamId), idleTime).unref();
    const mirror = { ids, text: '', sequence: -1, asked: Number.NEGATIVE_INFINITY, idle };
    mirrors.set(conversationId, ids.streamId, mirror);
    return mirror;
  }

  /** Forgets a stream. Returns it if it was known. */
  function drop(conversationId: string, streamId: string): Mirror | undefined {
    for (const wake of waitingForEnd.get(streamId) ?? []) wake();
    const mirror = mirrors.delete(conversationId, streamId);
    clearTimeout(mirror?.idle);
    clearTimeout(mirror?.ending);
    return mirror;
  }

  function remember(streamId: string): void {
    clearTimeout(ended.get(streamId));
    ended.set(streamId, setTimeout(() => ended.delete(streamId), memoryTime).unref());
  }

  function abort(conversationId: string, streamId: string): void {
    const mirror = drop(conversationId, streamId);
    if (mirror) pubSub.publish(conversationId, abortFrame(mirror.ids));
  }

  function complete(conversationId: string, streamId: string, message: Message): void {
    remember(streamId);
    if (drop(conversationId, streamId)) pubSub.publish(conversationId, completeFrame(streamId, message));
  }

  function refresh(conversationId: string): void {
    shared
      ?.read(conversationId)
      .then((pieces) => {
        if (!topics.has(conversationId)) return;
        for (const piece of pieces) if (piece.delta !== '') accept(conversationId, piece);
      })
      .catch(onError);
  }

  function accept(id: string, { position, delta, ...ids }: StreamPiece): void {
    if (ended.has(ids.streamId)) return;
    const mirror = mirrors.get(id, ids.streamId) ?? begin(id, ids);
    mirror.idle.refresh();
    const known = mirror.text.length - position;
    if (known < 0) {
      const now = performance.now();
      if (now - mirror.asked < askingTime) return;
      mirror.asked = now;
      topics.send(id, 'a', JSON.stringify([ids.streamId, mirror.text.length]));
      refresh(id);
      return;
    }
    const piece = delta.slice(known);
    if (piece === '') return;
    mirror.text += piece;
    mirror.sequence += 1;
    pubSub.publish(id, deltaFrame(mirror.ids, mirror.sequence, piece));
  }

  // A piece.
  topics.on('d', (id, text) => accept(id, readPiece(text)));
  // The end with a message, which is in the log, too, unless an earlier delivery of the event has stored it.
  topics.on('e', (id, text) => {
    const [streamId, messageId] = JSON.parse(text) as [string, string];
    remember(streamId);
    for (const wake of waitingForEnd.get(streamId) ?? []) wake();
    const mirror = mirrors.get(id, streamId);
    if (!mirror) return;
    mirror.ending ??= setTimeout(() => {
      readMessage(messageId)
        .then((message) => (message ? complete(id, streamId, message) : abort(id, streamId)))
        .catch((error: unknown) => {
          onError(error);
          abort(id, streamId);
        });
    }, logTime).unref();
  });
  topics.on('x', (id, text) => {
    const [streamId] = JSON.parse(text) as [string];
    remember(streamId);
    abort(id, streamId);
  });
  // A visitor stops a stream at another process.
  topics.on('s', (id, text) => {
    const [streamId] = JSON.parse(text) as [string];
    stopOwn(id, streamId)?.catch(onError);
  });
  topics.onReleased((id) => {
    for (const [streamId] of mirrors.list(id)) drop(id, streamId);
  });

  return {
    publishPiece(conversationId, piece) {
      if (topics.has(conversationId)) accept(conversationId, piece);
      const { position, delta, ...ids } = piece;
      for (const message of pieceMessages(ids, delta, 0, position)) topics.send(conversationId, 'd', message);
    },
    abortStream(conversationId, streamId) {
      remember(streamId);
      abort(conversationId, streamId);
      topics.send(conversationId, 'x', JSON.stringify([streamId]));
    },
    share(streams) {
      shared = streams;
    },
    refresh,
    async stop(conversationId, streamId) {
      if (ended.has(streamId)) return;
      if (await shared?.stop(conversationId, streamId)) return;
      const interest = topics.hold(conversationId);
      await interest.ready;
      let timer: NodeJS.Timeout | undefined;
      const waiting = waitingForEnd.get(streamId) ?? new Set();
      waitingForEnd.set(streamId, waiting);
      let wake = () => {};
      await new Promise<void>((resolve) => {
        wake = resolve;
        waiting.add(wake);
        timer = setTimeout(resolve, stopTime);
        topics.send(conversationId, 's', JSON.stringify([streamId]));
      });
      clearTimeout(timer);
      waiting.delete(wake);
      if (waiting.size === 0) waitingForEnd.delete(streamId);
      interest.end();
    },
    snapshot: (conversationId) =>
      mirrors
        .list(conversationId)
        .flatMap(([, { ids, sequence, text }]) => (text === '' ? [] : [deltaFrame(ids, sequence, text)])),
    beforeDelivery(conversationId, { bytes }) {
      if (!mirrors.has(conversationId)) return;
      const json = /^data: (.+)$/m.exec(decoder.decode(bytes))?.[1];
      const signal = json === undefined ? undefined : JSON.parse(json);
      if (signal?.type !== 'message_created') return;
      const { isBot, ...message } = signal.data;
      const streamId = message.metadata?.streamId;
      if (isBot && mirrors.get(conversationId, streamId)) complete(conversationId, streamId, message);
    },
  };
}
