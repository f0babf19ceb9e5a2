// Tests every principal with every operation that needs a token: only the table of permissions decides about access.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apis } from '../../protocol/operations/apis.ts';
import { isPermitted, permissionTable, principalKinds, roles } from '../../protocol/permissions.ts';
import { createBot, createWorkspace } from '../admin/first-start.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { findBot, listBots } from '../storage/bots/bots.ts';
import { createId } from '../storage/ids.ts';
import { setSeen } from '../storage/inbox/members.ts';
import { allRows, startTestServer, type TestServer } from '../testing.ts';
import { startSession } from './sessions.ts';
import { issueToken } from './tokens.ts';

let server: TestServer;
/** A bot of the workspace, another one of it, one of another workspace, and the default bot. */
let bots: { own: string; sibling: string; foreign: string; first: string };
let workspaces: { own: string; foreign: string; first: string };
const tokens = new Map<string, string>();
/** The cookies of the sessions of members, by their roles. */
const sessions = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer();
  await server.db.write(async (tx) => {
    // Not the first workspace, whose owners are operators.
    const { id: own } = await createWorkspace(tx, { name: 'Own', email: 'first@example.com', now: 1 });
    const other = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
    const make = (workspaceId: string, name: string) =>
      createBot(tx, { workspaceId, webhookId: name, name, now: 1 });
    bots = {
      own: (await make(own, 'own')).id,
      sibling: (await make(own, 'sibling')).id,
      foreign: (await make(other.id, 'foreign')).id,
      first: (await listBots(tx, server.composition.workspaceId, undefined, 1))[0]?.id ?? '',
    };
    workspaces = { own, foreign: other.id, first: server.composition.workspaceId };
    const common = {
      workspaceId: own,
      memberId: null,
      botId: null,
      integration: null,
      name: 'Test',
      createdAt: 1,
      expiresAt: null,
    };
    const tomorrow = Date.now() + 24 * 60 * 60_000;
    for (const role of roles) {
      const member = {
        id: createId('member'),
        workspaceId: own,
        email: `${role}@example.com`,
        displayName: null,
        role,
        createdAt: 1,
      };
      await insertMember(tx, member);
      // A stream of the inbox stores later that the member has it open, unless that is known: then it changes no row.
      await setSeen(tx, member.id, tomorrow, tomorrow);
      tokens.set(role, (await issueToken(tx, { ...common, kind: 'personal', memberId: member.id })).token);
      const how = { method: 'password', headers: new Headers(), network: '', now: Date.now() } as const;
      sessions.set(role, `inbox=${(await startSession(tx, member, how)).value}`);
    }
    tokens.set('bot', (await issueToken(tx, { ...common, kind: 'bot', botId: bots.own })).token);
    const integration = { ...common, kind: 'integration', botId: bots.own, integration: 'crm' } as const;
    tokens.set('integration', (await issueToken(tx, integration)).token);
    tokens.set('operator', server.admin.token ?? '');
    const expired = { ...common, kind: 'bot', botId: bots.own, expiresAt: 2 } as const;
    tokens.set('expired', (await issueToken(tx, expired)).token);
  });
});
afterAll(() => server.close());

const guarded = apis.flatMap(({ base, operations }) =>
  operations
    .filter(({ auth }) => ['token', 'workspace', 'bot'].includes(auth))
    .map((operation) => ({ ...operation, path: base + operation.path })),
);
const parameters: Record<string, string> = { id: 'none', table: 'none' };

/** Calls an operation with unknown ids and an invalid body: nothing is changed, and a permitted call fails later than 403. */
async function request(
  operation: (typeof guarded)[number],
  headers: Record<string, string>,
): Promise<{ status: number; type: string }> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? 'none');
  const hasBody = operation.method === 'POST' || operation.method === 'PUT';
  const response = await server.fetch(path, {
    method: operation.method,
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { body: '{"unknown":' } : {}),
  });
  const { status, headers: received } = response;
  // A stream does not end.
  if (received.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status, type: '' };
  }
  const body = (await response.json()) as { type?: string };
  return { status, type: body.type ?? '' };
}

