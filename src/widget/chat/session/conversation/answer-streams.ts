// Assembles the frames of bot streams by sequence number, in any order of arrival. Changes of parts are only put in order:
// the bundle that draws them applies them (widget/answers/read-parts.ts).
import type { PartChange } from '../../../../protocol/parts.ts';
import type { Signal, Signals } from '../../../../protocol/signal.ts';

type Delta = Signals['message_stream_delta'];

export interface AnswerStreams {
  /**
   * Adds a delta. Returns the text so far if it grew or its parts changed, else undefined (a repeated delta, or one after a
   * gap). `isWhole`: from another tab, it contains the whole text so far.
   */
  add(delta: Delta & { isWhole?: boolean }): string | undefined;
  /** The changes of the parts of a stream so far, in order; undefined if there are none. It grows. */
  parts(streamId: string): readonly PartChange[] | undefined;
  end(streamId: string): void;
  /** One signal with the whole text so far for each stream, for a tab that joins in its middle. */
  whole(): Signal[];
  /** After a reconnect: the next delta of each stream contains its whole text so far. */
  restart(): void;
}

interface AnswerStream {
  first: Delta;
  text: string;
  parts: PartChange[] | undefined;
  next: number;
  early: Map<number, Delta>;
}

export function createAnswerStreams(): AnswerStreams {
  const streams = new Map<string, AnswerStream>();
  return {
    add(data) {
      const { streamId, sequence, delta, isWhole } = data;
      if (isWhole) streams.delete(streamId);
      const stream = streams.get(streamId) ?? {
        first: data,
        text: '',
        parts: undefined,
        next: sequence,
        early: new Map(),
      };
      streams.set(streamId, stream);
      if (sequence < stream.next || typeof delta !== 'string') return undefined;
      // It contains everything before it, also what is missing.
      if (data.parts) stream.next = sequence;
      stream.early.set(sequence, data);
      const before = stream.next;
      for (let piece = stream.early.get(before); piece; piece = stream.early.get(stream.next)) {
        // A part is a change that adds it.
        if (piece.parts) {
          stream.text = '';
          stream.parts = ([] as PartChange[]).concat(piece.parts as PartChange[]);
        }
        stream.text += piece.delta;
        if (piece.part) {
          stream.parts ??= [];
          stream.parts.push(piece.part);
        }
        stream.early.delete(stream.next++);
      }
      return stream.next > before ? stream.text : undefined;
    },
    parts: (streamId) => streams.get(streamId)?.parts,
    end: (streamId) => void streams.delete(streamId),
    whole: () =>
      [...streams.values()].map(({ first, text, parts, next }) => ({
        type: 'message_stream_delta',
        data: {
          ...first,
          sequence: next - 1,
          delta: text,
          part: undefined,
          parts,
          isWhole: true,
          // Changes that add the parts, instead of the parts.
        } as unknown as Delta,
      })),
    restart: () => streams.clear(),
  };
}
