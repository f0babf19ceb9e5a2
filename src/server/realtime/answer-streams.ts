// Messages that are being written, at the process that writes them.
import type { Message } from '../../protocol/message.ts';
import { applyPartChange, mergePartChanges, type Part, type PartChange } from '../../protocol/parts.ts';
import { withoutLongValues } from '../api/serializers.ts';
import { createId } from '../storage/ids.ts';
import { createConversationEntries } from './conversation-entries.ts';
import type { PubSub } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';

/** Milliseconds for which changes of a part are gathered. */
const partGatheringTimeMs = 100;

export interface AnswerStreams {
  /** See Presence.startStream. */
  start(participant: ParticipantRef, stop: () => Promise<void>, id?: string): AnswerStream;
  /** Stops a stream that is written here. Undefined if there is none. */
  stop(conversationId: string, streamId: string): Promise<void> | undefined;
  /** Stops all streams of a conversation; each promise resolves when one has ended. */
  stopAll(conversationId: string): Promise<void>[];
  snapshot(conversationId: string): Frame[];
}

/** The text so far. */
export interface WrittenAnswerStream {
  readonly ids: AnswerStreamIds;
  readonly text: string;
  /** The parts as they were published, and the number of their changes. */
  readonly parts: readonly Part[];
  readonly version: number;
}

/** Is called with each change of a stream that is written here, after the subscribers of this process have got it. */
export interface AnswerStreamObserver {
  onStart(conversationId: string, stream: WrittenAnswerStream): void;
  onText(conversationId: string, stream: WrittenAnswerStream): void;
  onPart(conversationId: string, stream: WrittenAnswerStream, change: PartChange): void;
  /** `message`: what the stream has become; undefined if it was aborted. */
  onEnd(conversationId: string, stream: WrittenAnswerStream, message: Message | undefined): void;
}

interface Entry extends WrittenAnswerStream {
  text: string;
  parts: readonly Part[];
  version: number;
  sequence: number;
  stop(): Promise<void>;
  /** Changes that are being gathered, by the ids of their parts. */
  gathered: Map<string, { change: PartChange; timer: NodeJS.Timeout }>;
}

/** `observer`: tells other processes, if there can be several. */
export function createAnswerStreams(pubSub: PubSub, observer?: AnswerStreamObserver): AnswerStreams {
  /** By the ids of streams. */
  const entries = createConversationEntries<Entry>();

  function publishPart(conversationId: string, entry: Entry, change: PartChange): void {
    entry.parts = applyPartChange(entry.parts, change);
    entry.version += 1;
    entry.sequence += 1;
    pubSub.publish(conversationId, partFrame(entry.ids, entry.sequence, change));
    observer?.onPart(conversationId, entry, change);
  }

  function changePart(conversationId: string, entry: Entry, change: PartChange): void {
    const earlier = entry.gathered.get(change.id);
    const merged = earlier ? mergePartChanges(earlier.change, change) : change;
    if ('type' in merged || 'state' in merged) {
      clearTimeout(earlier?.timer);
      entry.gathered.delete(change.id);
      publishPart(conversationId, entry, merged);
    } else if (earlier) earlier.change = merged;
    else {
      const timer = setTimeout(() => {
        const gathered = entry.gathered.get(change.id);
        entry.gathered.delete(change.id);
        if (gathered) publishPart(conversationId, entry, gathered.change);
      }, partGatheringTimeMs);
      entry.gathered.set(change.id, { change: merged, timer: timer.unref() });
    }
  }

  function end(conversationId: string, entry: Entry, frame: Frame, message?: Message): void {
    if (!entries.delete(conversationId, entry.ids.streamId)) return;
    for (const { timer } of entry.gathered.values()) clearTimeout(timer);
    pubSub.publish(conversationId, frame);
    observer?.onEnd(conversationId, entry, message);
  }

  return {
    start({ conversation, user }, stop, id = createId('stream')) {
      const ids: AnswerStreamIds = {
        streamId: id,
        conversationId: conversation.publicId,
        userId: user.publicId,
        createdAt: new Date().toISOString(),
      };
      const entry: Entry = { ids, text: '', sequence: -1, stop, parts: [], version: 0, gathered: new Map() };
      entries.set(conversation.id, id, entry);
      observer?.onStart(conversation.id, entry);
      return {
        id,
        get text() {
          return entry.text;
        },
        write(piece) {
          if (piece === '' || !entries.get(conversation.id, id)) return;
          entry.text += piece;
          entry.sequence += 1;
          pubSub.publish(conversation.id, deltaFrame(ids, entry.sequence, piece));
          observer?.onText(conversation.id, entry);
        },
        changePart(change) {
          if (entries.get(conversation.id, id)) changePart(conversation.id, entry, change);
        },
        complete: (message) => end(conversation.id, entry, completeFrame(id, message), message),
        abort: () => end(conversation.id, entry, abortFrame(ids)),
      };
    },
    stop: (conversationId, streamId) => entries.get(conversationId, streamId)?.stop(),
    stopAll: (conversationId) => entries.list(conversationId).map(([, entry]) => entry.stop()),
    snapshot: (conversationId) =>
      entries
        .list(conversationId)
        .flatMap(([, { ids, sequence, text, parts }]) => wholeFrame(ids, sequence, text, parts) ?? []),
  };
}

/** A participant in a conversation: server ids for lookups, public ids for signals. */
export interface ParticipantRef {
  conversation: { id: string; publicId: string };
  user: { id: string; publicId: string };
}

/** The ids of a stream as signals have them, and the time when it began. */
export interface AnswerStreamIds {
  streamId: string;
  conversationId: string;
  userId: string;
  createdAt: string;
}

/** A message that is being streamed. */
export interface AnswerStream {
  id: string;
  /** The text written so far. */
  readonly text: string;
  write(delta: string): void;
  /** Publishes a change of a part; soon, unless it is a new part or a new state, because many small ones are gathered. */
  changePart(change: PartChange): void;
  complete(message: Message): void;
  abort(): void;
}

/** The frame with a piece. Each process counts the pieces that it publishes. */
export const deltaFrame = (ids: AnswerStreamIds, sequence: number, delta: string): Frame =>
  signalFrame({ type: 'message_stream_delta', data: { ...ids, sequence, delta } });

/** The frame with a change of a part. */
export const partFrame = (ids: AnswerStreamIds, sequence: number, part: PartChange): Frame =>
  signalFrame({ type: 'message_stream_delta', data: { ...ids, sequence, delta: '', part } });

/** The frame with all that was written so far; undefined if that is nothing. */
export const wholeFrame = (
  ids: AnswerStreamIds,
  sequence: number,
  text: string,
  parts: readonly Part[],
): Frame | undefined => {
  if (parts.length === 0) return text === '' ? undefined : deltaFrame(ids, sequence, text);
  const data = { ...ids, sequence, delta: text, parts: [...parts] };
  return signalFrame({ type: 'message_stream_delta', data });
};

export const completeFrame = (streamId: string, message: Message): Frame =>
  signalFrame({
    type: 'message_stream_complete',
    data: { streamId, message: withoutLongValues(message) },
  });

export const abortFrame = ({ streamId, conversationId }: AnswerStreamIds): Frame =>
  signalFrame({ type: 'message_stream_abort', data: { streamId, conversationId } });
