// Assembles the deltas of bot streams by sequence number, in any order of arrival.
import type { Signals } from '../../../protocol/signal.ts';

export interface Streams {
  /**
   * Adds a delta. Returns the text so far if it grew, else undefined (a repeated delta, or one after a gap).
   * `isWhole`: from another tab, it contains the whole text so far.
   */
  add(delta: Signals['message_stream_delta'] & { isWhole?: boolean }): string | undefined;
  end(streamId: string): void;
  /** After a reconnect: the next delta of each stream contains its whole text so far. */
  restart(): void;
}

export function createStreams(): Streams {
  const streams = new Map<string, { text: string; next: number; early: Map<number, string> }>();
  return {
    add({ streamId, sequence, delta, isWhole }) {
      if (isWhole) streams.delete(streamId);
      const stream = streams.get(streamId) ?? { text: '', next: sequence, early: new Map() };
      streams.set(streamId, stream);
      if (sequence < stream.next || typeof delta !== 'string') return undefined;
      stream.early.set(sequence, delta);
      const before = stream.next;
      for (
        let piece = stream.early.get(stream.next);
        piece !== undefined;
        piece = stream.early.get(stream.next)
      ) {
        stream.text += piece;
        stream.early.delete(stream.next++);
      }
      return stream.next > before ? stream.text : undefined;
    },
    end: (streamId) => void streams.delete(streamId),
    restart: () => streams.clear(),
  };
}
