// Virtual time: a queue of tasks that are due at a time. Time passes only from one task to the next, after everything that the
// task before has caused without a timer is done. Why not `@sinonjs/fake-timers`: each process and tab has its own timers, which
// can be held, or dropped as a whole, in the same order of time as deliveries of the network.

export interface Task {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/** Resolves when no promise of this process has anything left to do. Nothing in a simulation waits for threads or files. */
const settle = (
  (immediate) => () =>
    new Promise<void>((resolve) => immediate(resolve))
)(setImmediate);

export class Clock {
  /** Milliseconds of the simulation. */
  time = 0;
  /** How many tasks have run. */
  ran = 0;
  #order = 0;
  /** A binary heap: the earliest is first. */
  readonly #heap: Task[] = [];

  /** Runs a task after `ms`. The returned one is cancelled by removing its `run`. */
  after(ms: number, run: () => void): Task {
    const task: Task = { at: this.time + Math.max(0, ms), order: this.#order++, run };
    this.#push(task);
    return task;
  }

  /** Lets the time pass up to `until`, or until `isDone` after a task. */
  async advance(ms: number, isDone = () => false): Promise<void> {
    const until = this.time + ms;
    await settle();
    while (!isDone()) {
      const [next] = this.#heap;
      if (!next || next.at > until) {
        this.time = until;
        return;
      }
      this.#pop();
      const { run } = next;
      if (!run) continue;
      next.run = undefined;
      // A late task does not turn time back.
      this.time = Math.max(this.time, next.at);
      this.ran++;
      run();
      await settle();
    }
  }

  /** Time passes while nothing runs, as in a machine that is suspended: what was due meanwhile is late. */
  jump(ms: number): void {
    this.time += ms;
  }

  /** Lets the time pass until a promise settles, and returns its result. */
  async until<T>(work: Promise<T>, limitMs = 600_000): Promise<T> {
    let isSettled = false;
    const end = () => {
      isSettled = true;
    };
    work.then(end, end);
    await this.advance(limitMs, () => isSettled);
    if (!isSettled) throw new Error(`Nothing has come of it in ${limitMs} ms.`);
    return work;
  }

  #push(task: Task): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(task);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(task, heap[parent] as Task)) break;
      heap[at] = heap[parent] as Task;
      at = parent;
    }
    heap[at] = task;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Task;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as Task)) child++;
      if (!isBefore(heap[child] as Task, last)) break;
      heap[at] = heap[child] as Task;
      at = child;
    }
    heap[at] = last;
  }
}

const isBefore = (one: Task, other: Task): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
