// Groups requests that arrive at the same time, so that one transaction stores them or one statement answers them.
import { publish } from '../startup/events.ts';
import { type Database, isOfDatabase, type Tx } from './database.ts';

/** The maximum number of requests in a group: larger groups only take longer. */
const defaultMaxSize = 512;
/** Milliseconds that a request waits for others while another group is running. */
const defaultGatheringTimeMs = 2;
/** The number of groups that run at the same time: one collects and sends while the other one is committed. */
const defaultMaxRunning = 2;
/** The maximum weight of a group, unless a single entry is heavier. */
const maxWeight = 2_000_000;

interface Waiting<Entry, Result> {
  entry: Entry;
  /** When it was added, by a monotonic clock. */
  at: number;
  weight: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that runs an entry together with others. `run` gets the entries of a group in the order of their
 * calls, and returns their results in this order; when it rejects, all of them do. `weigh`: the bytes of an entry. A
 * single entry is not delayed. Only while a group is running, further entries wait: for `gatherTime` milliseconds, or
 * until fewer than `maxRunning` groups are running.
 */
export function createGroups<Entry, Result>(
  run: (entries: Entry[]) => Promise<Result[]>,
  {
    weigh,
    maxSize = defaultMaxSize,
    gatherTime = defaultGatheringTimeMs,
    maxRunning = defaultMaxRunning,
  }: { weigh(entry: Entry): number; maxSize?: number; gatherTime?: number; maxRunning?: number },
): (entry: Entry) => Promise<Result> {
  const waiting: Waiting<Entry, Result>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || running >= maxRunning || waiting.length === 0) return;
    isScheduled = true;
    if (running === 0 || gatherTime === 0 || waiting.length >= maxSize) setImmediate(start);
    else setTimeout(start, gatherTime);
  }

  function start(): void {
    isScheduled = false;
    let weight = 0;
    let size = 0;
    for (const { weight: more } of waiting) {
      if (size === maxSize || (size > 0 && weight + more > maxWeight)) break;
      weight += more;
      size += 1;
    }
    const group = waiting.splice(0, size);
    publish('group', { size, waitMs: performance.now() - (group[0]?.at ?? 0) });
    running += 1;
    run(group.map(({ entry }) => entry))
      .then(
        (results) => {
          for (const [n, { resolve }] of group.entries()) resolve(results[n] as Result);
        },
        (error: unknown) => {
          for (const { reject } of group) reject(error);
        },
      )
      .finally(() => {
        running -= 1;
        schedule();
      });
    schedule();
  }

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, at: performance.now(), weight: weigh(entry), resolve, reject });
      schedule();
    });
}

/**
 * Runs a group whose entries can also run alone. If it fails for another reason than the database, the result of every
 * entry is undefined, so that each can run alone and one invalid entry does not affect the others. A failure of the
 * database rejects.
 */
export async function withoutFaultOfOthers<Entry, Result>(
  entries: readonly Entry[],
  run: () => Promise<Result[]>,
): Promise<(Result | undefined)[]> {
  try {
    return await run();
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    return entries.map(() => undefined);
  }
}

/**
 * Returns a function that reads something together with the same reads of others. `readAll` answers several of them in
 * their order. If it fails for another reason than the database, `readOne` answers each of them, so that one failing
 * read does not affect the others. A single read is not delayed.
 */
export function createReads<Question, Answer>(
  db: Pick<Database, 'read'>,
  readAll: (tx: Tx, questions: readonly Question[]) => Promise<Answer[]>,
  readOne: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  type Result = { answer: Answer } | undefined;
  const read = createGroups(
    (questions: Question[]): Promise<Result[]> =>
      withoutFaultOfOthers(questions, async () =>
        (await db.read((tx) => readAll(tx, questions))).map((answer) => ({ answer })),
      ),
    { weigh: () => 0, gatherTime: 0, maxRunning: 1 },
  );
  return async (question) => {
    const found = await read(question);
    return found ? found.answer : readOne(question);
  };
}
