// Schedules the rendering of a growing text: at most once a frame, and at most a fifth of the time.
export interface RenderScheduler {
  /** Runs soon, once for all requests. */
  request(): void;
  /** Runs immediately. */
  flush(): void;
  stop(): void;
}

/** A hidden page has no animation frames. */
const hiddenDelayMs = 100;

/** Milliseconds: a frame that took long because the computer was busy must not delay the next one for seconds. */
const maxPauseMs = 400;

/** The remaining work of a run: none, work that can wait, or work that was deferred to the next frame. */
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
    if (document.hidden) timer = setTimeout(flush, Math.max(hiddenDelayMs, notBefore - performance.now()));
    else frame = requestAnimationFrame(tick);
  }

  function tick(): void {
    stop();
    if (performance.now() < notBefore) request();
    // In a task of its own: together with the layout and the paint of this frame it would be twice as long.
    else timer = setTimeout(flush);
  }

  function flush(): void {
    stop();
    const start = performance.now();
    const rest = run();
    const end = performance.now();
    // Waits four times the duration of the run, so that four fifths of the time remain for the page.
    notBefore = rest === 'next' ? 0 : end + 4 * (end - start);
    if (rest !== 'next' && !document.hidden) requestAnimationFrame(() => addFrame(end - start));
    if (rest) request();
  }

  /** Style, layout and paint, which take longer for a long table, count too: all between a frame and the next task. */
  function addFrame(drawing: number): void {
    const start = performance.now();
    setTimeout(() => {
      const end = performance.now();
      notBefore = Math.max(notBefore, end + Math.min(maxPauseMs, 4 * (drawing + end - start)));
    });
  }

  return { request, flush, stop };
}
