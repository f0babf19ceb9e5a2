// Kills the real server under load, again and again, and compares what visitors saw with what is stored. Moments come
// from a seed; no duration is judged.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ChatClient } from '../../../src/client/index.ts';
import { sqlite } from '../../../src/server/db/sqlite.ts';
import { createRandom } from '../../support/random.ts';
import { type PlatformServer, startPlatform } from '../../support/server.ts';
import { type Delivered, judge } from './invariants.ts';
import { startWriter, type Writer } from './writer.ts';

/** Conversations, and visitors who write in each at the same time. */
const rooms = 3;
const writersPerRoom = 2;
/** Milliseconds of silence after which what has not come counts as lost. */
const patience = 15_000;

export interface CrashOptions {
  /** The built server. */
  main: string;
  rounds: number;
  seed: number;
}

export interface CrashResult {
  /** Every broken law, in a line. */
  faults: string[];
  figures: Record<string, number>;
}

/** Rounds of writing, kill -9 and a new start over the same data; then the laws of `laws.ts`. */
export async function crash({ main, rounds, seed }: CrashOptions): Promise<CrashResult> {
  const random = createRandom(seed);
  const notes = await mkdtemp(join(tmpdir(), 'platform-crash-'));
  const record = join(notes, 'events.jsonl');
  const bot = fileURLToPath(new URL('bot.mjs', import.meta.url));
  let log = '';
  const platform = await startPlatform(
    { BOT: bot, CRASH_RECORD: record, RATE_LIMIT: '0' },
    { main, onLog: (text) => (log += text) },
  );
  const faults: string[] = [];
  const restarts: number[] = [];
  let killedWhileStarting = 0;
  let up = Promise.resolve();
  const counter = createCounter();

  /** Starts it again; in every fourth round it is killed while it starts, and started once more. */
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
    const writers = await enter(platform, () => up, counter.add);
    for (let round = 0; round < rounds; round += 1) {
      await counter.reach(counter.value + random.between(10, 60));
      // The moment itself, and not a wait for something.
      await pause(random.between(0, 25));
      let ready = (): void => {};
      up = new Promise((resolve) => {
        ready = resolve;
      });
      await platform.kill();
      faults.push(...(await integrity(platform.folder, notes)));
      await restart();
      ready();
      for (const writer of writers) writer.wake();
    }
    await Promise.all(writers.map((writer) => writer.finish()));
    const { lost, doubled, delivered } = await compare(writers, record, faults);
    for (const writer of writers) writer.close();
    await platform.kill();
    faults.push(...(await integrity(platform.folder, notes)));
    if (log !== '') faults.push(`The server logged errors: ${log.slice(0, 1_000)}`);
    const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
    const acknowledged = sum(writers.map((writer) => writer.acknowledged.length));
    return {
      faults,
      figures: {
        rounds,
        killedWhileStarting,
        acknowledged,
        sentAgain: sum(writers.map(({ attempts }) => attempts)) - acknowledged,
        storedButUnsaid: sum(writers.map(({ unsaid }) => unsaid)),
        lost,
        doubled,
        streamsOpened: sum(writers.map(({ openings }) => openings.length)),
        signalsHeard: sum(writers.map(({ heard }) => heard.length)),
        events: new Set(delivered.map(({ id }) => id)).size,
        eventsAgain: delivered.length - new Set(delivered.map(({ id }) => id)).size,
        meanRestartMs: Math.round(sum(restarts) / restarts.length),
      },
    };
  } finally {
    await platform.dispose();
    await rm(notes, { recursive: true, force: true });
  }
}

/** Visitors in conversations, who begin to write at once. */
async function enter(
  { chatUrl }: PlatformServer,
  up: () => Promise<void>,
  onAcknowledged: () => void,
): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (let room = 0; room < rooms; room += 1) {
    const clients: { client: ChatClient; userId: string }[] = [];
    for (let n = 0; n < writersPerRoom; n += 1) {
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
      const name = `room${room}writer${n}`;
      writers.push(startWriter({ client, conversationId: conversation.id, name, up, onAcknowledged }));
    }
  }
  return writers;
}

/** Waits until every message is answered and heard, or nothing more comes; then asks the laws. */
async function compare(
  writers: readonly Writer[],
  record: string,
  faults: string[],
): Promise<{ lost: number; doubled: number; delivered: Delivered[] }> {
  const conversations = [...new Set(writers.map(({ conversationId }) => conversationId))].map((id) =>
    writers.filter(({ conversationId }) => conversationId === id),
  );
  // Of each message an answer's begin and end, and those of the greeting.
  const expected = conversations.map((here) =>
    here.reduce((sum, { acknowledged }) => sum + acknowledged.length * 3, 2),
  );
  const isSettled = () =>
    conversations.every((here, n) => here.every(({ heard }) => heard.length >= (expected[n] ?? 0)));
  const heardSoFar = () => writers.reduce((sum, { heard }) => sum + heard.length, 0);
  let progress = { heard: heardSoFar(), at: Date.now() };
  while (!isSettled() && Date.now() - progress.at < patience) {
    await pause(20);
    if (heardSoFar() > progress.heard) progress = { heard: heardSoFar(), at: Date.now() };
  }
  const delivered = await readRecord(record);
  const total = { lost: 0, doubled: 0 };
  for (const here of conversations) {
    const messages = (await here[0]?.listed()) ?? [];
    const { faults: found, count } = judge({ writers: here, messages, delivered });
    faults.push(...found);
    total.lost += count.lost;
    total.doubled += count.doubled;
  }
  return { ...total, delivered };
}

async function readRecord(record: string): Promise<Delivered[]> {
  const lines = (await readFile(record, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Delivered);
}

/** What the database itself finds wrong after a kill, in a copy: opening it mends it. */
async function integrity(folder: string, notes: string): Promise<string[]> {
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

/** Counts acknowledged messages; `reach` resolves when there are so many. */
function createCounter() {
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
