// Tests of the list of visitors, and of the conversations of one.
import { expect, test } from 'vitest';
import type { InboxRow, InboxVisitor } from '../../protocol/inbox.ts';
import { useInbox } from './testing.ts';

const start = useInbox();

test('visitors are listed by their last activity, each once, on pages without gaps, and found by name and profile', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  const visitors = async (query = '') => {
    const { status, body } = await ada.call('GET', `/visitors?${query}`);
    expect(status).toBe(200);
    return body as { visitors: InboxVisitor[]; meta: { nextToken?: string } };
  };
  const names = async (query = '') => (await visitors(query)).visitors.map(({ name }) => name);
  // A conversation without a message says nothing about its visitor.
  expect(await names()).toEqual([]);
  await inbox.send('Hello');
  const grace = await inbox.server.user({
    name: 'Žofia',
    profile: JSON.stringify({ email: 'grace@example.com' }),
  });
  const first = await inbox.server.conversation(grace.key);
  const second = await inbox.server.conversation(grace.key);
  for (const id of [first, second]) await inbox.server.sendMessage(grace.key, id, 'Hi');
  expect((await visitors()).visitors).toMatchObject([
    {
      id: grace.id,
      name: 'Žofia',
      email: 'grace@example.com',
      conversationCount: 2,
      lastConversationId: second,
    },
    { name: 'Visitor', conversationCount: 1, lastConversationId: inbox.conversationId },
  ]);
  await inbox.server.sendMessage(grace.key, first, 'Once more');
  expect((await visitors()).visitors[0]).toMatchObject({ conversationCount: 2, lastConversationId: first });
  await inbox.send('Me, too');
  expect(await names()).toEqual(['Visitor', 'Žofia']);
  expect([await names('text=zof'), await names('text=GRACE%40'), await names('text=nobody')]).toEqual([
    ['Žofia'],
    ['Žofia'],
    [],
  ]);
  const page = await visitors('pageSize=1');
  const next = await visitors(`pageSize=1&nextToken=${page.meta.nextToken}`);
  expect([...page.visitors, ...next.visitors].map(({ name }) => name)).toEqual(['Visitor', 'Žofia']);
  expect(
    next.meta.nextToken === undefined || (await visitors(`nextToken=${next.meta.nextToken}`)).visitors,
  ).toEqual(next.meta.nextToken === undefined ? true : []);

  const path = `/conversations/${first}/visitor/conversations`;
  const { body } = await ada.call('GET', path);
  expect(body.conversations.map(({ conversationId }: InboxRow) => conversationId)).toEqual([second, first]);
  const one = (await ada.call('GET', `${path}?pageSize=1`)).body;
  expect(one.conversations).toMatchObject([
    { conversationId: second, state: 'bot', visitor: { name: 'Žofia' } },
  ]);
  const other = (await ada.call('GET', `${path}?nextToken=${one.meta.nextToken}`)).body;
  expect([other.conversations, other.meta]).toMatchObject([[{ conversationId: first }], {}]);
  expect((await ada.call('GET', '/conversations/conv_none/visitor/conversations')).status).toBe(404);
  expect((await ada.call('GET', '/visitors?nextToken=x')).status).toBe(400);

  await inbox.request('DELETE', '/chat/demo/users/me', { 'x-user-key': grace.key });
  expect(await names()).toEqual(['Visitor']);
  expect((await ada.call('GET', path)).status).toBe(404);
});

test('conversations of a team that a member may not see count for those who do', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada', 'owner');
  const bob = await inbox.member('Bob');
  await inbox.send('Hello');
  const other = await inbox.server.conversation(inbox.key);
  await inbox.server.sendMessage(inbox.key, other, 'Hi');
  await inbox.send('Hello again');
  await ada.act('POST', '/take', {});
  await ada.act('POST', '/release', {});
  await ada.restrict(ada.id);
  const listed = async (member: typeof ada) => (await member.call('GET', '/visitors')).body.visitors;
  expect(await listed(ada)).toMatchObject([
    { conversationCount: 2, lastConversationId: inbox.conversationId },
  ]);
  expect(await listed(bob)).toMatchObject([{ conversationCount: 1, lastConversationId: other }]);
  const { body } = await bob.call('GET', `/conversations/${other}/visitor/conversations`);
  expect(body.conversations.map(({ conversationId }: InboxRow) => conversationId)).toEqual([other]);
  expect((await bob.act('GET', '/visitor/conversations')).status).toBe(404);
});
