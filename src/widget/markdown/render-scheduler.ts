// Decides when a growing text is read again: once a frame, and at most a fifth of the time. Refuses to know what runs.

export interface RenderScheduler {
  /** Runs soon, once for however many requests. */
  request(): void;
  /** Runs now. */
  flush(): void;
  stop(): void;
}

/** A page nobody sees has no frames. */
const hiddenDelay = 100;

/** What a run leaves: nothing, something for the next occasion, or work that was only put off for the next frame. */
export type Remaining = undefined | 'paced' | 'next';

export function createRenderScheduler(run: () => Remaining): RenderScheduler {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;

  function stop(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    timer = undefined;
  }

  function request(): void {
    if (frame || timer !== undefined) return;
    if (document.hidden) timer = setTimeout(tick, Math.max(hiddenDelay, notBefore - performance.now()));
    else frame = requestAnimationFrame(tick);
  }

  function tick(): void {
    stop();
    if (performance.now() < notBefore) request();
    else flush();
  }

  function flush(): void {
    stop();
    const start = performance.now();
    const rest = run();
    const end = performance.now();
    // Four times as long as it took, so that four fifths of the time are left to the page.
    notBefore = rest === 'next' ? 0 : end + 4 * (end - start);
    if (rest) request();
  }

  return { request, flush, stop };
}
