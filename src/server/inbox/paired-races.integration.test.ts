// Tests of each two actions that can meet in a conversation: whichever is first, one wins, and the invariants of handling hold.
// RACE_RUNS repeats each race, and prints how often which one was first.
import { describe, expect, test } from 'vitest';
import type { BotHandler } from '../../protocol/bot.ts';
import type { Message } from '../../protocol/message.ts';
import { isPostgresTest } from '../storage/postgres/testing.ts';
import { pollOptions } from '../testing.ts';
import { checkInvariants } from './handling-invariants.testing.ts';
import { type Inbox, type TestResponse, useInbox } from './testing.ts';

const isLong = process.env.RACE_RUNS !== undefined;
const runs = Number(process.env.RACE_RUNS ?? 20);
/** The long form of the capacity takes 200 s on PostgreSQL; others need the timeout of all tests at most. */
const longTimeout = isLong ? 1_800_000 : undefined;
/** Conversations with 20 handoffs each. */
const capacityRuns = isLong ? runs : 2;

const startInbox = useInbox();
let inbox: Inbox;

type Member = Awaited<ReturnType<Inbox['member']>>;

/** A conversation of a new visitor. `member`: the actions of a member in it. */
async function newConversation() {
  const { key } = await inbox.server.user({});
  const id = await inbox.server.conversation(key);
  const ofUser = { 'x-user-key': key };
  return {
    id,
    chat: (method: string, path: string, body?: unknown) =>
      inbox.request(method, `/chat/demo/conversations/${id}${path}`, ofUser, body),
    send: (text: string) =>
      inbox.request('POST', '/chat/demo/messages', ofUser, {
        conversationId: id,
        payload: { type: 'text', text },
      }),
    handoff: async (body: object = {}) => {
      expect((await inbox.bot('POST', `/conversations/${id}/handoff`, body)).body.accepted).toBe(true);
    },
    member: ({ call }: Member, method: string, path: string, body?: unknown) =>
      call(method, `/conversations/${id}${path}`, body),
  };
}

type Conversation = Awaited<ReturnType<typeof newConversation>>;

/** Begins actions in an order, and with distances, that differ between the runs and are the same in each test. */
async function atOnce(run: number, ...actions: (() => Promise<TestResponse>)[]): Promise<TestResponse[]> {
  return Promise.all(
    actions.map(async (action, n) => {
      for (let wait = (run * 7919 + n * 104_729 + run * n * 31) % 7; wait > 0; wait -= 1)
        await new Promise(setImmediate);
      return action();
    }),
  );
}

