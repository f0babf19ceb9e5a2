// Compares the data that clients of a trial received with the stored data and the records of the bot.
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { unfinishedFaults } from '../../../simulation/invariants.ts';
import { checkInvariants, type Delivered, type LossCount } from '../../stress/crash/invariants.ts';
import { byConversation, settled } from '../../stress/crash/writer.ts';
import type { TrialDatabase } from './database.ts';
import {
  fileFault,
  removedGuestsThatHear,
  type Step,
  sequenceFaults,
  sequenceQuery,
  simultaneousEvents,
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
  const broken: string[] = [];
  const conversations = byConversation(load.writers);
  await settled(conversations, stallMs);
  // Entries that would be received twice.
  await pause(500);
  const steps = (await readFile(record, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Step & Delivered);
  const delivered = steps.filter(({ step }) => step === 'begin');
  const count = { lost: 0, duplicated: 0 };
  for (const here of conversations) {
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
    ...unfinishedFaults(
      await database.query('SELECT state, count(*)::int AS count FROM deliveries GROUP BY state'),
    ),
  );
  for (const { url: address, content } of load.files) {
    const response = await fetch(url + new URL(address).pathname);
    broken.push(...fileFault(address, response.status, content, Buffer.from(await response.arrayBuffer())));
  }
  return { faults: broken, count, delivered };
}
