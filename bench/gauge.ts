// What the page counts while it is measured, from outside the product's code: deltas that came, HTML that was read,
// frames, changes of the DOM. It runs in the page, so `install` uses nothing but its argument.

export interface Gauge {
  /** HTML strings turned into nodes, which is one reading of Markdown each, and their characters. */
  reads: number;
  readCharacters: number;
  /** Starts to look at frames and changes; `end` gives what was seen since. */
  begin(): void;
  end(): Seen;
  /** Resolves when there are that many rows (or more) and nothing has changed for half a second. */
  settle(rows: number): Promise<void>;
  /** Resolves when a stream has come to its end and nothing has changed for half a second. */
  settleStream(): Promise<void>;
  root(): ShadowRoot;
}

export interface Seen {
  frames: number;
  /** Frames that came more than 50 ms after the one before. */
  late: number;
  /** Milliseconds from `begin` to the last change. */
  drawnAfter: number;
  /** The longest time without a change, between the first and the last delta of a stream. */
  still: number;
  /** Milliseconds from the last delta of a stream to the last change. */
  finish: number;
}

declare global {
  interface Window {
    gauge: Gauge;
  }
}

/** Marks what comes through a stream: `first` delta, `half` of the deltas, `complete`. */
export function install(deltas: number): void {
  let expected = ['"message_stream_delta"', `"sequence":${deltas / 2},`, '"message_stream_complete"'];
  const names = ['first', 'half', 'complete'];
  const times: Record<string, number> = {};
  const { decode } = TextDecoder.prototype;
  let end = '';
  TextDecoder.prototype.decode = function (...given) {
    const decoded = decode.apply(this, given);
    // With the end of the piece before: what is looked for may stand in both.
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
      gauge.reads++;
      gauge.readCharacters += String(html).length;
      innerHtml.set?.call(this, html);
    },
  });

  let frames: number[] = [];
  let changes: number[] = [];
  let start = 0;
  let isLooking = false;
  const look = () => {
    if (!isLooking) return;
    frames.push(performance.now());
    requestAnimationFrame(look);
  };
  const observer = new MutationObserver(() => changes.push(performance.now()));
  const gaps = (moments: number[]) => moments.slice(1).map((moment, i) => moment - (moments[i] ?? 0));
  const root = () => document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;

  const rest = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const last = changes.at(-1);
        if (last === undefined || performance.now() - last < 500 || !isDone()) return;
        clearInterval(timer);
        resolve();
      }, 100);
    });

  const gauge: Gauge = {
    reads: 0,
    readCharacters: 0,
    root,
    begin() {
      [frames, changes, start, isLooking] = [[], [], performance.now(), true];
      gauge.reads = gauge.readCharacters = 0;
      observer.observe(root(), { subtree: true, childList: true, characterData: true, attributes: true });
      requestAnimationFrame(look);
      performance.mark('begin');
    },
    end() {
      performance.mark('end');
      isLooking = false;
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
    settle: (rows) => rest(() => root().querySelectorAll('.row[data-status]').length >= rows),
    settleStream: () => rest(() => times.complete !== undefined),
  };
  window.gauge = gauge;
}
