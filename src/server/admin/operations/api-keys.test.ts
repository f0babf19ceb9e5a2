// Tests of tokens under the names of the hosted product: repeated requests, the audit trail, and workspaces of others.
// src/contract/admin.test.ts has the rest.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../first-start.ts';
import { type AdminFixture, createAdminFixture } from '../testing.ts';

let fixture: AdminFixture;
let botId: string;
beforeAll(async () => {
  fixture = await createAdminFixture();
  botId = (await fixture.owner('POST', '/bots', { name: 'Own' })).body.bot.id;
});
afterAll(() => fixture.server.close());

test.each([
  ['/account/pats', () => ({ note: 'Laptop' })],
  ['/bots/baks', () => ({ botId, note: 'Server' })],
] as const)(
  'POST %s returns the value once, also for one Idempotency-Key, and stores it nowhere',
  async (path, body) => {
    const headers = { 'idempotency-key': `once ${path}` };
    const first = await fixture.owner('POST', path, body(), headers);
    const value: string = first.body.pat?.value ?? first.body.value;
    expect([first.status, value]).toEqual([200, expect.stringMatching(/^[pb]at_/)]);
    const again = await fixture.owner('POST', path, body(), headers);
    expect([again.status, again.body.type]).toEqual([409, 'AlreadyExists']);
    expect(JSON.stringify(again.body)).not.toContain(value);
    const stored = await fixture.server.db.read((tx) => tx.all('SELECT response FROM requests'));
    expect(JSON.stringify(stored)).not.toContain(value);
    expect(JSON.stringify(fixture.server.log)).not.toContain(value);
  },
);

test('every creation and revocation is in the audit trail, with ids and without notes', async () => {
  const { pat } = (await fixture.owner('POST', '/account/pats', { note: 'canary' })).body;
  const bak = (await fixture.owner('POST', '/bots/baks', { botId, note: 'canary' })).body;
  await fixture.owner('DELETE', `/account/pats/${pat.id}`);
  await fixture.owner('DELETE', `/bots/baks/${bak.id}`);
  await fixture.owner('PUT', '/account/me', { displayName: 'canary' });
  const { entries } = (await fixture.owner('GET', '/audit?pageSize=5')).body;
  expect(entries.map(({ operation }: { operation: string }) => operation)).toEqual([
    'updateAccount',
    'deleteBotApiKey',
    'deletePersonalAccessToken',
    'createBotApiKey',
    'createPersonalAccessToken',
  ]);
  expect(entries[4].target).toMatchObject({ resource: pat.id });
  expect(JSON.stringify(entries)).not.toContain('canary');
});

test('a personal access token is found by its own member only, in whatever workspace the request names', async () => {
  const { pat } = (await fixture.by.viewer('POST', '/account/pats', { note: 'x' })).body;
  const theirs = await fixture.server.db.write((tx) =>
    createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 }),
  );
  // The operator acts in the other workspace, and the token is in the first one.
  const { token = '' } = fixture.server.admin;
  for (const send of [fixture.owner, fixture.by.administrator, fixture.as(token, theirs.id)]) {
    expect((await send('DELETE', `/account/pats/${pat.id}`)).status).toBe(404);
  }
  const own = fixture.as(pat.value, theirs.id);
  // The workspace of the header is not read: the operations are about the caller.
  expect((await own('GET', '/account/pats')).body.pats.map(({ id }: { id: string }) => id)).toContain(pat.id);
  expect((await own('GET', '/bots')).status).toBe(401);
  expect((await own('DELETE', `/account/pats/${pat.id}`)).status).toBe(200);
  expect((await own('GET', '/account/pats')).status).toBe(401);
});

test('a key of a bot that was deleted is invalid, and so is the list of its keys', async () => {
  const { id } = (await fixture.owner('POST', '/bots', { name: 'Short' })).body.bot;
  const { value } = (await fixture.owner('POST', '/bots/baks', { botId: id })).body;
  expect((await fixture.owner('DELETE', `/bots/${id}`)).status).toBe(200);
  expect((await fixture.as(value)('GET', '/tokens/current')).status).toBe(401);
  expect((await fixture.owner('GET', `/bots/baks?botId=${id}`)).status).toBe(404);
  for (const query of ['', '?botId=', `?botId=${botId}&botId=${botId}`, `?botId[]=${botId}&x=1`]) {
    const { status, body } = await fixture.owner('GET', `/bots/baks${query}`);
    expect([query, status, body.type]).toEqual([query, 400, 'InvalidQuery']);
  }
});
