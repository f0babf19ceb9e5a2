// Tests of several processes that handle the events of bots on one database: an event that one process cannot handle any
// more is handled by another one, and a process that was frozen or cut off changes nothing afterwards.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inProcess } from '../../bots/threads/load-bot.ts';
import {
  accept,
  addWebhookBot,
  answerJson,
  type Receiver,
  refuse,
  startReceiver,
  startVisitor,
} from '../../bots/webhooks/testing.ts';
import { deliveryStates } from '../../storage/bots/deliveries.ts';
import { pollOptions, type TestOptions } from '../../testing.ts';
import {
  type Runs,
  recordRuns,
  startUnreliableCluster,
  storedDeliveries,
  type UnreliableCluster,
  type UnreliableServer,
} from './testing.ts';

let cluster: UnreliableCluster;
let runs: Runs;
let options: TestOptions;
let first: UnreliableServer;
let second: UnreliableServer;
let visitor: { id: string; key: string };
let conversationId: string;

beforeEach(() => {
  runs = recordRuns();
  options = {};
});
afterEach(() => cluster.close());

async function start(optionsOf: (n: number) => TestOptions = () => ({})) {
  cluster = await startUnreliableCluster(2, (n) => ({
    ...options,
    handler: runs.handlerOf(n),
    ...optionsOf(n),
  }));
  [first, second] = cluster.servers as [UnreliableServer, UnreliableServer];
  visitor = await first.user();
  conversationId = await first.conversation(visitor.key);
  await finished();
}

const deliveries = () => storedDeliveries(cluster);
const finished = () => expect.poll(deliveries, pollOptions).toEqual([]);
const texts = async (server = second) => {
  const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, {
    key: visitor.key,
  });
  return (body.messages as { payload: { text: string } }[]).map(({ payload }) => payload.text).reverse();
};
const say = (server: UnreliableServer, text: string) => server.sendMessage(visitor.key, conversationId, text);
/** A lease that is over only when a test ends it, however long a process is frozen. */
const longLease = 3_600_000;

describe('an event that is written at another process than the one that handles the conversation', () => {
  test('is handled by that one when it has finished', async () => {
    // Otherwise the other one may find the event between the end of the one before and its claim.
    await start(() => ({ sharedEvents: { poll: 1_000_000 } }));
    await say(first, 'one');
    await runs.until(['0 one']);
    // The first one is told of each, so the second one has seen that it handles the conversation.
    let notifications = 0;
    cluster.hub.fate = (_, message) => {
      if (message.includes('deliverBotEvents')) notifications += 1;
      return 'arrives';
    };
    await say(second, 'two');
    await expect.poll(() => notifications, pollOptions).toBe(1);
    await say(second, 'three');
    await expect.poll(() => notifications, pollOptions).toBe(2);
    runs.at(0).end();
    await runs.until(['0 one', '0 two']);
    runs.at(1).end();
    await runs.until(['0 one', '0 two', '0 three']);
    runs.at(2).end();
    await finished();
  });

  test('is found by the poll if the message about it is lost', async () => {
    await start();
    cluster.hub.fate = () => 'lost';
    await say(first, 'one');
    await runs.until(['0 one']);
    runs.isHeld = false;
    await say(second, 'two');
    runs.at(0).end();
    await expect.poll(() => runs.list.map(({ text }) => text), pollOptions).toEqual(['one', 'two']);
    await finished();
  });

  test('is handled there at once if the conversation is idle', async () => {
    await start(() => ({ sharedEvents: { poll: 1_000_000 } }));
    runs.isHeld = false;
    for (const [n, server] of [second, first, second, second, first].entries()) {
      await say(server, `${n}`);
      await finished();
    }
    expect(runs.handled()).toEqual(['1 0', '0 1', '1 2', '1 3', '0 4']);
  });
});

