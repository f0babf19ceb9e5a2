// Tests of teams and of assigning automatically: each conversation has exactly one member, none is lost, and nobody has too many.
import { describe, expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { createWorkspace } from '../admin/first-start.ts';
import { pollOptions } from '../testing.ts';
import { type Inbox, useInbox } from './testing.ts';

const startInbox = useInbox();

type Member = Awaited<ReturnType<Inbox['member']>>;

async function start(options?: Parameters<typeof startInbox>[1]) {
  const inbox = await startInbox(undefined, options);
  const manager = await inbox.member('Mia', 'manager');
  const { routing } = inbox.server.composition;
  return {
    ...inbox,
    manager,
    /** All that can be assigned now is. */
    route: () => routing.route(inbox.workspaceId),
    /** Their inbox is open, as their stream says. */
    async open(...members: Member[]) {
      for (const member of members) {
        const response = await inbox.server.fetch('/v1/inbox/stream', { headers: member.headers });
        await response.body?.cancel();
      }
      await expect
        .poll(async () => (await inbox.rows('inbox_members')).map(({ member_id: id }) => id), pollOptions)
        .toEqual(expect.arrayContaining(members.map(({ id }) => id)));
    },
    async team(fields: object, ...members: Member[]) {
      const memberIds = members.map(({ id }) => id);
      const made = await manager.call('POST', '/teams', {
        name: 'Team',
        mode: 'round_robin',
        memberIds,
        ...fields,
      });
      expect(made.status).toBe(201);
      return made.body.team.id as string;
    },
    /** A new conversation that waits in the queue of a team. */
    async ask(team: string) {
      const id = await inbox.server.conversation(inbox.key);
      const asked = await inbox.bot('POST', `/conversations/${id}/handoff`, { team });
      expect([asked.status, asked.body.accepted]).toEqual([200, true]);
      return id;
    },
    /** How many conversations each of these members answers now. */
    async loads(...members: Member[]) {
      const rows = await inbox.rows('handlings');
      return members.map(
        ({ id }) => rows.filter((row) => row.assignee_id === id && row.state === 'assigned').length,
      );
    },
  };
}

/** Exactly one member of each conversation that is assigned, nobody of the others, and every open handoff is in one of them. */
async function checkLaws({ rows }: Pick<Inbox, 'rows'>): Promise<void> {
  const handlings = await rows('handlings');
  const open = (await rows('assignments')).filter(({ to_at: to }) => to === null);
  for (const row of handlings) {
    const own = open.filter(({ conversation_id: id }) => id === row.conversation_id);
    const expected =
      row.state === 'assigned' || (row.state === 'snoozed' && row.assignee_id) ? [row.assignee_id] : [];
    expect(own.map(({ member_id: id }) => id)).toEqual(expected);
    if (row.state === 'waiting') expect([row.assignee_id, row.queued_at]).toEqual([null, expect.any(Number)]);
  }
  const endless = (await rows('handoffs')).filter(({ closed_at: at }) => at === null).map(({ id }) => id);
  const current = handlings.filter(({ is_open: isOpen }) => isOpen === 1).map(({ handoff_id: id }) => id);
  expect(endless.sort()).toEqual(current.sort());
}

describe('assigning automatically', () => {
  test('capacity 1 and 20 requests at once: nobody ever has two, the oldest come first, and each place that is free is filled', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    await inbox.open(ada, ben);
    const team = await inbox.team({ capacity: 1 }, ada, ben);
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await inbox.ask(team));
    ids.push(...(await Promise.all(Array.from({ length: 16 }, () => inbox.ask(team)))));
    // Several runs at once, as of several processes.
    await Promise.all([inbox.route(), inbox.route(), inbox.route()]);
    expect(await inbox.loads(ada, ben)).toEqual([1, 1]);
    await checkLaws(inbox);
    const answered: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const rows = await inbox.rows('handlings');
      const mine = rows.filter(({ state }) => state === 'assigned');
      answered.push(...mine.map((row) => String(row.conversation_id)).filter((id) => !answered.includes(id)));
      const [next] = mine;
      if (!next) break;
      const member = next.assignee_id === ada.id ? ada : ben;
      const act = round % 2 === 0 ? 'close' : 'snooze';
      expect((await member.call('POST', `/conversations/${next.conversation_id}/${act}`, {})).status).toBe(
        200,
      );
      await inbox.route();
      for (const load of await inbox.loads(ada, ben)) expect(load).toBeLessThanOrEqual(1);
      await checkLaws(inbox);
    }
    expect(answered.slice(0, 4)).toEqual(ids.slice(0, 4));
    expect(new Set(answered)).toEqual(new Set(ids));
  });

  test('in turn, and to who has the fewest; who is away, not reachable or at the limit gets none', async () => {
    const inbox = await start();
    const members = [await inbox.member('Ada'), await inbox.member('Ben'), await inbox.member('Cy')] as const;
    const [ada, ben, cy] = members;
    const viewer = await inbox.member('Vic', 'viewer');
    const turn = await inbox.team({ name: 'Turn' }, ...members, viewer);
    const busy = await inbox.team({ name: 'Busy', mode: 'least_busy', isDefault: true }, ...members);
    await inbox.ask(turn);
    await inbox.route();
    // Nobody has their inbox open.
    expect(await inbox.loads(...members)).toEqual([0, 0, 0]);
    await inbox.open(ada, ben);
    await inbox.route();
    for (let n = 0; n < 3; n += 1) await inbox.ask('Turn');
    await inbox.route();
    expect(await inbox.loads(...members)).toEqual([2, 2, 0]);
    await inbox.open(cy);
    for (let n = 0; n < 3; n += 1) await inbox.ask(busy);
    await inbox.route();
    // Cy has the fewest until all have two; then it is the turn of Ada.
    expect(await inbox.loads(...members)).toEqual([3, 2, 2]);
    const limited = await inbox.manager.call('PUT', `/members/${cy.id}`, { capacity: 3 });
    expect(limited.body.member).toMatchObject({
      capacity: 3,
      load: 2,
      availability: 'available',
      isReachable: true,
    });
    expect((await ben.call('PUT', '/me', { availability: 'away' })).body.member.availability).toBe('away');
    for (let n = 0; n < 3; n += 1) await inbox.ask(busy);
    await inbox.route();
    const [first, , third] = await inbox.loads(...members);
    expect([first, third]).toEqual([5, 3]);
    await checkLaws(inbox);
    // The default team is that of requests without a team; an unknown one is refused.
    const id = await inbox.server.conversation(inbox.key);
    expect((await inbox.bot('POST', `/conversations/${id}/handoff`, { team: 'Nobody' })).status).toBe(409);
    await inbox.bot('POST', `/conversations/${id}/handoff`, {});
    const row = (await inbox.rows('handlings')).find((each) => each.conversation_id === id);
    expect(row?.team_id).toBe(busy);
    const list = (await ada.call('GET', '/members')).body.members;
    expect(list.map(({ name }: { name: string }) => name)).not.toContain('Vic');
  });

  test('a take against assigning, closing, going away and removing at once: one member each, and nothing is lost', async () => {
    const inbox = await start();
    const members = [await inbox.member('Ada'), await inbox.member('Ben'), await inbox.member('Cy')] as const;
    const [ada, ben, cy] = members;
    await inbox.open(...members);
    const team = await inbox.team({ capacity: 2 }, ...members);
    for (let round = 0; round < 8; round += 1) {
      const ids = await Promise.all([inbox.ask(team), inbox.ask(team)]);
      await Promise.all([
        inbox.route(),
        ada.call('POST', `/conversations/${ids[0]}/take`, {}),
        ben.call('POST', `/conversations/${ids[0]}/take`, {}),
        cy.call('PUT', '/me', { availability: round % 2 === 0 ? 'away' : 'available' }),
        inbox.bot('DELETE', `/conversations/${ids[1]}/handoff`),
      ]);
      await inbox.route();
      await checkLaws(inbox);
      for (const row of await inbox.rows('handlings'))
        if (row.state === 'assigned' && round % 3 === 0)
          await inbox.manager.call('POST', `/conversations/${row.conversation_id}/close`, {});
    }
    await cy.call('PUT', '/me', { availability: 'available' });
    await inbox.ask(team);
    await inbox.route();
    const before = (await inbox.rows('handlings')).filter(({ state }) => state !== 'bot').length;
    const path = `/v1/admin/workspace-members/${cy.id}`;
    await Promise.all([inbox.request('DELETE', path, inbox.manager.headers), inbox.route(), inbox.route()]);
    await inbox.route();
    await checkLaws(inbox);
    const after = await inbox.rows('handlings');
    expect(after.filter(({ state }) => state !== 'bot')).toHaveLength(before);
    expect(after.filter(({ assignee_id: id }) => id === cy.id)).toEqual([]);
    expect(JSON.stringify(await inbox.rows('team_members'))).not.toContain(cy.id);
  });

  test('who goes away gives back what waits for an answer; who does not answer what was assigned goes away', async () => {
    let now = 1_700_000_000_000;
    const inbox = await start({ now: () => now });
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    await inbox.open(ada);
    const team = await inbox.team({}, ada, ben);
    const [first, second] = [await inbox.ask(team), await inbox.ask(team)];
    await inbox.route();
    const reply = { payload: { type: 'text', text: 'Hello' }, seenSeq: 1_000 };
    expect((await ada.call('POST', `/conversations/${first}/replies`, reply)).status).toBe(201);
    await ada.call('PUT', '/me', { availability: 'away' });
    const stateOf = async (id: string) => {
      const row = (await inbox.rows('handlings')).find((each) => each.conversation_id === id);
      return [row?.state, row?.assignee_id];
    };
    // The conversation that she has answered stays with her; the other one waits in front, and is assigned to a present member.
    expect([await stateOf(first), await stateOf(second)]).toEqual([
      ['assigned', ada.id],
      ['waiting', null],
    ]);
    await inbox.open(ben);
    await inbox.route();
    expect(await stateOf(second)).toEqual(['assigned', ben.id]);
    await checkLaws(inbox);
    now += limits.inbox.noAnswerAfter + 1;
    // A start looks for what nobody has answered.
    await inbox.restart();
    await expect.poll(() => stateOf(second), pollOptions).toEqual(['waiting', null]);
    const { members } = (await ben.call('GET', '/members')).body;
    expect(members.find(({ memberId }: { memberId: string }) => memberId === ben.id)).toMatchObject({
      availability: 'away',
      awayCause: 'no_answer',
    });
  });
});

