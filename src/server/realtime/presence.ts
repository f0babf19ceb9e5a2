// Typing indicators and message streams of conversations, in memory. They are neither stored nor replayed.
import type { Message } from '../../protocol/message.ts';
import { createId } from '../storage/ids.ts';
import type { PubSub } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';

/** A participant in a conversation: server ids for lookups, public ids for signals. */
export interface ParticipantRef {
  conversation: { id: string; publicId: string };
  user: { id: string; publicId: string };
}

/** A message that is being streamed. */
export interface MessageStream {
  id: string;
  /** The text written so far. */
  readonly text: string;
  write(delta: string): void;
  complete(message: Message): void;
  abort(): void;
}

export interface Presence {
  /**
   * Shows or hides the typing indicator for the other participants. `timeout`: milliseconds after which clients hide it
   * by themselves. With `expires` it also ends here, and each call is published again, which restarts the timeout.
   */
  setTyping(participant: ParticipantRef, on: boolean, timeout: number, expires?: boolean): void;
  /**
   * Starts a stream. `stop` is called when a visitor stops it, and resolves when the stream has ended. `id`: of the stream,
   * by default a new one.
   */
  startStream(participant: ParticipantRef, stop: () => Promise<void>, id?: string): MessageStream;
  /** Stops a stream; does nothing when the conversation has no open stream of this id. */
  stopStream(conversationId: string, streamId: string): Promise<void>;
  /** The current indicators and streams as frames for `userId`, who subscribes now. */
  snapshot(conversationId: string, userId: string): Frame[];
}

interface TypingEntry {
  frame: Frame;
  timer: NodeJS.Timeout | undefined;
}

interface StreamEntry {
  frame(): Frame | undefined;
  stop(): Promise<void>;
}

export function createPresence(pubSub: PubSub): Presence {
  const typingUsers = new Map<string, Map<string, TypingEntry>>();
  const streams = new Map<string, Map<string, StreamEntry>>();

  function setTyping(participant: ParticipantRef, on: boolean, timeout: number, expires = false): void {
    const { conversation, user } = participant;
    const ids = { conversationId: conversation.publicId, userId: user.publicId };
    const earlier = typingUsers.get(conversation.id)?.get(user.id);
    clearTimeout(earlier?.timer);
    const frame = signalFrame(
      on ? { type: 'typing_started', data: { ...ids, timeout } } : { type: 'typing_stopped', data: ids },
    );
    if (on) {
      const timer = expires
        ? setTimeout(() => setTyping(participant, false, timeout), timeout).unref()
        : undefined;
      put(typingUsers, conversation.id, user.id, { frame, timer });
    } else {
      drop(typingUsers, conversation.id, user.id);
    }
    if ((on && expires) || on !== (earlier !== undefined)) pubSub.publish(conversation.id, frame, user.id);
  }

  return {
    setTyping,

    startStream({ conversation, user }, stop, id = createId('stream')) {
      const createdAt = new Date().toISOString();
      let text = '';
      let sequence = -1;
      const delta = (piece: string): Frame =>
        signalFrame({
          type: 'message_stream_delta',
          data: {
            streamId: id,
            conversationId: conversation.publicId,
            userId: user.publicId,
            createdAt,
            sequence,
            delta: piece,
          },
        });
      const end = (frame: Frame): void => {
        if (drop(streams, conversation.id, id)) pubSub.publish(conversation.id, frame);
      };
      put(streams, conversation.id, id, { frame: () => (text === '' ? undefined : delta(text)), stop });
      return {
        id,
        get text() {
          return text;
        },
        write(piece) {
          if (piece === '' || !streams.get(conversation.id)?.has(id)) return;
          text += piece;
          sequence += 1;
          pubSub.publish(conversation.id, delta(piece));
        },
        complete: (message) =>
          end(signalFrame({ type: 'message_stream_complete', data: { streamId: id, message } })),
        abort: () =>
          end(
            signalFrame({
              type: 'message_stream_abort',
              data: { streamId: id, conversationId: conversation.publicId },
            }),
          ),
      };
    },

    stopStream: async (conversationId, streamId) => streams.get(conversationId)?.get(streamId)?.stop(),

    snapshot(conversationId, userId) {
      const others = [...(typingUsers.get(conversationId) ?? [])].filter(([id]) => id !== userId);
      const writings = [...(streams.get(conversationId)?.values() ?? [])];
      return [
        ...others.map(([, { frame }]) => frame),
        ...writings.flatMap((writing) => writing.frame() ?? []),
      ];
    },
  };
}

function put<T>(map: Map<string, Map<string, T>>, outer: string, inner: string, value: T): void {
  const entries = map.get(outer) ?? new Map<string, T>();
  map.set(outer, entries.set(inner, value));
}

/** Returns true when the entry existed. */
function drop<T>(map: Map<string, Map<string, T>>, outer: string, inner: string): boolean {
  const entries = map.get(outer);
  const found = entries?.delete(inner) ?? false;
  if (entries?.size === 0) map.delete(outer);
  return found;
}
