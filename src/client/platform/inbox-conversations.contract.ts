// The cases of who answers a conversation, and until when, for inbox.contract.ts.
import { describe, expect, test } from 'vitest';
import { ApiError, type Client } from '../index.ts';
import { refusal } from './fixture.contract.ts';
import type { InboxFixture } from './inbox-fixture.contract.ts';

export function inboxConversationsContract(fixture: InboxFixture): void {
  const { client, member, asked, startConversation, rowOf, reply } = fixture;
  const anyText = expect.any(String);

  /** The metadata of the error that the call fails with. */
  const metadataOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'It was not refused.',
      (error: unknown) => (error instanceof ApiError ? error.metadata : error),
    );

  describe('a conversation', () => {
    test('is taken by one member, answered, closed and opened again', async () => {
      const [ada, ben] = [await member(), await member()];
      const { counts } = await ada.inbox.getInboxCounts();
      const { id, botId, visitor, user } = await asked({
        content: 'Where is my order?',
        reason: 'refund',
      });
      const row = await rowOf(ada, id);
      const handoff = { id: anyText, requestedAt: anyText, requestedBy: 'bot', reason: 'refund' };
      expect(row).toEqual({
        ...{ conversationId: id, botId, revision: 1, state: 'waiting', handoff, tags: [] },
        ...{
          visitor: { id: user.id, name: user.name },
          preview: 'Where is my order?',
          lastAuthor: 'visitor',
        },
        ...{ waitingSince: anyText, sortAt: anyText, lastSeq: expect.any(Number) },
      });
      const { unassigned, waiting, all } = counts;
      expect((await ada.inbox.getInboxCounts()).counts).toEqual({
        ...counts,
        ...{ unassigned: unassigned + 1, waiting: waiting + 1, all: all + 1 },
      });

      const { conversation: taken } = await ada.inbox.takeConversation({ id, revision: row.revision });
      expect(taken).toMatchObject({
        ...{ state: 'assigned', revision: 2, assignee: { memberId: ada.id, name: ada.name } },
        handoff: row.handoff,
      });
      expect(await rowOf(ada, id)).toEqual(taken);
      // Taking what they have has no further effect, also with the revision of before.
      expect(await ada.inbox.takeConversation({ id, revision: row.revision })).toEqual({
        conversation: taken,
      });
      expect(await refusal(ben.inbox.takeConversation({ id }))).toBe('409 AlreadyTaken');
      expect(await metadataOf(ben.inbox.takeConversation({ id, revision: 2 }))).toEqual({
        assignee: taken.assignee,
      });

      const message = await reply(ada, id, 'On its way');
      expect((await visitor.listMessages({ conversationId: id })).messages[0]).toMatchObject({
        ...{ id: message.id, author: { kind: 'person', name: ada.name } },
      });
      const answered = await rowOf(ada, id);
      expect(answered).toMatchObject({ preview: 'On its way', lastAuthor: 'person', state: 'assigned' });
      expect(answered).not.toHaveProperty('waitingSince');
      const mine = (one: Client, list: 'mine' | 'closed') => one.list.inboxConversations({ list }).collect();
      expect(await mine(ada.inbox, 'mine')).toEqual([answered]);

      const { conversation: closed } = await ada.inbox.closeInboxConversation({ id });
      expect(closed).toMatchObject({
        ...{ state: 'closed', handoff: { ...handoff, outcome: 'resolved', closedAt: anyText } },
      });
      expect(closed).not.toHaveProperty('assignee');
      expect(await mine(ada.inbox, 'mine')).toEqual([]);
      expect(await mine(ben.inbox, 'closed')).toContainEqual(closed);
      expect((await visitor.listActivities({ id })).handling.state).toBe('closed');

      const { conversation: opened } = await ben.inbox.reopenConversation({ id, revision: closed.revision });
      expect(opened).toMatchObject({ state: 'assigned', assignee: { memberId: ben.id } });
      expect(opened.handoff).toMatchObject({ requestedBy: 'person' });
      const read = await ada.inbox.getInboxConversation({ id });
      expect(read).toMatchObject({ conversation: opened, visitor: { id: user.id, name: user.name } });
      expect(read.handoffs).toEqual([opened.handoff, closed.handoff]);
    });

    test('is taken by one of two members who take at once', async () => {
      const [ada, ben] = [await member(), await member()];
      const { id } = await asked();
      const answers = await Promise.all(
        [ada, ben].map(({ inbox }) => inbox.takeConversation({ id, revision: 1 }).catch((error) => error)),
      );
      const refused = answers.filter((answer) => answer instanceof ApiError);
      const [{ conversation }] = answers.filter((answer) => !(answer instanceof ApiError));
      expect(await rowOf(ada, id)).toEqual(conversation);
      const metadata = { assignee: conversation.assignee };
      expect(refused).toEqual([expect.objectContaining({ code: 409, type: 'AlreadyTaken', metadata })]);
    });

    test('with its bot is taken by its id', async () => {
      const ada = await member();
      const { id, botId } = await startConversation();
      expect(await refusal(ada.inbox.getInboxConversation({ id }))).toBe('404 ResourceNotFound');
      const { conversation } = await ada.inbox.takeConversation({ id });
      expect(conversation).toMatchObject({ state: 'assigned', revision: 1, botId });
      expect(conversation.handoff.requestedBy).toBe('person');
      expect(await rowOf(ada, id)).toEqual(conversation);
    });

    test('is not changed by a decision on an earlier revision', async () => {
      const [ada, ben] = [await member(), await member()];
      const { id } = await asked();
      expect(await refusal(ada.inbox.takeConversation({ id, revision: 0 }))).toBe('409 StaleRevision');
      const { conversation } = await ada.inbox.takeConversation({ id, revision: 1 });
      const at = { id, revision: 1 };
      const late = {
        assign: () => ada.inbox.assignConversation({ ...at, memberId: ben.id }),
        release: () => ada.inbox.releaseConversation(at),
        snooze: () => ada.inbox.snoozeConversation(at),
        return: () => ada.inbox.returnConversation(at),
        close: () => ada.inbox.closeInboxConversation(at),
      };
      for (const [name, call] of Object.entries(late)) {
        expect([name, await refusal(call())]).toEqual([name, '409 StaleRevision']);
        expect(await metadataOf(call()), name).toEqual({ state: 'assigned', revision: 2 });
      }
      expect(await rowOf(ada, id)).toEqual(conversation);
      const { conversation: closed } = await ada.inbox.closeInboxConversation({ id, revision: 2 });
      expect(await refusal(ada.inbox.reopenConversation({ id, revision: 2 }))).toBe('409 StaleRevision');
      expect(await rowOf(ada, id)).toEqual(closed);
    });

    test('is snoozed until a member ends it, until a time, or until the visitor writes', async () => {
      const ada = await member();
      const { id, visitor, write } = await asked();
      const { conversation: taken } = await ada.inbox.takeConversation({ id });
      const { counts } = await ada.inbox.getInboxCounts();
      const { conversation: snoozed } = await ada.inbox.snoozeConversation({ id, revision: taken.revision });
      expect(snoozed).toMatchObject({ state: 'snoozed', assignee: { memberId: ada.id } });
      expect(snoozed).not.toHaveProperty('snoozedUntil');
      expect((await ada.inbox.getInboxCounts()).counts).toMatchObject({
        ...{ mine: counts.mine - 1, snoozed: counts.snoozed + 1, all: counts.all },
      });
      expect(await ada.inbox.list.inboxConversations({ list: 'snoozed' }).collect()).toContainEqual(snoozed);
      // The visitor is not told.
      expect((await visitor.listActivities({ id })).handling.state).toBe('assigned');
      const { conversation: back } = await ada.inbox.unsnoozeConversation({ id });
      expect(back).toMatchObject({ state: 'assigned', assignee: { memberId: ada.id } });
      expect(await rowOf(ada, id)).toEqual(back);
      expect(await refusal(ada.inbox.unsnoozeConversation({ id }))).toBe('409 StaleRevision');

      const until = new Date(Date.now() + 60 * 60_000).toISOString();
      expect((await ada.inbox.snoozeConversation({ id, until })).conversation.snoozedUntil).toBe(until);
      expect(await rowOf(ada, id)).toMatchObject({ state: 'snoozed', snoozedUntil: until });
      await write('Hello?');
      const ended = await rowOf(ada, id);
      expect(ended).toMatchObject({ state: 'assigned', preview: 'Hello?' });
      for (const wrong of ['tomorrow', '2999-01-01T00:00:00Z'])
        expect(await refusal(ada.inbox.snoozeConversation({ id, until: wrong }))).toBe('400 InvalidPayload');
      expect(await rowOf(ada, id)).toEqual(ended);
    });

    test('that a member has snoozed is theirs when they take it, answer or end the snoozing, also when they are away', async () => {
      const [ada, ben] = [await member(), await member()];
      await ada.inbox.setAvailability({ availability: 'away' });
      const { id, write } = await asked();
      const ofAda = { state: 'assigned', assignee: { memberId: ada.id } };
      const snooze = (): Promise<unknown> => ada.inbox.snoozeConversation({ id });
      await ada.inbox.takeConversation({ id });
      await snooze();
      expect((await ada.inbox.takeConversation({ id })).conversation).toMatchObject(ofAda);
      await snooze();
      expect((await ada.inbox.unsnoozeConversation({ id })).conversation).toMatchObject(ofAda);
      await snooze();
      await reply(ada, id, 'On its way');
      expect(await rowOf(ada, id)).toMatchObject(ofAda);
      // She has answered: a colleague who ends the snoozing does not take it from her. The next message of the visitor does.
      await snooze();
      expect((await ben.inbox.unsnoozeConversation({ id })).conversation).toMatchObject(ofAda);
      await snooze();
      await write('Hello?');
      expect(await rowOf(ada, id)).toMatchObject({ state: 'waiting' });
      await ada.inbox.takeConversation({ id });
      await snooze();
      const { conversation } = await ben.inbox.unsnoozeConversation({ id });
      expect(conversation).toMatchObject({ state: 'waiting' });
      expect(conversation).not.toHaveProperty('assignee');
    });

    test('is assigned to a colleague by who answers or by a manager, and released', async () => {
      const [ada, ben, mia] = [await member(), await member(), await member('manager')];
      const viewer = await member('viewer');
      const { id, visitor } = await asked();
      await ada.inbox.takeConversation({ id });
      const { conversation } = await ada.inbox.assignConversation({ id, memberId: ben.id });
      expect(conversation.assignee).toEqual({ memberId: ben.id, name: ben.name });
      expect(await ben.inbox.list.inboxConversations({ list: 'mine' }).collect()).toEqual([conversation]);
      const { activities, handling } = await visitor.listActivities({ id });
      expect(handling).toMatchObject({ state: 'assigned', person: { name: ben.name } });
      expect(activities.slice(0, 2).map(({ type, actor }) => [type, actor.name])).toEqual([
        ['person_joined', ben.name],
        ['person_left', ada.name],
      ]);

      // Ada does not answer any more.
      expect(await refusal(ada.inbox.assignConversation({ id, memberId: ada.id }))).toBe('403 Forbidden');
      expect(await refusal(ada.inbox.releaseConversation({ id }))).toBe('403 Forbidden');
      expect(await refusal(ada.inbox.returnConversation({ id }))).toBe('403 Forbidden');
      const to = (input: object) => refusal(mia.inbox.assignConversation({ id, ...input }));
      expect(await to({ memberId: viewer.id })).toBe('409 ReferenceConstraint');
      expect(await to({ memberId: 'member_none' })).toBe('404 ResourceNotFound');
      expect(await to({ teamId: 'team_none' })).toBe('404 ResourceNotFound');
      expect(await to({})).toBe('400 InvalidPayload');
      expect(await to({ memberId: ada.id, teamId: 'team_none' })).toBe('400 InvalidPayload');
      expect(await refusal(viewer.inbox.takeConversation({ id }))).toBe('403 Forbidden');
      expect(await rowOf(ada, id)).toEqual(conversation);

      await mia.inbox.assignConversation({ id, memberId: ada.id });
      const { conversation: released } = await ada.inbox.releaseConversation({ id });
      expect(released).toMatchObject({ state: 'waiting', handoff: conversation.handoff });
      expect(released).not.toHaveProperty('assignee');
      expect(await rowOf(ada, id)).toEqual(released);
      expect((await visitor.listActivities({ id })).handling).toMatchObject({ state: 'waiting' });
    });

    test('is returned to the bot, and not opened again like a closed one', async () => {
      const [ada, mia] = [await member(), await member('manager')];
      const { id, visitor } = await asked();
      const { conversation: taken } = await ada.inbox.takeConversation({ id });
      const { conversation } = await ada.inbox.returnConversation({ id, revision: taken.revision });
      expect(conversation).toMatchObject({ state: 'bot', handoff: { outcome: 'bot' } });
      expect(await rowOf(ada, id)).toEqual(conversation);
      expect((await client().getHandling({ id })).handoff).toEqual(conversation.handoff);
      expect((await visitor.listActivities({ id })).handling.state).toBe('bot');
      const open = await ada.inbox.list.inboxConversations({ list: 'all' }).collect();
      expect(open.map(({ conversationId }) => conversationId)).not.toContain(id);
      expect(await refusal(ada.inbox.reopenConversation({ id }))).toBe('409 StaleRevision');
      expect(await refusal(ada.inbox.snoozeConversation({ id }))).toBe('409 StaleRevision');
      await ada.inbox.takeConversation({ id });
      await ada.inbox.closeInboxConversation({ id });
      expect(await refusal(mia.inbox.returnConversation({ id }))).toBe('409 StaleRevision');
    });

    test('a conversation that a colleague ends says who has ended it', async () => {
      const [ada, mia] = [await member(), await member('manager')];
      const { id, visitor } = await asked();
      const last = async () => {
        const [newest] = (await visitor.listActivities({ id })).activities;
        expect((await ada.inbox.getInboxTimeline({ id })).activities[0]).toEqual(newest);
        return { type: newest?.type, actor: newest?.actor };
      };
      const byMia = { actor: { kind: 'person', name: mia.name } };
      // While nobody answers, and while Ada does.
      await mia.inbox.closeInboxConversation({ id });
      expect(await last()).toEqual({ type: 'conversation_closed', ...byMia });
      await ada.inbox.reopenConversation({ id });
      await mia.inbox.closeInboxConversation({ id });
      expect(await last()).toEqual({ type: 'conversation_closed', ...byMia });
      await ada.inbox.reopenConversation({ id });
      await mia.inbox.returnConversation({ id });
      expect(await last()).toEqual({ type: 'returned_to_bot', ...byMia });
    });

    test('has the tags that replaced the earlier ones, and the visitor does not see them', async () => {
      const ada = await member();
      const { id, visitor } = await asked();
      const { conversation } = await ada.inbox.setInboxTags({ id, tags: ['vip', 'refund', 'vip'] });
      expect(conversation).toMatchObject({ tags: ['refund', 'vip'], revision: 2 });
      expect(await rowOf(ada, id)).toEqual(conversation);
      for (const tags of [[''], ['x'.repeat(51)], Array.from({ length: 21 }, (_, n) => `tag ${n}`)])
        expect(await refusal(ada.inbox.setInboxTags({ id, tags }))).toBe('400 InvalidPayload');
      expect((await rowOf(ada, id)).tags).toEqual(['refund', 'vip']);
      const seen = [await visitor.getConversation({ id }), await client().getConversation({ id })];
      expect(JSON.stringify(seen)).not.toContain('refund');
      expect((await ada.inbox.setInboxTags({ id, tags: [] })).conversation.tags).toEqual([]);
      expect((await rowOf(ada, id)).tags).toEqual([]);
    });
  });
}
