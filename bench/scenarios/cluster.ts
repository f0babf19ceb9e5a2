// Measures SQLite, PostgreSQL with one process, and PostgreSQL with two processes, in turn on the same machine: messages in a
// second, how long one takes meanwhile, and when a stream at another process has it. The floor is the least server that stores a
// message (floor-server.mjs). Ratios say more than the figures, because the visitors, the processes and the database share the cores.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createServerProcess } from '../../e2e/support/processes/server-process.ts';
import { ChatClient } from '../../src/client/index.ts';
import { type Case, type Measured, median, type Unit, type Values } from '../measure.ts';
import { threadSeconds } from '../processor-time.ts';
import { createSetups, type Setup } from '../setups.ts';

/** Visitors who send at the same time, each one message after the other. */
const visitors = 32;
/** Milliseconds of each measurement, and how often each setup is measured in a run, in turn. */
const measureMs = 3_000;
const rounds = 2;
/** Milliseconds after which a frame counts as lost. */
const frameLimitMs = 30_000;

/** Milliseconds in which each setup is used before the first measurement: its code is compiled, statements are prepared. */
const warmUpMs = 2_000;

interface Sample {
  perSecond: number;
  p50: number;
  p99: number;
  /** Milliseconds of processor time of a message, in all processes together. */
  processorMs: number;
}

export const clusterCases: Case[] = [{ name: 'cluster', times: 1, run: compare }];

async function compare(): Promise<Values> {
  const { start, close } = await createSetups({
    bot: 'export default () => {};',
    main: 'dist/node/src/server/main.js',
  });
  const folder = await mkdtemp(join(tmpdir(), 'webchat-floor-'));
  const floor = await startFloor(folder);
  try {
    const setups: Posting[] = [floor];
    for (const [name, processes, isPostgres] of setupNames) {
      const { used: usedBy, chatUrls } = await start(name, processes, isPostgres);
      const add = async (n: number) => {
        const { client, conversationId } = await createVisitor(chatUrls[n % chatUrls.length] as string);
        return () => client.createMessage({ conversationId, payload }, { idempotencyKey: randomUUID() });
      };
      setups.push({ name, chatUrls, used: usedBy, addVisitor: add });
    }
    for (const setup of setups) await post(setup, warmUpMs);
    const samples = new Map<string, Sample[]>(setups.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      // The first setup of a round is another one each time.
      for (const setup of [
        ...setups.slice(round % setups.length),
        ...setups.slice(0, round % setups.length),
      ]) {
        samples.get(setup.name)?.push(await post(setup));
      }
    }
    const figure = (name: string, of: (sample: Sample) => number) =>
      median((samples.get(name) ?? []).map(of));
    const values: Record<string, Measured> = {};
    for (const [name] of setupNames) {
      const beside = (of: (sample: Sample) => number, unit: Unit): Measured => [
        figure(name, of),
        unit,
        figure(floor.name, of),
      ];
      values[`${name}, per second`] = beside(({ perSecond }) => perSecond, '/s');
      values[`${name}, slowest hundredth`] = beside(({ p99 }) => p99, 'ms');
      values[`${name}, processor time of a message`] = beside(({ processorMs }) => processorMs, 'ms');
    }
    const chatUrls = setups.at(-1)?.chatUrls ?? [];
    const direct = figure(floor.name, ({ p50 }) => p50);
    const full = await framesElsewhere(chatUrls, 0);
    values['post to frame at another process, median'] = [at(full, 0.5), 'ms', direct];
    const rate = figure('two processes', ({ perSecond }) => perSecond) / 2;
    const half = await framesElsewhere(chatUrls, (visitors / rate) * 1_000);
    values['post to frame at another process, half load, median'] = [at(half, 0.5), 'ms', direct];
    return values;
  } finally {
    await floor.stop();
    await rm(folder, { recursive: true });
    await close();
  }
}

/** Name, number of processes, and whether PostgreSQL stores. */
const setupNames = [
  ['SQLite', 1, false],
  ['one process', 1, true],
  ['two processes', 2, true],
] as const;

const payload = { type: 'text' as const, text: 'A message of usual length, as visitors write it.' };

