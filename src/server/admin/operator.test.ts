// Tests of operators and owners: only an operator lists, accesses and deletes all workspaces, and no other caller can
// become one.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { permissionTable } from '../../protocol/permissions.ts';
import { issueToken } from '../auth/tokens.ts';
import { listBots } from '../storage/bots/bots.ts';
import { operator } from '../storage/migrations/admin.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { allRows, pollOptions, readStream, tableNames } from '../testing.ts';
import { createWorkspace } from './first-start.ts';
import { type AdminFixture, createAdminFixture, requesterFor, type SendRequest } from './testing.ts';

let fixture: AdminFixture;
let now: number;
/** Creates another workspace with its owner. */
let tenant: { id: string; owner: SendRequest; ownerId: string; token: string };

beforeEach(async () => {
  now = Date.parse('2030-01-01T00:00:00Z');
  fixture = await createAdminFixture({ now: () => now });
  tenant = await makeTenant('Tenant');
});
afterEach(() => fixture.server.close());

async function makeTenant(name: string) {
  const { body } = await fixture.owner('POST', '/workspaces', { name, email: `${name}@example.com` });
  const { id } = body.workspace;
  return { id, owner: fixture.as(body.value, id), ownerId: body.token.memberId, token: body.value };
}
const principal = async (send: SendRequest) => (await send('GET', '/tokens/current')).body.token?.principal;
const two = { name: 'Two', email: 'two@example.com' };

describe('an owner of another workspace', () => {
  test('cannot create or delete workspaces, not even their own, and lists only their own', async () => {
    const { owner, id } = tenant;
    const { workspaceId } = fixture;
    const before = await allRows(fixture.server.db, ['audit_log']);
    const refused = await owner('POST', '/workspaces', two);
    expect([refused.status, refused.body.type]).toEqual([403, 'Forbidden']);
    expect(refused.body.message).toContain('workspaces.create');
    const { workspaces, meta } = (await owner('GET', '/workspaces')).body;
    expect([workspaces.map((one: { id: string }) => one.id), meta]).toEqual([[id], {}]);
    for (const requestedId of [id, workspaceId, 'ws_none']) {
      expect((await owner('DELETE', `/workspaces/${requestedId}`)).status).toBe(403);
    }
    expect((await owner('GET', `/workspaces/${workspaceId}`)).status).toBe(404);
    expect((await owner('PUT', `/workspaces/${workspaceId}`, { name: 'Taken' })).status).toBe(404);
    expect((await owner('GET', `/workspaces/${id}`)).status).toBe(200);
    expect(await allRows(fixture.server.db, ['audit_log'])).toEqual(before);
  });

  testOnSqlite('cannot access the first workspace, a third one, or their bots', async () => {
    const third = await makeTenant('Third');
    const [bot] = await fixture.server.db.read((tx) => listBots(tx, fixture.workspaceId, undefined, 1));
    for (const workspaceId of [fixture.workspaceId, third.id]) {
      const there = fixture.as(tenant.token, workspaceId);
      expect((await there('GET', '/bots')).status).toBe(401);
      expect((await there('POST', '/workspace-members', { ...two, role: 'owner' })).status).toBe(401);
    }
    const headers = { authorization: `Bearer ${tenant.token}`, 'x-bot-id': bot?.id ?? '' };
    expect((await fixture.server.fetch('/v1/files', { headers })).status).toBe(403);
  });

  testOnSqlite('gets the list of their own permissions', async () => {
    const { body } = await tenant.owner('GET', '/tokens/current');
    expect(body.token.principal).toBe('owner');
    expect(body.token.permissions).toEqual(permissionTable.owner);
    expect(body.token.permissions).not.toContain('workspaces.create');
  });

  testOnSqlite('can create workspaces when the setting allows it, without becoming an operator', async () => {
    const server = await fixture.server.restart({ WORKSPACES: 'owners' });
    fixture = { ...fixture, server };
    const request = requesterFor(server, tenant.token, tenant.id);
    expect((await request('POST', '/workspaces', two)).status).toBe(200);
    const { token } = (await request('GET', '/tokens/current')).body;
    expect(token.principal).toBe('owner');
    expect(token.permissions).toContain('workspaces.create');
    expect(token.permissions).not.toContain('workspaces.list');
    expect((await request('GET', '/workspaces')).body.workspaces).toHaveLength(1);
    expect((await request('DELETE', `/workspaces/${tenant.id}`)).status).toBe(403);
  });
});

