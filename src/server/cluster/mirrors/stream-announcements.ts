// Tells the other processes of the messages that this one writes. They mirror them (stream-mirrors.ts).

import type { AnswerStreamObserver, WrittenAnswerStream } from '../../realtime/answer-streams.ts';
import { createConversationEntries } from '../../realtime/conversation-entries.ts';
import type { ConversationTopics, Interest } from '../relay/conversation-topics.ts';
import { partMessage, partsMessages, pieceMessages } from './stream-messages.ts';

/** Milliseconds for which pieces are gathered before they are sent to other processes. */
const gatheringTimeMs = 20;
/** Milliseconds between two messages that tell how long the text is: the last piece may have been lost. */
const announcementIntervalMs = 10_000;

interface AnnouncedStream {
  conversationId: string;
  stream: WrittenAnswerStream;
  /** How much of the text was sent. */
  sent: number;
  gathering?: NodeJS.Timeout;
  announcing: NodeJS.Timeout;
  interest: Interest;
}

export function announceStreams(topics: ConversationTopics): AnswerStreamObserver {
  /** By the ids of streams. */
  const entries = createConversationEntries<AnnouncedStream>();

  function sendFrom({ conversationId, stream }: AnnouncedStream, position: number): void {
    for (const message of pieceMessages(stream.ids, stream.text, position))
      topics.send(conversationId, 'd', message);
  }

  function sendParts({ conversationId, stream: { ids, parts, version } }: AnnouncedStream): void {
    if (version === 0) return;
    for (const message of partsMessages({ ...ids, parts: [...parts], version }))
      topics.send(conversationId, 'P', message);
  }

  function flush(announced: AnnouncedStream): void {
    clearTimeout(announced.gathering);
    delete announced.gathering;
    const { length } = announced.stream.text;
    if (announced.sent < length) sendFrom(announced, announced.sent);
    announced.sent = length;
  }

  function announce(announced: AnnouncedStream): void {
    const { ids, text, version } = announced.stream;
    flush(announced);
    sendFrom(announced, text.length);
    topics.send(announced.conversationId, 'v', JSON.stringify([ids.streamId, version]));
  }

  // A process has its first subscriber of the conversation.
  topics.on('q', (id) => {
    for (const [, announced] of entries.list(id)) {
      flush(announced);
      if (announced.stream.text !== '') sendFrom(announced, 0);
      sendParts(announced);
    }
  });
  // A process has lost pieces, or changes of parts after a version.
  topics.on('a', (id, text) => {
    const [streamId, position, version = 0] = JSON.parse(text) as [string, number, number?];
    const announced = entries.get(id, streamId);
    if (!announced) return;
    sendFrom(announced, Math.max(0, position));
    if (version < announced.stream.version) sendParts(announced);
  });

  return {
    onStart(conversationId, stream) {
      const announced: AnnouncedStream = {
        conversationId,
        stream,
        sent: 0,
        announcing: setInterval(() => announce(announced), announcementIntervalMs).unref(),
        interest: topics.hold(conversationId),
      };
      entries.set(conversationId, stream.ids.streamId, announced);
    },
    onText(conversationId, { ids }) {
      const announced = entries.get(conversationId, ids.streamId);
      if (announced) announced.gathering ??= setTimeout(() => flush(announced), gatheringTimeMs);
    },
    onPart(conversationId, { ids, version }, change) {
      const announced = entries.get(conversationId, ids.streamId);
      if (!announced) return;
      // The text before the part is known first.
      flush(announced);
      const message = partMessage({ ...ids, version, change });
      if (message === undefined) sendParts(announced);
      else topics.send(conversationId, 'p', message);
    },
    onEnd(conversationId, { ids: { streamId } }, message) {
      const announced = entries.delete(conversationId, streamId);
      if (!announced) return;
      flush(announced);
      clearInterval(announced.announcing);
      if (message) topics.send(conversationId, 'e', JSON.stringify([streamId, message.id]));
      else topics.send(conversationId, 'x', JSON.stringify([streamId]));
      announced.interest.end();
    },
  };
}
