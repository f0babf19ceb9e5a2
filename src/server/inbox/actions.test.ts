// Tests of what actions of members leave to be seen by colleagues and visitors, and of decisions that come too late.
import { expect, test } from 'vitest';
import { encodeRequest } from '../../client/platform/encode.ts';
import { operationsOf } from '../../protocol/operations/apis.ts';
import { createWorkspace } from '../admin/first-start.ts';
import { ensureAdminToken } from '../auth/tokens.ts';
import { useInbox } from './testing.ts';

const start = useInbox();

test('a conversation that does not exist, or is of another workspace, is not found by any operation', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.runtime('POST', '/handoff', {});
  const before = (await ada.act('GET', '')).body;
  const foreign = 'other-token-'.repeat(4);
  const elsewhere = await inbox.server.db.write(async (tx) => {
    await tx.lock('start:');
    const { id } = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
    await ensureAdminToken(tx, id, foreign, 1);
    return id;
  });
  const headers = { authorization: `Bearer ${foreign}`, 'x-workspace-id': elsewhere };
  const operations = operationsOf('inbox').filter(({ path }) => path.startsWith('/conversations/{id}'));
  expect(operations.length).toBeGreaterThan(15);
  for (const { name, route, path, examples } of operations)
    for (const [caller, id] of [
      [headers, inbox.conversationId],
      [ada.headers, 'conv_none'],
    ] as const) {
      const input = { ...examples?.[0], ...(path.includes('{noteId}') && { noteId: 'note_none' }), id };
      const { method, target, body } = encodeRequest(name, route, input);
      const response = await inbox.request(method, `/v1/inbox${target}`, caller, body && JSON.parse(body));
      expect([name, id, response.status, response.body.type]).toEqual([name, id, 404, 'ResourceNotFound']);
    }
  expect((await ada.act('GET', '')).body).toEqual(before);
});

test('a decision on an earlier revision is refused with the present state, and changes nothing', async () => {
  const inbox = await start();
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  await inbox.runtime('POST', '/handoff', {});
  expect((await ada.act('POST', '/take', { revision: 0 })).body.type).toBe('StaleRevision');
  const { conversation } = (await ada.act('POST', '/take', { revision: 1 })).body;
  for (const [path, more] of [
    ['/assign', { memberId: ben.id }],
    ...['/release', '/snooze', '/return', '/close'].map((one) => [one, {}] as const),
  ] as const) {
    const { status, body } = await ada.act('POST', path, { revision: 1, ...more });
    const stale = [path, 409, 'StaleRevision', { state: 'assigned', revision: 2 }];
    expect([path, status, body.type, body.metadata]).toEqual(stale);
  }
  expect((await ada.act('GET', '')).body.conversation).toEqual(conversation);
  const { conversation: closed } = (await ada.act('POST', '/close', { revision: 2 })).body;
  expect((await ada.act('POST', '/reopen', { revision: 2 })).body.type).toBe('StaleRevision');
  expect((await ada.act('GET', '')).body.conversation).toEqual(closed);
});

test('a conversation is assigned to one member or one team of the workspace', async () => {
  const inbox = await start();
  const mia = await inbox.member('Mia', 'manager');
  await inbox.runtime('POST', '/handoff', {});
  const refusals = [
    [{ memberId: 'member_none' }, 404],
    [{ teamId: 'team_none' }, 404],
    [{}, 400],
    [{ memberId: mia.id, teamId: 'team_none' }, 400],
  ] as const;
  for (const [body, status] of refusals)
    expect([body, (await mia.act('POST', '/assign', body)).status]).toEqual([body, status]);
});

