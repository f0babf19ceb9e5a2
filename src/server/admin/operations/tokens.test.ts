// Tests of the operations on tokens: values are returned once and never stored, tokens never exceed the rights of their
// creator, are limited to one workspace or bot, and stop working when they are deleted.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPermitted, permissionTable, type Role, roles } from '../../../protocol/permissions.ts';
import { listBots } from '../../storage/bots/bots.ts';
import { allRows } from '../../testing.ts';
import { createBot, createWorkspace } from '../first-start.ts';
import { type AdminFixture, type AdminResponse, createAdminFixture } from '../testing.ts';

let fixture: AdminFixture;
let botId: string;
let now: number;
beforeEach(async () => {
  now = Date.parse('2030-01-01T00:00:00Z');
  fixture = await createAdminFixture({ now: () => now });
  const [bot] = await fixture.server.db.read((tx) => listBots(tx, fixture.workspaceId, undefined, 1));
  botId = bot?.id ?? '';
});
afterEach(() => fixture.server.close());

const own = { name: 'Laptop', kind: 'personal' };
/** Owners of the first workspace are operators. */
const principalOf = (role: Role) => (role === 'owner' ? 'operator' : role);
const at = (milliseconds: number) => new Date(milliseconds).toISOString();
const hour = 3_600_000;