test('what a member takes while they are away stays theirs until the visitor writes again', async () => {
  let now = 1_700_000_000_000;
  const inbox = await start({ now: () => now });
  const ada = await inbox.member('Ada');
  const team = await inbox.team({}, ada);
  await ada.call('PUT', '/me', { availability: 'away' });
  const [first, second] = [await inbox.ask(team), await inbox.ask(team)];
  const act = async (id: string, path: string, body: object = {}) =>
    expect((await ada.call('POST', `/conversations/${id}${path}`, body)).status).toBeLessThan(300);
  now += 1_000;
  await act(first, '/take');
  await act(second, '/take');
  await act(second, '/replies', { payload: { type: 'text', text: 'Hello' }, seenSeq: 1_000 });
  now += 1_000;
  await inbox.server.sendMessage(inbox.key, second, 'And now?');
  // A start looks for what nobody answers, in the order of the ids.
  await inbox.restart();
  const stateOf = async (id: string) => {
    const row = (await inbox.rows('handlings')).find((each) => each.conversation_id === id);
    return [row?.state, row?.assignee_id];
  };
  expect(first < second).toBe(true);
  await expect.poll(() => stateOf(second), pollOptions).toEqual(['waiting', null]);
  expect(await stateOf(first)).toEqual(['assigned', ada.id]);
});

