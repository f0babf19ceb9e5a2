// Tests of several servers on the same data, as clients see them.
import { expect, test } from 'vitest';
import { startTestCluster } from '../testing.ts';

test('a user, a conversation and a message of one process are those of every other', async () => {
  const cluster = await startTestCluster(2);
  const [one, other] = cluster.servers;
  if (!one || !other) throw new Error('Two servers were started.');
  const { key } = await one.user();
  const conversationId = await other.conversation(key);
  await one.sendMessage(key, conversationId, 'from one');
  await other.sendMessage(key, conversationId, 'from the other');
  const { body } = await one.call('GET', `/conversations/${conversationId}/messages`, { key });
  expect(body.messages).toMatchObject([
    { payload: { text: 'from the other' } },
    { payload: { text: 'from one' } },
  ]);
  expect(other.admin).toEqual({ workspaceId: one.admin.workspaceId, token: undefined });
  await cluster.close();
});
