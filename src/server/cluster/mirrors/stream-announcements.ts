// Tells the other processes of the messages that this one writes. They mirror them (stream-mirrors.ts).

import { createConversationEntries } from '../../realtime/conversation-entries.ts';
import type { StreamObserver, WrittenStream } from '../../realtime/message-streams.ts';
import type { ConversationTopics, Interest } from '../relay/conversation-topics.ts';
import { partMessage, partsMessages, pieceMessages } from './stream-messages.ts';

/** Milliseconds for which pieces are gathered before they are sent to other processes. */
const gatheringTimeMs = 20;
/** Milliseconds between two messages that tell how long the text is: the last piece may have been lost. */
const announcementIntervalMs = 10_000;

interface Told {
  conversationId: string;
  stream: WrittenStream;
  /** How much of the text was sent. */
  sent: number;
  gathering?: NodeJS.Timeout;
  announcing: NodeJS.Timeout;
  interest: Interest;
}

export function tellOfStreams(topics: ConversationTopics): StreamObserver {
  /** By the ids of streams. */
  const entries = createConversationEntries<Told>();

  function sendFrom({ conversationId, stream }: Told, position: number): void {
    for (const message of pieceMessages(stream.ids, stream.text, position))
      topics.send(conversationId, 'd', message);
  }

  function sendParts({ conversationId, stream: { ids, parts, version } }: Told): void {
    if (version === 0) return;
    for (const message of partsMessages({ ...ids, parts: [...parts], version }))
      topics.send(conversationId, 'P', message);
  }

  function flush(told: Told): void {
    clearTimeout(told.gathering);
    delete told.gathering;
    const { length } = told.stream.text;
    if (told.sent < length) sendFrom(told, told.sent);
    told.sent = length;
  }

  function announce(told: Told): void {
    const { ids, text, version } = told.stream;
    flush(told);
    sendFrom(told, text.length);
    topics.send(told.conversationId, 'v', JSON.stringify([ids.streamId, version]));
  }

  // A process has its first subscriber of the conversation.
  topics.on('q', (id) => {
    for (const [, told] of entries.list(id)) {
      flush(told);
      if (told.stream.text !== '') sendFrom(told, 0);
      sendParts(told);
    }
  });
  // A process has lost pieces, or changes of parts after a version.
  topics.on('a', (id, text) => {
    const [streamId, position, version = 0] = JSON.parse(text) as [string, number, number?];
    const told = entries.get(id, streamId);
    if (!told) return;
    sendFrom(told, Math.max(0, position));
    if (version < told.stream.version) sendParts(told);
  });

  return {
    onStart(conversationId, stream) {
      const told: Told = {
        conversationId,
        stream,
        sent: 0,
        announcing: setInterval(() => announce(told), announcementIntervalMs).unref(),
        interest: topics.hold(conversationId),
      };
      entries.set(conversationId, stream.ids.streamId, told);
    },
    onText(conversationId, { ids }) {
      const told = entries.get(conversationId, ids.streamId);
      if (told) told.gathering ??= setTimeout(() => flush(told), gatheringTimeMs);
    },
    onPart(conversationId, { ids, version }, change) {
      const told = entries.get(conversationId, ids.streamId);
      if (!told) return;
      // The text before the part is known first.
      flush(told);
      const message = partMessage({ ...ids, version, change });
      if (message === undefined) sendParts(told);
      else topics.send(conversationId, 'p', message);
    },
    onEnd(conversationId, { ids: { streamId } }, message) {
      const told = entries.delete(conversationId, streamId);
      if (!told) return;
      flush(told);
      clearInterval(told.announcing);
      if (message) topics.send(conversationId, 'e', JSON.stringify([streamId, message.id]));
      else topics.send(conversationId, 'x', JSON.stringify([streamId]));
      told.interest.end();
    },
  };
}
