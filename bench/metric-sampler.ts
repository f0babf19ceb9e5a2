// Samples metrics in the measured page without changing the product's code: received deltas, parsed HTML, frames and
// DOM mutations. `install` is serialized into the page, so it uses nothing but its argument.

export interface MetricSampler {
  /** Assignments to `innerHTML` (one for each parsed Markdown block) and the number of their characters. */
  reads: number;
  readCharacters: number;
  /** Starts to record frames and mutations; `end` returns what was recorded since. */
  begin(): void;
  end(): Observation;
  /** Resolves when there are at least that many rows and nothing has changed for half a second. */
  settle(rows: number): Promise<void>;
  /** Resolves when a stream has ended and nothing has changed for half a second. */
  settleStream(): Promise<void>;
  root(): ShadowRoot;
}

export interface Observation {
  frames: number;
  /** Frames more than 50 ms after the previous one. */
  late: number;
  /** Milliseconds from `begin` to the last mutation. */
  drawnAfter: number;
  /** The longest time without a mutation between the first and the last delta of a stream, in milliseconds. */
  still: number;
  /** Milliseconds from the last delta of a stream to the last mutation. */
  finish: number;
}

declare global {
  interface Window {
    sampler: MetricSampler;
  }
}

/** Sets performance marks while a stream is received: `first` delta, `half` of the deltas, `complete`. */
export function install(deltas: number): void {
  let expected = ['"message_stream_delta"', `"sequence":${deltas / 2},`, '"message_stream_complete"'];
  const names = ['first', 'half', 'complete'];
  const times: Record<string, number> = {};
  const { decode } = TextDecoder.prototype;
  let end = '';
  TextDecoder.prototype.decode = function (...parameters) {
    const decoded = decode.apply(this, parameters);
    // Includes the end of the previous chunk, because a searched text may be split between two chunks.
    const text = end + decoded;
    end = text.slice(-30);
    while (expected[0] && text.includes(expected[0])) {
      const name = names[names.length - expected.length] ?? '';
      times[name] = performance.mark(name).startTime;
      expected = expected.slice(1);
    }
    return decoded;
  };

  const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML') ?? {};
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...innerHtml,
    set(html) {
      sampler.reads++;
      sampler.readCharacters += String(html).length;
      innerHtml.set?.call(this, html);
    },
  });

  let frames: number[] = [];
  let changes: number[] = [];
  let start = 0;
  let isSampling = false;
  const sampleFrame = () => {
    if (!isSampling) return;
    frames.push(performance.now());
    requestAnimationFrame(sampleFrame);
  };
  const observer = new MutationObserver(() => changes.push(performance.now()));
  const gaps = (moments: number[]) => moments.slice(1).map((moment, i) => moment - (moments[i] ?? 0));
  const root = () => document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;

  const whenUnchanged = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const last = changes.at(-1);
        if (last === undefined || performance.now() - last < 500 || !isDone()) return;
        clearInterval(timer);
        resolve();
      }, 100);
    });

  const sampler: MetricSampler = {
    reads: 0,
    readCharacters: 0,
    root,
    begin() {
      [frames, changes, start, isSampling] = [[], [], performance.now(), true];
      sampler.reads = sampler.readCharacters = 0;
      observer.observe(root(), { subtree: true, childList: true, characterData: true, attributes: true });
      requestAnimationFrame(sampleFrame);
      performance.mark('begin');
    },
    end() {
      performance.mark('end');
      isSampling = false;
      observer.disconnect();
      const { first = 0, complete = 0 } = times;
      const during = changes.filter((moment) => moment > first && moment < complete);
      const last = changes.at(-1) ?? start;
      return {
        frames: frames.length,
        late: gaps(frames).filter((gap) => gap > 50).length,
        drawnAfter: last - start,
        still: Math.max(0, ...gaps([first, ...during, complete])),
        finish: complete ? last - complete : 0,
      };
    },
    settle: (rows) => whenUnchanged(() => root().querySelectorAll('.row[data-status]').length >= rows),
    settleStream: () => whenUnchanged(() => times.complete !== undefined),
  };
  window.sampler = sampler;
}