const headersFor = (token: string | undefined, bot = bots.own, workspace = workspaces.own) => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  'x-workspace-id': workspace,
  'x-bot-id': bot,
});

test('permissions: the table of operations is not empty', () => {
  expect(guarded.length).toBeGreaterThan(4);
});

describe.each(guarded)('$id', (operation) => {
  // The audit log has the rejected writes.
  const rows = () => allRows(server.db, ['audit_log']);
  let before: Awaited<ReturnType<typeof rows>>;
  beforeAll(async () => {
    before = await rows();
  });
  test.each(principalKinds)('%s', async (kind) => {
    const answer = await request(operation, headersFor(tokens.get(kind)));
    if (kind === 'public') expect(answer).toEqual({ status: 401, type: 'Unauthorized' });
    else if (operation.permission && !isPermitted(kind, operation.permission)) {
      expect(answer).toEqual({ status: 403, type: 'Forbidden' });
    } else {
      // Answered, or rejected for its input and not for its caller.
      expect([401, 403, 500]).not.toContain(answer.status);
    }
  });

  // Once for all principals: the rows of all tables take longer to read than the requests.
  test('none of these requests changes a row', async () => {
    expect(await rows()).toEqual(before);
  });

  const hasSessions = apis.some(({ base, hasSessions }) => hasSessions && operation.path.startsWith(base));
  test.runIf(hasSessions && operation.auth !== 'bot')(
    'a session has the permissions of the role',
    async () => {
      for (const role of roles) {
        const cookie = sessions.get(role) ?? '';
        const page = { cookie, 'sec-fetch-site': 'same-origin' };
        const { status } = await request(operation, page);
        if (operation.permission && !isPermitted(role, operation.permission))
          expect([role, status]).toEqual([role, 403]);
        else expect([401, 403, 500]).not.toContain(status);
        // A page of another origin changes nothing, whatever the role.
        const forged = await request(operation, { cookie, 'sec-fetch-site': 'cross-site' });
        if (operation.method !== 'GET') expect([role, forged.status]).toEqual([role, 403]);
        expect((await request(operation, { ...page, ...headersFor(tokens.get(role)) })).status).toBe(401);
        if (operation.auth !== 'workspace') continue;
        const elsewhere = { ...page, 'x-workspace-id': workspaces.foreign };
        expect((await request(operation, elsewhere)).status).toBe(401);
      }
    },
  );

  test.runIf(hasSessions && operation.auth === 'bot')(
    'a session has the permissions of the role, in the bots of its workspace, for pages of this server',
    async () => {
      for (const role of roles) {
        const cookie = sessions.get(role) ?? '';
        const page = { cookie, 'sec-fetch-site': 'same-origin', 'x-bot-id': bots.own };
        const { status } = await request(operation, page);
        if (operation.permission && !isPermitted(role, operation.permission))
          expect([role, status]).toEqual([role, 403]);
        else expect([401, 403, 500]).not.toContain(status);
        // Also a request that only reads: other origins can read the responses of this API.
        for (const site of ['cross-site', 'same-site', 'none']) {
          const forged = await request(operation, { ...page, 'sec-fetch-site': site });
          expect([role, site, forged.status]).toEqual([role, site, 403]);
        }
        const { 'sec-fetch-site': _, ...old } = page;
        const other = await request(operation, { ...old, origin: 'https://other.example' });
        expect([role, other.status]).toEqual([role, 403]);
        for (const bot of [bots.foreign, bots.first, 'bot_none', ''])
          expect((await request(operation, { ...page, 'x-bot-id': bot })).status).toBe(403);
        const elsewhere = { ...page, 'x-workspace-id': workspaces.foreign };
        expect((await request(operation, elsewhere)).status).toBe(401);
      }
    },
  );

  test.runIf(hasSessions && operation.auth === 'bot')('a token replaces the session', async () => {
    const cookie = { cookie: sessions.get('owner') ?? '', 'sec-fetch-site': 'cross-site' };
    const { status } = await request(operation, { ...cookie, ...headersFor(tokens.get('owner')) });
    expect([401, 403, 500]).not.toContain(status);
    const refused = await request(operation, { ...cookie, ...headersFor('garbage') });
    expect(refused.status).toBe(401);
  });

  test.runIf(!hasSessions)('a session gives no access', async () => {
    const headers = { cookie: sessions.get('owner') ?? '', 'sec-fetch-site': 'same-origin' };
    expect((await request(operation, { ...headers, 'x-bot-id': bots.own })).status).toBe(401);
  });

  test('invalid tokens are rejected with 401', async () => {
    const { key } = await server.user();
    for (const token of ['garbage', key, tokens.get('expired'), `${tokens.get('owner')}x`, ' ']) {
      expect(await request(operation, headersFor(token))).toEqual({ status: 401, type: 'Unauthorized' });
    }
  });

  test('a workspace or bot of others is rejected', async () => {
    const owner = tokens.get('owner');
    if (operation.auth === 'workspace') {
      for (const workspaceId of [workspaces.foreign, workspaces.first, 'ws_none', 'x\0']) {
        const headers = { ...headersFor(owner), 'x-workspace-id': encodeURI(workspaceId) };
        expect((await request(operation, headers)).status).toBe(401);
      }
    }
    if (operation.auth === 'bot') {
      for (const bot of [bots.foreign, bots.first, 'bot_none']) {
        expect((await request(operation, headersFor(owner, bot))).status).toBe(403);
      }
      // A bot and an integration act within the bot of their token only.
      for (const kind of ['bot', 'integration']) {
        expect((await request(operation, headersFor(tokens.get(kind), bots.sibling))).status).toBe(403);
      }
      const { 'x-bot-id': _, ...without } = headersFor(owner);
      expect((await request(operation, without)).status).toBe(401);
    }
  });

  test('permissions: an operator acts in every existing workspace and bot, and in no other', async () => {
    const operator = tokens.get('operator');
    for (const [bot, workspace] of [
      [bots.foreign, workspaces.foreign],
      [bots.first, workspaces.first],
    ]) {
      const answer = await request(operation, headersFor(operator, bot, workspace));
      expect([401, 403, 500]).not.toContain(answer.status);
    }
    for (const none of ['none', '', 'x%00', 'ws_x, ws_y']) {
      const { status } = await request(operation, headersFor(operator, none, none));
      if (operation.auth === 'workspace') expect(status).toBe(401);
      if (operation.auth === 'bot') expect(status).toBe(none === '' ? 401 : 403);
    }
  });
});

