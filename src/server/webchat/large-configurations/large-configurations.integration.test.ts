// Tests of dashboard configurations with more than 1 MB, which another thread reads and a file stores.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { base, startTestServer, type TestServer } from '../../testing.ts';

let server: TestServer;
let admin: Record<string, string>;
let path: string;

beforeEach(async () => {
  server = await startTestServer();
  admin = {
    authorization: `Bearer ${server.admin.token}`,
    'x-workspace-id': server.admin.workspaceId,
    'content-type': 'application/json',
  };
  const { bots } = await (await server.fetch('/v1/admin/bots', { headers: admin })).json();
  path = `/v1/admin/bots/${bots[0].id}/webchat`;
});
afterEach(() => server.close());

const put = (body: string, address = path, headers = admin) =>
  server.fetch(address, { method: 'PUT', headers, body });
const store = (configuration: object) => put(JSON.stringify({ configuration }));
const large = (word: string) => {
  return { botName: word, additionalStylesheet: `/*${word}${'é'.repeat(700_000)}*/` };
};
const files = () => readdir(join(server.home, 'files'));
const webchat = async () => (await (await server.fetch(`${base}/webchat`)).json()).configuration;

test('a configuration of 50 MB is stored, and returned by every operation that contains it', async () => {
  const configuration = { botName: 'Big', additionalStylesheet: '' };
  const free = 52_428_800 - JSON.stringify({ configuration }).length;
  configuration.additionalStylesheet = 'x'.repeat(free);
  const answer = await store(configuration);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ configuration });
  expect(await webchat()).toEqual(configuration);
  expect(await (await server.fetch(path, { headers: admin })).json()).toEqual({ configuration });
  const embedded = await server.fetch(`${path}?type=preconfigured`, { headers: admin });
  expect(await embedded.json()).toMatchObject({
    configuration: { botName: 'Big' },
    code: expect.any(String),
  });
  expect(await (await server.fetch(`${base}/page`)).text()).toContain('<title>Big</title>');
});

test('a large body is checked like a small one, and leaves no file when it is refused', async () => {
  const blank = { botName: 'Kept' };
  await store(blank);
  const padding = 'x'.repeat(1_500_000);
  const cases: [string, string, number, RegExp][] = [
    [path, `{"configuration":{"additionalStylesheet":"${padding}"}`, 400, /not valid JSON/],
    [path, `["${padding}"]`, 400, /Expected an object/],
    [path, `{"configuration":"${padding}"}`, 400, /configuration/],
    [path, JSON.stringify({ configuration: { nothing: padding } }), 400, /no field 'nothing'/],
    [path, JSON.stringify({ configuration: { botName: 7, additionalStylesheet: padding } }), 400, /botName/],
    [
      path,
      `{"configuration":{"starters":[${'"a",'.repeat(100_000)}"${padding}"]}}`,
      400,
      /more than 100000 values/,
    ],
    [path, `{"configuration":${'['.repeat(101)}"${padding}"`, 400, /nested deeper/],
    [path.replace(/bot_\w+/, 'bot_none'), JSON.stringify({ configuration: large('x') }), 404, /bot/i],
    [path.replace('/webchat', ''), JSON.stringify({ name: padding }), 400, /name/],
  ];
  for (const [address, body, status, message] of cases) {
    const answer = await put(body, address);
    const { message: text, ...rest } = (await answer.json()) as Record<string, unknown>;
    expect([address, answer.status, text]).toEqual([address, status, expect.stringMatching(message)]);
    expect(rest).toMatchObject({
      code: status,
      id: expect.stringMatching(/^err_/),
      type: expect.any(String),
    });
  }
  const foreign = { ...admin, authorization: 'Bearer x' };
  expect((await put(JSON.stringify({ configuration: large('x') }), path, foreign)).status).toBe(401);
  expect(await webchat()).toEqual(blank);
  await server.composition.cleanUp();
  expect(await files()).toEqual([]);
  expect(await server.db.read((tx) => tx.all('SELECT * FROM configuration_files'))).toEqual([]);
});

test('a large body of an operation with short fields is accepted when they fit', async () => {
  const address = path.replace('/webchat', '');
  const answer = await put(JSON.stringify({ name: 'Renamed', unknown: 'x'.repeat(2_000_000) }), address);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ bot: { name: 'Renamed' } });
});

test('the file of a configuration that was replaced, or whose bot was deleted, is removed', async () => {
  await store(large('one'));
  const [first] = await files();
  await store(large('two'));
  await server.composition.cleanUp();
  expect(await files()).toHaveLength(1);
  expect(await files()).not.toContain(first);
  expect((await webchat()).botName).toBe('two');
  await store({ botName: 'small' });
  expect((await webchat()).botName).toBe('small');
  await server.composition.cleanUp();
  expect(await files()).toEqual([]);

  const body = JSON.stringify({ name: 'Second', webhookId: 'second' });
  const made = await server.fetch('/v1/admin/bots', { method: 'POST', headers: admin, body });
  const { bot } = await made.json();
  const given = JSON.stringify({ configuration: large('x') });
  expect((await put(given, `/v1/admin/bots/${bot.id}/webchat`)).status).toBe(200);
  expect(await files()).toHaveLength(1);
  await server.fetch(`/v1/admin/bots/${bot.id}`, { method: 'DELETE', headers: admin });
  await server.composition.cleanUp();
  expect(await files()).toEqual([]);
});

test('requests at the same time each see one whole configuration, and the last write remains', async () => {
  const words = ['a', 'b', 'c', 'd'];
  const reads: Promise<{ botName: string }>[] = [];
  for (const word of words) {
    const written = store(large(word));
    reads.push(webchat(), webchat());
    expect((await written).status).toBe(200);
  }
  for (const seen of await Promise.all(reads))
    if (seen.botName !== undefined) expect(seen).toEqual(large(seen.botName));
  expect(await webchat()).toEqual(large('d'));
});

test('a restart keeps it; bytes of a write that a crash has ended are removed', async () => {
  await store(large('kept'));
  const orphan = 'file_01JAAAAAAAAAAAAAAAAAAAAAAA';
  await server.db.write((tx) => tx.run('INSERT INTO configuration_files (content_id) VALUES (?)', orphan));
  await writeFile(join(server.home, 'files', orphan), '{');
  server = await server.restart();
  expect(await webchat()).toEqual(large('kept'));
  await server.composition.cleanUp();
  expect(await files()).toHaveLength(1);
  expect(await files()).not.toContain(orphan);
});

test('a large configuration that an earlier version has stored in the database is returned', async () => {
  await store({ botName: 'x' });
  const text = JSON.stringify(large('old'));
  await server.db.write((tx) =>
    tx.run('UPDATE bot_configurations SET configuration = ?, version = version + 1', text),
  );
  expect(await webchat()).toEqual(large('old'));
});
