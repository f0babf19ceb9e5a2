// Ends what makes no progress: a signal that follows the caller's, and ends by itself after a silence. For bytes on their
// way, which may take long, but not for ever.
import { NetworkError } from '../core/errors.ts';

export interface Watch {
  /** Aborted with the caller's reason, or with a NetworkError after the silence. */
  signal: AbortSignal;
  /** Something moved: the silence starts again. */
  moved(): void;
  /** Ends it with a reason of its own. */
  abort(reason: unknown): void;
  /** To be called at the end, however it came. */
  end(): void;
}

/** `silenceMs` without `moved` ends it; `Infinity` for never. */
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
