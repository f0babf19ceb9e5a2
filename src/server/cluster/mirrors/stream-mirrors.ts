// Messages that another process is writing, for the subscribers of this one: in order and without duplicates, although pieces
// can be lost, doubled or late. The message in the log ends a stream, because the order to end it can be lost.
import type { Message } from '../../../protocol/message.ts';
import { applyPartChange, type Part, type PartChange } from '../../../protocol/parts.ts';
import {
  type AnswerStreamIds,
  abortFrame,
  completeFrame,
  deltaFrame,
  partFrame,
  wholeFrame,
} from '../../realtime/answer-streams.ts';
import { createConversationEntries } from '../../realtime/conversation-entries.ts';
import type { PubSub } from '../../realtime/pub-sub.ts';
import type { Frame } from '../../realtime/sse-frames.ts';
import type { ConversationTopics } from '../relay/conversation-topics.ts';
import {
  type AnswerStreamParts,
  createPartsReader,
  partMessage,
  partsMessages,
  pieceMessages,
  readIds,
  readPart,
  readPiece,
  type SharedAnswerStreams,
  type StreamPartChange,
  type StreamPiece,
} from './stream-messages.ts';

/**
 * Milliseconds without a sign of the writer after which a stream is aborted: several of its announcements, and longer than a
 * bot may wait between two pieces that it sends through the Runtime API.
 */
const idleTimeMs = 70_000;
/** Milliseconds between two questions for lost pieces. */
const requestIntervalMs = 500;
/** Milliseconds for which the message of an ended stream is awaited from the log, before it is read. */
const logTimeMs = 1_000;
/** Milliseconds for which the id of an ended stream is kept, so that a late piece does not begin it again. */
const memoryTimeMs = 60_000;
/** Milliseconds to wait for the end of a stream that a visitor stops. */
const stopTimeMs = 3_000;

export interface AnswerStreamMirrors {
  /** Asks the process that writes the stream to stop it. Resolves when the stream has ended, or without a response. */
  stop(conversationId: string, streamId: string): Promise<void>;
  snapshot(conversationId: string): Frame[];
  /** A piece that was stored in the database. It is shown here, and sent to the other processes. */
  publishPiece(conversationId: string, piece: StreamPiece): void;
  /** The same for its parts. `change`: what led to them. */
  publishPart(conversationId: string, parts: AnswerStreamParts, change: PartChange): void;
  /** Aborts a stream of the database here and at the other processes. */
  abortStream(conversationId: string, streamId: string): void;
  /** Sets where the streams of the database are. */
  share(streams: SharedAnswerStreams): void;
  /** Reads the streams of the database, because the conversation has its first subscriber here. */
  refresh(conversationId: string): void;
  /** Must be called with each frame of the log before subscribers get it: they expect the end of a stream before. */
  beforeDelivery(conversationId: string, frame: Frame): void;
}

