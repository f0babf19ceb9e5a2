// Measures SQLite, PostgreSQL with one process, and PostgreSQL with two processes, in turn on the same machine: messages in a
// second, how long one takes meanwhile, and when a stream at another process has it. Ratios say more than the figures, because
// the visitors, the processes and the database share the cores.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ChatClient } from '../../src/client/index.ts';
import type { Case, Values } from '../measure.ts';
import { createSetups, type Setup } from '../setups.ts';

/** Visitors who send at the same time, each one message after the other. */
const visitors = 32;
/** Milliseconds of each measurement, and how often each setup is measured in a run, in turn. */
const measureMs = 3_000;
const rounds = 3;
/** Milliseconds after which a frame counts as lost. */
const frameLimitMs = 30_000;

/** Milliseconds in which each setup is used before the first measurement: its code is compiled, statements are prepared. */
const warmUpMs = 3_000;

interface Sample {
  perSecond: number;
  p99: number;
  /** Milliseconds of processor time of a message, in all processes together. */
  processorMs: number;
}

export const clusterCases: Case[] = [{ name: 'cluster', times: 3, run: compare }];

async function compare(): Promise<Values> {
  const { start, close } = await createSetups({
    bot: 'export default () => {};',
    main: 'dist/node/src/server/main.js',
  });
  try {
    const setups = [await start('SQLite', 1, false), await start('one process', 1, true)];
    setups.push(await start('two processes', 2, true));
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
    const values: Record<string, readonly [number, 'ms' | '']> = {};
    for (const { name } of setups) {
      values[`${name}, per second`] = [figure(name, ({ perSecond }) => perSecond), ''];
      values[`${name}, slowest hundredth`] = [figure(name, ({ p99 }) => p99), 'ms'];
      values[`${name}, processor time of a message`] = [figure(name, ({ processorMs }) => processorMs), 'ms'];
    }
    /** The median of the ratios of each round. */
    const ratio = (one: string, other: string) =>
      median(
        (samples.get(one) ?? []).map(
          ({ perSecond }, n) => perSecond / (samples.get(other)?.[n]?.perSecond ?? 1),
        ),
      );
    values['one process / SQLite'] = [ratio('one process', 'SQLite'), ''];
    const [two] = setups.slice(2);
    if (two) {
      values['two processes / one'] = [ratio(two.name, 'one process'), ''];
      const full = await framesElsewhere(two.chatUrls, 0);
      values['post to frame at another process, median'] = [at(full, 0.5), 'ms'];
      values['post to frame at another process, slowest hundredth'] = [at(full, 0.99), 'ms'];
      const rate = figure(two.name, ({ perSecond }) => perSecond) / 2;
      const half = await framesElsewhere(two.chatUrls, (visitors / rate) * 1_000);
      values['post to frame at another process, half load, median'] = [at(half, 0.5), 'ms'];
      values['post to frame at another process, half load, slowest hundredth'] = [at(half, 0.99), 'ms'];
    }
    return values;
  } finally {
    await close();
  }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0;
const median = (values: readonly number[]): number =>
  at(
    [...values].sort((one, other) => one - other),
    0.5,
  );

async function createVisitor(chatUrl: string): Promise<{ client: ChatClient; conversationId: string }> {
  const client = new ChatClient({ chatUrl });
  const { key } = await client.createUser({});
  client.userKey = key;
  const { conversation } = await client.createConversation({});
  return { client, conversationId: conversation.id };
}

/** Visitors of all processes send as many messages as they can. */
async function post({ chatUrls, used: usedBy }: Setup, duration = measureMs): Promise<Sample> {
  const senders = await Promise.all(
    Array.from({ length: visitors }, (_, n) => createVisitor(chatUrls[n % chatUrls.length] as string)),
  );
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
    senders.map(async ({ client, conversationId }) => {
      while (performance.now() - begin < duration) {
        const sent = performance.now();
        const payload = { type: 'text' as const, text: 'A message of usual length, as visitors write it.' };
        await client.createMessage({ conversationId, payload }, { idempotencyKey: randomUUID() });
        durations.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1_000;
  const processorMs = ((processorSeconds() - before) * 1_000) / durations.length;
  durations.sort((one, other) => one - other);
  return { perSecond: durations.length / seconds, p99: at(durations, 0.99), processorMs };
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
