// Tests of events that follow others of their conversation at the same process, which claims them when it writes them, and
// of replies that are stored together: the results are those of one after the other.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bot, BotEvent } from '../../../protocol/bot.ts';
import {
  type Runs,
  recordRuns,
  startUnreliableCluster,
  storedDeliveries,
  type UnreliableCluster,
  type UnreliableServer,
} from '../../cluster/leases/testing.ts';
import { allDelivered } from '../../testing/settled-rows.testing.ts';
import { pollOptions, startTestCluster, type TestOptions } from '../../testing.ts';

let cluster: UnreliableCluster;
let runs: Runs;
let first: UnreliableServer;
let second: UnreliableServer;
let visitor: { id: string; key: string };
let conversationId: string;

beforeEach(() => {
  runs = recordRuns();
});

/** Without a poll, which could find an event between the end of the one before and its claim. */
const unpolled: TestOptions = { sharedEvents: { poll: 1_000_000 } };

async function start(options: TestOptions = {}) {
  cluster = await startUnreliableCluster(2, (n) => ({
    ...options,
    handler: runs.handlerOf(n),
  }));
  [first, second] = cluster.servers as [UnreliableServer, UnreliableServer];
  visitor = await first.user();
  conversationId = await first.conversation(visitor.key);
  await finished();
}

const deliveries = () => storedDeliveries(cluster);
const finished = () => expect.poll(deliveries, pollOptions).toEqual([]);
const say = (server: UnreliableServer, text: string) => server.sendMessage(visitor.key, conversationId, text);

/** The first of three messages is handled while the others are written. */
async function sayThree(): Promise<void> {
  await say(first, 'one');
  await runs.until(['0 one']);
  await say(first, 'two');
  await say(first, 'three');
}

