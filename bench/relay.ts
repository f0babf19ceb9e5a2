// Measures the time from a commit to the frame at a subscriber of another process, by each relay and at 200 and 2,000 frames
// per second: `node --import ./scripts/strip-types.mjs bench/relay.ts`. Two processes, 200 conversations, frames of 400 bytes.
import { fork } from 'node:child_process';
import { startPostgres } from '../scripts/services/postgres.mjs';
import { startRedis } from '../scripts/services/redis.mjs';
import { createConversationTopics } from '../src/server/cluster/conversation-topics.ts';
import { connectPostgresRelay } from '../src/server/cluster/postgres-relay.ts';
import { connectRedisRelay } from '../src/server/cluster/redis-relay.ts';
import type { Relay } from '../src/server/cluster/relay.ts';
import { createSequencer } from '../src/server/realtime/fan-out/sequencer.ts';

const conversations = Array.from({ length: 200 }, (_, n) => `conv_${n}`);
const rates = [200, 2_000];
/** Seconds of one measurement. */
const duration = 10;

const connect = (kind: string, url: string): Promise<Relay> =>
  kind === 'notify' ? connectPostgresRelay(url) : connectRedisRelay(url, 'bench');
/** Milliseconds since 1970 with fractions, the same clock for all processes of a machine. */
const now = () => performance.timeOrigin + performance.now();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The other process: a sequencer and a subscriber for each conversation. Reports its times when it is asked. */
async function receive(kind: string, url: string): Promise<void> {
  const relay = await connect(kind, url);
  const topics = createConversationTopics(relay, console.error);
  let times: number[] = [];
  let reads = 0;
  const sequencers = new Map(
    conversations.map((id) => {
      const sequencer = createSequencer({
        deliver: ({ bytes }) => times.push(now() - Number(Buffer.from(bytes).toString('latin1', 0, 20))),
        async read() {
          reads += 1;
          return [];
        },
        onLost() {},
        onError: console.error,
      });
      sequencer.start(0);
      return [id, sequencer];
    }),
  );
  topics.on('f', (id, message) => {
    const space = message.indexOf(' ');
    const seq = Number(message.slice(0, space));
    sequencers.get(id)?.accept(seq, { seq, bytes: Buffer.from(message.slice(space + 1)) });
  });
  for (const id of conversations) await topics.hold(id).ready;
  process.on('message', () => {
    process.send?.({ times, reads });
    times = [];
    reads = 0;
  });
  process.send?.('ready');
}

async function measure(kind: string, url: string): Promise<void> {
  const child = fork(new URL(import.meta.url), [kind, url]);
  const answer = () => new Promise<never>((resolve) => child.once('message', resolve as never));
  await answer();
  const relay = await connect(kind, url);
  const topics = createConversationTopics(relay, console.error);
  const sequences = new Map(conversations.map((id) => [id, 0]));
  for (const rate of rates) {
    const begun = now();
    let sent = 0;
    for (; sent < rate * duration; await pause(1)) {
      for (const due = ((now() - begun) * rate) / 1_000; sent < due && sent < rate * duration; sent += 1) {
        const id = conversations[Math.floor(Math.random() * conversations.length)] ?? '';
        const seq = (sequences.get(id) ?? 0) + 1;
        sequences.set(id, seq);
        topics.send(id, 'f', `${seq} ${now().toFixed(4).padEnd(20)}${'x'.repeat(380)}`);
      }
    }
    await pause(1_000);
    child.send('report');
    const { times, reads }: { times: number[]; reads: number } = await answer();
    times.sort((a, b) => a - b);
    const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
    console.log(
      `${kind.padEnd(7)} ${String(rate).padStart(5)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  max ${at(0.9999)} ms` +
        `  arrived ${times.length} of ${sent}  gaps ${reads}`,
    );
  }
  child.kill();
  await relay.close();
}

const [kind, url] = process.argv.slice(2);
if (kind && url) {
  await receive(kind, url);
} else {
  const [postgres, redis] = [
    await startPostgres({ fsync: 'on', synchronous_commit: 'on' }),
    await startRedis(),
  ];
  for (let round = 0; round < 2; round += 1) {
    await measure('notify', postgres.url);
    await measure('redis', redis.url);
  }
  await postgres.stop();
  await redis.stop();
}
