// Measures many open streams of one process: its memory with and without them, and when a message is answered and has reached its
// readers, while messages are sent at a fixed rate: `node --import ./scripts/strip-types.mjs bench/streams.ts`. Options:
// `--streams=9000`, `--rate=200` messages per second, `--seconds=20`, `--conversations=2000`, `--rounds=1`. A stream needs a
// file of the process at both ends (`ulimit -n`); the readers are processes of their own with 5,000 streams each.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServerProcess } from '../e2e/support/processes/server-process.ts';
import { ChatClient } from '../src/client/index.ts';
import { quotaSettings } from '../src/server/limits/settings.ts';

const option = (name: string, otherwise: number): number =>
  Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise);
const streams = option('streams', 9_000);
const rate = option('rate', 200);
const seconds = option('seconds', 20);
const conversations = Math.min(option('conversations', 2_000), streams);
const rounds = option('rounds', 1);
/** Streams of one process of readers, and of one address: a connection needs a port of its address. */
const perReader = 5_000;
const perAddress = 1_000;
/** Requests that are made at the same time while conversations and streams are opened. */
const atOnce = 50;

/** Milliseconds since 1970 with fractions, the same clock for all processes of a machine. */
const now = () => performance.timeOrigin + performance.now();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Chat {
  key: string;
  id: string;
}
interface Task {
  port: number;
  chats: Chat[];
  /** The number of the first stream, which decides the address. */
  first: number;
}

async function inTurns<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let n = next++; n < count; n = next++) results[n] = await work(n);
    }),
  );
  return results;
}

/** A process of readers: it opens its streams, and notes when each message arrives. */
function read(): void {
  let delays: number[] = [];
  const sockets: Socket[] = [];
  const open = ({ port, chats, first }: Task, n: number) =>
    new Promise<void>((resolve, reject) => {
      const { key, id } = chats[n] as Chat;
      const localAddress = `127.0.1.${1 + Math.floor((first + n) / perAddress)}`;
      const socket = connect({ host: '127.0.0.1', port, localAddress }, () => {
        socket.write(
          `GET /chat/demo/conversations/${id}/listen HTTP/1.1\r\nhost: 127.0.0.1\r\nx-user-key: ${key}\r\n\r\n`,
        );
      });
      sockets.push(socket);
      let isOpen = false;
      socket.on('error', reject);
      socket.on('data', (bytes) => {
        const text = bytes.toString('latin1');
        if (!isOpen && text.includes('\r\n\r\n')) {
          isOpen = true;
          if (text.startsWith('HTTP/1.1 200')) resolve();
          else reject(new Error(text.slice(0, 300)));
        }
        for (const [, sent] of text.matchAll(/"sent at (\d+\.\d+)"/g)) delays.push(now() - Number(sent));
      });
    });
  process.on('message', async (message: Task | 'report') => {
    if (message === 'report') {
      process.send?.(delays);
      delays = [];
      return;
    }
    await inTurns(message.chats.length, (n) => open(message, n));
    process.send?.('open');
  });
}

function partsOf(times: number[]): string {
  times.sort((one, other) => one - other);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  max ${at(0.9999)} ms`;
}

const rss = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-streams-'));
  const bot = join(folder, 'bot.mjs');
  await writeFile(bot, 'export default () => {};');
  const server = await createServerProcess({
    name: 'server',
    main: 'dist/node/src/server/main.js',
    env: {
      DATA_DIR: join(folder, 'data'),
      BOT: bot,
      RATE_LIMIT: '0',
      EMBEDDINGS: 'off',
      MAX_CONNECTIONS: '999999',
      MAX_STREAMS_PER_ADDRESS: '999999',
      ...Object.fromEntries(Object.keys(quotaSettings).map((quota) => [quota, '0'])),
    },
  });
  await server.start();
  const chatUrl = `http://127.0.0.1:${server.port}/chat/demo`;
  const writers = await inTurns(conversations, async () => {
    const client = new ChatClient({ chatUrl });
    const { key } = await client.createUser({});
    client.userKey = key;
    const { conversation } = await client.createConversation({});
    return { client, key, id: conversation.id };
  });
  const chats = Array.from({ length: streams }, (_, n) => {
    const { key, id } = writers[n % conversations] ?? { key: '', id: '' };
    return { key, id };
  });
  await pause(3_000);
  const before = rss(server.pid());
  const readers = Array.from({ length: Math.ceil(streams / perReader) }, () =>
    fork(new URL(import.meta.url), ['read']),
  );
  const answerOf = <T>(reader: (typeof readers)[number], message: unknown) =>
    new Promise<T>((resolve) => {
      reader.once('message', (answer) => resolve(answer as T));
      reader.send(message as never);
    });
  await Promise.all(
    readers.map((reader, n) =>
      answerOf(reader, {
        port: server.port,
        chats: chats.slice(n * perReader, (n + 1) * perReader),
        first: n * perReader,
      }),
    ),
  );
  await pause(5_000);
  const after = rss(server.pid());
  console.log(
    `${streams} streams, ${conversations} conversations: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after, ` +
      `${(((after - before) * 1_024) / streams).toFixed(1)} KB a stream`,
  );
  for (let round = 0; round < rounds; round += 1) {
    const begun = now();
    let sent = 0;
    const failures: unknown[] = [];
    const posts: number[] = [];
    for (; sent < rate * seconds; await pause(1)) {
      for (const due = ((now() - begun) * rate) / 1_000; sent < due && sent < rate * seconds; sent += 1) {
        const { client, id } = writers[Math.floor(Math.random() * conversations)] as (typeof writers)[number];
        const at = now();
        client
          .createMessage({
            conversationId: id,
            payload: { type: 'text', text: `sent at ${at.toFixed(3)}` },
          })
          .then(
            () => posts.push(now() - at),
            (error: unknown) => failures.push(error),
          );
      }
    }
    await pause(3_000);
    const all = (await Promise.all(readers.map((reader) => answerOf<number[]>(reader, 'report')))).flat();
    console.log(
      `${rate}/s: request to response ${partsOf(posts)}, to frame ${partsOf(all)}, ${all.length} frames of ` +
        `${sent} messages, ${failures.length} failed, ${rss(server.pid()).toFixed(0)} MB`,
    );
  }
  for (const reader of readers) reader.kill();
  await server.kill();
  await rm(folder, { recursive: true, force: true });
}

if (process.argv[2] === 'read') read();
else await measure();
