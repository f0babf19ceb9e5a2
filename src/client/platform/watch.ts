// A time limit for transfers: a signal that follows the caller's signal, and aborts after a time without progress. A
// transfer may take long as long as it makes progress.
import { NetworkError } from '../core/errors.ts';

export interface Watch {
  /** Aborted with the caller's reason, or with a NetworkError after a time without progress. */
  signal: AbortSignal;
  /** Reports progress: the time limit starts again. */
  moved(): void;
  /** Aborts with the given reason. */
  abort(reason: unknown): void;
  /** Must be called at the end, whatever the outcome. */
  end(): void;
}

/** Aborts after `silenceMs` without a call of `moved`; `Infinity` disables the limit. */
export function createWatch(silenceMs: number, caller: AbortSignal | undefined): Watch {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', follow);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moved = () => {
    clearTimeout(timer);
    if (silenceMs === Number.POSITIVE_INFINITY || controller.signal.aborted) return;
    timer = setTimeout(() => {
      controller.abort(new NetworkError(`Nothing moved for ${silenceMs} ms.`));
    }, silenceMs);
  };
  moved();
  return {
    signal: controller.signal,
    moved,
    abort: (reason) => controller.abort(reason),
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}