test('an operator who has the inbox of another workspace open is not reachable in their own', async () => {
  const inbox = await start();
  const { db, admin, fetch } = inbox.server;
  const other = { name: 'Other', email: 'other@example.com', now: 1 };
  const { id } = await db.write((tx) => createWorkspace(tx, other));
  const headers = { authorization: `Bearer ${admin.token}`, 'x-workspace-id': id };
  const response = await fetch('/v1/inbox/stream', { headers });
  expect(response.status).toBe(200);
  await response.body?.cancel();
  // A server stores who is reachable before it ends.
  await inbox.restart();
  expect(await inbox.rows('inbox_members')).toEqual([]);
});

test('who waits is told of a better place in the queue, at most once a minute', async () => {
  let now = 1_700_000_000_000;
  const inbox = await start({ now: () => now });
  const ada = await inbox.member('Ada');
  const team = await inbox.team({ mode: 'manual' });
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    now += 1_000;
    ids.push(await inbox.ask(team));
  }
  const positions = async () => {
    const signals = (await inbox.rows('signals')).filter((row) => row.conversation_id === ids[2]);
    return signals
      .sort((one, other) => Number(one.seq) - Number(other.seq))
      .flatMap(({ data }) => /"position":(\d+)/.exec(String(data))?.[1] ?? []);
  };
  expect(await positions()).toEqual(['2']);
  await ada.call('POST', `/conversations/${ids[0]}/take`, {});
  await ada.call('POST', `/conversations/${ids[1]}/take`, {});
  now += limits.inbox.placeInterval - 1_000;
  await inbox.restart();
  expect(await positions()).toEqual(['2']);
  now += 2_000;
  await inbox.restart();
  await expect.poll(positions, pollOptions).toEqual(['2', '0']);
});

