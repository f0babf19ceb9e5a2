// Assembles the deltas of bot streams by sequence number, in any order of arrival.
import type { Signal, Signals } from '../../../../protocol/signal.ts';

type Delta = Signals['message_stream_delta'];

export interface Streams {
  /**
   * Adds a delta. Returns the text so far if it grew, else undefined (a repeated delta, or one after a gap).
   * `isWhole`: from another tab, it contains the whole text so far.
   */
  add(delta: Delta & { isWhole?: boolean }): string | undefined;
  end(streamId: string): void;
  /** One signal with the whole text so far for each stream, for a tab that joins in its middle. */
  whole(): Signal[];
  /** After a reconnect: the next delta of each stream contains its whole text so far. */
  restart(): void;
}

export function createStreams(): Streams {
  const streams = new Map<string, { first: Delta; text: string; next: number; early: Map<number, string> }>();
  return {
    add(given) {
      const { streamId, sequence, delta, isWhole } = given;
      if (isWhole) streams.delete(streamId);
      const stream = streams.get(streamId) ?? { first: given, text: '', next: sequence, early: new Map() };
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
    whole: () =>
      [...streams.values()].map(({ first, text, next }) => ({
        type: 'message_stream_delta',
        data: { ...first, sequence: next - 1, delta: text, isWhole: true },
      })),
    restart: () => streams.clear(),
  };
}