describe('a process that is frozen for longer than its lease', () => {
  test('loses its event, and writes nothing afterwards: the visitor sees each reply once', async () => {
    options.sharedEvents = { lease: longLease };
    await start();
    await say(first, 'one');
    await runs.until(['0 one']);
    const frozen = runs.at(0).bot;
    await frozen.reply({ type: 'text', text: 'answer 1' });
    first.process.freeze();
    const late = [
      frozen.reply({ type: 'text', text: 'answer 2' }),
      frozen.sendEvent({ late: true }),
      frozen.setVisibility('hide'),
      frozen.setState('conversation', 'late', { is: 'late' }),
      frozen.patchState('user', 'late', { is: 'late' }),
      frozen.setState('bot', 'late', null),
    ].map((write) =>
      write.then(
        () => 'written',
        (error: Error) => error.name,
      ),
    );
    await cluster.expire(first);
    await runs.until(['0 one', '1 one']);
    const { bot } = runs.at(1);
    await bot.reply({ type: 'text', text: 'answer 1' });
    await bot.reply({ type: 'text', text: 'answer 2' });
    await bot.setState('conversation', 'mood', { is: 'calm' });
    expect(frozen.signal.aborted).toBe(false);
    first.process.thaw();
    expect(await Promise.all(late)).toEqual(Array(6).fill('EventLost'));
    expect(frozen.signal.reason).toMatchObject({ message: expect.stringContaining('lost the lease') });
    runs.at(0).end();
    expect(await deliveries()).toMatchObject([{ attempts: 2, owner: second.process.lease }]);
    runs.at(1).end();
    await finished();
    expect(await texts()).toEqual(['one', 'answer 1', 'answer 2']);
    const states = await cluster.db.read((tx) => tx.all('SELECT name, payload FROM states'));
    expect(states).toEqual([{ name: 'mood', payload: '{"is":"calm"}' }]);
    expect(await cluster.db.read((tx) => tx.all('SELECT id FROM events'))).toEqual([]);
  });

  test('cannot finish or fail the event of another one', async () => {
    await start();
    await say(first, 'one');
    await runs.until(['0 one']);
    first.process.freeze();
    runs.at(0).end();
    await cluster.expire(first);
    await runs.until(['0 one', '1 one']);
    first.process.thaw();
    // The end of the first run is refused, and the event stays.
    await say(first, 'two');
    expect(await deliveries()).toMatchObject([{ attempts: 2, owner: second.process.lease }, { attempts: 0 }]);
    runs.isHeld = false;
    runs.at(1).end();
    await finished();
    expect(runs.list.map(({ text }) => text)).toEqual(['one', 'one', 'two']);
  });

  test('ends its handlers by itself when it learns of it, and goes on with a new lease', async () => {
    const changes: string[] = [];
    await start((n) => ({
      sharedEvents: { lease: n === 0 ? 600 : longLease },
      onClaimChange: (change) => changes.push(`${n} ${change}`),
    }));
    // The second one is not there to take the event over, also when a busy machine loses the lease of the first one before.
    second.process.freeze();
    await say(first, 'one');
    await expect.poll(() => runs.list.length, pollOptions).toBeGreaterThan(0);
    const lost = runs.at(0).bot.signal;
    first.process.freeze();
    await expect.poll(() => lost.aborted, pollOptions).toBe(true);
    expect(lost.reason).toMatchObject({ message: expect.stringContaining('lost the lease') });
    runs.isHeld = false;
    first.process.thaw();
    await finished();
    expect(changes).toContain('0 lease_lost');
  });

  test('is told by its own clock if it is cut off from the database', async () => {
    await start((n) => ({ sharedEvents: { lease: n === 0 ? 600 : longLease } }));
    // The second one must not take the event over before.
    second.process.freeze();
    await say(first, 'one');
    await expect.poll(() => runs.list.length, pollOptions).toBeGreaterThan(0);
    first.process.freeze();
    second.process.thaw();
    runs.isHeld = false;
    await expect.poll(() => runs.at(0).bot.signal.aborted, pollOptions).toBe(true);
    await finished();
    expect(runs.handled()).toContain('1 one');
  });
});

describe('a process that is killed', () => {
  test('loses its events when its lease is over, which counts as an attempt', async () => {
    options.sharedEvents = { lease: longLease };
    const changes: string[] = [];
    await start((n) => ({ onClaimChange: (change, count) => changes.push(`${n} ${change} ${count}`) }));
    await say(first, 'one');
    await runs.until(['0 one']);
    await say(second, 'two');
    first.process.kill();
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([1, 0]);
    runs.isHeld = false;
    await cluster.expire(first);
    await finished();
    expect(runs.handled()).toEqual(['0 one', '1 one', '1 two']);
    expect(changes).toEqual(['1 taken_over 1']);
  });

  test('an event whose process is killed again and again fails after five attempts', async () => {
    await start();
    await say(first, 'one');
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await expect.poll(() => runs.list.length, pollOptions).toBe(attempt);
      const owner = cluster.servers[runs.at(attempt - 1).server];
      if (!owner) throw new Error('An unknown server.');
      await cluster.add();
      owner.process.kill();
      await cluster.expire(owner);
    }
    await finished();
    expect(runs.list).toHaveLength(5);
    const last = cluster.servers.find(({ process }) => process.state === 'running');
    expect(await texts(last)).toEqual(['one', 'Sorry, no answer came. Please try again.']);
  });
});

