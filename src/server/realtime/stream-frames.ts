// The frames about messages that are being written.
import type { Message } from '../../protocol/message.ts';
import type { Part, PartChange } from '../../protocol/parts.ts';
import { withoutLongValues } from '../api/serializers.ts';
import type { StreamIds } from './participant-stream.ts';
import { type Frame, signalFrame } from './sse-frames.ts';

/** The frame with a piece. Each process counts the pieces that it publishes. */
export const deltaFrame = (ids: StreamIds, sequence: number, delta: string): Frame =>
  signalFrame({ type: 'message_stream_delta', data: { ...ids, sequence, delta } });

/** The frame with a change of a part. */
export const partFrame = (ids: StreamIds, sequence: number, part: PartChange): Frame =>
  signalFrame({ type: 'message_stream_delta', data: { ...ids, sequence, delta: '', part } });

/** The frame with all that was written so far; undefined if that is nothing. */
export const wholeFrame = (
  ids: StreamIds,
  sequence: number,
  text: string,
  parts: readonly Part[],
): Frame | undefined => {
  if (parts.length === 0) return text === '' ? undefined : deltaFrame(ids, sequence, text);
  const data = { ...ids, sequence, delta: text, parts: [...parts] };
  return signalFrame({ type: 'message_stream_delta', data });
};

export const completeFrame = (streamId: string, message: Message): Frame =>
  signalFrame({
    type: 'message_stream_complete',
    data: { streamId, message: withoutLongValues(message) },
  });

export const abortFrame = ({ streamId, conversationId }: StreamIds): Frame =>
  signalFrame({ type: 'message_stream_abort', data: { streamId, conversationId } });
