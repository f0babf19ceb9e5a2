// Messages that are being written, at the process that writes them. Other processes get the pieces (stream-mirrors.ts).
import { applyPartChange, mergePartChanges, type Part, type PartChange } from '../../protocol/parts.ts';
import type { ConversationTopics, Interest } from '../cluster/relay/conversation-topics.ts';
import { createId } from '../storage/ids.ts';
import { createConversationEntries } from './conversation-entries.ts';
import type { MessageStream, ParticipantRef } from './participant-stream.ts';
import type { PubSub } from './pub-sub.ts';
import type { Frame } from './sse-frames.ts';
import { abortFrame, completeFrame, deltaFrame, partFrame, wholeFrame } from './stream-frames.ts';
import { partMessage, partsMessages, pieceMessages, type StreamIds } from './stream-messages.ts';

/** Milliseconds for which pieces are gathered before they are sent to other processes. */
const gatheringTimeMs = 20;
/** Milliseconds for which changes of a part are gathered. */
const partGatheringTimeMs = 100;
/** Milliseconds between two messages that tell how long the text is: the last piece may have been lost. */
const announcementIntervalMs = 10_000;

export interface MessageStreams {
  /** See Presence.startStream. */
  start(participant: ParticipantRef, stop: () => Promise<void>, id?: string): MessageStream;
  /** Stops a stream that is written here. Undefined if there is none. */
  stop(conversationId: string, streamId: string): Promise<void> | undefined;
  /** Stops all streams of a conversation; each promise resolves when one has ended. */
  stopAll(conversationId: string): Promise<void>[];
  snapshot(conversationId: string): Frame[];
}

interface Entry {
  ids: StreamIds;
  text: string;
  sequence: number;
  stop(): Promise<void>;
  /** How much of the text was sent to other processes. */
  sent: number;
  /** The parts as they were published, and the number of their changes. */
  parts: readonly Part[];
  version: number;
  /** Changes that are being gathered, by the ids of their parts. */
  gathered: Map<string, { change: PartChange; timer: NodeJS.Timeout }>;
  gathering?: NodeJS.Timeout;
  announcing?: NodeJS.Timeout;
  interest?: Interest | undefined;
}

/** `topics`: undefined in a server of one process. */
export function createMessageStreams(pubSub: PubSub, topics: ConversationTopics | undefined): MessageStreams {
  /** By the ids of streams. */
  const entries = createConversationEntries<Entry>();

  function sendFrom(conversationId: string, { ids, text }: Entry, position: number): void {
    for (const message of pieceMessages(ids, text, position)) topics?.send(conversationId, 'd', message);
  }

  function sendParts(conversationId: string, { ids, parts, version }: Entry): void {
    if (version === 0) return;
    for (const message of partsMessages({ ...ids, parts: [...parts], version }))
      topics?.send(conversationId, 'P', message);
  }

  function publishPart(conversationId: string, entry: Entry, change: PartChange): void {
    entry.parts = applyPartChange(entry.parts, change);
    entry.version += 1;
    entry.sequence += 1;
    pubSub.publish(conversationId, partFrame(entry.ids, entry.sequence, change));
    if (!topics) return;
    // The text before the part is known first.
    flush(conversationId, entry);
    const message = partMessage({ ...entry.ids, version: entry.version, change });
    if (message === undefined) sendParts(conversationId, entry);
    else topics.send(conversationId, 'p', message);
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

  function flush(conversationId: string, entry: Entry): void {
    clearTimeout(entry.gathering);
    delete entry.gathering;
    if (entry.sent < entry.text.length) sendFrom(conversationId, entry, entry.sent);
    entry.sent = entry.text.length;
  }

  function end(conversationId: string, entry: Entry, frame: Frame, kind: string, message: unknown[]): void {
    const { streamId } = entry.ids;
    if (!entries.delete(conversationId, streamId)) return;
    if (topics) flush(conversationId, entry);
    clearInterval(entry.announcing);
    for (const { timer } of entry.gathered.values()) clearTimeout(timer);
    pubSub.publish(conversationId, frame);
    topics?.send(conversationId, kind, JSON.stringify([streamId, ...message]));
    entry.interest?.end();
  }

  // A process has its first subscriber of the conversation.
  topics?.on('q', (id) => {
    for (const [, entry] of entries.list(id)) {
      flush(id, entry);
      if (entry.text !== '') sendFrom(id, entry, 0);
      sendParts(id, entry);
    }
  });
  // A process has lost pieces, or changes of parts after a version.
  topics?.on('a', (id, text) => {
    const [streamId, position, version = 0] = JSON.parse(text) as [string, number, number?];
    const entry = entries.get(id, streamId);
    if (!entry) return;
    sendFrom(id, entry, Math.max(0, position));
    if (version < entry.version) sendParts(id, entry);
  });

  return {
    start({ conversation, user }, stop, id = createId('stream')) {
      const ids: StreamIds = {
        streamId: id,
        conversationId: conversation.publicId,
        userId: user.publicId,
        createdAt: new Date().toISOString(),
      };
      const entry: Entry = {
        ids,
        text: '',
        sequence: -1,
        stop,
        sent: 0,
        parts: [],
        version: 0,
        gathered: new Map(),
      };
      entries.set(conversation.id, id, entry);
      if (topics) {
        entry.interest = topics.hold(conversation.id);
        const announce = () => {
          flush(conversation.id, entry);
          sendFrom(conversation.id, entry, entry.text.length);
          topics.send(conversation.id, 'v', JSON.stringify([id, entry.version]));
        };
        entry.announcing = setInterval(announce, announcementIntervalMs).unref();
      }
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
          if (topics) entry.gathering ??= setTimeout(() => flush(conversation.id, entry), gatheringTimeMs);
        },
        changePart(change) {
          if (entries.get(conversation.id, id)) changePart(conversation.id, entry, change);
        },
        complete: (message) => end(conversation.id, entry, completeFrame(id, message), 'e', [message.id]),
        abort: () => end(conversation.id, entry, abortFrame(ids), 'x', []),
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
