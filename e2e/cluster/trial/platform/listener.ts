// A listener of a conversation in a trial: records messages, the texts of streaming answers, and typing indicators, as
// the widget assembles them.
import type { ChatClient } from '../../../../src/client/index.ts';
import { createAnswerStreams } from '../../../../src/widget/chat/session/conversation/answer-streams.ts';

export interface Listener {
  name: string;
  /** Ids of messages in the order of their arrival. */
  messageIds: string[];
  /** By id of a streamed answer: every text that was shown while it was written. */
  shownTexts: Map<string, string[]>;
  /** By id of a streamed answer: the id of the message that ended it. */
  completed: Map<string, string>;
  /** The answers that are shown as not ended. */
  openStreams: Set<string>;
  /** Users who are shown as typing, and until when (`performance.now()`) if nothing ends it before. */
  typing: Map<string, number>;
  /** How often someone began to type. */
  typingStarts: number;
  close(): void;
}

/** Milliseconds after which the widget ends an indicator without a time. */
const defaultTyping = 30_000;

export function startPlatformListener(client: ChatClient, conversationId: string, name: string): Listener {
  const streams = createAnswerStreams();
  const connection = client.listen(conversationId, {
    lastEventId: '0',
    onOpen() {
      // Unfinished streams are sent again, as a whole; streams that have ended meanwhile are not.
      streams.restart();
      listener.openStreams.clear();
      listener.typing.clear();
    },
    onSignal({ type, data }) {
      if (type === 'message_created') {
        listener.messageIds.push(data.id);
        listener.typing.delete(data.userId);
      } else if (type === 'message_stream_delta') {
        const text = streams.add(data);
        if (text === undefined) return;
        listener.openStreams.add(data.streamId);
        const texts = listener.shownTexts.get(data.streamId) ?? [];
        texts.push(text);
        listener.shownTexts.set(data.streamId, texts);
      } else if (type === 'message_stream_complete' || type === 'message_stream_abort') {
        streams.end(data.streamId);
        listener.openStreams.delete(data.streamId);
        if (type === 'message_stream_complete') listener.completed.set(data.streamId, data.message.id);
      } else if (type === 'typing_started') {
        listener.typingStarts += 1;
        listener.typing.set(data.userId, performance.now() + (data.timeout ?? defaultTyping));
      } else if (type === 'typing_stopped') {
        listener.typing.delete(data.userId);
      }
    },
  });
  const listener: Listener = {
    name,
    messageIds: [],
    shownTexts: new Map(),
    completed: new Map(),
    openStreams: new Set(),
    typing: new Map(),
    typingStarts: 0,
    close: () => connection.close(),
  };
  return listener;
}
