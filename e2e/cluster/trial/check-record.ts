// Compares the data that clients of a trial received with the stored data and the records of the bot.
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { checkInvariants, type Delivered, type LossCount } from '../../stress/crash/invariants.ts';
import { pollUntil } from '../../support/poll.ts';
import type { TrialDatabase } from './database.ts';
import {
  fileFault,
  removedGuestsThatHear,
  type Step,
  sequenceFaults,
  sequenceQuery,
  simultaneousEvents,
  unfinishedEvents,
} from './invariants.ts';
import type { Load } from './load.ts';
import { retry } from './retry.ts';

/** Milliseconds without progress after which missing messages count as lost. */
export const stallMs = 120_000;

export interface TrialRecord {
  load: Load;
  /** The file in which the bot has recorded its events. */
  record: string;
  database: TrialDatabase;
  /** Ids of processes whose events may have been handled a second time. */
  disturbed: ReadonlySet<number>;
  /** The address of the server. */
  url: string;
}

/** Returns every broken invariant, one line each, and the events that the bot has recorded. Waits until everything has arrived, or nothing arrives any more. */
export async function checkRecord({
  load,
  record,
  database,
  disturbed,
  url,
}: TrialRecord): Promise<{ faults: string[]; count: LossCount; delivered: Delivered[] }> {
  const { writers } = load;
  const broken: string[] = [];
  const spaces = [...new Set(writers.map(({ conversationId }) => conversationId))].map((id) =>
    writers.filter(({ conversationId }) => conversationId === id),
  );
  await settled(spaces);
  const steps = (await readFile(record, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Step & Delivered);
  const delivered = steps.filter(({ step }) => step === 'begin');
  const count = { lost: 0, duplicated: 0 };
  for (const here of spaces) {
    const messages = await retry(async () => (await here[0]?.listMessages()) ?? []);
    const found = checkInvariants({ writers: here, messages, delivered });
    broken.push(...found.faults);
    count.lost += found.count.lost;
    count.duplicated += found.count.duplicated;
  }
  broken.push(...simultaneousEvents(steps, disturbed));
  broken.push(...removedGuestsThatHear(load.guests));
  broken.push(...sequenceFaults(await database.query(sequenceQuery)));
  broken.push(
    ...unfinishedEvents(
      await database.query('SELECT state, count(*)::int AS count FROM deliveries GROUP BY state'),
    ),
  );
  for (const { url: address, content } of load.files) {
    const response = await fetch(url + new URL(address).pathname);
    broken.push(...fileFault(address, response.status, content, Buffer.from(await response.arrayBuffer())));
  }
  return { faults: broken, count, delivered };
}

/** Waits until every stream has received everything, or nothing arrives any more. The invariants say what is missing. */
async function settled(spaces: readonly (readonly { acknowledged: unknown[]; receivedIds: string[] }[])[]) {
  const missing = () =>
    spaces.some((here) => {
      const expected = here.reduce((sum, { acknowledged }) => sum + acknowledged.length * 3, 2);
      return here.some(({ receivedIds }) => receivedIds.length < expected);
    });
  const received = () => spaces.flat().reduce((sum, { receivedIds }) => sum + receivedIds.length, 0);
  let last = { count: received(), at: performance.now() };
  await pollUntil(
    'every stream has everything, or nothing arrives any more',
    () => {
      if (received() > last.count) last = { count: received(), at: performance.now() };
      return !missing() || performance.now() - last.at >= stallMs;
    },
    { timeoutMs: Number.POSITIVE_INFINITY, intervalMs: 100 },
  );
  // What would be received twice.
  await pause(500);
}
