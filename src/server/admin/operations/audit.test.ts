// Tests of the audit trail: which actions it records, for which actor and workspace, and that callers cannot flood or change it.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { operationsOf } from '../../../protocol/operations/apis.ts';
import { roles } from '../../../protocol/permissions.ts';
import type { AuditEntry } from '../../../protocol/types/admin.ts';
import { apis } from '../../http/apis.ts';
import { refusalsPerMinute } from '../../http/audit.ts';
import { type AdminFixture, createAdminFixture, type SendRequest } from '../testing.ts';

let fixture: AdminFixture;
let now: number;
let elapsed: number;
beforeEach(async () => {
  now = Date.parse('2030-01-01T00:00:00Z');
  elapsed = 0;
  fixture = await createAdminFixture({ now: () => now, elapsed: () => elapsed });
});
afterEach(() => fixture.server.close());

const trail = async (query = '', send: SendRequest = fixture.owner): Promise<AuditEntry[]> =>
  (await send('GET', `/audit?pageSize=1000${query}`)).body.entries;
const newest = async (query = ''): Promise<AuditEntry | undefined> => (await trail(query))[0];
const createTenant = async () => {
  const { body } = await fixture.owner('POST', '/workspaces', { name: 'T', email: 't@example.com' });
  return {
    id: body.workspace.id as string,
    owner: fixture.as(body.value, body.workspace.id),
    ownerId: body.token.memberId,
  };
};

test('an action is recorded with its actor, operation, time, target and status', async () => {
  const { bot } = (await fixture.by.manager('POST', '/bots', { name: 'Shop', webhookId: 'shop' })).body;
  now += 1000;
  await fixture.by.manager('DELETE', `/bots/${bot.id}`);
  const tokenId = (await fixture.by.manager('GET', '/tokens/current')).body.token.id;
  const actor = { kind: 'manager', tokenId, memberId: fixture.ids.manager, email: 'manager@example.com' };
  expect((await trail()).slice(0, 2)).toEqual([
    {
      id: expect.stringMatching(/^audit_/),
      createdAt: '2030-01-01T00:00:01.000Z',
      actor,
      operation: 'deleteBot',
      target: { id: bot.id },
      status: 200,
    },
    {
      id: expect.stringMatching(/^audit_/),
      createdAt: '2030-01-01T00:00:00.000Z',
      actor,
      operation: 'createBot',
      target: { webhookId: 'shop', resource: bot.id },
      status: 200,
    },
  ]);
});

test.each(operationsOf('admin').filter(({ kind }) => kind === 'mutation'))(
  '$id leaves a record when it is refused, for every caller',
  async ({ id, method, path }) => {
    const sendInvalid = (by: SendRequest) =>
      by(method, path.replaceAll(/\{\w+\}/g, 'none'), method === 'DELETE' ? undefined : '{"unknown":');
    // It has no input, and so refuses none of an owner.
    const callers = id === 'sendTestMail' ? [fixture.by.viewer] : [fixture.owner, fixture.by.viewer];
    for (const by of callers) {
      const { status } = await sendInvalid(by);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(await newest()).toMatchObject({ operation: id, status });
    }
  },
);

test('a deleting operation of another API is audited by the rule or by its own declaration', () => {
  const others = apis
    .flatMap(({ handlers }) => handlers)
    .filter(
      ({ operation: { id, auth, kind } }) =>
        auth === 'bot' && kind === 'mutation' && /^(delete|export)/.test(id),
    );
  expect(others.length).toBeGreaterThan(5);
  const uncovered = others.filter(({ operation, audit }) => operation.method !== 'DELETE' && !audit);
  expect(uncovered.map(({ operation }) => operation.id)).toEqual([]);
});

