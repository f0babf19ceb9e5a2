// Tests of canned answers: members have their own, and managers write those of the workspace.
import { expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { useInbox } from './testing.ts';

const start = useInbox();

const path = '/canned-answers';
const hello = { scope: 'own', name: 'hello', text: 'Hello {{visitor.name|there}}' };

test('canned answers: members see their own and those of the workspace, which only managers change', async () => {
  const inbox = await start();
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  const [mia, vic] = [await inbox.member('Mia', 'manager'), await inbox.member('Vic', 'viewer')];
  const own = (await ada.call('POST', path, hello)).body.cannedAnswer;
  expect(own).toMatchObject(hello);
  const shared = (await mia.call('POST', path, { ...hello, scope: 'workspace', name: 'bye' })).body
    .cannedAnswer;
  const names = async (member: typeof ada) =>
    (await member.call('GET', path)).body.cannedAnswers.map((answer: { name: string }) => answer.name);
  expect(await Promise.all([ada, ben, mia, vic].map(names))).toEqual([
    ['hello', 'bye'],
    ['bye'],
    ['bye'],
    ['bye'],
  ]);
  // Of another member it does not exist, also for a manager; of the workspace it needs a permission.
  for (const other of [ben, mia]) {
    expect((await other.call('PUT', `${path}/${own.id}`, { name: 'x' })).status).toBe(404);
    expect((await other.call('DELETE', `${path}/${own.id}`)).status).toBe(404);
  }
  expect((await ada.call('POST', path, { ...hello, scope: 'workspace' })).status).toBe(403);
  expect((await ada.call('PUT', `${path}/${shared.id}`, { text: 'x' })).status).toBe(403);
  expect((await ada.call('DELETE', `${path}/${shared.id}`)).status).toBe(403);
  expect((await vic.call('POST', path, hello)).status).toBe(403);
  const changed = await ada.call('PUT', `${path}/${own.id}`, { text: '  Good\nmorning ' });
  expect(changed.body.cannedAnswer).toMatchObject({ name: 'hello', text: 'Good\nmorning' });
  expect((await mia.call('DELETE', `${path}/${shared.id}`)).status).toBe(200);
  expect((await mia.call('DELETE', `${path}/${shared.id}`)).status).toBe(404);
  // A member who is removed takes their own answers along.
  await inbox.request('DELETE', `/v1/admin/workspace-members/${ada.id}`, mia.headers);
  expect(await inbox.rows('canned_answers')).toEqual([]);
});

test('canned answers: what is not a canned answer is refused, and pages have no gaps', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  for (const bad of [
    { ...hello, name: ' ' },
    { ...hello, text: 'a\0b' },
  ])
    expect((await ada.call('POST', path, bad)).status).toBe(400);
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1)
    made.push((await ada.call('POST', path, { ...hello, name: `n${n}` })).body.cannedAnswer.id);
  const found: string[] = [];
  for (let token = ''; ; ) {
    const { body } = await ada.call('GET', `${path}?pageSize=2${token}`);
    found.push(...body.cannedAnswers.map((answer: { id: string }) => answer.id));
    if (!body.meta.nextToken) break;
    token = `&nextToken=${body.meta.nextToken}`;
  }
  expect(found).toEqual(made);
  expect((await ada.call('GET', `${path}?nextToken=x`)).status).toBe(400);
});

test('canned answers: of two requests at once for the last free place one succeeds', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.server.db.write(async (tx) => {
    for (let n = 1; n < limits.inbox.ownAnswers; n += 1)
      await tx.run(
        'INSERT INTO canned_answers (id, workspace_id, member_id, name, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, 1)',
        ...[`answer_${n}`, inbox.workspaceId, ada.id, 'n', 't'],
      );
  });
  const answers = await Promise.all([ada.call('POST', path, hello), ada.call('POST', path, hello)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
});
