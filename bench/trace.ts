// Reads a Chromium trace and returns what the page's main thread did between two performance marks.

/** Work of the main thread, in milliseconds of its own CPU time, without the time of other processes. */
export interface Work {
  /** All tasks together. */
  main: number;
  longest: number;
  /** The part of `main` for style and layout, requested by any code. */
  layout: number;
}

export interface Timeline {
  /** `from` and `to` are marks of the page (`performance.mark`). A task counts in the interval in which it ends. */
  between(from: string, to: string): Work;
}

interface Event {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Time in microseconds. */
  ts: number;
  dur?: number;
  /** Like `dur`, in CPU time. */
  tdur?: number;
}

/** The trace categories of tasks, layouts and marks. */
export const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];

/** @param anyMark a mark of the page; it identifies the main thread among all threads. */
export function readTrace(json: string, anyMark: string): Timeline {
  const { traceEvents } = JSON.parse(json) as { traceEvents: Event[] };
  const first = traceEvents.find(({ name }) => name === anyMark);
  if (!first) throw new Error(`The trace has no mark ${anyMark}.`);
  const events = traceEvents.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const tasks = events.filter(({ name, ph }) => name === 'RunTask' && ph === 'X');
  const layouts = events.filter(({ name, ph }) => /^(Layout|UpdateLayoutTree)$/.test(name) && ph === 'X');
  if (!tasks.length) throw new Error('The trace has no tasks.');

  const timeOf = (mark: string): number => {
    const event = events.find(({ name }) => name === mark);
    if (!event) throw new Error(`The trace has no mark ${mark}.`);
    return event.ts;
  };
  const cpu = ({ tdur = 0 }: Event) => tdur / 1_000;
  const sum = (some: Event[]) => some.reduce((total, event) => total + cpu(event), 0);

  return {
    between(from, to) {
      const [start, end] = [timeOf(from), timeOf(to)];
      const isWithin = ({ ts, dur = 0 }: Event) => ts + dur > start && ts + dur <= end;
      const within = tasks.filter(isWithin);
      return {
        main: sum(within),
        longest: Math.max(0, ...within.map(cpu)),
        layout: sum(layouts.filter(isWithin)),
      };
    },
  };
}