/** Servers to which visitors post. */
interface Posting extends Pick<Setup, 'name' | 'chatUrls' | 'used'> {
  /** Returns a function that posts a message of a new visitor. */
  addVisitor(n: number): Promise<() => Promise<unknown>>;
}

async function startFloor(folder: string): Promise<Posting & { stop(): Promise<void> }> {
  const server = await createServerProcess({
    name: 'floor',
    main: 'bench/floor-server.mjs',
    env: { DATA_DIR: folder },
  });
  await server.start();
  const url = `http://127.0.0.1:${server.port}`;
  const say = async () => (await fetch(url, { method: 'POST', body: JSON.stringify({ payload }) })).json();
  return {
    name: 'floor',
    chatUrls: [url],
    used: () => ({ threads: [threadSeconds(server.pid())], postgres: 0 }),
    addVisitor: async () => say,
    stop: server.kill,
  };
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0;

async function createVisitor(chatUrl: string): Promise<{ client: ChatClient; conversationId: string }> {
  const client = new ChatClient({ chatUrl });
  const { key } = await client.createUser({});
  client.userKey = key;
  const { conversation } = await client.createConversation({});
  return { client, conversationId: conversation.id };
}

/** Visitors of all processes send as many messages as they can. */
async function post({ addVisitor, used: usedBy }: Posting, duration = measureMs): Promise<Sample> {
  const posts = await Promise.all(Array.from({ length: visitors }, (_, n) => addVisitor(n)));
  const durations: number[] = [];
  const processorSeconds = () => {
    const { threads, postgres } = usedBy();
    const { user, system } = process.cpuUsage();
    const own = threads.reduce((sum, { main, others }) => sum + main + others, 0);
    return own + postgres + (user + system) / 1e6;
  };
  const before = processorSeconds();
  const begin = performance.now();
  await Promise.all(
    posts.map(async (say) => {
      while (performance.now() - begin < duration) {
        const sent = performance.now();
        await say();
        durations.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1_000;
  const processorMs = ((processorSeconds() - before) * 1_000) / durations.length;
  durations.sort((one, other) => one - other);
  return {
    perSecond: durations.length / seconds,
    p50: at(durations, 0.5),
    p99: at(durations, 0.99),
    processorMs,
  };
}

/**
 * The milliseconds from the request of each message at the first process to its frame at the second one, sorted. Each visitor
 * sends a message every `interval` milliseconds, or as soon as the one before is stored, if that is later.
 */
async function framesElsewhere(
  [here = '', elsewhere = '']: readonly string[],
  interval: number,
): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: visitors }, async () => {
      const { client, conversationId } = await createVisitor(here);
      const reader = new ChatClient({ chatUrl: elsewhere });
      if (client.userKey !== undefined) reader.userKey = client.userKey;
      const sentAt = new Map<string, number>();
      let opened = (): void => {};
      const isOpen = new Promise<void>((resolve) => {
        opened = resolve;
      });
      let expected = 0;
      let received = (): void => {};
      const stream = reader.listen(conversationId, {
        onOpen: () => opened(),
        onSignal(signal) {
          if (signal.type !== 'message_created' || signal.data.payload.type !== 'text') return;
          const sent = sentAt.get(signal.data.payload.text);
          if (sent === undefined) return;
          times.push(performance.now() - sent);
          expected -= 1;
          received();
        },
      });
      await isOpen;
      const begin = performance.now();
      while (performance.now() - begin < measureMs) {
        const text = randomUUID();
        const isDue = setTimeout(interval * (0.5 + Math.random()));
        sentAt.set(text, performance.now());
        expected += 1;
        await client.createMessage(
          { conversationId, payload: { type: 'text', text } },
          { idempotencyKey: text },
        );
        if (interval > 0) await isDue;
      }
      while (expected > 0) {
        await new Promise<void>((resolve, reject) => {
          received = resolve;
          globalThis
            .setTimeout(() => reject(new Error('A frame did not arrive at the other process.')), frameLimitMs)
            .unref();
        });
      }
      stream.close();
    }),
  );
  return times.sort((one, other) => one - other);
}