test('an event that no process has begun, because five were killed while they loaded its bot, is handled by the next one', async () => {
  const loading = new Set<number>();
  let isLoadable = true;
  let finish = () => {};
  const loaded = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await start((n) => ({
    bot: {
      ...inProcess(runs.handlerOf(n)),
      async prepare() {
        loading.add(n);
        if (!isLoadable) await loaded;
      },
    },
  }));
  isLoadable = false;
  try {
    await say(first, 'one');
    for (let kills = 1; kills <= 5; kills += 1) {
      const lost = cluster.servers.filter(({ process }) => process.state === 'running');
      await cluster.add();
      for (const server of lost) {
        server.process.kill();
        await cluster.expire(server);
      }
      const last = cluster.servers.length - 1;
      await expect.poll(() => loading.has(last), pollOptions).toBe(true);
    }
    runs.isHeld = false;
    finish();
    await finished();
    // The first one has not really ended, and begins what it had claimed, too late.
    expect(runs.handled().filter((run) => run !== '0 one')).toEqual(['6 one']);
    expect(await texts(cluster.servers.at(-1))).toEqual(['one']);
  } finally {
    finish();
  }
});

describe('a process that stops', () => {
  const stop = async () => {
    await say(first, 'one');
    await runs.until(['0 one']);
    await say(second, 'two');
    runs.isHeld = false;
    await first.composition.close();
    await finished();
    expect(runs.handled().slice(1)).toEqual(['1 one', '1 two']);
    expect(runs.at(0).bot.signal.aborted).toBe(true);
  };

  test('gives its events up, and others take them at once', async () => {
    await start(() => ({ sharedEvents: { poll: 1_000_000 } }));
    await stop();
  });

  test('also if the message about it is lost', async () => {
    await start();
    cluster.hub.fate = () => 'lost';
    await stop();
  });

  test('leaves what is written while it drains to others', async () => {
    await start(() => ({ sharedEvents: { poll: 1_000_000 } }));
    runs.isHeld = false;
    await first.composition.drain({ timeLimit: 1_000, closingTime: 0 });
    await say(first, 'one');
    await finished();
    expect(runs.handled()).toEqual(['1 one']);
  });
});

describe('a process whose clock is wrong by five minutes', () => {
  test.each([-300_000, 300_000])('(%d ms) neither takes events nor loses them', async (offset) => {
    await start((n) => (n === 1 ? { now: () => Date.now() + offset } : {}));
    await say(first, 'one');
    await runs.until(['0 one']);
    await say(second, 'two');
    const other = await second.conversation(visitor.key);
    // An event that is written while the one of the new conversation is handled is claimed when that one has ended: the
    // poll of the first process could find it in between.
    first.process.freeze();
    await second.sendMessage(visitor.key, other, 'three');
    await runs.until(['0 one', '1 three']);
    first.process.thaw();
    // Until both have polled and renewed again.
    const leases = () =>
      cluster.db.read((tx) =>
        tx.all<{ id: string; at: number }>('SELECT id, leased_until AS at FROM delivery_leases'),
      );
    const before = new Map((await leases()).map(({ id, at }) => [id, at]));
    const renewed = async () => (await leases()).filter(({ id, at }) => at > (before.get(id) ?? 0)).length;
    await expect.poll(renewed, pollOptions).toBe(2);
    expect(runs.handled()).toEqual(['0 one', '1 three']);
    runs.isHeld = false;
    runs.at(0).end();
    runs.at(1).end();
    await finished();
    expect(await texts()).toEqual(['one', 'two']);
  });

  test('stores when a webhook receives an event again by the clock of the database', async () => {
    await start((n) => ({
      now: () => Date.now() + (n - 1) * 300_000,
      WEBHOOK_PRIVATE: 'first',
      webhookTimes: { plan: { blocking: [], deferred: [60_000] } },
    }));
    const receiver = await startReceiver(refuse(503));
    await addWebhookBot(first, receiver.url);
    await startVisitor(() => first, 'away');
    await expect
      .poll(async () => (await deliveries()).map(({ state }) => state), pollOptions)
      .toEqual([deliveryStates.deferred]);
    const [row] = await cluster.db.read((tx) =>
      tx.all<{ due: number }>('SELECT due_at AS due FROM deliveries'),
    );
    // A minute with its jitter, and the time of a busy machine.
    expect(Math.abs((row?.due ?? 0) - Date.now())).toBeLessThan(200_000);
    await receiver.close();
  });
});

