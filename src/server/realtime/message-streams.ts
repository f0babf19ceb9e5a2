// Messages that are being written, at the process that writes them. Other processes get the pieces (stream-mirrors.ts).
import type { Message } from '../../protocol/message.ts';
import type { ConversationTopics, Interest } from '../cluster/conversation-topics.ts';
import { createId } from '../storage/ids.ts';
import { createConversationEntries } from './conversation-entries.ts';
import type { MessageStream, ParticipantRef } from './presence.ts';
import type { PubSub } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';
import { pieceMessages, type StreamIds } from './stream-messages.ts';

/** Milliseconds for which pieces are gathered before they are sent to other processes. */
const gatheringTime = 20;
/** Milliseconds between two messages that tell how long the text is: the last piece may have been lost. */
const announcementInterval = 10_000;

export interface MessageStreams {
  /** See Presence.startStream. */
  start(participant: ParticipantRef, stop: () => Promise<void>, id?: string): MessageStream;
  /** Stops a stream that is written here. Undefined if there is none. */
  stop(conversationId: string, streamId: string): Promise<void> | undefined;
  snapshot(conversationId: string): Frame[];
}

interface Entry {
  ids: StreamIds;
  text: string;
  sequence: number;
  stop(): Promise<void>;
  /** How much of the text was sent to other processes. */
  sent: number;
  gathering?: NodeJS.Timeout;
  announcing?: NodeJS.Timeout;
  interest?: Interest | undefined;
}

/** The frame with a piece. Each process counts the pieces that it publishes. */
export const deltaFrame = (ids: StreamIds, sequence: number, delta: string): Frame =>
  signalFrame({ type: 'message_stream_delta', data: { ...ids, sequence, delta } });

export const completeFrame = (streamId: string, message: Message): Frame =>
  signalFrame({ type: 'message_stream_complete', data: { streamId, message } });

export const abortFrame = ({ streamId, conversationId }: StreamIds): Frame =>
  signalFrame({ type: 'message_stream_abort', data: { streamId, conversationId } });

/** `topics`: undefined in a server of one process. */
export function createMessageStreams(pubSub: PubSub, topics: ConversationTopics | undefined): MessageStreams {
  /** By the ids of streams. */
  const entries = createConversationEntries<Entry>();

  function sendFrom(conversationId: string, { ids, text }: Entry, position: number): void {
    for (const message of pieceMessages(ids, text, position)) topics?.send(conversationId, 'd', message);
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
    pubSub.publish(conversationId, frame);
    topics?.send(conversationId, kind, JSON.stringify([streamId, ...message]));
    entry.interest?.end();
  }

  // A process has its first subscriber of the conversation.
  topics?.on('q', (id) => {
    for (const [, entry] of entries.list(id)) {
      flush(id, entry);
      if (entry.text !== '') sendFrom(id, entry, 0);
    }
  });
  // A process has lost pieces.
  topics?.on('a', (id, text) => {
    const [streamId, position] = JSON.parse(text) as [string, number];
    const entry = entries.get(id, streamId);
    if (entry) sendFrom(id, entry, Math.max(0, position));
  });

  return {
    start({ conversation, user }, stop, id = createId('stream')) {
      const ids: StreamIds = {
        streamId: id,
        conversationId: conversation.publicId,
        userId: user.publicId,
        createdAt: new Date().toISOString(),
      };
      const entry: Entry = { ids, text: '', sequence: -1, stop, sent: 0 };
      entries.set(conversation.id, id, entry);
      if (topics) {
        entry.interest = topics.hold(conversation.id);
        const announce = () => {
          flush(conversation.id, entry);
          sendFrom(conversation.id, entry, entry.text.length);
        };
        entry.announcing = setInterval(announce, announcementInterval).unref();
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
          if (topics) entry.gathering ??= setTimeout(() => flush(conversation.id, entry), gatheringTime);
        },
        complete: (message) => end(conversation.id, entry, completeFrame(id, message), 'e', [message.id]),
        abort: () => end(conversation.id, entry, abortFrame(ids), 'x', []),
      };
    },
    stop: (conversationId, streamId) => entries.get(conversationId, streamId)?.stop(),
    snapshot: (conversationId) =>
      entries
        .list(conversationId)
        .flatMap(([, { ids, sequence, text }]) => (text === '' ? [] : [deltaFrame(ids, sequence, text)])),
  };
}