describe('an operator', () => {
  testOnSqlite('is every owner of the first workspace, and not a member with a lower role', async () => {
    expect(await principal(fixture.owner)).toBe('operator');
    expect(await principal(fixture.by.owner)).toBe('operator');
    for (const role of ['viewer', 'billing', 'developer', 'manager', 'administrator'] as const) {
      expect(await principal(fixture.by[role])).toBe(role);
      expect((await fixture.by[role]('POST', '/workspaces', two)).status).toBe(403);
      expect((await fixture.by[role]('DELETE', `/workspaces/${tenant.id}`)).status).toBe(403);
      const there = fixture.as(fixture.tokens[role], tenant.id);
      expect((await there('GET', '/bots')).status).toBe(401);
    }
    // The role in responses is still the role of the member.
    expect((await fixture.by.owner('GET', '/workspace-members/me')).body.role).toBe('owner');
  });

  testOnSqlite('is never a bot or an integration of the first workspace', async () => {
    const [bot] = await fixture.server.db.read((tx) => listBots(tx, fixture.workspaceId, undefined, 1));
    const botId = bot?.id ?? '';
    for (const kind of ['bot', 'integration'] as const) {
      const integration = kind === 'integration' ? { integration: 'crm' } : {};
      const { body } = await fixture.owner('POST', '/tokens', { name: 'x', kind, botId, ...integration });
      expect(await principal(fixture.as(body.value))).toBe(kind);
      expect((await fixture.as(body.value, tenant.id)('GET', '/bots')).status).toBe(401);
      expect((await fixture.as(body.value)('GET', '/workspaces')).body.workspaces).toEqual([]);
    }
  });

  test('loses the operator rights with the first request after a demotion, also in another workspace', async () => {
    const there = fixture.as(fixture.tokens.owner, tenant.id);
    expect((await there('GET', '/bots')).status).toBe(200);
    await fixture.owner('PUT', `/workspace-members/${fixture.ids.owner}`, { role: 'administrator' });
    expect((await there('GET', '/bots')).status).toBe(401);
    expect((await fixture.by.owner('POST', '/workspaces', two)).status).toBe(403);
    expect((await fixture.by.owner('GET', '/workspaces')).body.workspaces).toHaveLength(1);
    // An administrator of the first workspace cannot create owners there, and so no operators.
    const own = `/workspace-members/${fixture.ids.owner}`;
    expect((await fixture.by.owner('PUT', own, { role: 'owner' })).status).toBe(403);
    expect((await fixture.by.owner('POST', '/workspace-members', { ...two, role: 'owner' })).status).toBe(
      403,
    );
    const owners = (await fixture.owner('GET', '/workspace-members/me')).body.id;
    const token = { name: 'x', kind: 'personal', memberId: owners };
    expect((await fixture.by.owner('POST', '/tokens', token)).status).toBe(403);
  });

  test('is refused when a demotion commits while the request is in flight', async () => {
    const both = await Promise.all([
      fixture.owner('PUT', `/workspace-members/${fixture.ids.owner}`, { role: 'viewer' }),
      fixture.by.owner('DELETE', `/workspaces/${tenant.id}`),
    ]);
    expect(both[0]?.status).toBe(200);
    // The request either committed first or was refused.
    const exists = (await fixture.owner('GET', `/workspaces/${tenant.id}`)).status === 200;
    expect([exists, [401, 403].includes(both[1]?.status ?? 0)]).toEqual([exists, exists]);
  });

  test('is not the owner of a second workspace whose id sorts first', async () => {
    const { token } = await fixture.server.db.write(async (tx) => {
      await tx.run("INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ('ws_0', 'x', 0, 0)");
      await tx.run(
        "INSERT INTO members (id, workspace_id, email, role, created_at) VALUES ('member_0', 'ws_0', 'e', 'owner', 0)",
      );
      const none = { botId: null, integration: null, createdAt: 1, expiresAt: null };
      return issueToken(tx, {
        ...none,
        workspaceId: 'ws_0',
        kind: 'personal',
        memberId: 'member_0',
        name: 'x',
      });
    });
    expect(await principal(fixture.as(token, 'ws_0'))).toBe('owner');
    const { workspaceId } = fixture;
    fixture = { ...fixture, server: await fixture.server.restart() };
    expect(fixture.server.admin.workspaceId).toBe(workspaceId);
    await expect(
      fixture.server.db.write((tx) => createWorkspace(tx, { ...two, now, isFirst: 1 })),
    ).rejects.toThrow(/unique/i);
  });

  test('lists all workspaces in pages, each exactly once, ordered by id', async () => {
    for (let n = 0; n < 6; n += 1) await makeTenant(`t${n}`);
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await fixture.owner('GET', `/workspaces?pageSize=3${next}`);
      seen.push(...body.workspaces.map(({ id }: { id: string }) => id));
      next = body.meta.nextToken ? `&nextToken=${body.meta.nextToken}` : '';
    } while (next);
    expect(seen).toHaveLength(8);
    expect(seen).toEqual([...new Set(seen)].sort());
    expect((await fixture.owner('GET', '/workspaces?nextToken=x')).body.type).toBe('InvalidQuery');
  });

  test('manages bots, members and tokens of a workspace by its id without being a member of it', async () => {
    const there = fixture.as(fixture.tokens.owner, tenant.id);
    const { bot } = (await tenant.owner('POST', '/bots', { name: 'Shop' })).body;
    expect((await there('GET', `/bots/${bot.id}`)).body.bot).toEqual({ ...bot, signingSecret: '' });
    expect((await there('PUT', `/bots/${bot.id}`, { name: 'Desk' })).status).toBe(200);
    expect((await there('GET', `/workspaces/${tenant.id}`)).body.workspace.name).toBe('Tenant');
    expect((await fixture.owner('PUT', `/workspaces/${tenant.id}`, { name: 'Mine' })).status).toBe(200);
    expect((await there('GET', '/workspace-members/me')).status).toBe(404);
    expect((await there('POST', '/tokens', { name: 'x', kind: 'personal' })).status).toBe(404);
    // This restores access for a tenant who lost their token.
    const lost = { name: 'New', kind: 'personal', memberId: tenant.ownerId };
    const { value } = (await there('POST', '/tokens', lost)).body;
    expect(await principal(fixture.as(value, tenant.id))).toBe('owner');
    const headers = { authorization: `Bearer ${fixture.tokens.owner}`, 'x-bot-id': bot.id };
    expect((await fixture.server.fetch('/v1/files', { headers })).status).toBe(200);
    expect((await fixture.server.fetch('/v1/tables', { headers })).status).toBe(200);
    expect((await fixture.server.fetch('/v1/chat/conversations', { headers })).status).toBe(200);
    expect((await fixture.as(fixture.tokens.owner, 'ws_none')('GET', '/bots')).status).toBe(401);
  });

  test('streams an answer as the bot of another workspace: each request has one effect and one record', async () => {
    const { server } = fixture;
    const { bot } = (await tenant.owner('POST', '/bots', { name: 'Shop' })).body;
    const send = async (path: string, body: object) => {
      const headers = {
        authorization: `Bearer ${fixture.tokens.owner}`,
        'x-bot-id': bot.id,
        'content-type': 'application/json',
      };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await server.fetch(`/v1/chat${path}`, request);
      expect([path, response.ok]).toEqual([path, true]);
      // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
      return (await response.json()) as any;
    };
    const conversationId = (await send('/conversations', {})).conversation.id;
    const { stream } = await send('/streams', { conversationId });
    await send(`/streams/${stream.id}/deltas`, { delta: 'Hello' });
    // The end of a stream writes by itself.
    const { message } = await send(`/streams/${stream.id}/end`, {});
    expect(message.payload).toEqual({ type: 'markdown', markdown: 'Hello' });
    const records = await server.db.read((tx) =>
      tx.all<{ operation: string }>(
        "SELECT operation FROM audit_log WHERE actor_kind = 'operator' ORDER BY id",
      ),
    );
    expect(records.map(({ operation }) => operation).slice(-4)).toEqual([
      'createBotConversation',
      'createStream',
      'writeStream',
      'endStream',
    ]);
  });

  testOnSqlite('cannot create a token that outlives their own, in any workspace', async () => {
    const expiresAt = new Date(now + 3_600_000).toISOString();
    const short = (await fixture.by.owner('POST', '/tokens', { name: 'x', kind: 'personal', expiresAt }))
      .body;
    const there = fixture.as(short.value, tenant.id);
    const fields = { name: 'y', kind: 'personal', memberId: tenant.ownerId };
    expect((await there('POST', '/tokens', fields)).status).toBe(403);
    expect((await there('POST', '/tokens', { ...fields, expiresAt })).status).toBe(200);
    const made = await there('POST', '/workspaces', two);
    expect(made.body.token.expiresAt).toBe(expiresAt);
    // `current` is the token of the request, in every workspace.
    expect((await there('DELETE', '/tokens/current')).status).toBe(200);
    expect((await there('GET', '/bots')).status).toBe(401);
  });

  test('can use one Idempotency-Key in two workspaces for two requests', async () => {
    const headers = { 'idempotency-key': 'the same key' };
    const there = fixture.as(fixture.tokens.owner, tenant.id);
    const here = (await fixture.by.owner('POST', '/bots', { name: 'x' }, headers)).body.bot;
    const other = (await there('POST', '/bots', { name: 'x' }, headers)).body.bot;
    expect(other.id).not.toBe(here.id);
    expect((await there('GET', `/bots/${other.id}`)).status).toBe(200);
    expect((await there('POST', '/bots', { name: 'x' }, headers)).body.bot).toEqual(other);
  });
});

