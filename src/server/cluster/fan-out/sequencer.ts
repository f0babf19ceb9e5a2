// Delivers the frames of one conversation to the subscribers of this process: each sequence number once and in order, although
// the relay can lose, double and reorder them. Missing frames are read from the log.
import type { Frame } from '../../realtime/sse-frames.ts';
import { publish } from '../../startup/events.ts';

/** Milliseconds to wait for a frame that another one has overtaken, before the log is read. */
const reorderingTimeMs = 20;
/** Milliseconds until the log is read again after a failure. */
const retryDelayMs = 1_000;
/** Frames that wait for an earlier one; further ones are read from the log. */
const maxWaiting = 200;

export interface SequencerOptions {
  /** Delivers the next frame to all subscribers. */
  deliver(frame: Frame): void;
  /**
   * Reads all frames after a sequence number, without holes. Returns undefined when they cannot be given: the conversation
   * was deleted, or there are too many.
   */
  read(after: number): Promise<Frame[] | undefined>;
  /** Called when `read` returns undefined. The sequencer has stopped. */
  onLost(): void;
  onError(error: unknown): void;
}

export interface Sequencer {
  /**
   * Begins after `position`, up to which a new subscriber has read the log, unless it has begun. Returns false if the
   * subscriber has to read again, because it was given only later frames.
   */
  start(position: number): boolean;
  /** A frame was published; without `frame`, it is only known to be in the log. */
  accept(seq: number, frame?: Frame): void;
  /** The log is known to reach this sequence number. Unless it is given soon, it is read. */
  expect(seq: number): void;
  close(): void;
}

export function createSequencer({ deliver, read, onLost, onError }: SequencerOptions): Sequencer {
  /** The position from which frames are given, once known. */
  let base: number | undefined;
  /** The sequence number of the last frame that was given. */
  let last = 0;
  /** The highest sequence number that is known. */
  let newest = 0;
  const waiting = new Map<number, Frame>();
  /** The highest sequence number that the relay has announced. */
  let heard = 0;
  /** Frames after `last` that are in the log only, because they are too large for the relay. */
  const references = new Set<number>();
  const gaps = createGaps();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let failures = 0;
  let isClosed = false;

  function next(frame: Frame): void {
    last += 1;
    references.delete(last);
    deliver(frame);
  }

  /** Gives what is next. `delay`: milliseconds until the log is read if something is missing then. */
  function advance(delay: number): void {
    for (let frame = waiting.get(last + 1); frame && !isClosed; frame = waiting.get(last + 1)) {
      waiting.delete(last + 1);
      next(frame);
    }
    if (last < newest && !isReading && !isClosed) timer ??= setTimeout(fill, delay);
  }

  function fill(): void {
    timer = undefined;
    if (last >= newest || isReading || isClosed) return;
    isReading = true;
    const wanted = newest;
    read(last)
      .then((frames) => {
        if (isClosed) return;
        if (!frames) {
          close();
          return onLost();
        }
        for (const frame of frames) {
          if (frame.seq !== last + 1 || isClosed) continue;
          if (!waiting.delete(frame.seq) && !references.has(frame.seq))
            gaps.add(frame.seq, frame.seq < heard ? 'relay' : 'tail');
          next(frame);
        }
        failures = 0;
        // The log decides: the announced signal was never stored.
        if (last < wanted && newest === wanted) {
          newest = last;
          waiting.clear();
        }
      })
      .catch((error: unknown) => {
        failures += 1;
        if (failures === 1 && !isClosed) onError(error);
      })
      .finally(() => {
        isReading = false;
        advance(failures > 0 ? retryDelayMs : reorderingTimeMs);
      });
  }

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    waiting.clear();
  }

  return {
    start(position) {
      if (base !== undefined) return position >= base;
      base = position;
      last = position;
      for (const seq of waiting.keys()) if (seq <= last) waiting.delete(seq);
      advance(reorderingTimeMs);
      return true;
    },
    accept(seq, frame) {
      newest = Math.max(newest, seq);
      heard = Math.max(heard, seq);
      gaps.arrived(seq);
      if (isClosed || (base !== undefined && seq <= last)) return;
      if (base !== undefined && seq === last + 1 && frame) {
        next(frame);
        return advance(reorderingTimeMs);
      }
      if (frame && waiting.size < maxWaiting) waiting.set(seq, frame);
      if (!frame && references.size < maxWaiting) references.add(seq);
      if (base === undefined) return;
      // Nothing more has to arrive before a frame that is only in the log.
      if (!frame && seq === last + 1 && timer) {
        clearTimeout(timer);
        timer = undefined;
      }
      advance(!frame && seq === last + 1 ? 0 : reorderingTimeMs);
    },
    expect(seq) {
      newest = Math.max(newest, seq);
      gaps.count();
      if (base !== undefined) advance(reorderingTimeMs);
    },
    close,
  };
}

/**
 * Counts the frames that the relay has lost. A frame that was read from the log may only be late. It counts if it has not
 * arrived by the next regular check.
 */
function createGaps() {
  type Gap = { source: 'relay' | 'tail'; isChecked: boolean };
  const gaps = new Map<number, Gap>();
  return {
    add: (seq: number, source: Gap['source']) => void gaps.set(seq, { source, isChecked: false }),
    arrived: (seq: number) => void gaps.delete(seq),
    /** A regular check: gaps from before the last one are counted. */
    count() {
      for (const [seq, gap] of gaps) {
        if (!gap.isChecked) gap.isChecked = true;
        else {
          gaps.delete(seq);
          publish('gap', { source: gap.source });
        }
      }
    },
  };
}