test('a conversation that a member has snoozed is theirs when they take it, answer or end the snoozing, also when they are away', async () => {
  const inbox = await start();
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  await inbox.runtime('POST', '/handoff', {});
  await ada.call('PUT', '/me', { availability: 'away' });
  const row = async () => (await ada.act('GET', '')).body.conversation;
  const ofAda = { state: 'assigned', assignee: { memberId: ada.id } };
  const snooze = async () => expect((await ada.act('POST', '/snooze', {})).status).toBe(200);
  await ada.act('POST', '/take', {});
  await snooze();
  expect((await ada.act('POST', '/take', {})).body.conversation).toMatchObject(ofAda);
  await snooze();
  expect((await ada.act('DELETE', '/snooze')).body.conversation).toMatchObject(ofAda);
  await snooze();
  await ada.reply('On its way');
  expect(await row()).toMatchObject(ofAda);
  // She has answered: a colleague who ends the snoozing does not take it from her. The next message of the visitor does.
  await snooze();
  expect((await ben.act('DELETE', '/snooze')).body.conversation).toMatchObject(ofAda);
  await snooze();
  await inbox.send('Hello?');
  expect(await row()).toMatchObject({ state: 'waiting' });
  await ada.act('POST', '/take', {});
  await snooze();
  const { conversation } = (await ben.act('DELETE', '/snooze')).body;
  expect(conversation).toMatchObject({ state: 'waiting' });
  expect(conversation).not.toHaveProperty('assignee');
});

test('the visitor and colleagues learn which member has ended a conversation, whoever answers it', async () => {
  const inbox = await start();
  const [ada, mia] = [await inbox.member('Ada'), await inbox.member('Mia', 'manager')];
  await inbox.runtime('POST', '/handoff', {});
  const last = async () => {
    const [newest] = (await inbox.chat('GET', '/activities')).body.activities;
    expect((await ada.act('GET', '/timeline')).body.activities[0]).toEqual(newest);
    return [newest.type, newest.actor];
  };
  const byMia = { kind: 'person', name: 'Mia' };
  await mia.act('POST', '/close', {});
  expect(await last()).toEqual(['conversation_closed', byMia]);
  await ada.act('POST', '/reopen', {});
  await mia.act('POST', '/close', {});
  expect(await last()).toEqual(['conversation_closed', byMia]);
  await ada.act('POST', '/reopen', {});
  await mia.act('POST', '/return', {});
  expect(await last()).toEqual(['returned_to_bot', byMia]);
});

test('tags are sorted, each once, and replace the earlier ones', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.runtime('POST', '/handoff', {});
  const set = async (tags: string[]) => (await ada.act('PUT', '/tags', { tags })).body.conversation;
  expect(await set(['vip', 'refund', 'vip'])).toMatchObject({ tags: ['refund', 'vip'], revision: 2 });
  expect((await set(['new'])).tags).toEqual(['new']);
});

test('a note is found in its own conversation only', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  const other = await inbox.server.conversation(inbox.key);
  for (const id of [inbox.conversationId, other]) await inbox.bot('POST', `/conversations/${id}/handoff`, {});
  const { note } = (await ada.act('POST', '/notes', { body: 'Here' })).body;
  const there = `/conversations/${other}/notes/${note.id}`;
  expect((await ada.call('PUT', there, { body: 'x' })).status).toBe(404);
  expect((await ada.call('DELETE', there)).status).toBe(404);
  expect((await ada.act('GET', '/timeline')).body.notes).toEqual([note]);
});

test('the timeline is read in pages of messages, each with the notes and activities of its time', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('1');
  await inbox.runtime('POST', '/handoff', {});
  const { note } = (await ada.act('POST', '/notes', { body: 'After 1' })).body;
  await inbox.send('2');
  await inbox.send('3');
  const seen: unknown[] = [];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const { body } = await ada.act('GET', `/timeline?pageSize=1${token && `&nextToken=${token}`}`);
    seen.push(...body.messages.map(({ payload }: { payload: { text: string } }) => payload.text));
    seen.push(...body.notes, ...body.activities.map(({ type }: { type: string }) => type));
    token = body.meta.nextToken;
  }
  expect(seen).toEqual(['3', '2', '1', note, 'handoff_requested']);
  for (const query of ['nextToken=garbage', 'pageSize=0'])
    expect((await ada.act('GET', `/timeline?${query}`)).status).toBe(400);
});