describe('reading the trail', () => {
  test.each(roles)('is allowed for the role %s only with the permission', async (role) => {
    const mayRead = role === 'administrator' || role === 'owner';
    expect((await fixture.by[role]('GET', '/audit')).status).toBe(mayRead ? 200 : 403);
  });

  test('is the only operation: entries cannot be changed or deleted', async () => {
    const { id } = (await newest()) ?? { id: '' };
    for (const method of ['PUT', 'POST', 'DELETE']) {
      expect((await fixture.owner(method, '/audit', {})).status).toBe(405);
      expect((await fixture.owner(method, `/audit/${id}`, {})).status).toBe(404);
    }
  });

  test('returns the entries of the own workspace; an owner cannot name another one', async () => {
    const tenant = await createTenant();
    await fixture.owner('POST', '/bots', { name: 'Ours' });
    expect(await trail('', tenant.owner)).toEqual([]);
    await tenant.owner('POST', '/bots', { name: 'Theirs' });
    expect((await trail('', tenant.owner)).map(({ operation }) => operation)).toEqual(['createBot']);
    const { status } = await tenant.owner('GET', `/audit?workspaceId=${fixture.workspaceId}`);
    expect(status).toBe(403);
    expect((await trail(`&workspaceId=${tenant.id}`)).map(({ operation }) => operation)).toContain(
      'createBot',
    );
  });
});