describe('teams', () => {
  test('are set by managers, have names of their own, and members of the workspace', async () => {
    const inbox = await start();
    const ada = await inbox.member('Ada');
    const { manager } = inbox;
    const id = await inbox.team({ name: 'Billing', isDefault: true }, ada);
    expect((await ada.call('GET', '/teams')).body.teams).toEqual([
      {
        ...{ id, name: 'Billing', mode: 'round_robin', capacity: limits.inbox.defaultCapacity },
        ...{ isRestricted: false, isDefault: true, memberIds: [ada.id] },
      },
    ]);
    for (const [method, path, body] of [
      ['POST', '/teams', { name: 'X', mode: 'manual' }],
      ['PUT', `/teams/${id}`, { name: 'X' }],
      ['DELETE', `/teams/${id}`, undefined],
      ['PUT', `/members/${ada.id}`, { capacity: 1 }],
    ] as const)
      expect([path, (await ada.call(method, path, body)).status]).toEqual([path, 403]);
    expect((await manager.call('POST', '/teams', { name: 'Billing', mode: 'manual' })).status).toBe(409);
    const foreign = await manager.call('POST', '/teams', {
      name: 'X',
      mode: 'manual',
      memberIds: ['member_none'],
    });
    expect(foreign.status).toBe(409);
    expect((await manager.call('PUT', '/teams/team_none', { name: 'X' })).status).toBe(404);
    const other = await inbox.team({ name: 'Other', isDefault: true });
    const all = (await ada.call('GET', '/teams')).body.teams;
    expect(all.map((team: { id: string; isDefault: boolean }) => [team.id, team.isDefault])).toEqual([
      [id, false],
      [other, true],
    ]);
    // Deleted, its conversations belong to no team, and go on.
    const conversation = await inbox.ask(other);
    expect((await manager.call('DELETE', `/teams/${other}`)).status).toBe(200);
    const row = (await ada.call('GET', '/conversations?list=unassigned')).body.conversations[0];
    expect(row.conversationId).toBe(conversation);
    expect(row).not.toHaveProperty('teamId');
  });

  test('that are restricted show their conversations to their members and to managers only', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const team = await inbox.team({ mode: 'manual', isRestricted: true }, ada);
    const id = await inbox.ask(team);
    await ada.call('POST', `/conversations/${id}/notes`, { body: 'secret' });
    const reads = ['?list=all', '?list=unassigned', `?list=all&team=${team}`].map(
      (query) => `/conversations${query}`,
    );
    for (const path of reads) {
      expect([path, (await ben.call('GET', path)).body.conversations]).toEqual([path, []]);
      for (const member of [ada, inbox.manager])
        expect((await member.call('GET', path)).body.conversations).toMatchObject([
          { conversationId: id, teamId: team },
        ]);
    }
    expect((await ben.call('GET', '/counts')).body.counts).toMatchObject({ all: 0, unassigned: 0 });
    const { cursor } = (await ben.call('GET', '/changes')).body;
    await ada.call('PUT', `/conversations/${id}/tags`, { tags: ['x'] });
    expect((await ben.call('GET', `/changes?since=${cursor}`)).body.conversations).toEqual([]);
    // A manager gives it to Ben, who sees it as long as he answers it.
    await inbox.manager.call('POST', `/conversations/${id}/assign`, { memberId: ben.id });
    expect((await ben.call('GET', '/conversations?list=mine')).body.conversations).toHaveLength(1);
    const open = await inbox.team({ name: 'Open' });
    const moved = await ben.call('POST', `/conversations/${id}/assign`, { teamId: open });
    expect(moved.body.conversation).toMatchObject({ state: 'waiting', teamId: open });
    expect(
      (await ben.call('POST', `/conversations/${id}/assign`, { teamId: open, memberId: ben.id })).status,
    ).toBe(400);
    expect((await ben.call('GET', '/conversations?list=all')).body.conversations).toHaveLength(1);
  });

  test('that are restricted send nothing to the streams of others, also what was written before', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const team = await inbox.team({ mode: 'manual', isRestricted: true }, ada);
    const streams = [await ada.listen(), await ben.listen()];
    const id = await inbox.ask(team);
    await ada.call('POST', `/conversations/${id}/notes`, { body: 'secret-canary' });
    await ada.call('PUT', `/conversations/${id}/presence`, { state: 'noting' });
    await inbox.runtime('POST', '/handoff', { reason: 'public-canary' });
    const seen = await Promise.all(
      streams.map(async (stream) => {
        const texts: string[] = [];
        await stream.until(({ data }) => {
          texts.push(String(data));
          return String(data).includes('public-canary');
        });
        await stream.cancel();
        return texts.join(' ');
      }),
    );
    expect(seen[0]).toContain('secret-canary');
    expect(seen[1]).not.toContain('secret-canary');
    expect(seen[1]).not.toContain(id);
  });

  test('take a conversation from the lists of others, which were loaded before their streams', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const team = await inbox.team({ mode: 'manual', isRestricted: true }, ada);
    const id = await inbox.ask(await inbox.team({ name: 'Open', mode: 'manual' }));
    expect((await ben.call('GET', '/conversations?list=all')).body.conversations).toMatchObject([
      { conversationId: id },
    ]);
    const [adas, bens] = [await ada.listen(), await ben.listen()];
    const isOf = (type: string) => (event: { data: unknown }) =>
      String(event.data).includes(`"${type}"`) && String(event.data).includes(id);
    const moved = await inbox.manager.call('POST', `/conversations/${id}/assign`, { teamId: team });
    expect(moved.status).toBe(200);
    const { data } = await bens.until(isOf('inbox_deleted'));
    expect(JSON.parse(String(data)).data).toEqual({ conversationId: id, isHidden: true });
    await adas.until(isOf('inbox_row'));
    // A member who answers it sees it again.
    await inbox.manager.call('POST', `/conversations/${id}/assign`, { memberId: ben.id });
    await bens.until(isOf('inbox_row'));
    await Promise.all([adas.cancel(), bens.cancel()]);
  });
});
