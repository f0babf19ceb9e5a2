// Tests of interrupts on several processes and over restarts: each is settled once, and the bot receives one event.
import { afterEach, describe, expect, test } from 'vitest';
import type { BotStream, ResumeEvent } from '../../../protocol/bot.ts';
import {
  pollOptions,
  startTestCluster,
  startTestServer,
  type TestCluster,
  type TestServer,
} from '../../testing.ts';
import { approval, approve, askedVisitor, askingBot, idle, refuse, rowsOf } from './testing.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

describe('on two processes', () => {
  async function start() {
    const bot = askingBot();
    const cluster: TestCluster = await startTestCluster(2, { handler: bot.handler });
    closing.push(cluster);
    const [one, two] = cluster.servers as [TestServer, TestServer];
    return { one, two, ...bot, ...(await askedVisitor(one)) };
  }

  test('of two answers at once one is stored, and both processes tell which', async () => {
    const { one, two, respond, interrupts, resumed } = await start();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        respond(n % 3 === 0 ? refuse : approve, { on: n % 2 === 0 ? one : two }),
      ),
    );
    const [stored] = await interrupts(two);
    for (const { status, body } of answers) {
      const { interrupt } = (status === 200 ? body : body.metadata) as { interrupt: unknown };
      expect([200, 409]).toContain(status);
      expect(interrupt).toEqual(stored);
    }
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await idle(one);
    expect(new Set(resumed.map(({ id }) => id)).size).toBe(1);
    expect(resumed).toHaveLength(1);
  });

  test('an answer, a message of the visitor and the expiry at once: one of them settles it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { one, two, key, conversationId, respond, interrupts, resumed, handled } = await start();
      const [answer] = await Promise.all([
        respond(approve, { on: two }),
        one.sendMessage(key, conversationId, 'Never mind'),
        one.db.write((tx) => tx.run('UPDATE interrupts SET expires_at = 1')),
      ]);
      await idle(one);
      const [settled] = await interrupts();
      expect(['visitor', 'superseded', 'expired']).toContain(settled?.by);
      expect(answer.status).toBe(settled?.by === 'visitor' ? 200 : 409);
      expect(resumed).toHaveLength(1);
      await expect.poll(() => handled, pollOptions).toContain('Never mind');
      await closing.pop()?.close();
    }
  });

  test('a listener at another process gets the answer, and the message in another tab is settled', async () => {
    const { two, key, conversationId, id, respond, interrupts } = await start();
    const stream = await two.listen(key, conversationId);
    await respond(approve);
    const { data } = await stream.untilType('message_updated');
    expect(data.parts?.at(-1)).toMatchObject({ id, state: 'resolved' });
    expect(await interrupts(two)).toMatchObject([{ id, state: 'resolved' }]);
    await stream.cancel();
  });

  test('what nobody answers is cancelled by one of the processes, and the bot receives one event', async () => {
    const { one, respond, interrupts, resumed } = await start();
    await one.db.write((tx) => tx.run('UPDATE interrupts SET expires_at = 1'));
    await expect.poll(async () => (await interrupts())[0]?.by, pollOptions).toBe('expired');
    await idle(one);
    expect(resumed.map(({ payload }) => payload.interrupts)).toMatchObject([
      [{ status: 'cancelled', by: 'expired' }],
    ]);
    expect((await respond(approve)).status).toBe(409);
  });
});