test('the visitor sees that the person who answers is replying, and nothing of colleagues; members do not see themselves', async () => {
  const inbox = await start();
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  await ada.act('POST', '/take', {});
  const stream = await inbox.server.listen(inbox.key, inbox.conversationId);
  const page = await ada.listen();
  const present = (member: typeof ada, state: string) => member.act('PUT', '/presence', { state });
  for (const [member, state] of [
    [ben, 'replying'],
    [ada, 'noting'],
    [ada, 'replying'],
    [ada, 'gone'],
  ] as const)
    expect((await present(member, state)).body).toEqual({});
  await stream.untilType('typing_stopped');
  const typing = stream.frames.flatMap(({ signal }) =>
    signal?.type.startsWith('typing') ? [signal.type] : [],
  );
  expect(typing).toEqual(['typing_started', 'typing_stopped']);
  await present(ben, 'gone');
  await page.until(({ data }) => data.includes('"members":[]'));
  const members = page.frames.flatMap(({ data }) =>
    data.includes('inbox_presence') ? JSON.parse(data).data.members : [],
  );
  expect(members).toContainEqual({ memberId: ben.id, name: 'Ben', state: 'replying' });
  expect(JSON.stringify(members)).not.toContain(ada.id);
  await Promise.all([stream.cancel(), page.cancel()]);
});

test('open pages and pages that ask for changes learn that a visitor has deleted a conversation', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.runtime('POST', '/handoff', {});
  const { cursor } = (await ada.call('GET', '/changes')).body;
  const page = await ada.listen();
  await page.until(({ data }) => data.includes('inbox_counts'));
  await inbox.chat('DELETE', '');
  const { conversationId } = inbox;
  const { data } = await page.until((frame) => frame.data.includes('inbox_deleted'));
  expect(JSON.parse(data)).toEqual({ type: 'inbox_deleted', data: { conversationId } });
  await page.until((frame) => frame.data.includes('"all":0'));
  const changes = (await ada.call('GET', `/changes?since=${cursor}`)).body;
  expect([changes.deleted, changes.hidden ?? []]).toEqual([[conversationId], []]);
  await page.cancel();
});

test('a conversation that moves to a restricted team is deleted and hidden for pages of other members that ask for changes', async () => {
  const inbox = await start();
  const [mia, ben] = [await inbox.member('Mia', 'manager'), await inbox.member('Ben')];
  await inbox.runtime('POST', '/handoff', {});
  const fields = { name: 'VIP', mode: 'manual', isRestricted: true, memberIds: [] };
  const { team } = (await mia.call('POST', '/teams', fields)).body;
  const { cursor } = (await ben.call('GET', '/changes')).body;
  await mia.act('POST', '/assign', { teamId: team.id });
  const { conversations, deleted, hidden } = (await ben.call('GET', `/changes?since=${cursor}`)).body;
  const ids = [inbox.conversationId];
  expect({ conversations, deleted, hidden }).toEqual({ conversations: [], deleted: ids, hidden: ids });
});

test('members who can answer are listed with their availability, their capacity and their load', async () => {
  const inbox = await start();
  const [ada, mia] = [await inbox.member('Ada'), await inbox.member('Mia', 'manager')];
  const own = async () => {
    const { members } = (await mia.call('GET', '/members')).body;
    return members.find(({ memberId }: { memberId: string }) => memberId === ada.id);
  };
  const idle = { memberId: ada.id, name: 'Ada', availability: 'available', isReachable: false, load: 0 };
  expect([await own(), (await ada.call('GET', '/me')).body.member]).toEqual([idle, idle]);
  await ada.call('PUT', '/me', { availability: 'away' });
  await ada.act('POST', '/take', {});
  const limited = await mia.call('PUT', `/members/${ada.id}`, { capacity: 3 });
  expect(limited.body.member).toEqual({ ...idle, availability: 'away', capacity: 3, load: 1 });
  expect(await own()).toEqual(limited.body.member);
  const free = await mia.call('PUT', `/members/${ada.id}`, { capacity: null });
  expect(free.body.member).toEqual({ ...idle, availability: 'away', load: 1 });
  expect((await mia.call('PUT', '/members/member_none', { capacity: 3 })).status).toBe(404);
});
