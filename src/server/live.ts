// What is going on right now: who types, which answers are being written. Nothing here is stored or replayed.
import type { Message } from '../protocol/message.ts';
import type { Bus } from './bus.ts';
import { type Frame, signalFrame } from './frames.ts';
import { createId } from './ids.ts';

/** A conversation and somebody in it: server ids to find them, public ids to tell. */
interface Place {
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
  /** Shows or ends the typing indicator; `timeout` in milliseconds, after which clients end it by themselves. */
  typing(place: Place, on: boolean, timeout: number): void;
  stream(place: Place): LiveStream;
  /** What somebody who begins to listen now has to be told. */
  snapshot(conversationId: string): Frame[];
}

export function createLive(bus: Bus): Live {
  const typists = new Map<string, Map<string, Frame>>();
  const streams = new Map<string, Map<string, () => Frame | undefined>>();

  return {
    typing({ conversation, user }, on, timeout) {
      const ids = { conversationId: conversation.publicId, userId: user.publicId };
      const frame = signalFrame(
        on ? { type: 'typing_started', data: { ...ids, timeout } } : { type: 'typing_stopped', data: ids },
      );
      const changed = on
        ? put(typists, conversation.id, user.id, frame)
        : drop(typists, conversation.id, user.id);
      if (changed) bus.publish(conversation.id, frame);
    },

    stream({ conversation, user }) {
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
      put(streams, conversation.id, id, () => (text === '' ? undefined : delta(text)));
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

    snapshot(conversationId) {
      return [
        ...(typists.get(conversationId)?.values() ?? []),
        ...[...(streams.get(conversationId)?.values() ?? [])].flatMap((frame) => frame() ?? []),
      ];
    },
  };
}

/** Gives true when there was none under this key. */
function put<T>(map: Map<string, Map<string, T>>, outer: string, inner: string, value: T): boolean {
  const entries = map.get(outer) ?? new Map<string, T>();
  map.set(outer, entries);
  const fresh = !entries.has(inner);
  entries.set(inner, value);
  return fresh;
}

/** Gives true when there was one. */
function drop<T>(map: Map<string, Map<string, T>>, outer: string, inner: string): boolean {
  const entries = map.get(outer);
  const found = entries?.delete(inner) ?? false;
  if (entries?.size === 0) map.delete(outer);
  return found;
}
