// What is going on right now: who types, which answers are being written. Nothing here is stored or replayed.
import type { Message } from '../../protocol/message.ts';
import { createId } from '../storage/ids.ts';
import type { Bus } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';

/** A conversation and somebody in it: server ids to find them, public ids to tell. */
export interface Place {
  conversation: { id: string; publicId: string };
  user: { id: string; publicId: string };
}

/** An answer that is being written. */
export interface LiveStream {
  id: string;
  /** All that was written so far. */
  readonly text: string;
  write(delta: string): void;
  complete(message: Message): void;
  abort(): void;
}

export interface Live {
  /**
   * Shows or ends the typing indicator to the others; `timeout` in milliseconds, after which clients end it by
   * themselves. With `expires` it ends here too, and is told again each time, so that clients count anew.
   */
  typing(place: Place, on: boolean, timeout: number, expires?: boolean): void;
  /** Begins an answer. `stop` is called when a visitor wants no more of it; it resolves when that is settled. */
  stream(place: Place, stop: () => Promise<void>): LiveStream;
  /** Stops an answer; nothing to do where none of this id is being written in this conversation. */
  stop(conversationId: string, streamId: string): Promise<void>;
  /** What `userId`, who begins to listen now, has to be told. */
  snapshot(conversationId: string, userId: string): Frame[];
}

interface Typist {
  frame: Frame;
  timer: NodeJS.Timeout | undefined;
}

interface Writing {
  frame(): Frame | undefined;
  stop(): Promise<void>;
}

export function createLive(bus: Bus): Live {
  const typists = new Map<string, Map<string, Typist>>();
  const streams = new Map<string, Map<string, Writing>>();

  function typing(place: Place, on: boolean, timeout: number, expires = false): void {
    const { conversation, user } = place;
    const ids = { conversationId: conversation.publicId, userId: user.publicId };
    const earlier = typists.get(conversation.id)?.get(user.id);
    clearTimeout(earlier?.timer);
    const frame = signalFrame(
      on ? { type: 'typing_started', data: { ...ids, timeout } } : { type: 'typing_stopped', data: ids },
    );
    if (on) {
      const timer = expires ? setTimeout(() => typing(place, false, timeout), timeout).unref() : undefined;
      put(typists, conversation.id, user.id, { frame, timer });
    } else {
      drop(typists, conversation.id, user.id);
    }
    if ((on && expires) || on !== (earlier !== undefined)) bus.publish(conversation.id, frame, user.id);
  }

  return {
    typing,

    stream({ conversation, user }, stop) {
      const id = createId('stream');
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
        if (drop(streams, conversation.id, id)) bus.publish(conversation.id, frame);
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
          bus.publish(conversation.id, delta(piece));
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

    stop: async (conversationId, streamId) => streams.get(conversationId)?.get(streamId)?.stop(),

    snapshot(conversationId, userId) {
      const others = [...(typists.get(conversationId) ?? [])].filter(([id]) => id !== userId);
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

/** Gives true when there was one. */
function drop<T>(map: Map<string, Map<string, T>>, outer: string, inner: string): boolean {
  const entries = map.get(outer);
  const found = entries?.delete(inner) ?? false;
  if (entries?.size === 0) map.delete(outer);
  return found;
}