describe('an event that is written while its process handles the one before it', () => {
  afterEach(() => cluster.close());

  test('is claimed at once, and contains what was changed until it is handled', async () => {
    await start(unpolled);
    await sayThree();
    const own = first.process.lease;
    const follows = { attempts: 0, owner: own };
    expect(await deliveries()).toMatchObject([{ attempts: 1, owner: own }, follows, follows]);
    await runs.at(0).bot.setState('conversation', 'mood', { is: 'calm' });
    await second.call('PUT', '/users/me', { key: visitor.key, body: { name: 'Ada' } });
    runs.at(0).end();
    await runs.until(['0 one', '0 two']);
    expect(runs.at(1).event.state.conversation).toEqual({ mood: { is: 'calm' } });
    expect(runs.at(1).bot.user.name).toBe('Ada');
    expect(await deliveries()).toMatchObject([{ attempts: 1, owner: own }, follows]);
    // The next one is handled after one that fails.
    runs.at(1).end(new Error('The bot fails.'));
    await runs.until(['0 one', '0 two', '0 three']);
    expect(await deliveries()).toMatchObject([{ attempts: 1, owner: own }]);
    runs.at(2).end();
    await finished();
  });

  test('has no attempt at a process that was killed before it began', async () => {
    await start();
    await sayThree();
    first.process.kill();
    await cluster.expire(first);
    await runs.until(['0 one', '1 one']);
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([2, 0, 0]);
    runs.at(1).end();
    await runs.until(['0 one', '1 one', '1 two']);
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([1, 0]);
    runs.isHeld = false;
    runs.at(2).end();
    await finished();
  });

  test('is not handled when its message was deleted meanwhile', async () => {
    await start(unpolled);
    await say(first, 'one');
    await runs.until(['0 one']);
    const messageId = await say(first, 'two');
    await say(first, 'three');
    await second.call('DELETE', `/messages/${messageId}`, { key: visitor.key });
    runs.isHeld = false;
    runs.at(0).end();
    await finished();
    expect(runs.handled()).toEqual(['0 one', '0 three']);
  });

  test('waits for events of another process that were written before it', async () => {
    await start();
    await say(first, 'one');
    await runs.until(['0 one']);
    await say(first, 'two');
    await say(second, 'three');
    await say(first, 'four');
    runs.isHeld = false;
    runs.at(0).end();
    await finished();
    expect(runs.list.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four']);
  });

  test('is taken over with it, one at a time, when the process was frozen for longer than its lease', async () => {
    await start(unpolled);
    await sayThree();
    first.process.freeze();
    runs.at(0).end();
    await cluster.expire(first);
    await say(second, 'four');
    await runs.until(['0 one', '1 one']);
    first.process.thaw();
    // The first process has heard that its end was refused when it has stored and passed on a further message.
    await say(first, 'five');
    await say(first, 'six');
    expect(runs.handled()).toEqual(['0 one', '1 one']);
    runs.isHeld = false;
    runs.at(1).end();
    await finished();
    expect(runs.list.map(({ text }) => text)).toEqual(['one', 'one', 'two', 'three', 'four', 'five', 'six']);
  });

  test('is left to others when the process drains', async () => {
    await start(unpolled);
    await sayThree();
    runs.isHeld = false;
    const drained = first.composition.drain({ timeLimit: 60_000, closingTime: 0 });
    runs.at(0).end();
    await drained;
    await finished();
    expect(runs.handled()).toEqual(['0 one', '1 two', '1 three']);
  });
});

/** The reaction of the bot to a message; `two`: replies, without waiting for the first one. */
const behaviours = ['reply', 'two', 'count', 'throw', 'stream', 'event'] as const;
type Behaviour = (typeof behaviours)[number];

async function behave(event: BotEvent, bot: Bot): Promise<void> {
  const [behaviour, text] = event.preview.split(' ') as [Behaviour, string];
  if (behaviour === 'reply') await bot.reply({ type: 'text', text: `answer ${text}` });
  if (behaviour === 'two') {
    void bot.reply({ type: 'text', text: `first ${text}` });
    void bot.reply({ type: 'text', text: `second ${text}` });
  }
  if (behaviour === 'count') {
    const { count = 0 } = (event.state.conversation?.count ?? {}) as { count?: number };
    await bot.setState('conversation', 'count', { count: count + 1 });
    await bot.reply({ type: 'text', text: `count ${count + 1}` });
  }
  if (behaviour === 'throw') throw new Error(`The bot fails with ${text}.`);
  if (behaviour === 'stream') {
    const stream = bot.stream();
    stream.write('streamed ');
    stream.write(text);
    await stream.end();
  }
  if (behaviour === 'event') {
    void bot.reply({ type: 'text', text: `before ${text}` });
    void bot.sendEvent({ text });
    void bot.reply({ type: 'text', text: `after ${text}` });
  }
}

const messages = fc.array(
  fc.record({ conversation: fc.nat(2), server: fc.nat(1), behaviour: fc.constantFrom(...behaviours) }),
  { minLength: 1, maxLength: 25 },
);

test('replies to messages at two processes at once are those of one after the other', async () => {
  const shared = await startTestCluster(2, { handler: behave });
  try {
    const [one] = shared.servers;
    if (!one) throw new Error('There is no server.');
    await fc.assert(
      fc.asyncProperty(messages, async (sent) => {
        const user = await one.user();
        const ids = [];
        for (let n = 0; n < 3; n += 1) ids.push(await one.conversation(user.key));
        // Messages of a conversation are sent one after the other, so that their order is known; other conversations run meanwhile.
        await Promise.all(
          ids.map(async (id, conversation) => {
            for (const [n, message] of sent.entries()) {
              if (message.conversation !== conversation) continue;
              await shared.servers[message.server]?.sendMessage(user.key, id, `${message.behaviour} ${n}`);
            }
          }),
        );
        await allDelivered(one.db);
        for (const [conversation, id] of ids.entries()) {
          const rows = await one.db.read((tx) =>
            tx.all<{ seq: number; text: string; isBot: number }>(
              `SELECT seq, payload AS text, is_bot FROM messages WHERE conversation_id = ?
               UNION ALL SELECT seq, payload AS text, 1 FROM events WHERE conversation_id = ? ORDER BY seq`,
              ...[id, id],
            ),
          );
          let count = 0;
          const expected = sent.flatMap(({ conversation: own, behaviour }, n) => {
            if (own !== conversation) return [];
            if (behaviour === 'reply') return [`answer ${n}`];
            if (behaviour === 'two') return [`first ${n}`, `second ${n}`];
            if (behaviour === 'count') return [`count ${++count}`];
            if (behaviour === 'throw') return ['Sorry, no answer came. Please try again.'];
            if (behaviour === 'stream') return [`streamed ${n}`];
            return [`before ${n}`, `${n}`, `after ${n}`];
          });
          const texts = rows
            .filter(({ isBot }) => isBot)
            .map(({ text }) => {
              const payload = JSON.parse(text) as { text?: string; markdown?: string };
              return payload.text ?? payload.markdown;
            });
          expect(texts).toEqual(expected);
          // No sequence number is missing or taken twice.
          expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, n) => n + 1));
        }
      }),
      { numRuns: 8 },
    );
  } finally {
    await shared.close();
  }
});