/** Runs a race, which returns its outcome in a word. */
async function repeat(name: string, race: (run: number) => Promise<string>, times = runs): Promise<void> {
  const outcomes = new Map<string, number>();
  for (let run = 0; run < times; run += 1) {
    const outcome = await race(run);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  if (isLong)
    console.log(`${name}, servers: ${inbox.servers.length}, runs: ${times}:`, Object.fromEntries(outcomes));
}

const stateOf = async ({ id }: Conversation) => {
  const [row] = await inbox.server.db.read((tx) =>
    tx.all<{ state: string; assignee: string | null }>(
      'SELECT state, assignee_id AS assignee FROM handlings WHERE conversation_id = ?',
      id,
    ),
  );
  return row;
};

// On SQLite the writes of several servers are one after the other anyway.
describe.each(isPostgresTest() ? (isLong ? [1, 2] : [2]) : [1])('servers: %i', (serverCount) => {
  const start = async (handler?: BotHandler) => {
    inbox = await startInbox(handler, { RATE_LIMIT: 1_000_000 }, serverCount);
    return { ada: await inbox.member('Ada'), ben: await inbox.member('Ben') };
  };

  test('ten members take at once: one answers, and nine are told who it is', async () => {
    await start();
    const members = await Promise.all(Array.from({ length: 10 }, (_, n) => inbox.member(`M${n}`)));
    await repeat('take', async (run) => {
      const one = await newConversation();
      await one.handoff();
      const answers = await atOnce(
        run,
        ...members.map((each) => () => one.member(each, 'POST', '/take', {})),
      );
      const winner = members[answers.findIndex(({ status }) => status === 200)];
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(9);
      for (const { status, body } of refused)
        expect([status, body.type, body.metadata.assignee.memberId]).toEqual([
          409,
          'AlreadyTaken',
          winner?.id,
        ]);
      expect(await stateOf(one)).toEqual({ state: 'assigned', assignee: winner?.id });
      await checkInvariants(inbox, one.id);
      return `${winner ? members.indexOf(winner) : -1}`;
    });
  });

  test('taking and assigning automatically: one of both answers', async () => {
    const { ada, ben } = await start();
    const manager = await inbox.member('Mia', 'manager');
    const made = { name: 'Team', mode: 'round_robin', memberIds: [ada.id] };
    const { id: team } = (await manager.call('POST', '/teams', made)).body.team;
    await repeat('take, route', async (run) => {
      const response = await inbox.server.fetch('/v1/inbox/stream', { headers: ada.headers });
      await response.body?.cancel();
      await ada.call('PUT', '/me', { availability: 'away' });
      const one = await newConversation();
      await one.handoff({ team });
      const [taken] = await atOnce(
        run,
        () => one.member(ben, 'POST', '/take', {}),
        () => ada.call('PUT', '/me', { availability: 'available' }),
      );
      await Promise.all(inbox.servers.map(({ composition }) => composition.routing.route(inbox.workspaceId)));
      const winner = taken?.status === 200 ? ben : ada;
      if (winner === ada) expect(taken?.body.metadata.assignee.memberId).toBe(ada.id);
      expect(await stateOf(one)).toEqual({ state: 'assigned', assignee: winner.id });
      await checkInvariants(inbox, one.id);
      await one.member(winner, 'POST', '/close', {});
      return winner === ada ? 'route' : 'take';
    });
  });

  test('taking while the visitor returns to the bot: a person answers, in the same handoff or in a new one', async () => {
    const { ada } = await start();
    await repeat('take, back to the bot', async (run) => {
      const one = await newConversation();
      await one.handoff();
      const [taken, returned] = await atOnce(
        run,
        () => one.member(ada, 'POST', '/take', {}),
        () => one.chat('DELETE', '/handoff'),
      );
      expect(taken?.status).toBe(200);
      if (returned?.status !== 200) expect(returned?.body.type).toBe('HandledByPerson');
      expect(await stateOf(one)).toEqual({ state: 'assigned', assignee: ada.id });
      await checkInvariants(inbox, one.id);
      return returned?.status === 200 ? 'back to the bot' : 'take';
    });
  });

  test('taking while the member is removed: a removed member answers nothing', async () => {
    await start();
    const { token } = inbox.server.admin;
    const admin = { authorization: `Bearer ${token}`, 'x-workspace-id': inbox.workspaceId };
    await repeat('take, removal', async (run) => {
      const leaving = await inbox.member('Lea');
      const one = await newConversation();
      await one.handoff();
      const [taken, removed] = await atOnce(
        run,
        () => one.member(leaving, 'POST', '/take', {}),
        () => inbox.request('DELETE', `/v1/admin/workspace-members/${leaving.id}`, admin),
      );
      expect([200, 401, 403]).toContain(taken?.status);
      expect(removed?.status).toBe(200);
      expect(await stateOf(one)).toEqual({ state: 'waiting', assignee: null });
      await checkInvariants(inbox, one.id);
      return taken?.status === 200 ? 'take' : 'removal';
    });
  });

  test('closing while the visitor writes: the message is stored once, and closes or opens the conversation', async () => {
    const { ada } = await start();
    await repeat('close, message', async (run) => {
      const one = await newConversation();
      await one.handoff();
      await one.member(ada, 'POST', '/take', {});
      const [closed, sent] = await atOnce(
        run,
        () => one.member(ada, 'POST', '/close', {}),
        () => one.send('One more thing'),
      );
      expect([closed?.status, sent?.status]).toEqual([200, 201]);
      const { messages } = (await one.chat('GET', '/messages')).body;
      expect(messages.map(({ id }: { id: string }) => id)).toEqual([sent?.body.message.id]);
      const state = await stateOf(one);
      expect(['closed', 'waiting', 'assigned']).toContain(state?.state);
      await checkInvariants(inbox, one.id);
      return String(state?.state);
    });
  });

  test('two members reply to what both have read: one reply is sent', async () => {
    const { ada, ben } = await start();
    await repeat('replies', async (run) => {
      const one = await newConversation();
      await one.handoff();
      await one.send('Hello?');
      const { seq } = (await one.member(ada, 'GET', '/timeline')).body;
      const reply = (by: Member) => () =>
        one.member(by, 'POST', '/replies', {
          payload: { type: 'text', text: 'Hi' },
          seenSeq: seq,
          take: true,
        });
      const answers = await atOnce(run, reply(ada), reply(ben));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      const refused = answers.find(({ status }) => status === 409);
      const winner = answers[0]?.status === 201 ? ada : ben;
      expect([refused?.body.type, refused?.body.metadata.assignee.memberId]).toEqual([
        'AssignedToOther',
        winner.id,
      ]);
      expect((await one.chat('GET', '/messages')).body.messages).toHaveLength(2);
      expect(await stateOf(one)).toEqual({ state: 'assigned', assignee: winner.id });
      await checkInvariants(inbox, one.id);
      return winner === ada ? 'first' : 'second';
    });
  });

  test(
    'a capacity of 1 and 20 requests at once: nobody ever answers two',
    async () => {
      const { ada, ben } = await start();
      const manager = await inbox.member('Mia', 'manager');
      const made = { name: 'Team', mode: 'least_busy', capacity: 1, memberIds: [ada.id, ben.id] };
      const { id: team } = (await manager.call('POST', '/teams', made)).body.team;
      const race = async () => {
        for (const { headers } of [ada, ben]) {
          const response = await inbox.server.fetch('/v1/inbox/stream', { headers });
          await response.body?.cancel();
        }
        const all = await Promise.all(Array.from({ length: 20 }, newConversation));
        await Promise.all(all.map((one) => one.handoff({ team })));
        const remaining = new Map(all.map((one) => [one.id, one]));
        while (remaining.size > 0) {
          await Promise.all(
            inbox.servers.map(({ composition }) => composition.routing.route(inbox.workspaceId)),
          );
          const rows = await inbox.server.db.read((tx) =>
            tx.all<{ id: string; assignee: string }>(
              `SELECT conversation_id AS id, assignee_id AS assignee FROM handlings WHERE state = 'assigned'`,
            ),
          );
          expect(rows.length).toBeGreaterThan(0);
          expect(new Set(rows.map(({ assignee }) => assignee)).size).toBe(rows.length);
          await Promise.all(
            rows.map(async ({ id, assignee }) => {
              const member = assignee === ada.id ? ada : ben;
              expect((await remaining.get(id)?.member(member, 'POST', '/close', {}))?.status).toBe(200);
              remaining.delete(id);
            }),
          );
        }
        for (const { id } of all) await checkInvariants(inbox, id);
        return 'held';
      };
      await repeat('capacity', race, capacityRuns);
      // Their assignments never overlap, also between the moments in which the test has looked.
      const rows = await inbox.rows('assignments');
      for (const { id } of [ada, ben]) {
        const own = rows
          .filter((row) => row.member_id === id)
          .map((row) => ({ from: Number(row.from_at), to: Number(row.to_at) }))
          .sort((a, b) => a.from - b.from || a.to - b.to);
        expect(own.filter(({ from }, n) => n > 0 && from < (own[n - 1]?.to ?? 0))).toEqual([]);
      }
      expect(rows).toHaveLength(capacityRuns * 20);
    },
    longTimeout,
  );

  test('a visitor rates in two tabs: the first rating counts, and the other tab is told it', async () => {
    const { ada } = await start();
    await repeat('ratings', async (run) => {
      const one = await newConversation();
      await one.handoff();
      const reply = { payload: { type: 'text', text: 'Hi' }, seenSeq: 1_000, take: true };
      expect((await one.member(ada, 'POST', '/replies', reply)).status).toBe(201);
      await one.member(ada, 'POST', '/close', {});
      const { handoffId } = (await one.chat('GET', '/activities')).body.rating;
      const rate = (rating: number) => () => one.chat('PUT', '/rating', { handoffId, rating });
      const answers = await atOnce(run, rate(1), rate(5));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = answers.find(({ status }) => status === 200)?.body.rating;
      const loser = answers.find(({ status }) => status === 409)?.body;
      expect([loser.type, loser.metadata.rating]).toEqual(['AlreadyExists', winner]);
      expect((await one.chat('GET', '/activities')).body.rating).toEqual(winner);
      await checkInvariants(inbox, one.id);
      return `${winner.rating}`;
    });
    await inbox.idle();
    expect(inbox.received.filter(({ type }) => type === 'conversation_rated')).toHaveLength(runs);
  });

  test('snoozing ends while the conversation is closed: it stays closed', async () => {
    const { ada, ben } = await start();
    await repeat('end of snoozing, close', async (run) => {
      const one = await newConversation();
      await one.handoff();
      await one.member(ada, 'POST', '/take', {});
      // The worker ends it, too, as its time is over.
      const until = new Date(Date.now() + (run % 12)).toISOString();
      expect((await one.member(ada, 'POST', '/snooze', { until })).status).toBe(200);
      const [ended, closed] = await atOnce(
        run,
        () => one.member(ben, 'DELETE', '/snooze'),
        () => one.member(ada, 'POST', '/close', {}),
      );
      expect(closed?.status).toBe(200);
      if (ended?.status !== 200) expect(ended?.body.type).toBe('StaleRevision');
      expect(await stateOf(one)).toEqual({ state: 'closed', assignee: null });
      await checkInvariants(inbox, one.id, 2);
      return ended?.status === 200 ? 'end of snoozing' : 'close';
    });
  });

  test('taking while the bot streams: what it has written stays, and nothing comes after', async () => {
    const { ada } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      const stream = bot.stream();
      for (let n = 0; n < 5; n += 1) {
        stream.write(`piece ${n} `);
        await new Promise(setImmediate);
      }
      await stream.end();
      await bot.reply({ type: 'text', text: 'And more' });
    });
    await repeat('take, stream', async (run) => {
      const one = await newConversation();
      // From before the bot begins until it has ended.
      await one.send(`Hello ${run}`);
      if (run % 4 > 0)
        await expect
          .poll(() => inbox.received.at(-1)?.preview, { ...pollOptions, interval: 1 })
          .toBe(`Hello ${run}`);
      for (let wait = run % 12; wait > 0; wait -= 1) await new Promise(setImmediate);
      const [taken] = await atOnce(run, () => one.member(ada, 'POST', '/take', {}));
      expect(taken?.status).toBe(200);
      const reply = { payload: { type: 'text', text: 'Hi' }, seenSeq: 1_000 };
      const sent = await one.member(ada, 'POST', '/replies', reply);
      expect(sent.status).toBe(201);
      await inbox.idle();
      const { messages } = (await one.chat('GET', '/messages')).body;
      // Another server stores what it had streamed when it is told of the take. The reply can be stored before.
      const newest = messages.find(({ metadata }: Message) => !metadata?.stopped);
      expect(newest.id).toBe(sent.body.message.id);
      await checkInvariants(inbox, one.id);
      return `${messages.length - 2} of the bot`;
    });
  });
});
