// The own world of a page or a process: its timers, its clock, its random numbers. It can be frozen: what is due is held, as
// in a background tab or a stopped process. It can end: nothing of it runs any more.
import { createHash } from 'node:crypto';
import type { Clock, Task } from './clock.ts';
import type { Random } from './random.ts';

/** The begin of each simulation: no real date, so that nothing depends on today. */
export const epoch = Date.UTC(2026, 0, 1);

export class Realm {
  state: 'running' | 'frozen' | 'ended' = 'running';
  /** Milliseconds by which its clock is ahead. */
  skew = 0;
  readonly timers = new Map<number, Task>();
  #lastTimer = 0;
  #held: (() => void)[] = [];

  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with what a timer or an event of it throws. */
  readonly onError: (realm: string, error: unknown) => void;

  constructor(name: string, clock: Clock, random: Random, onError: (realm: string, error: unknown) => void) {
    this.name = name;
    this.clock = clock;
    this.random = random;
    this.onError = onError;
  }

  now = (): number => Math.floor(epoch + this.clock.time + this.skew);

  /** Runs something that comes from outside: later if it is frozen, never if it has ended. */
  run(task: () => void): void {
    if (this.state === 'ended') return;
    if (this.state === 'frozen') {
      this.#held.push(task);
      return;
    }
    try {
      task();
    } catch (error) {
      this.onError(this.name, error);
    }
  }

  /** Runs something from outside after `ms`. */
  after(ms: number, task: () => void): Task {
    return this.clock.after(ms, () => this.run(task));
  }

  freeze(): void {
    if (this.state === 'running') this.state = 'frozen';
  }

  thaw(): void {
    if (this.state !== 'frozen') return;
    this.state = 'running';
    for (const task of this.#held.splice(0)) this.run(task);
  }

  end(): void {
    this.state = 'ended';
    this.#held = [];
    for (const task of this.timers.values()) task.run = undefined;
    this.timers.clear();
  }

  setTimer(run: () => void, ms: unknown, isRepeated: boolean): number {
    const id = ++this.#lastTimer;
    const delay = Math.max(isRepeated ? 1 : 0, Number(ms) || 0);
    const schedule = () => {
      const task = this.clock.after(delay, () =>
        this.run(() => {
          if (this.timers.get(id) !== task) return;
          if (isRepeated) schedule();
          else this.timers.delete(id);
          run();
        }),
      );
      this.timers.set(id, task);
    };
    if (this.state !== 'ended') schedule();
    return id;
  }

  clearTimer(id: unknown): void {
    const number = Number(id);
    const task = this.timers.get(number);
    // A task that has come due while it is frozen finds that it is gone.
    if (task) task.run = undefined;
    this.timers.delete(number);
  }

  randomBytes(size: number): Buffer {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; at++) bytes[at] = this.random.below(256);
    return bytes;
  }

  randomUUID = (): string => {
    const hex = createHash('md5').update(this.randomBytes(16)).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };

  fillRandom = <T extends ArrayBufferView>(view: T): T => {
    const bytes = this.randomBytes(view.byteLength);
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes);
    return view;
  };
}

/** The globals of a page or process whose realm can be replaced: code reads the present one. */
export function timeGlobals(realm: () => Realm) {
  const timeout = (run: (...args: unknown[]) => void, ms?: unknown, ...args: unknown[]) =>
    realm().setTimer(() => run(...args), ms, false);
  const interval = (run: (...args: unknown[]) => void, ms?: unknown, ...args: unknown[]) =>
    realm().setTimer(() => run(...args), ms, true);
  const clear = (id: unknown) => realm().clearTimer(id);
  class SimulatedDate extends Date {
    constructor(...values: []) {
      super(...(values.length === 0 ? ([realm().now()] as unknown as []) : values));
    }
    static override now = () => realm().now();
    static override [Symbol.hasInstance] = (value: unknown) => value instanceof Date;
  }
  const math = Object.defineProperties({}, Object.getOwnPropertyDescriptors(Math)) as Math;
  math.random = () => realm().random.next();
  return {
    setTimeout: timeout,
    clearTimeout: clear,
    setInterval: interval,
    clearInterval: clear,
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => timeout(run, 0, ...args),
    clearImmediate: clear,
    Date: SimulatedDate,
    performance: { now: () => realm().clock.time, timeOrigin: epoch, mark() {}, measure() {} },
    Math: math,
  };
}
