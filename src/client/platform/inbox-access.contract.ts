// The cases of conversations that the caller may not see, for inbox.contract.ts.
import { expect, test } from 'vitest';
import { operationsOf } from '../../protocol/operations/apis.ts';
import { refusal } from './fixture.contract.ts';
import type { InboxFixture } from './inbox-fixture.contract.ts';

export function inboxAccessContract({ client, member, asked, rowOf }: InboxFixture): void {
  test('a conversation that does not exist, or is of another workspace, is not found by any operation', async () => {
    const ada = await member();
    const { id } = await asked();
    const row = await rowOf(ada, id);
    const made = await client().createWorkspace({ name: 'Other', email: 'other@example.com' });
    const other = client({ token: made.value, workspaceId: made.workspace.id });
    const ofConversations = operationsOf('inbox').filter(({ path }) =>
      path.startsWith('/conversations/{id}'),
    );
    expect(ofConversations.length).toBeGreaterThan(15);
    for (const { name, path, examples } of ofConversations) {
      const input = { ...examples?.[0], ...(path.includes('{noteId}') && { noteId: 'note_none' }) };
      for (const [caller, place] of [
        [other, { id }],
        [ada.inbox, { id: 'conv_none' }],
      ] as const) {
        const call = (caller as unknown as Record<string, Call>)[name] as Call;
        expect([name, await refusal(call({ ...input, ...place }))]).toEqual([name, '404 ResourceNotFound']);
      }
    }
    expect(await rowOf(ada, id)).toEqual(row);
  });

  test('the conversations of a restricted team do not exist for members of other teams', async () => {
    const [ada, ben, mia] = [await member(), await member(), await member('manager')];
    const name = `Team of ${mia.name}`;
    const { team } = await mia.inbox.createTeam({
      ...{ name, mode: 'manual', isRestricted: true, memberIds: [ada.id] },
    });
    const teamId = team.id;
    const { cursor } = await ben.inbox.getInboxChanges();
    const { id } = await asked({ team: name });
    const row = await rowOf(ada, id);
    expect(row).toMatchObject({ teamId, state: 'waiting' });
    expect(await rowOf(mia, id)).toEqual(row);
    expect(await ada.inbox.list.inboxConversations({ list: 'all', team: teamId }).collect()).toEqual([row]);
    expect(await ben.inbox.list.inboxConversations({ list: 'all', team: teamId }).collect()).toEqual([]);
    expect(await refusal(ben.inbox.getInboxConversation({ id }))).toBe('404 ResourceNotFound');
    expect(await refusal(ben.inbox.takeConversation({ id }))).toBe('404 ResourceNotFound');
    const changes = await ben.inbox.getInboxChanges({ since: cursor });
    expect(changes.conversations.map(({ conversationId }) => conversationId)).not.toContain(id);
    expect([changes.deleted, changes.hidden]).toEqual([
      expect.arrayContaining([id]),
      expect.arrayContaining([id]),
    ]);
    await mia.inbox.deleteTeam({ id: teamId });
    expect(await rowOf(ben, id)).not.toHaveProperty('teamId');
  });
}

type Call = (input: object) => Promise<unknown>;