describe('the handler of a conversation that is deleted at another process', () => {
  const drop = async () => {
    await say(first, 'one');
    await runs.until(['0 one']);
    const { status } = await second.call('DELETE', `/conversations/${conversationId}`, { key: visitor.key });
    expect(status).toBe(200);
  };

  test('is cancelled', async () => {
    await start();
    await drop();
    await expect.poll(() => runs.at(0).bot.signal.aborted, pollOptions).toBe(true);
    await finished();
  });

  test('writes nothing, also if the message about it is lost', async () => {
    await start();
    cluster.hub.fate = () => 'lost';
    await drop();
    const { bot } = runs.at(0);
    await expect(bot.reply({ type: 'text', text: 'late' })).rejects.toThrow();
    await expect(bot.setState('conversation', 'late', {})).rejects.toThrow();
    runs.at(0).end();
    await finished();
    expect(await cluster.db.read((tx) => tx.all('SELECT name FROM states'))).toEqual([]);
  });
});

test('the handler of a user who is deleted at another process is cancelled, or writes nothing', async () => {
  await start();
  await say(first, 'one');
  await runs.until(['0 one']);
  cluster.hub.fate = () => 'lost';
  expect((await second.call('DELETE', '/users/me', { key: visitor.key })).status).toBe(200);
  await expect(runs.at(0).bot.setState('user', 'late', {})).rejects.toThrow();
  expect(runs.at(0).bot.signal.aborted).toBe(true);
  await finished();
  expect(await cluster.db.read((tx) => tx.all('SELECT name FROM states'))).toEqual([]);
});

describe('webhooks', () => {
  let receiver: Receiver;
  afterEach(() => receiver.close());

  test('a process without a free slot leaves events to others', async () => {
    const waiting: (() => void)[] = [];
    receiver = await startReceiver(async (response) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await answerJson({ messages: [{ payload: { type: 'text', text: 'done' } }] })(response, {} as never);
    });
    await start(() => ({
      WEBHOOK_PRIVATE: 'first',
      WEBHOOK_REQUESTS_PER_BOT: 1,
      webhookTimes: { timeLimit: 60_000 },
      sharedEvents: { poll: 1_000_000 },
    }));
    await addWebhookBot(first, receiver.url);
    const visitors = await Promise.all([1, 2, 3].map(() => startVisitor(() => first, 'away')));
    await expect.poll(() => waiting.length, pollOptions).toBe(2);
    // The third one may have been claimed when it was written, and is given up then.
    const owners = async () => (await deliveries()).map(({ owner }) => `${owner}`).sort();
    const leases = [first.process.lease, second.process.lease, null];
    await expect.poll(owners, pollOptions).toEqual(leases.map((lease) => `${lease}`).sort());
    for (const answer of waiting.splice(0)) answer();
    await expect.poll(() => waiting.length, pollOptions).toBe(1);
    for (const answer of waiting.splice(0)) answer();
    await finished();
    for (const { texts } of visitors) expect(await texts()).toEqual(['done']);
  });

  test('a second process doubles the requests to a slow receiver, and none waits for the other', async () => {
    const waiting: (() => void)[] = [];
    receiver = await startReceiver(async (response) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await accept(response, {} as never);
    });
    const shared = { processes: () => 2, lease: longLease };
    const webhookTimes = { timeLimit: 600_000 };
    await start(() => ({ WEBHOOK_PRIVATE: 'first', webhookTimes, sharedEvents: shared }));
    await addWebhookBot(first, receiver.url);
    // All visitors write to the first process.
    await Promise.all(Array.from({ length: 25 }, () => startVisitor(() => first, 'away')));
    await expect.poll(() => waiting.length, pollOptions).toBe(20);
    const owners = (await deliveries()).map(({ owner }) => owner);
    const countOf = (owner: string | null | undefined) => owners.filter((one) => one === owner).length;
    expect([first.process.lease, second.process.lease, null].map(countOf)).toEqual([10, 10, 5]);
    for (let answered = 0; answered < 25; answered += 1) {
      await expect.poll(() => waiting.length, pollOptions).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    await finished();
    expect(receiver.received).toHaveLength(25);
  });
});