describe('lists', () => {
  test('are paginated, newest first, and contain each entry once while others are added', async () => {
    for (let n = 0; n < 5; n += 1) await fixture.owner('POST', '/bots', { name: `${n}` });
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await fixture.owner('GET', `/audit?pageSize=2&operation=createBot${next}`);
      seen.push(...body.entries.map(({ id }: AuditEntry) => id));
      await fixture.owner('POST', '/bots', { name: 'late' });
      next = body.meta.nextToken ? `&nextToken=${body.meta.nextToken}` : '';
    } while (next);
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  test('can be filtered by actor, operation and time', async () => {
    await fixture.by.developer('POST', '/bots', { name: 'a' });
    now += 60_000;
    await fixture.by.manager('POST', '/bots', { name: 'b' });
    const count = async (query: string) => (await trail(query)).length;
    for (const actor of [fixture.ids.manager, 'manager@example.com', 'manager']) {
      expect(await count(`&actor=${encodeURIComponent(actor)}`)).toBe(1);
    }
    expect(await count('&actor=nobody')).toBe(0);
    expect(await count('&operation=createBot')).toBe(2);
    const at = encodeURIComponent(new Date(now).toISOString());
    expect(await count(`&operation=createBot&after=${at}`)).toBe(1);
    expect(await count(`&operation=createBot&before=${at}`)).toBe(1);
    expect(await count("&operation=' OR 1=1 --")).toBe(0);
    for (const wrong of ['after=yesterday', 'before=', 'nextToken=x', 'actor=%00', 'pageSize=0']) {
      expect((await fixture.owner('GET', `/audit?${wrong}`)).body.type).toBe('InvalidQuery');
    }
  });
});

describe('refusals', () => {
  test('of a known caller are recorded; those with a wrong token are not', async () => {
    await fixture.by.viewer('POST', '/bots', { name: 'x' });
    expect(await newest()).toMatchObject({ operation: 'createBot', status: 403, actor: { kind: 'viewer' } });
    const before = (await trail()).length;
    await fixture.as('pat_wrong')('POST', '/bots', { name: 'x' });
    await fixture.by.viewer('GET', '/tokens/none');
    await fixture.by.billing('GET', '/bots');
    expect(await trail()).toHaveLength(before);
  });

  test('of a token in another workspace are recorded in its own workspace', async () => {
    const tenant = await createTenant();
    const foreign = fixture.as(fixture.tokens.administrator, tenant.id);
    expect((await foreign('POST', '/bots', { name: 'x' })).status).toBe(401);
    expect(await newest()).toMatchObject({ status: 401, target: { workspaceId: tenant.id } });
    expect(await trail('', tenant.owner)).toEqual([]);
  });

  test('are limited per minute and member, also with several tokens; successes are not limited', async () => {
    const { value } = (await fixture.by.viewer('POST', '/tokens', { name: 'x', kind: 'personal' })).body;
    const before = (await trail()).length;
    for (let n = 0; n < refusalsPerMinute + 20; n += 1) {
      const send = n % 2 === 0 ? fixture.by.viewer : fixture.as(value);
      expect((await send('DELETE', '/bots/none')).status).toBe(403);
    }
    expect(await trail()).toHaveLength(before + refusalsPerMinute);
    await fixture.owner('POST', '/bots', { name: 'x' });
    expect(await newest()).toMatchObject({ operation: 'createBot', status: 200 });
    elapsed += 60_000;
    await fixture.by.viewer('DELETE', '/bots/none');
    expect(await trail()).toHaveLength(before + refusalsPerMinute + 2);
  });

  test('of one workspace do not use up the limit of another', async () => {
    const tenant = await createTenant();
    for (let n = 0; n < refusalsPerMinute + 5; n += 1) await tenant.owner('DELETE', '/bots/none');
    expect((await fixture.owner('DELETE', '/bots/none')).status).toBe(404);
    expect(await newest()).toMatchObject({ operation: 'deleteBot', status: 404 });
  });

  test('are sent even when they cannot be recorded', async () => {
    const write = vi.spyOn(fixture.server.db, 'write').mockRejectedValue(new Error('disk full'));
    expect((await fixture.by.viewer('DELETE', '/bots/none')).status).toBe(403);
    write.mockRestore();
    expect(fixture.server.log).toContainEqual(expect.objectContaining({ msg: 'recording a refusal failed' }));
  });
});

describe('recorded actions', () => {
  test('an action that cannot be recorded is rolled back', async () => {
    await fixture.server.db.write((tx) => tx.run('ALTER TABLE audit_log RENAME TO gone'));
    expect((await fixture.owner('POST', '/bots', { name: 'x' })).status).toBe(500);
    expect((await fixture.owner('GET', '/bots')).body.bots).toHaveLength(1);
    await fixture.server.db.write((tx) => tx.run('ALTER TABLE gone RENAME TO audit_log'));
  });

  test('a request that is repeated with its Idempotency-Key is recorded once', async () => {
    const headers = { 'idempotency-key': 'once' };
    for (let n = 0; n < 3; n += 1) await fixture.owner('POST', '/bots', { name: 'x' }, headers);
    expect(await trail('&operation=createBot')).toHaveLength(1);
  });

  test('reading secrets is recorded for callers that receive them, and for no others', async () => {
    const { bot } = (await fixture.owner('POST', '/bots', { name: 'x' })).body;
    await fixture.by.viewer('GET', `/bots/${bot.id}/deployment`);
    expect(await trail('&operation=getBotDeployment')).toEqual([]);
    await fixture.by.developer('GET', `/bots/${bot.id}/deployment`);
    expect(await newest()).toMatchObject({ operation: 'getBotDeployment', target: { id: bot.id } });
  });

  test('deletions and exports by members in the other APIs are recorded, actions of bots are not', async () => {
    const { bot } = (await fixture.owner('POST', '/bots', { name: 'x' })).body;
    const { value } = (await fixture.owner('POST', '/tokens', { name: 'x', kind: 'bot', botId: bot.id }))
      .body;
    const call = (token: string, method: string, path: string, body?: object) =>
      fixture.server.fetch(`/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'x-bot-id': bot.id, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    await call(value, 'POST', '/tables', { name: 'aTable', schema: { a: 1 } });
    const before = (await trail()).length;
    await call(value, 'POST', '/tables/aTable/rows/delete', { deleteAllRows: true });
    await call(fixture.tokens.developer, 'POST', '/tables/aTable/rows', { rows: [{ a: 1 }] });
    expect(await trail()).toHaveLength(before);
    await call(fixture.tokens.developer, 'POST', '/tables/aTable/rows/delete', { ids: [1] });
    expect(await newest()).toMatchObject({
      operation: 'deleteTableRows',
      target: { botId: bot.id, table: 'aTable', ids: '1' },
    });
    await call(fixture.tokens.developer, 'GET', '/tables/aTable/export');
    await call(fixture.tokens.developer, 'DELETE', '/tables/aTable');
    expect((await trail()).slice(0, 2).map(({ operation }) => operation)).toEqual([
      'deleteTable',
      'exportTable',
    ]);
  });

  test('all actions of an operator in another workspace, including reads, are in the trail of that workspace', async () => {
    const tenant = await createTenant();
    const { bot } = (await tenant.owner('POST', '/bots', { name: 'x' })).body;
    const there = fixture.as(fixture.tokens.owner, tenant.id);
    const before = (await trail()).length;
    await there('GET', '/bots');
    await there('PUT', `/bots/${bot.id}`, { name: 'y' });
    await fixture.by.owner('PUT', `/workspaces/${tenant.id}`, { name: 'z' });
    await fixture.by.owner('GET', `/audit?workspaceId=${tenant.id}`);
    const headers = { authorization: `Bearer ${fixture.tokens.owner}`, 'x-bot-id': bot.id };
    await fixture.server.fetch('/v1/chat/conversations', { headers });
    const entries = (await trail('', tenant.owner)).slice(0, 5);
    expect(entries.map(({ operation }) => operation)).toEqual([
      'listBotConversations',
      'listAuditLog',
      'updateWorkspace',
      'updateBot',
      'listBots',
    ]);
    for (const { actor } of entries) {
      expect(actor).toMatchObject({
        kind: 'operator',
        email: 'owner@example.com',
        workspaceId: fixture.workspaceId,
      });
    }
    expect(await trail()).toHaveLength(before);
  });

  test('a start that sets the token of the administrator is recorded', async () => {
    const server = await fixture.server.restart({ ADMIN_TOKEN: 'a-token-of-my-own-'.repeat(3) });
    fixture = { ...fixture, server };
    const rows = await server.db.read((tx) =>
      tx.all<{ actor: string; target: string }>(
        "SELECT actor_kind AS actor, target FROM audit_log WHERE operation = 'setAdminToken' ORDER BY id",
      ),
    );
    // The first start created a token, the second one was configured.
    expect(rows.map(({ actor }) => actor)).toEqual(['server', 'server']);
    expect(rows.map(({ target }) => target).join()).not.toContain('a-token-of-my-own');
  });
});

test('a token, a secret or a user key in the position of an id is not stored', async () => {
  const { value } = (await fixture.by.viewer('POST', '/tokens', { name: 'x', kind: 'personal' })).body;
  const chosen = 'chosen-by-the-operator-'.repeat(2);
  const server = await fixture.server.restart({ ADMIN_TOKEN: chosen });
  fixture = { ...fixture, server };
  const { key } = await server.user();
  for (const secret of [value, chosen, key, `whsec_${'a'.repeat(43)}=`]) {
    const path = `/v1/admin/tokens/${encodeURIComponent(secret)}`;
    const headers = { authorization: `Bearer ${chosen}`, 'x-workspace-id': fixture.workspaceId };
    expect((await server.fetch(path, { method: 'DELETE', headers })).status).toBe(404);
  }
  const rows = await server.db.read((tx) => tx.all<{ target: string }>('SELECT * FROM audit_log'));
  for (const secret of [value, chosen, key, 'whsec_']) expect(JSON.stringify(rows)).not.toContain(secret);
  expect(rows.filter(({ target }) => target === '{"id":"[secret]"}')).toHaveLength(4);
});

test('a huge id is truncated', async () => {
  await fixture.owner('DELETE', `/bots/${'x'.repeat(5_000)}`);
  expect((await newest())?.target.id).toBe(`${'x'.repeat(100)}…`);
});

test('entries outlive their bot, member and workspace until their retention ends', async () => {
  const tenant = await createTenant();
  await tenant.owner('POST', '/bots', { name: 'x' });
  await fixture.owner('DELETE', `/workspaces/${tenant.id}`);
  const ofTenant = `&workspaceId=${tenant.id}`;
  expect((await trail(ofTenant)).map(({ operation }) => operation)).toEqual(['deleteWorkspace', 'createBot']);
  await fixture.by.manager('POST', '/bots', { name: 'x' });
  await fixture.owner('DELETE', `/workspace-members/${fixture.ids.manager}`);
  expect((await trail('&actor=manager@example.com')).map(({ operation }) => operation)).toEqual([
    'createBot',
  ]);
  now += 364 * 24 * 3_600_000;
  await fixture.server.composition.cleanUp();
  expect(await trail(ofTenant)).toHaveLength(2);
  now += 2 * 24 * 3_600_000;
  await fixture.server.composition.cleanUp();
  expect(await trail(ofTenant)).toEqual([]);
  expect(await trail('&operation=createBot')).toEqual([]);
});