describe('deleting a workspace', () => {
  test('deletes its members, tokens and bots while a visitor streams, and leaves other workspaces unchanged', async () => {
    const { server } = fixture;
    const { bot } = (await tenant.owner('POST', '/bots', { name: 'canary', webhookId: 'doomed' })).body;
    const botToken = (await tenant.owner('POST', '/tokens', { name: 'canary', kind: 'bot', botId: bot.id }))
      .body.value;
    const visitor = async (path: string, key?: string, body: object = {}) => {
      const response = await server.fetch(`/chat/doomed${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
        body: JSON.stringify(body),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
      return { status: response.status, body: (await response.json()) as any };
    };
    const { key } = (await visitor('/users', undefined, { name: 'canary' })).body;
    const { conversation } = (await visitor('/conversations', key)).body;
    const listen = () =>
      server.fetch(`/chat/doomed/conversations/${conversation.id}/listen`, {
        headers: { 'x-user-key': key },
      });
    const stream = readStream(await listen());
    const another = await makeTenant('Another');

    expect(await fixture.owner('DELETE', `/workspaces/${tenant.id}`)).toEqual({ status: 200, body: {} });
    await stream.ended;
    expect((await tenant.owner('GET', '/bots')).status).toBe(401);
    expect((await tenant.owner('GET', '/tokens/current')).status).toBe(401);
    const headers = { authorization: `Bearer ${botToken}`, 'x-bot-id': bot.id };
    expect((await server.fetch('/v1/files', { headers })).status).toBe(401);
    expect((await visitor('/users')).status).toBe(404);
    expect((await listen()).status).toBe(404);
    expect((await fixture.owner('DELETE', `/workspaces/${tenant.id}`)).status).toBe(404);
    expect((await fixture.owner('GET', `/workspaces/${tenant.id}`)).status).toBe(404);
    expect((await fixture.as(fixture.tokens.owner, tenant.id)('GET', '/bots')).status).toBe(401);

    const naming = async (word: string) =>
      Object.entries(await allRows(server.db))
        .filter(([, rows]) => JSON.stringify(rows).includes(word))
        .map(([table]) => table);
    await expect.poll(() => naming('canary'), pollOptions).toEqual([]);
    expect((await another.owner('GET', '/bots')).status).toBe(200);
    expect((await fixture.owner('GET', '/bots')).body.bots).toHaveLength(1);
  });

  test('succeeds once and answers 404 to a concurrent second request', async () => {
    const tries = await Promise.all([1, 2, 3].map(() => fixture.owner('DELETE', `/workspaces/${tenant.id}`)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  test('leaves no bot that its owner creates at the same time', async () => {
    const answers = await Promise.all([
      ...[1, 2, 3].map((n) => tenant.owner('POST', '/bots', { name: `${n}` })),
      fixture.owner('DELETE', `/workspaces/${tenant.id}`),
      ...[4, 5, 6].map((n) => tenant.owner('POST', '/bots', { name: `${n}` })),
      fixture.as(fixture.tokens.owner, tenant.id)('POST', '/bots', { name: '7' }),
    ]);
    expect(answers.filter(({ status }) => ![200, 401].includes(status))).toEqual([]);
    const remaining = await fixture.server.db.read((tx) =>
      tx.all('SELECT id FROM bots WHERE workspace_id = ? AND deleted_at IS NULL', tenant.id),
    );
    expect(remaining).toEqual([]);
  });

  testOnSqlite('is refused for the first workspace', async () => {
    for (const send of [fixture.owner, fixture.as(fixture.tokens.owner, tenant.id)]) {
      const { status, body } = await send('DELETE', `/workspaces/${fixture.workspaceId}`);
      expect([status, body.type]).toEqual([403, 'Forbidden']);
      expect(body.message).toContain('first workspace');
    }
    expect((await fixture.owner('GET', '/bots')).status).toBe(200);
  });

  test('leaves rows with a workspace_id only for deleted bots and the audit trail', async () => {
    await tenant.owner('POST', '/bots', { name: 'x' });
    await fixture.owner('DELETE', `/workspaces/${tenant.id}`);
    const names = await tableNames(fixture.server.db, 'workspace_id');
    expect(names).toEqual(expect.arrayContaining(['bots', 'members', 'tokens']));
    for (const name of names.filter((table) => !['bots', 'audit_log'].includes(table))) {
      const rows = await fixture.server.db.read((tx) =>
        tx.all(`SELECT 1 FROM ${name} WHERE workspace_id = ?`, tenant.id),
      );
      expect([name, rows]).toEqual([name, []]);
    }
  });
});

test('the first workspace of a database of an earlier version becomes the workspace of the operators', async () => {
  const { server, workspaceId } = fixture;
  await server.db.write(async (tx) => {
    await tx.run('DROP INDEX workspaces_first');
    await tx.run('ALTER TABLE workspaces DROP COLUMN is_first');
    for (const step of operator.replaceAll(/--.*/g, '').split(';')) if (step.trim()) await tx.run(step);
  });
  fixture = { ...fixture, server: await server.restart() };
  expect(fixture.server.admin.workspaceId).toBe(workspaceId);
  const headers = { authorization: `Bearer ${fixture.tokens.owner}`, 'x-workspace-id': tenant.id };
  expect((await fixture.server.fetch('/v1/admin/bots', { headers })).status).toBe(200);
});