test('permissions: tokens of a removed member and of a deleted bot are rejected', async () => {
  const gone = { id: 'member_gone', workspaceId: workspaces.own, email: 'gone@example.com' };
  const token = await server.db.write(async (tx) => {
    await insertMember(tx, { ...gone, displayName: null, role: 'owner', createdAt: 1 });
    const common = {
      workspaceId: workspaces.own,
      integration: null,
      name: 'x',
      createdAt: 1,
      expiresAt: null,
    };
    const personal = await issueToken(tx, { ...common, kind: 'personal', memberId: gone.id, botId: null });
    await tx.run('DELETE FROM members WHERE id = ?', gone.id);
    return personal.token;
  });
  const response = await server.fetch('/v1/admin/bots', { headers: headersFor(token) });
  expect(response.status).toBe(401);
  const bot = await server.db.read((tx) => findBot(tx, workspaces.own, bots.foreign));
  expect(bot).toBeUndefined();
});

test('permissions: file permissions by principal match docs/guides/files.md', () => {
  const files = (kind: (typeof principalKinds)[number]) =>
    permissionTable[kind].filter((name) => name.startsWith('files.')).map((name) => name.slice(6));
  const all = ['list', 'read', 'search', 'download', 'create', 'update', 'delete'];
  expect(Object.fromEntries(principalKinds.map((kind) => [kind, files(kind)]))).toEqual({
    public: ['download'],
    bot: all,
    integration: all,
    viewer: ['list', 'read', 'search', 'download'],
    billing: [],
    support: ['list', 'read', 'search', 'download'],
    developer: expect.arrayContaining(all),
    manager: expect.arrayContaining(all),
    administrator: expect.arrayContaining(all),
    owner: expect.arrayContaining(all),
    operator: expect.arrayContaining(all),
  });
});