describe('the value', () => {
  test('is in one response and in no table, and a retry with the same Idempotency-Key is refused', async () => {
    const { owner, server } = fixture;
    const headers = { 'idempotency-key': 'once' };
    const values: string[] = [];
    for (const [path, body] of [
      ['/tokens', own],
      ['/tokens', { name: 'B', kind: 'bot', botId }],
      ['/workspaces', { name: 'Two', email: 'two@example.com' }],
    ] as const) {
      const key = { 'idempotency-key': `once ${values.length}` };
      const made = await owner('POST', path, body, key);
      expect([made.status, made.body.value]).toEqual([200, expect.stringMatching(/^(pat|bat)_[\w-]{43}$/)]);
      values.push(made.body.value);
      const again = await owner('POST', path, body, key);
      expect([again.status, again.body.type]).toEqual([409, 'AlreadyExists']);
      expect(JSON.stringify(again.body)).not.toContain(made.body.value);
      expect(again.body.message).toContain(made.body.workspace?.id ?? made.body.token.id);
      const other = await owner('POST', path, { ...body, name: 'Other' }, key);
      expect(other.body.type).toBe('InvalidPayload');
    }
    // It is created once, and not again after it was deleted.
    const { body } = await owner('POST', '/tokens', own, headers);
    await owner('DELETE', `/tokens/${body.token.id}`);
    expect((await owner('POST', '/tokens', own, headers)).body.type).toBe('ResourceGone');
    const stored = JSON.stringify(await allRows(server.db));
    for (const value of [...values, body.value]) {
      expect(stored).not.toContain(value);
      // Neither the random part alone nor another encoding of it is stored.
      expect(stored).not.toContain(value.slice(4));
      expect(stored).not.toContain(Buffer.from(value).toString('base64'));
    }
    expect(server.log.some((line) => JSON.stringify(line).includes(values[0] ?? '-'))).toBe(false);
  });

  test('is created once by two concurrent requests with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'twice' };
    const both = await Promise.all([1, 2].map(() => fixture.owner('POST', '/tokens', own, headers)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const rows = await fixture.server.db.read((tx) => tx.all("SELECT 1 FROM tokens WHERE name = 'Laptop'"));
    expect(rows).toHaveLength(1);
  });

  test('is never in a list, nor is its hash', async () => {
    const { body } = await fixture.owner('POST', '/tokens', own);
    const listed = (await fixture.owner('GET', '/tokens')).body;
    expect(listed.tokens[0]).toEqual(body.token);
    expect(JSON.stringify(listed)).not.toMatch(/pat_|[0-9a-f]{64}|hash/);
  });
});

describe('permissions', () => {
  const fits = (answer: AdminResponse, allowed: boolean) => expect(answer.status).toBe(allowed ? 200 : 403);

  test.each(roles)('%s creates and deletes only the tokens that their role allows', async (mine) => {
    const { by, ids, as, tokens } = fixture;
    const send = by[mine];
    const made = await send('POST', '/tokens', own);
    expect(made.body.token).toMatchObject({ kind: 'personal', memberId: ids[mine] });
    const current = await as(made.body.value)('GET', '/tokens/current');
    expect(current.body.token).toEqual({
      ...made.body.token,
      workspaceId: fixture.workspaceId,
      principal: principalOf(mine),
      permissions: permissionTable[principalOf(mine)],
    });
    const mayWrite = isPermitted(mine, 'tokens.write');
    for (const theirs of roles) {
      const allowed = theirs === mine || (mayWrite && roles.indexOf(theirs) <= roles.indexOf(mine));
      fits(await send('POST', '/tokens', { ...own, memberId: ids[theirs] }), allowed);
      // Another member deletes the token that was used.
      if (theirs === mine) continue;
      const { id } = (await as(tokens[theirs])('GET', '/tokens/current')).body.token;
      const ended = await send('DELETE', `/tokens/${id}`);
      const refusal = isPermitted(mine, 'tokens.read') ? 403 : 404;
      expect([mine, theirs, ended.status]).toEqual([mine, theirs, allowed ? 200 : refusal]);
      expect((await as(tokens[theirs])('GET', '/tokens/current')).status).toBe(allowed ? 401 : 200);
    }
    fits(await send('POST', '/tokens', { name: 'B', kind: 'bot', botId }), mayWrite);
    const integration = { name: 'I', kind: 'integration', botId, integration: 'crm' };
    fits(await send('POST', '/tokens', integration), mayWrite);
    const listed = (await send('GET', '/tokens?pageSize=100')).body.tokens as { memberId?: string }[];
    const foreign = listed.filter(({ memberId }) => memberId !== ids[mine]);
    expect(foreign.length > 0).toBe(isPermitted(mine, 'tokens.read'));
    // Members can delete their own token without any permission.
    expect((await send('DELETE', `/tokens/${made.body.token.id}`)).status).toBe(200);
    expect((await as(made.body.value)('GET', '/tokens/current')).status).toBe(401);
  });

  test('a bot and an integration cannot create or list tokens, and can delete only their own', async () => {
    const { owner, as } = fixture;
    for (const [body, kind] of [
      [{ name: 'B', kind: 'bot', botId }, 'bot'],
      [{ name: 'I', kind: 'integration', botId, integration: 'crm' }, 'integration'],
    ] as const) {
      const { body: made } = await owner('POST', '/tokens', body);
      const send = as(made.value);
      for (const fields of [own, { ...own, memberId: fixture.ids.viewer }, body]) {
        expect((await send('POST', '/tokens', fields)).status).toBe(403);
      }
      expect((await send('GET', '/tokens')).body).toEqual({ tokens: [], meta: {} });
      expect((await send('GET', '/workspaces')).body).toEqual({ workspaces: [], meta: {} });
      expect((await send('GET', '/account/me')).status).toBe(404);
      expect((await send('GET', '/tokens/current')).body.token).toEqual({
        ...made.token,
        workspaceId: fixture.workspaceId,
        principal: kind,
        permissions: permissionTable[kind],
      });
      const other = (await owner('GET', '/tokens/current')).body.token.id;
      expect((await send('DELETE', `/tokens/${other}`)).status).toBe(404);
      expect((await send('DELETE', '/tokens/current')).status).toBe(200);
      expect((await send('GET', '/tokens/current')).status).toBe(401);
    }
  });

  test('a personal token returns its account and its workspace', async () => {
    const { by, ids, workspaceId } = fixture;
    const { account } = (await by.billing('GET', '/account/me')).body;
    expect(account).toEqual({
      id: ids.billing,
      createdAt: at(1),
      email: 'billing@example.com',
      emailVerified: false,
    });
    expect((await by.billing('GET', '/workspaces')).body.workspaces).toEqual([
      expect.objectContaining({ id: workspaceId, name: 'Workspace' }),
    ]);
    expect((await by.viewer('GET', '/workspace-members/me')).body.id).toBe(ids.viewer);
  });
});

describe('the scope of a token', () => {
  test('ends at expiresAt, to the millisecond', async () => {
    const { owner, as } = fixture;
    const { body } = await owner('POST', '/tokens', { ...own, expiresAt: at(now + hour) });
    expect(body.token.expiresAt).toBe(at(now + hour));
    now += hour - 1;
    expect((await as(body.value)('GET', '/bots')).status).toBe(200);
    now += 1;
    expect((await as(body.value)('GET', '/bots')).status).toBe(401);
    expect((await as(body.value)('GET', '/tokens/current')).status).toBe(401);
  });

  test('does not include the creation of a token that outlives it', async () => {
    const { owner, as } = fixture;
    const short = as((await owner('POST', '/tokens', { ...own, expiresAt: at(now + hour) })).body.value);
    for (const expiresAt of [undefined, at(now + hour + 1)]) {
      const body = { ...own, ...(expiresAt ? { expiresAt } : {}) };
      expect((await short('POST', '/tokens', body)).status).toBe(403);
      expect((await short('POST', '/tokens', { ...body, memberId: fixture.ids.viewer })).status).toBe(403);
    }
    expect((await short('POST', '/tokens', { ...own, expiresAt: at(now + hour) })).status).toBe(200);
    // A new workspace does not get a longer-lived token either.
    const two = await short('POST', '/workspaces', { name: 'Two', email: 'two@example.com' });
    expect([two.status, two.body.token.expiresAt]).toEqual([200, at(now + hour)]);
  });

  test('is one workspace, or one bot for a bot token; resources outside of it are not found', async () => {
    const { owner, server, as, workspaceId } = fixture;
    const other = await server.db.write(async (tx) => {
      const { id, owner } = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
      const bot = await createBot(tx, { workspaceId: id, webhookId: 'other', name: 'Other', now: 1 });
      return { id, memberId: owner.id, botId: bot.id };
    });
    for (const body of [
      { ...own, memberId: other.memberId },
      { name: 'B', kind: 'bot', botId: other.botId },
      { name: 'B', kind: 'bot', botId: 'bot_none' },
      { ...own, memberId: 'member_none' },
    ]) {
      expect((await owner('POST', '/tokens', body)).status).toBe(404);
    }
    const two = (await owner('POST', '/workspaces', { name: 'Two', email: 'two@example.com' })).body;
    const send = as(two.value, two.workspace.id);
    expect((await send('GET', '/bots')).body).toEqual({ bots: [], meta: {} });
    expect((await send('GET', `/bots/${botId}`)).status).toBe(404);
    expect((await send('GET', '/workspaces')).body.workspaces).toEqual([two.workspace]);
    expect((await send('GET', `/workspaces/${workspaceId}`)).status).toBe(404);
    expect((await as(two.value)('GET', '/bots')).status).toBe(401);
    const { id } = (await owner('GET', '/tokens/current')).body.token;
    expect((await send('DELETE', `/tokens/${id}`)).status).toBe(404);
    expect((await send('GET', '/tokens')).body.tokens).toEqual([two.token]);
    expect((await owner('DELETE', `/tokens/${two.token.id}`)).status).toBe(404);
  });

  test('is empty once its bot is deleted', async () => {
    const { owner, as } = fixture;
    const { bot } = (await owner('POST', '/bots', { name: 'Short' })).body;
    const { value } = (await owner('POST', '/tokens', { name: 'B', kind: 'bot', botId: bot.id })).body;
    expect((await as(value)('GET', '/tokens/current')).status).toBe(200);
    await owner('DELETE', `/bots/${bot.id}`);
    expect((await as(value)('GET', '/tokens/current')).status).toBe(401);
  });
});

test.each<[string, object]>([
  ['a personal token with a bot', { ...own, botId: 'bot_x' }],
  ['a bot token with a member', { name: 'x', kind: 'bot', botId: 'x', memberId: 'y' }],
  ['a bot token with an integration', { name: 'x', kind: 'bot', botId: 'x', integration: 'y' }],
  ['a date that does not exist', { ...own, expiresAt: '2031-02-30T99:00:00Z' }],
  ['a time in the past', { ...own, expiresAt: '2029-12-31T23:59:59.999Z' }],
  ['the current time', { ...own, expiresAt: '2030-01-01T00:00:00.000Z' }],
])('%s is refused with a message', async (_, body) => {
  const before = await allRows(fixture.server.db, ['audit_log']);
  const answer = await fixture.owner('POST', '/tokens', body);
  expect([answer.status, answer.body.type]).toEqual([400, 'InvalidPayload']);
  expect(await allRows(fixture.server.db, ['audit_log'])).toEqual(before);
});

test('a member can have at most a hundred tokens', async () => {
  const { by } = fixture;
  for (let made = 1; made < 100; made += 1) await by.viewer('POST', '/tokens', own);
  const { status, body } = await by.viewer('POST', '/tokens', own);
  expect([status, body.type, body.message]).toEqual([403, 'QuotaExceeded', expect.stringContaining('100')]);
  expect((await by.billing('POST', '/tokens', own)).status).toBe(200);
});

test('after the first token is deleted, the next start creates one only when no owner has a token', async () => {
  const { owner, server, workspaceId } = fixture;
  const mine = (await owner('POST', '/tokens', own)).body.value;
  await owner('DELETE', '/tokens/current');
  expect((await owner('GET', '/bots')).status).toBe(401);
  let next = await server.restart();
  expect(next.admin.token).toBeUndefined();
  const headers = { authorization: `Bearer ${mine}`, 'x-workspace-id': workspaceId };
  expect((await next.fetch('/v1/admin/bots', { headers })).status).toBe(200);
  await next.db.write((tx) =>
    tx.run("DELETE FROM tokens WHERE member_id IN (SELECT id FROM members WHERE role = 'owner')"),
  );
  next = await next.restart();
  expect([next.admin.workspaceId, next.admin.token]).toEqual([workspaceId, expect.stringMatching(/^pat_/)]);
  fixture.server = next;
});

test('ADMIN_TOKEN belongs to an owner after every start, even when its member was demoted', async () => {
  const chosenToken = 'a-token-that-was-chosen-'.repeat(2);
  const { server, workspaceId } = fixture;
  let next = await server.restart({ ADMIN_TOKEN: chosenToken });
  const current = async () => {
    const headers = { authorization: `Bearer ${chosenToken}`, 'x-workspace-id': workspaceId };
    const response = await next.fetch('/v1/admin/tokens/current', { headers });
    return ((await response.json()) as { token?: { principal: string } }).token?.principal;
  };
  expect(await current()).toBe('operator');
  await next.db.write((tx) => tx.run("UPDATE members SET role = 'viewer' WHERE email = 'owner@localhost'"));
  expect(await current()).toBe('viewer');
  next = await next.restart();
  expect(await current()).toBe('operator');
  fixture.server = next;
});
