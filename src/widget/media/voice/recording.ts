// Records the microphone for a voice message. Nothing leaves the browser here.
import { durationBytes, withDuration } from './webm-duration.ts';

export interface Recording {
  /** Milliseconds so far. */
  elapsedMs(): number;
  /** Ends it. Also called at the longest duration, at the largest size, and when the microphone is taken away. */
  stop(): void;
  /** Resolves to the sound when it has ended; never, if it is discarded. */
  readonly ended: Promise<Blob>;
}

interface Options {
  /** A type that MediaRecorder supports. */
  mimeType: string;
  /** The recording ends before it is larger, after its last whole second. */
  maxBytes: number;
  /** Discards it. */
  signal: AbortSignal;
}

/** Five minutes: about 1.2 MB. */
const maxDurationMs = 300_000;
/** Enough for speech: 4 kB each second. */
const audioBitsPerSecond = 32_000;

/**
 * Asks the visitor for the microphone and begins. Rejects if it is refused or missing, or with the reason of the signal.
 * However it ends, the microphone is released.
 */
export async function startRecording({ mimeType, maxBytes, signal }: Options): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  const parts: Blob[] = [];
  let bytes = 0;
  let endedAt = 0;
  try {
    signal.throwIfAborted();
    const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond });
    const stop = () => {
      if (recorder.state !== 'inactive') recorder.stop();
    };
    recorder.addEventListener('dataavailable', ({ data }) => {
      bytes += data.size;
      // The first parts of these formats can be played without the rest.
      if (bytes + durationBytes <= maxBytes) parts.push(data);
      else stop();
    });
    // In parts of a second, so that the size is known.
    recorder.start(1_000);
    const startedAt = performance.now();
    const elapsedMs = () => (endedAt || performance.now()) - startedAt;
    const timer = setTimeout(stop, maxDurationMs);
    const ended = new Promise<Blob>((resolve) => {
      recorder.addEventListener('stop', () => {
        endedAt = performance.now();
        clearTimeout(timer);
        release();
        if (!signal.aborted) resolve(withDuration(new Blob(parts), elapsedMs()));
      });
    });
    signal.addEventListener('abort', () => {
      stop();
      clearTimeout(timer);
      release();
    });
    return { elapsedMs, stop, ended };
  } catch (error) {
    release();
    throw error;
  }
}
