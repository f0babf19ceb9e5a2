// Tests of listBotOrigins: which requests of a page are noted, and for whom.
import { expect, test } from 'vitest';
import { requesterFor } from '../admin/testing.ts';
import { startServer } from '../testing/servers.testing.ts';
import { base } from '../testing.ts';

test('the script and the requests of a chat name the page, without its path', async () => {
  let time = Date.parse('2030-01-01T00:00:00Z');
  const server = await startServer({ now: () => time });
  const { token = '', workspaceId } = server.admin;
  const admin = requesterFor(server, token, workspaceId);
  const { body } = await admin('GET', '/bots');
  const [bot] = body.bots as { id: string }[];
  const other = await admin('POST', '/bots', { name: 'Other' });
  const listed = async (id = bot?.id) => (await admin('GET', `/bots/${id}/origins`)).body.origins;
  expect(await listed()).toEqual([]);
  await server.fetch(`${base}/webchat.js`, { headers: { referer: 'https://a.example/shop?token=1' } });
  time += 1_000;
  await server.fetch(`${base}/webchat`, { headers: { origin: 'https://b.example' } });
  expect(await listed()).toEqual([
    { origin: 'https://b.example', seenAt: '2030-01-01T00:00:01.000Z' },
    { origin: 'https://a.example', seenAt: '2030-01-01T00:00:00.000Z' },
  ]);
  expect(await listed((other.body.bot as { id: string }).id)).toEqual([]);
});
