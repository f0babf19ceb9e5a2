// The cases of teams, members and reports, for inbox.contract.ts.
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { refusal } from './fixture.contract.ts';
import type { ContractMember, InboxFixture } from './inbox-fixture.contract.ts';

export function inboxTeamContract(fixture: InboxFixture): void {
  const { member, ownBot, asked, startConversation, rowOf, reply, fresh } = fixture;

  describe('teams', () => {
    test('are created, changed and deleted by managers, and read by all members', async () => {
      const [ada, ben, mia] = [await member(), await member(), await member('manager')];
      const teams = async () => (await ada.inbox.listTeams()).teams;
      const before = await teams();
      const name = fresh('Billing');
      const { team } = await mia.inbox.createTeam({ name, mode: 'least_busy', memberIds: [ada.id] });
      const { id } = team;
      expect(team).toEqual({
        ...{ id: expect.any(String), name, mode: 'least_busy', capacity: 5, memberIds: [ada.id] },
        ...{ isRestricted: false, isDefault: false },
      });
      expect(await teams()).toEqual([...before, team]);
      const fields = { mode: 'manual' as const, capacity: 3, isRestricted: true, memberIds: [ben.id] };
      const { team: changed } = await mia.inbox.updateTeam({ id, ...fields });
      expect(changed).toEqual({ ...team, ...fields });
      expect(await teams()).toEqual([...before, changed]);
      // At most one is the default.
      await mia.inbox.updateTeam({ id, isDefault: true });
      const other = { name: fresh('Sales'), mode: 'manual', isDefault: true } as const;
      const { team: second } = await mia.inbox.createTeam(other);
      expect((await teams()).filter(({ isDefault }) => isDefault)).toEqual([second]);
      const { id: conversation } = await asked();
      expect((await rowOf(mia, conversation)).teamId).toBe(second.id);
      await mia.inbox.updateTeam({ id, isDefault: true });
      expect((await teams()).filter(({ isDefault }) => isDefault).map((one) => one.id)).toEqual([id]);

      expect(await refusal(ada.inbox.createTeam({ name: fresh('x'), mode: 'manual' }))).toBe('403 Forbidden');
      expect(await refusal(ada.inbox.updateTeam({ id, capacity: 1 }))).toBe('403 Forbidden');
      expect(await refusal(ada.inbox.deleteTeam({ id }))).toBe('403 Forbidden');
      expect(await refusal(mia.inbox.createTeam({ name, mode: 'manual' }))).toBe('409 AlreadyExists');
      expect(await refusal(mia.inbox.updateTeam({ id: second.id, name }))).toBe('409 AlreadyExists');
      const nobody = { memberIds: ['member_none'] };
      expect(await refusal(mia.inbox.updateTeam({ id, ...nobody }))).toBe('409 ReferenceConstraint');
      expect(await refusal(mia.inbox.createTeam({ name: fresh('x'), mode: 'manual', ...nobody }))).toBe(
        '409 ReferenceConstraint',
      );
      expect(await refusal(mia.inbox.createTeam({ name: '', mode: 'manual' }))).toBe('400 InvalidPayload');
      expect(await refusal(mia.inbox.updateTeam({ id, capacity: 101 }))).toBe('400 InvalidPayload');
      expect((await teams()).map((one) => one.id)).toEqual([...before.map((one) => one.id), id, second.id]);

      for (const one of [id, second.id]) expect(await mia.inbox.deleteTeam({ id: one })).toEqual({});
      expect(await teams()).toEqual(before);
      expect(await rowOf(mia, conversation)).not.toHaveProperty('teamId');
      expect(await refusal(mia.inbox.deleteTeam({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(mia.inbox.updateTeam({ id, capacity: 1 }))).toBe('404 ResourceNotFound');
    });

    test('a conversation is moved to the queue of a team', async () => {
      const [ada, mia] = [await member(), await member('manager')];
      const { team } = await mia.inbox.createTeam({ name: fresh('Billing'), mode: 'manual' });
      const { id } = await asked();
      await ada.inbox.takeConversation({ id });
      const { conversation } = await ada.inbox.assignConversation({ id, teamId: team.id });
      expect(conversation).toMatchObject({ state: 'waiting', teamId: team.id });
      expect(conversation).not.toHaveProperty('assignee');
      expect(await rowOf(mia, id)).toEqual(conversation);
      await mia.inbox.deleteTeam({ id: team.id });
    });

    test('assign conversations to members who are available and listen, and take them from who goes away', async () => {
      const [ada, mia] = [await member(), await member('manager')];
      const name = fresh('Billing');
      const { team } = await mia.inbox.createTeam({ name, mode: 'round_robin', memberIds: [ada.id] });
      const { id } = await asked({ team: name });
      expect(await rowOf(ada, id)).toMatchObject({ state: 'waiting', teamId: team.id });
      await using stream = await ada.listen();
      await stream.until('inbox_row', ({ row }) => row.assignee?.memberId === ada.id);
      expect((await ada.inbox.getAvailability()).member).toMatchObject({ isReachable: true, load: 1 });
      const { member: away } = await ada.inbox.setAvailability({ availability: 'away' });
      expect(away).toMatchObject({ memberId: ada.id, availability: 'away', load: 0 });
      const left = await rowOf(mia, id);
      expect(left).toMatchObject({ state: 'waiting', teamId: team.id });
      await ada.inbox.setAvailability({ availability: 'available' });
      await waitFor(async () => expect((await rowOf(mia, id)).assignee?.memberId).toBe(ada.id));
      await mia.inbox.deleteTeam({ id: team.id });
    });
  });

  test('members who can answer are listed with their availability, their capacity and their load', async () => {
    const [ada, mia, viewer] = [await member(), await member('manager'), await member('viewer')];
    const listed = async () => await mia.inbox.list.inboxMembers({ pageSize: 2 }).collect();
    const own = async () => (await listed()).find(({ memberId }) => memberId === ada.id);
    const idle = { memberId: ada.id, name: ada.name, availability: 'available', isReachable: false, load: 0 };
    expect(await own()).toEqual(idle);
    expect(await ada.inbox.getAvailability()).toEqual({ member: idle });
    expect((await listed()).map(({ memberId }) => memberId)).not.toContain(viewer.id);
    expect(await ada.inbox.setAvailability({ availability: 'away' })).toEqual({
      member: { ...idle, availability: 'away' },
    });
    expect(await own()).toEqual({ ...idle, availability: 'away' });
    const { id } = await asked();
    await ada.inbox.takeConversation({ id });
    const { member: limited } = await mia.inbox.setMemberCapacity({ id: ada.id, capacity: 3 });
    expect(limited).toEqual({ ...idle, availability: 'away', capacity: 3, load: 1 });
    expect(await own()).toEqual(limited);
    const { member: free } = await mia.inbox.setMemberCapacity({ id: ada.id, capacity: null });
    expect(free).not.toHaveProperty('capacity');
    expect(await own()).toEqual(free);
    const odd = { availability: 'odd' as 'away' };
    expect(await refusal(ada.inbox.setAvailability(odd))).toBe('400 InvalidPayload');
    expect(await refusal(viewer.inbox.setAvailability({ availability: 'away' }))).toBe('403 Forbidden');
    const capacity = (who: ContractMember, input: { id: string; capacity: number | null }) =>
      refusal(who.inbox.setMemberCapacity(input));
    expect(await capacity(ada, { id: ada.id, capacity: 9 })).toBe('403 Forbidden');
    expect(await capacity(mia, { id: 'member_none', capacity: 3 })).toBe('404 ResourceNotFound');
    for (const wrong of [-1, 101, 1.5])
      expect(await capacity(mia, { id: ada.id, capacity: wrong })).toBe('400 InvalidPayload');
    expect(await own()).toEqual(free);
  });

  test('a report counts the work of all members or of the caller, also as CSV', async () => {
    const [ada, ben, mia] = [await member(), await member(), await member('manager')];
    const bot = await ownBot();
    const { id } = await asked({ bot });
    await ada.inbox.takeConversation({ id });
    await reply(ada, id, 'On its way');
    await ada.inbox.closeInboxConversation({ id });
    await asked({ bot });
    await startConversation({ bot });
    // The server may cross midnight during the test, and the dates of the test stay the same.
    const now = Date.now();
    const dateAt = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
    const period = { from: dateAt(-1), to: dateAt(1), timeZone: 'Europe/Berlin', bot: bot.botId };
    const { report } = await mia.inbox.getReport(period);
    expect(report).toMatchObject({
      ...{ isOwn: false, requested: 2, unanswered: 1, abandoned: 0, questions: [] },
      ...{ firstResponse: { count: 1 }, response: { count: 1 }, resolution: { count: 1 } },
      members: [{ memberId: ada.id, name: ada.name, assigned: 1, replies: 1 }],
    });
    const total = (name: 'conversations' | 'handedOver' | 'requested') =>
      report.days.reduce((sum, day) => sum + (day[name] ?? 0), 0);
    expect([total('conversations'), total('handedOver'), total('requested')]).toEqual([3, 2, 2]);
    expect(report.days.map(({ date }) => date)).toEqual([dateAt(-1), dateAt(0), dateAt(1)]);
    const { report: own } = await ada.inbox.getReport(period);
    expect(own).toMatchObject({ isOwn: true, requested: 1, unanswered: 0, members: report.members });
    expect(own).not.toHaveProperty('questions');
    expect((await ben.inbox.getReport(period)).report).toMatchObject({ isOwn: true, members: [] });

    const { name, csv } = await mia.inbox.exportReport({ ...period, table: 'members' });
    expect(name).toBe(`report-members-${period.from}-${period.to}.csv`);
    expect(csv.startsWith('\ufeffmember,id,assigned,')).toBe(true);
    expect(csv.split('\r\n').slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^${ada.name},${ada.id},1,`)),
      '',
    ]);
    const { csv: days } = await mia.inbox.exportReport({ ...period, table: 'days' });
    expect(days.split('\r\n')).toEqual([
      '\ufeffdate,conversations,with a person,handoffs',
      ...report.days.map((day) => [day.date, day.conversations, day.handedOver, day.requested].join(',')),
      '',
    ]);
    const wrong = [
      [{ to: dateAt(-2) }, '400 InvalidQuery'],
      [{ from: '2020-01-01' }, '400 InvalidQuery'],
      [{ from: '2026-02-30' }, '400 InvalidQuery'],
      [{ timeZone: 'Mars/Base' }, '400 InvalidQuery'],
      [{ bot: 'bot_none' }, '404 ResourceNotFound'],
      [{ team: 'team_none' }, '404 ResourceNotFound'],
    ] as const;
    for (const [input, answer] of wrong) {
      const asking = { ...period, ...input };
      const label = JSON.stringify(input);
      expect(await refusal(mia.inbox.getReport(asking)), label).toBe(answer);
      expect(await refusal(mia.inbox.exportReport({ ...asking, table: 'days' })), label).toBe(answer);
    }
    const table = 'odd' as 'days';
    expect(await refusal(mia.inbox.exportReport({ ...period, table }))).toBe('400 InvalidQuery');
    expect(await refusal((await member('viewer')).inbox.getReport(period))).toBe('403 Forbidden');
  });
}