describe('over a restart', () => {
  /** Starts a server, and restarts it as after a kill: what the bot was doing does not end. */
  async function start(options: Parameters<typeof askingBot>[0] = {}) {
    const bot = askingBot(options);
    const first = await startTestServer({ handler: bot.handler });
    closing.push(first);
    const restart = async () => {
      const again = await (closing.pop() as TestServer).restart();
      closing.push(again);
      return again;
    };
    return { server: first, restart, ...bot };
  }
  const hanging = () => new Promise<never>(() => {});

  test('an open interrupt stays open, and is answered once', async () => {
    const { server, restart, resumed } = await start();
    const { respond, interrupts } = await askedVisitor(server);
    const again = await restart();
    expect(await interrupts(again)).toMatchObject([{ state: 'open' }]);
    expect((await respond(approve, { on: again })).status).toBe(200);
    await idle(again);
    const third = await restart();
    expect((await respond(approve, { on: third })).status).toBe(200);
    expect((await respond(refuse, { on: third })).status).toBe(409);
    await idle(third);
    expect(resumed).toHaveLength(1);
  });

  test('one that expired while no server ran is cancelled at the start', async () => {
    const { server, restart, resumed } = await start();
    const { interrupts } = await askedVisitor(server);
    await idle(server);
    await server.db.write((tx) => tx.run('UPDATE interrupts SET expires_at = 1'));
    const again = await restart();
    await expect.poll(async () => (await interrupts(again))[0]?.by, pollOptions).toBe('expired');
    await idle(again);
    expect(resumed.map(({ payload }) => payload.interrupts)).toMatchObject([[{ by: 'expired' }]]);
  });

  test('of an event that is handled again after it asked, the question is the same one', async () => {
    let hang = true;
    const { server, restart } = await start({
      ask: async (bot) => {
        await bot.stream().interrupt(approval);
        if (hang) await hanging();
      },
    });
    const { id, respond, interrupts } = await askedVisitor(server);
    hang = false;
    const again = await restart();
    await idle(again);
    expect(await interrupts(again)).toMatchObject([{ id, state: 'open' }]);
    expect(await rowsOf(again)).toHaveLength(1);
    expect((await respond(approve, { on: again })).status).toBe(200);
  });

  test('of an event that is handled again after the answer, the answer stays', async () => {
    let hang = true;
    const { server, restart, resumed } = await start({
      ask: async (bot) => {
        await bot.stream().interrupt(approval);
        if (hang) await hanging();
      },
    });
    const { id, respond, interrupts } = await askedVisitor(server);
    expect((await respond(approve)).status).toBe(200);
    hang = false;
    const again = await restart();
    await idle(again);
    expect(await interrupts(again)).toMatchObject([{ id, state: 'resolved' }]);
    expect(resumed).toHaveLength(1);
  });

  test('an answer whose handling was cut off is handled again, with the same event and the state', async () => {
    const seen: ResumeEvent[] = [];
    let hang = true;
    const { server, restart } = await start({
      onResume: async (event, bot) => {
        seen.push(event);
        await bot.reply({ type: 'text', text: 'Done.' });
        if (hang) await hanging();
      },
    });
    const { respond, messages } = await askedVisitor(server);
    await respond(approve);
    const done = async (on: TestServer) =>
      (await messages(on)).filter(({ payload }) => 'text' in payload && payload.text === 'Done.').length;
    await expect.poll(() => done(server), pollOptions).toBe(1);
    hang = false;
    const again = await restart();
    await idle(again);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(await done(again)).toBe(1);
  });

  test('an answer that the visitor stops asks nothing', async () => {
    const streams: BotStream[] = [];
    const { server } = await start({
      ask: async (bot) => {
        const answer = bot.stream();
        streams.push(answer);
        answer.write('One');
        const tool = answer.tool({ name: 'refund', input: {} });
        await new Promise<void>((resolve) => answer.signal.addEventListener('abort', () => resolve()));
        await answer.interrupt({ ...approval, tool });
      },
    });
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    await server.sendMessage(key, conversationId, 'ask');
    await expect.poll(() => streams.length, pollOptions).toBe(1);
    const body = { streamId: streams[0]?.id };
    await server.call('POST', `/conversations/${conversationId}/stop`, { key, body });
    await idle(server);
    expect(await rowsOf(server)).toEqual([]);
    const list = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
    expect(list.body.messages).toMatchObject([
      { metadata: { stopped: true }, parts: [{ type: 'tool', state: 'cancelled' }] },
      {},
    ]);
  });
});
