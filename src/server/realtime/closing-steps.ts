// Ends the streams of a server that stops: in steps, and with a different time for each client after which to reconnect.
import { setTimeout as wait } from 'node:timers/promises';
import { type Frame, openingFrame, retryFrame } from './sse-frames.ts';

/** The number of steps in which a server that stops closes its streams. */
const closingSteps = 10;
/** Milliseconds after which clients reconnect to a restarted server: spread, so that they do not return all at once. */
const earliestReturnMs = 500;
const latestReturnMs = 5_000;

export interface ClosableStream {
  /** Ends the stream. `last`: the frame that its client gets before. */
  close(last?: Frame): void;
}

export interface Closing {
  /**
   * Closes all streams in ten steps within `duration` milliseconds. Each client is told a different time after which to
   * reconnect.
   */
  closeInSteps(duration: number): Promise<void>;
  closeAll(): void;
  /** Whether one of them was called: streams that are opened from then on must be closed at once. */
  readonly hasBegun: boolean;
}

/** `listOpen` returns the open streams in an array of its own, because a stream that is closed removes itself. */
export function createClosing(listOpen: () => ClosableStream[]): Closing {
  let hasBegun = false;
  let isOver = false;
  return {
    async closeInSteps(duration) {
      hasBegun = true;
      for (let stepsLeft = closingSteps; stepsLeft > 0 && !isOver; stepsLeft -= 1) {
        const open = listOpen();
        for (const stream of open.slice(0, Math.ceil(open.length / stepsLeft)))
          stream.close(createRetryFrame());
        if (stepsLeft > 1 && open.length > 0) await wait(duration / closingSteps);
      }
    },
    closeAll() {
      hasBegun = true;
      isOver = true;
      for (const stream of listOpen()) stream.close();
    },
    get hasBegun() {
      return hasBegun;
    },
  };
}

export function createRetryFrame(): Frame {
  const spread = Math.random() * (latestReturnMs - earliestReturnMs);
  return retryFrame(Math.round(earliestReturnMs + spread));
}

/**
 * The whole body of a stream that was closed before its response began: a status other than 200 would end an EventSource
 * for good (WHATWG). No queue holds it, so that nothing stays counted if nobody reads it.
 */
export const closedBody = (last = createRetryFrame()): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...openingFrame.bytes, ...last.bytes]);
