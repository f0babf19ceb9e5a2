// Exchanges with the database, several times a second, what this process and the others have counted. One exchange runs at a
// time. While the database does not answer, each process decides by what it knows.
import type { Logger } from 'pino';

/** Milliseconds between two exchanges. */
export const exchangeIntervalMs = 200;
/** Milliseconds between two checks. */
const checkIntervalMs = 60_000;
/** The number of keys in one transaction. */
const batchSize = 1_000;

export interface ExchangeOptions<Entry> {
  /** Stores what has changed, by id, and reads what others have. */
  send(batch: ReadonlyMap<string, Entry>): Promise<void>;
  /** Joins an entry that could not be sent with the changes since then. */
  merge(unsent: Entry, since: Entry): Entry;
  /** Removes what is not needed any more. Runs each minute. */
  check(): Promise<void>;
  logger: Logger;
  /** The text of the log when an exchange fails. */
  failure: string;
}

export interface Exchange<Entry> {
  /** Changes that are not being sent, by id. */
  readonly pending: Map<string, Entry>;
  /** Changes that are being sent. */
  readonly sending: ReadonlyMap<string, Entry>;
  readonly isFailing: boolean;
  /** Exchanges all that is pending now. Resolves with whether it succeeded; never rejects. */
  run(): Promise<boolean>;
  check(): Promise<boolean>;
  /** Ends the timers. `last`: runs after all others. */
  close(last?: () => Promise<void>): Promise<void>;
}

/** Begins to exchange. */
export function createExchange<Entry>(options: ExchangeOptions<Entry>): Exchange<Entry> {
  const { send, merge, logger, failure } = options;
  const pending = new Map<string, Entry>();
  let sending: ReadonlyMap<string, Entry> = new Map();
  let last: Promise<boolean> = Promise.resolve(true);
  /** An exchange that begins later, so that it includes what changes until then. */
  let next: Promise<boolean> | undefined;
  let isFailing = false;
  let isClosed = false;

  async function sendPending(): Promise<void> {
    while (pending.size > 0) {
      sending = new Map([...pending].slice(0, batchSize));
      for (const id of sending.keys()) pending.delete(id);
      try {
        await send(sending);
      } catch (error) {
        for (const [id, entry] of sending) {
          const since = pending.get(id);
          pending.set(id, since === undefined ? entry : merge(entry, since));
        }
        throw error;
      } finally {
        sending = new Map();
      }
    }
  }

  async function attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      isFailing = false;
      return true;
    } catch (error) {
      if (!isFailing && !isClosed) logger.warn({ err: error }, failure);
      isFailing = true;
      return false;
    }
  }

  function enqueue(work: () => Promise<void>): Promise<boolean> {
    last = last.then(() => attempt(work));
    return last;
  }

  const run = async (): Promise<boolean> => {
    if (isClosed) return false;
    next ??= enqueue(() => {
      next = undefined;
      return sendPending();
    });
    return next;
  };

  const check = () =>
    enqueue(async () => {
      await options.check();
      await sendPending();
    });

  const timers = [
    setInterval(() => void (pending.size > 0 && run()), exchangeIntervalMs),
    setInterval(() => void check(), checkIntervalMs),
  ];
  for (const timer of timers) timer.unref();

  return {
    ...{ pending, run, check },
    get sending() {
      return sending;
    },
    get isFailing() {
      return isFailing;
    },
    async close(work = sendPending) {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      await enqueue(work);
    },
  };
}
