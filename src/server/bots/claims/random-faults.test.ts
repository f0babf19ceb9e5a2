// Tests what holds for the events of bots whatever happens to the processes: servers are frozen, killed and replaced at
// random, and messages between them are lost, doubled and late. SEED repeats a run.
import { afterEach, expect, test } from 'vitest';
import type { BotHandler } from '../../../protocol/bot.ts';
import type { Fate } from '../../cluster/memory-relay.testing.ts';
import { pollOptions } from '../../testing.ts';
import { startUnreliableCluster, type UnreliableCluster, type UnreliableServer } from './testing.ts';

const conversationCount = 40;
const messagesEach = 3;
/** An event is attempted five times at most, so that fewer faults than that cannot make it fail. */
const faults = 4;

let cluster: UnreliableCluster;
afterEach(() => cluster.close());

/** A run of the handler, and the messages that its event already had when it began. */
interface Run {
  eventId: string;
  before: Set<string>;
  /** Whether one of its writes was stored: a process that has lost the event does not know it, and can begin later. */
  hasWritten: boolean;
}

interface StoredMessage {
  id: string;
  conversationId: string;
  text: string;
  /** The run that has written it; undefined for a visitor. */
  run: number | undefined;
}

const seeds = process.env.SEED
  ? [Number(process.env.SEED)]
  : Array.from({ length: Number(process.env.CLAIM_RUNS ?? 3) }, () => Math.floor(Math.random() * 2 ** 31));

test.each(seeds)(
  'seed %d: each event is finished once and in order, and each reply is single',
  async (seed) => {
    const random = createRandom(seed);
    const pick = <T>(items: readonly T[]): T => {
      const found = items[Math.floor(random() * items.length)];
      if (found === undefined) throw new Error('There is nothing to choose from.');
      return found;
    };
    const runs: Run[] = [];

    const handler: BotHandler = async (event, bot) => {
      if (event.type !== 'text') return;
      const run = runs.length;
      runs.push({ eventId: event.id, before: new Set(), hasWritten: false });
      const found = await repliesTo(event.id);
      for (const { id } of found) runs[run]?.before.add(id);
      await bot.reply({ type: 'text', text: `${event.preview} a` }, { metadata: { run } });
      await bot.patchState('conversation', 'latest', { text: event.preview });
      const own = runs[run];
      if (own) own.hasWritten = true;
      await bot.reply({ type: 'text', text: `${event.preview} b` }, { metadata: { run } });
    };
    cluster = await startUnreliableCluster(3, () => ({ handler, sharedEvents: { poll: 100 } }));
    const { hub, db, servers } = cluster;
    hub.fate = () => pick<Fate>(['arrives', 'arrives', 'lost', 'doubled', 'held']);
    const running = () => servers.filter(({ process }) => process.state === 'running');

    const repliesTo = (eventId: string) =>
      db.read((tx) =>
        tx.all<{ id: string }>(
          'SELECT id FROM messages WHERE origin > ? AND origin < ?',
          `${eventId}:`,
          `${eventId}:~`,
        ),
      );

    // A request whose server was killed or frozen is repeated at another one, with its key.
    async function send(key: string, conversationId: string, text: string): Promise<void> {
      for (;;) {
        const server = pick(running());
        const options = {
          key,
          headers: { 'idempotency-key': text },
          body: { conversationId, payload: { type: 'text', text } },
        };
        const { status } = await server.call('POST', '/messages', options);
        if (status === 201) return;
        if (server.process.state === 'running') throw new Error(`${text} was refused: ${status}`);
      }
    }

    const [one] = servers as [UnreliableServer];
    const visitor = await one.user();
    const conversationIds: string[] = [];
    for (let n = 0; n < conversationCount; n += 1) conversationIds.push(await one.conversation(visitor.key));

    let sent = 0;
    const total = conversationCount * messagesEach;
    const sending = conversationIds.map(async (conversationId, n) => {
      for (let m = 0; m < messagesEach; m += 1) {
        await send(visitor.key, conversationId, `${n}.${m}`);
        sent += 1;
      }
    });

    const isTakenOver = (lease: string | undefined) => async () =>
      (await db.read((tx) => tx.all('SELECT 1 FROM deliveries WHERE owner = ?', lease ?? ''))).length;
    const faulting = (async () => {
      for (let fault = 1; fault <= faults; fault += 1) {
        // Spread over the posts, at a moment that the seed does not decide.
        await expect
          .poll(() => sent, { ...pollOptions, interval: 1 })
          .toBeGreaterThanOrEqual(Math.floor(((fault - random()) / faults) * total * 0.8));
        const victim = pick(running());
        const { lease } = victim.process;
        if (random() < 0.5) {
          await cluster.add();
          victim.process.kill();
          await cluster.expire(victim);
        } else {
          victim.process.freeze();
          await cluster.expire(victim);
          await expect.poll(isTakenOver(lease), pollOptions).toBe(0);
          victim.process.thaw();
        }
        hub.release({ isReversed: random() < 0.5 });
      }
    })();
    await Promise.all([...sending, faulting]);
    const left = () => db.read((tx) => tx.all('SELECT event_id, owner, attempts, state FROM deliveries'));
    await expect.poll(left, pollOptions).toEqual([]);

    // No message is lost, none is doubled, and replies follow their message before the next event begins.
    const rows = await db.read((tx) =>
      tx.all<{ id: string; conversationId: string; payload: string; metadata: string | null; isBot: number }>(
        `SELECT id, conversation_id AS "conversationId", payload, metadata, is_bot AS "isBot" FROM messages
       ORDER BY conversation_id, seq`,
      ),
    );
    const messages = rows.map(
      ({ id, conversationId, payload, metadata, isBot }): StoredMessage => ({
        id,
        conversationId,
        text: (JSON.parse(payload) as { text: string }).text,
        run: isBot === 1 ? (JSON.parse(metadata ?? '{}') as { run: number }).run : undefined,
      }),
    );
    for (const [n, conversationId] of conversationIds.entries()) {
      const own = messages.filter((message) => message.conversationId === conversationId);
      const posted = Array.from({ length: messagesEach }, (_, m) => `${n}.${m}`);
      expect(own.filter(({ run }) => run === undefined).map(({ text }) => text)).toEqual(posted);
      const replies = own.filter(({ run }) => run !== undefined).map(({ text }) => text);
      expect(replies).toEqual(posted.flatMap((text) => [`${text} a`, `${text} b`]));
    }

    // When a run had begun that has written, no earlier run of its event has written anything since.
    for (const [later, { eventId, before, hasWritten }] of runs.entries()) {
      if (!hasWritten && !messages.some(({ run }) => run === later)) continue;
      for (const { id } of await repliesTo(eventId)) {
        const writer = messages.find((message) => message.id === id)?.run ?? 0;
        expect(writer >= later || before.has(id), `run ${writer} wrote after run ${later}`).toBe(true);
      }
    }

    // The state is that of the last event, so that no earlier run has written it later.
    const states = await db.read((tx) =>
      tx.all<{ id: string; payload: string }>('SELECT owner_id AS "id", payload FROM states'),
    );
    const latest = new Map(states.map(({ id, payload }) => [id, JSON.parse(payload) as unknown]));
    for (const [n, id] of conversationIds.entries())
      expect(latest.get(id)).toEqual({ text: `${n}.${messagesEach - 1}` });
  },
);

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
