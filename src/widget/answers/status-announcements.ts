// Decides when the status of an answer is announced: only while no text arrives, and not too often.

/** Milliseconds without text before a status is announced. */
const quietMs = 4_000;
/** Milliseconds between two announcements. */
const gapMs = 15_000;

export interface StatusAnnouncements {
  /** Is called with each change. `status`: '' if there is none, or if the answer has ended. */
  update(status: string, text: string): void;
  dispose(): void;
}

export function createStatusAnnouncements(announce: (status: string) => void): StatusAnnouncements {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = { status: '', text: '' };
  let quietSince = performance.now();
  let said = '';
  let saidAt = Number.NEGATIVE_INFINITY;

  const check = () => {
    clearTimeout(timer);
    const { status } = last;
    if (!status || status === said) return;
    const wait = Math.max(quietSince + quietMs, saidAt + gapMs) - performance.now();
    if (wait > 0) {
      timer = setTimeout(check, wait);
      return;
    }
    said = status;
    saidAt = performance.now();
    announce(status);
  };
  return {
    update(status, text) {
      if (status === last.status && text === last.text) return;
      if (text !== last.text) quietSince = performance.now();
      last = { status, text };
      check();
    },
    dispose: () => clearTimeout(timer),
  };
}
