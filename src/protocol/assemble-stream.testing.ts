// Streamed answers as a client assembles them from signals.
import { applyPartChange, type Part } from './parts.ts';
import type { Signal } from './signal.ts';

export interface AssembledStream {
  text: string;
  parts: readonly Part[];
  /** The sequence numbers of its frames. */
  sequences: number[];
}

/** Returns the streams of these signals by their ids, as a client that begins with the first signal has them. */
export function assembleStreams(signals: readonly (Signal | undefined)[]): Map<string, AssembledStream> {
  const streams = new Map<string, AssembledStream>();
  for (const signal of signals) {
    if (signal?.type !== 'message_stream_delta') continue;
    const { streamId, delta, part, parts, sequence } = signal.data;
    const stream = streams.get(streamId) ?? { text: '', parts: [], sequences: [] };
    streams.set(streamId, stream);
    stream.sequences.push(sequence);
    stream.text = parts ? delta : stream.text + delta;
    if (parts) stream.parts = parts;
    if (part) stream.parts = applyPartChange(stream.parts, part);
  }
  return streams;
}