interface Mirror {
  stream: AnswerStreamMirror;
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

export function createStreamMirrors(options: MirrorOptions): AnswerStreamMirrors {
  const { pubSub, topics, readMessage, stopOwn, onError } = options;
  /** By the ids of streams. */
  const mirrors = createConversationEntries<Mirror>();
  /** Timers of streams that have ended. */
  const ended = new Map<string, NodeJS.Timeout>();
  const waitingForEnd = new Map<string, Set<() => void>>();
  const decoder = new TextDecoder();
  let shared: SharedAnswerStreams | undefined;

  function begin(conversationId: string, ids: AnswerStreamIds): Mirror {
    const idle = setTimeout(() => abort(conversationId, ids.streamId), idleTimeMs).unref();
    const mirror = { stream: createStreamMirror(ids), asked: Number.NEGATIVE_INFINITY, idle };
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
    ended.set(streamId, setTimeout(() => ended.delete(streamId), memoryTimeMs).unref());
  }

  function abort(conversationId: string, streamId: string): void {
    const mirror = drop(conversationId, streamId);
    if (mirror) pubSub.publish(conversationId, abortFrame(mirror.stream.ids));
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
        for (const { position, delta, version, parts, ...ids } of pieces) {
          if (delta !== '')
            accept(conversationId, ids, (stream) => stream.addPiece({ ...ids, position, delta }));
          if (version > 0)
            accept(conversationId, ids, (stream) => stream.setParts({ ...ids, version, parts }));
        }
      })
      .catch(onError);
  }

  /** Takes what has arrived of a stream, and asks the writer for what is missing before it. */
  function accept(id: string, ids: AnswerStreamIds, take: (stream: AnswerStreamMirror) => Arrival): void {
    if (ended.has(ids.streamId)) return;
    const mirror = mirrors.get(id, ids.streamId) ?? begin(id, ids);
    mirror.idle.refresh();
    const arrival = take(mirror.stream);
    if (arrival === 'gap') ask(id, mirror);
    else if (arrival) pubSub.publish(id, arrival);
  }

  function ask(id: string, mirror: Mirror): void {
    const now = performance.now();
    if (now - mirror.asked < requestIntervalMs) return;
    mirror.asked = now;
    const { ids, position, version } = mirror.stream;
    topics.send(id, 'a', JSON.stringify([ids.streamId, position, version]));
    refresh(id);
  }

  // A piece; a change of a part; all parts, in several messages; the number of their changes.
  topics.on('d', (id, text) => {
    const { position, delta, ...ids } = readPiece(text);
    accept(id, ids, (stream) => stream.addPiece({ ...ids, position, delta }));
  });
  topics.on('p', (id, text) => {
    const { version, change, ...ids } = readPart(text);
    accept(id, ids, (stream) => stream.addPart({ ...ids, version, change }));
  });
  topics.on('P', (id, text) => accept(id, readIds(text), (stream) => stream.addParts(text)));
  topics.on('v', (id, text) => {
    const [streamId, version] = JSON.parse(text) as [string, number];
    const mirror = mirrors.get(id, streamId);
    if (mirror && mirror.stream.version < version) ask(id, mirror);
  });
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
    }, logTimeMs).unref();
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
      const { position, delta, ...ids } = piece;
      if (topics.has(conversationId)) accept(conversationId, ids, (stream) => stream.addPiece(piece));
      for (const message of pieceMessages(ids, delta, 0, position)) topics.send(conversationId, 'd', message);
    },
    publishPart(conversationId, { version, parts, ...ids }, change) {
      if (topics.has(conversationId))
        accept(conversationId, ids, (stream) => stream.addPart({ ...ids, version, change }));
      const message = partMessage({ ...ids, version, change });
      if (message !== undefined) topics.send(conversationId, 'p', message);
      else
        for (const piece of partsMessages({ ...ids, version, parts }))
          topics.send(conversationId, 'P', piece);
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
        timer = setTimeout(resolve, stopTimeMs);
        topics.send(conversationId, 's', JSON.stringify([streamId]));
      });
      clearTimeout(timer);
      waiting.delete(wake);
      if (waiting.size === 0) waitingForEnd.delete(streamId);
      interest.end();
    },
    snapshot: (conversationId) =>
      mirrors.list(conversationId).flatMap(([, { stream }]) => stream.snapshot() ?? []),
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

/** The result of an arrival: a frame for the subscribers, a gap before it, or nothing new. */
export type Arrival = Frame | 'gap' | undefined;

/** A message that another process is writing, as far as its pieces have arrived. */
export interface AnswerStreamMirror {
  readonly ids: AnswerStreamIds;
  /** Characters of the text, and changes of the parts that have arrived. */
  readonly position: number;
  readonly version: number;
  addPiece(piece: StreamPiece): Arrival;
  addPart(change: StreamPartChange): Arrival;
  setParts(parts: AnswerStreamParts): Arrival;
  /** A message of `partsMessages`. */
  addParts(message: string): Arrival;
  /** All that has arrived; undefined for nothing. */
  snapshot(): Frame | undefined;
}

export function createStreamMirror(ids: AnswerStreamIds): AnswerStreamMirror {
  const reader = createPartsReader();
  let text = '';
  let parts: readonly Part[] = [];
  let version = 0;
  /** Each process counts the frames that it publishes. */
  let sequence = -1;

  function setParts(update: AnswerStreamParts): Arrival {
    if (update.version <= version) return undefined;
    ({ parts, version } = update);
    sequence += 1;
    return wholeFrame(ids, sequence, text, parts);
  }

  return {
    ids,
    get position() {
      return text.length;
    },
    get version() {
      return version;
    },
    addPiece({ position, delta }) {
      const overlap = text.length - position;
      if (overlap < 0) return 'gap';
      const piece = delta.slice(overlap);
      if (piece === '') return undefined;
      text += piece;
      sequence += 1;
      return deltaFrame(ids, sequence, piece);
    },
    addPart({ version: next, change }) {
      if (next <= version) return undefined;
      if (next > version + 1) return 'gap';
      parts = applyPartChange(parts, change);
      version = next;
      sequence += 1;
      return partFrame(ids, sequence, change);
    },
    setParts,
    addParts(message) {
      const whole = reader.read(message);
      return whole && setParts(whole);
    },
    snapshot: () => wholeFrame(ids, sequence, text, parts),
  };
}
