// The crash test: repeatedly kills the real server under load, and compares what clients received with the stored data.
// A seed determines the times of the kills; no duration is asserted.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ChatClient } from '../../../src/client/index.ts';
import { sqlite } from '../../../src/server/storage/sqlite.ts';
import { createRandom } from '../../support/random.ts';
import { type PlatformServer, startPlatform } from '../../support/server.ts';
import { checkInvariants, type Delivered } from './invariants.ts';
import { byConversation, eventsIn, settled, startWriter, totalsOf, type Writer } from './writer.ts';

/** The number of conversations, and of visitors who write in each concurrently. */
const conversationCount = 3;
const writersPerConversation = 2;
/** Milliseconds without progress after which missing messages count as lost. */
const stallMs = 60_000;

export interface CrashOptions {
  /** The built server. */
  main: string;
  rounds: number;
  seed: number;
}

export interface CrashResult {
  /** Every violated invariant, one line each. */
  faults: string[];
  figures: Record<string, number>;
}

/** Repeats writing, kill -9 and a restart on the same data, then checks the invariants. */
export async function crash({ main, rounds, seed }: CrashOptions): Promise<CrashResult> {
  const random = createRandom(seed);
  const notes = await mkdtemp(join(tmpdir(), 'platform-crash-'));
  const record = join(notes, 'events.jsonl');
  const bot = fileURLToPath(new URL('../../support/bots/recording-bot.mjs', import.meta.url));
  let log = '';
  const platform = await startPlatform(
    { BOT: bot, EVENT_RECORD: record, RATE_LIMIT: '0' },
    { main, onLog: (text) => (log += text) },
  );
  const faults: string[] = [];
  const restarts: number[] = [];
  let killedWhileStarting = 0;
  let up = Promise.resolve();
  const counter = createCounter();

  /** Restarts the server; in a quarter of the rounds it is killed during the start and started again. */
  async function restart(): Promise<void> {
    if (random.between(1, 4) === 1) {
      const starting = platform.start().catch(() => {
        killedWhileStarting += 1;
      });
      await pause(random.between(1, 500));
      await platform.kill();
      await starting;
    }
    const began = performance.now();
    await platform.start();
    restarts.push(performance.now() - began);
  }

  try {
    const writers = await startWriters(platform, () => up, counter.add);
    for (let round = 0; round < rounds; round += 1) {
      await counter.reach(counter.value + random.between(10, 60));
      // This delay determines the time of the kill; it does not wait for a condition.
      await pause(random.between(0, 25));
      let ready = (): void => {};
      up = new Promise((resolve) => {
        ready = resolve;
      });
      await platform.kill();
      faults.push(...(await checkIntegrity(platform.folder, notes)));
      await restart();
      ready();
      for (const writer of writers) writer.wake();
    }
    await Promise.all(writers.map((writer) => writer.finish()));
    const { lost, duplicated, delivered } = await compare(writers, record, faults);
    for (const writer of writers) writer.close();
    await platform.kill();
    faults.push(...(await checkIntegrity(platform.folder, notes)));
    if (log !== '') faults.push(`The server logged errors: ${log.slice(0, 1_000)}`);
    return {
      faults,
      figures: {
        rounds,
        killedWhileStarting,
        storedUnacknowledged: writers.reduce((sum, writer) => sum + writer.storedUnacknowledged, 0),
        lost,
        duplicated,
        ...totalsOf(writers),
        ...eventsIn(delivered),
        meanRestartMs: Math.round(restarts.reduce((sum, ms) => sum + ms, 0) / restarts.length),
      },
    };
  } finally {
    await platform.dispose();
    await rm(notes, { recursive: true, force: true });
  }
}

/** Creates visitors and conversations. The visitors start to write at once. */
async function startWriters(
  { chatUrl }: PlatformServer,
  up: () => Promise<void>,
  onAcknowledged: () => void,
): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (let index = 0; index < conversationCount; index += 1) {
    const clients: { client: ChatClient; userId: string }[] = [];
    for (let n = 0; n < writersPerConversation; n += 1) {
      const client = new ChatClient({ chatUrl });
      const { user, key } = await client.createUser({});
      client.userKey = key;
      clients.push({ client, userId: user.id });
    }
    const [owner, ...others] = clients;
    if (!owner) continue;
    const { conversation } = await owner.client.createConversation({});
    for (const { client, userId } of others) {
      await owner.client.addParticipant({ conversationId: conversation.id, userId });
      await client.acceptInvitation({ conversationId: conversation.id });
    }
    for (const [n, { client }] of clients.entries()) {
      const name = `conversation${index}writer${n}`;
      writers.push(startWriter({ client, conversationId: conversation.id, name, up, onAcknowledged }));
    }
  }
  return writers;
}

/** Waits until every message is answered and received, or progress stops, then checks the invariants. */
async function compare(
  writers: readonly Writer[],
  record: string,
  faults: string[],
): Promise<{ lost: number; duplicated: number; delivered: Delivered[] }> {
  const conversations = byConversation(writers);
  await settled(conversations, stallMs);
  const delivered = await readRecord(record);
  const total = { lost: 0, duplicated: 0 };
  for (const here of conversations) {
    const messages = (await here[0]?.listMessages()) ?? [];
    const { faults: found, count } = checkInvariants({ writers: here, messages, delivered });
    faults.push(...found);
    total.lost += count.lost;
    total.duplicated += count.duplicated;
  }
  return { ...total, delivered };
}

async function readRecord(record: string): Promise<Delivered[]> {
  const lines = (await readFile(record, 'utf8')).split('\n').filter(Boolean);
  const steps = lines.map((line) => JSON.parse(line) as Delivered & { step: string });
  return steps.filter(({ step }) => step === 'begin');
}

/** Returns the problems that SQLite finds after a kill. Uses a copy, because opening the database repairs it. */
async function checkIntegrity(folder: string, notes: string): Promise<string[]> {
  const copy = await mkdtemp(join(notes, 'copy-'));
  for (const end of ['', '-wal']) {
    await cp(join(folder, `platform.db${end}`), join(copy, `platform.db${end}`));
  }
  const DatabaseSync = await sqlite();
  const db = new DatabaseSync(join(copy, 'platform.db'));
  try {
    const rows = [
      ...db.prepare('PRAGMA integrity_check').all(),
      ...db.prepare('PRAGMA foreign_key_check').all(),
    ].map((row) => JSON.stringify(row));
    return rows.filter((row) => row !== '{"integrity_check":"ok"}');
  } finally {
    db.close();
    await rm(copy, { recursive: true, force: true });
  }
}

/** Counts acknowledged messages; `reach` resolves at the target. */
export function createCounter() {
  let value = 0;
  let waiting: { target: number; resolve: () => void } | undefined;
  return {
    get value() {
      return value;
    },
    add(): void {
      value += 1;
      if (waiting && value >= waiting.target) waiting.resolve();
    },
    reach: (target: number): Promise<void> =>
      new Promise((resolve) => {
        waiting = { target, resolve };
      }),
  };
}
