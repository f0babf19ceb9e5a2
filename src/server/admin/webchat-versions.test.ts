// Tests of the versions of dashboard configurations: which changes are kept, by whom, how many, and without secrets.
import { expect, test } from 'vitest';
import type { WebchatVersion } from '../../protocol/types/bots.ts';
import { storeConfiguration } from '../storage/bots/configurations.ts';
import { createAdminFixture } from './testing.ts';

async function start() {
  const fixture = await createAdminFixture();
  const { owner } = fixture;
  const { bot } = (await owner('POST', '/bots', { name: 'Versions' })).body;
  const path = `/bots/${bot.id}/webchat`;
  const store = (configuration: object, send = owner) => send('PUT', path, { configuration });
  const listed = async (query = ''): Promise<WebchatVersion[]> =>
    (await owner('GET', `${path}/versions${query}`)).body.versions;
  return { ...fixture, botId: bot.id as string, path, store, listed };
}

test('each change is a version with its member; storing the same again is none', async () => {
  const { server, store, listed, by, ids } = await start();
  expect(await listed()).toEqual([]);
  await store({ color: '#111111' });
  await store({ color: '#111111' });
  await store({ color: '#222222' }, by.developer);
  await store({ color: 'wrong' });
  expect(await listed()).toEqual([
    {
      id: expect.stringMatching(/^version_/),
      createdAt: expect.stringMatching(/Z$/),
      memberId: ids.developer,
      memberName: 'developer@example.com',
      configuration: { color: '#222222' },
    },
    expect.objectContaining({ configuration: { color: '#111111' } }),
  ]);
  // Back to an earlier one.
  const [, first] = await listed();
  await store(first?.configuration ?? {});
  expect((await listed()).map(({ configuration }) => configuration.color)).toEqual([
    '#111111',
    '#222222',
    '#111111',
  ]);
  await server.close();
});

test('the configuration before the first version is kept without secrets', async () => {
  const { server, store, listed, botId } = await start();
  const earlier = JSON.stringify({ botName: 'Earlier', adminKey: 'canary' });
  await server.db.write((tx) => storeConfiguration(tx, botId, earlier));
  await store({ botName: 'Now' });
  const versions = await listed();
  expect(versions.map(({ configuration }) => configuration)).toEqual([
    { botName: 'Now' },
    { botName: 'Earlier' },
  ]);
  expect(versions[1]).not.toHaveProperty('memberId');
  await server.close();
});

test('the newest 50 are kept, in pages, and removed with the bot', async () => {
  const { server, store, listed, owner, path, botId } = await start();
  for (let n = 0; n < 53; n += 1) await store({ botName: `Name ${n}` });
  const page = (await owner('GET', `${path}/versions?pageSize=30`)).body;
  expect(page.versions).toHaveLength(30);
  const rest = await listed(`?pageSize=30&nextToken=${page.meta.nextToken}`);
  expect(rest).toHaveLength(20);
  expect(rest.at(-1)?.configuration.botName).toBe('Name 3');
  await owner('DELETE', `/bots/${botId}`);
  await expect
    .poll(() => server.db.read((tx) => tx.all('SELECT id FROM webchat_versions WHERE bot_id = ?', botId)))
    .toEqual([]);
  await server.close();
});
