// Tests of the operations on members: callers cannot raise their own role, an owner always remains, and removal takes
// effect at once.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anyText } from '../../../protocol/any-text.testing.ts';
import { isPermitted, type Role, roles } from '../../../protocol/permissions.ts';
import { insertMember } from '../../storage/admin/workspaces.ts';
import { createId } from '../../storage/ids.ts';
import { isPostgresTest } from '../../storage/postgres/testing.ts';
import { createWorkspace } from '../first-start.ts';
import { type AdminFixture, createAdminFixture } from '../testing.ts';

let fixture: AdminFixture;
beforeEach(async () => {
  fixture = await createAdminFixture();
});
afterEach(() => fixture.server.close());

const rank = (role: Role) => roles.indexOf(role);
const path = (id: string) => `/workspace-members/${id}`;
/** The highest permission that the table grants, for any target. */
const mayWrite = (role: Role) => isPermitted(role, 'members.write');

test('a member is created, read, changed and removed; the fields are at the top level of the response', async () => {
  const { owner } = fixture;
  const made = await owner('POST', '/workspace-members', {
    email: '  Ann@Example.COM ',
    role: 'developer',
    displayName: 'Ann',
  });
  expect(made).toEqual({
    status: 200,
    body: {
      id: expect.stringMatching(/^member_/),
      createdAt: expect.stringMatching(/Z$/),
      email: 'ann@example.com',
      role: 'developer',
      displayName: 'Ann',
    },
  });
  const { id } = made.body;
  const changed = await owner('PUT', path(id), {
    role: 'viewer',
    displayName: null,
    email: 'ann@else.example',
  });
  const { displayName: _, ...rest } = made.body;
  expect(changed.body).toEqual({ ...rest, role: 'viewer', email: 'ann@else.example' });
  const listed = (await owner('GET', '/workspace-members')).body;
  expect(listed.members).toHaveLength(roles.length + 2);
  expect(listed.members).toContainEqual(changed.body);
  expect(listed.meta).toEqual({});
  expect(await owner('DELETE', path(id))).toEqual({ status: 200, body: {} });
  expect((await owner('DELETE', path(id))).status).toBe(404);
  expect((await owner('PUT', path(id), { role: 'viewer' })).status).toBe(404);
});

test('pages of members contain each one once while others are added and removed', async () => {
  const { owner, ids } = fixture;
  const first = (await owner('GET', '/workspace-members?pageSize=3')).body;
  await owner('DELETE', path(first.members[1].id));
  await owner('DELETE', path(ids.viewer));
  await owner('POST', '/workspace-members', { email: 'late@example.com', role: 'viewer' });
  const seen = [...first.members];
  for (let { nextToken } = first.meta; nextToken; ) {
    const page = (await owner('GET', `/workspace-members?pageSize=2&nextToken=${nextToken}`)).body;
    seen.push(...page.members);
    nextToken = page.meta.nextToken;
  }
  const emails = seen.map(({ email }) => email);
  expect(new Set(emails).size).toBe(emails.length);
  expect(emails).toContain('late@example.com');
  expect((await owner('GET', '/workspace-members?nextToken=x')).body.type).toBe('InvalidQuery');
});

test('a search finds members by a part of their name or address in any case, and takes no part as a pattern', async () => {
  const { owner, by } = fixture;
  for (const [email, displayName] of [
    ['zoe@shop.example', 'Zoé Ångström'],
    ['max_k@else.example', 'Max 100%'],
    ['maxik@else.example', 'Max Ik'],
  ])
    await owner('POST', '/workspace-members', { email, displayName, role: 'viewer' });
  const found = async (text: string) => {
    const { body } = await by.viewer('GET', `/workspace-members?search=${encodeURIComponent(text)}`);
    return body.members.map(({ email }: { email: string }) => email);
  };
  expect(await found('SHOP')).toEqual(['zoe@shop.example']);
  expect(await found('Ångs')).toEqual(['zoe@shop.example']);
  expect(await found('max')).toEqual(['max_k@else.example', 'maxik@else.example']);
  expect(await found('x_k')).toEqual(['max_k@else.example']);
  expect(await found('0%')).toEqual(['max_k@else.example']);
  expect(await found('nobody')).toEqual([]);
});

test.each(roles)('%s can assign every role to every member only as the ranks allow', async (mine) => {
  const { by, server, workspaceId } = fixture;
  const roleOf = (id: string) =>
    server.db.read((tx) => tx.get<{ role: string }>('SELECT role FROM members WHERE id = ?', id));
  for (const theirs of roles) {
    for (const next of roles) {
      const id = createId('member');
      const names = { email: `${theirs}-${next}@example.com`, displayName: null };
      await server.db.write((tx) =>
        insertMember(tx, { id, workspaceId, ...names, role: theirs, createdAt: 1 }),
      );
      const allowed = mayWrite(mine) && rank(theirs) <= rank(mine) && rank(next) <= rank(mine);
      const { status } = await by[mine]('PUT', path(id), { role: next });
      expect([mine, theirs, next, status]).toEqual([mine, theirs, next, allowed ? 200 : 403]);
      const now = allowed ? next : theirs;
      expect(await roleOf(id)).toEqual({ role: now });
      const handled = mayWrite(mine) && rank(now) <= rank(mine);
      const removed = await by[mine]('DELETE', path(id));
      expect(removed.status).toBe(handled ? 200 : 403);
      expect(await roleOf(id)).toEqual(handled ? undefined : { role: now });
    }
    const body = { email: `by-${mine}-${theirs}@example.com`, role: theirs };
    const made = await by[mine]('POST', '/workspace-members', body);
    expect(made.status).toBe(mayWrite(mine) && rank(theirs) <= rank(mine) ? 200 : 403);
  }
});

test('the last owner remains under concurrent removals and demotions', async () => {
  const { owner, by, ids } = fixture;
  const me = (await owner('GET', path('me'))).body.id;
  expect(me).not.toBe(ids.owner);
  // Each owner removes the other and themselves.
  const tries = await Promise.all([
    owner('DELETE', path(ids.owner)),
    by.owner('DELETE', path(me)),
    owner('PUT', path('me'), { role: 'administrator' }),
    by.owner('PUT', path('me'), { role: 'viewer' }),
    owner('DELETE', path('me')),
  ]);
  const [removedOther, removedMe, demotedMe, demotedOther, hasLeft] = tries.map(
    ({ status }) => status === 200,
  );
  // A demoted owner can be removed afterwards; the other owner remains one.
  expect([removedMe || demotedMe || hasLeft, removedOther || demotedOther].filter(Boolean)).toHaveLength(1);
  if (!isPostgresTest()) expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
  const rows = await fixture.server.db.read((tx) => tx.all("SELECT 1 FROM members WHERE role = 'owner'"));
  expect(rows).toHaveLength(1);
  const last =
    tries[1]?.status === 200 || tries[2]?.status === 200 || tries[4]?.status === 200 ? by.owner : owner;
  for (const [method, body] of [['PUT', { role: 'administrator' }], ['DELETE']] as const) {
    const { status, body: refusal } = await last(method, path('me'), body);
    expect([status, refusal.type]).toEqual([409, 'ReferenceConstraint']);
  }
  // The name of the last owner can still change.
  expect((await last('PUT', path('me'), { displayName: 'Last', role: 'owner' })).body.displayName).toBe(
    'Last',
  );
});

test('removal and demotion take effect for all tokens of the member within the same transaction', async () => {
  const { owner, by, ids, as, server } = fixture;
  const own = (await by.developer('POST', '/tokens', { name: 'Second', kind: 'personal' })).body.value;
  expect((await as(own)('GET', '/bots')).status).toBe(200);
  await owner('PUT', path(ids.developer), { role: 'billing' });
  expect((await as(own)('GET', '/bots')).status).toBe(403);
  await owner('DELETE', path(ids.developer));
  expect((await as(own)('GET', '/bots')).status).toBe(401);
  expect((await by.developer('GET', '/tokens/current')).status).toBe(401);
  const remaining = await server.db.read((tx) =>
    tx.all('SELECT 1 FROM tokens WHERE member_id = ?', ids.developer),
  );
  expect(remaining).toEqual([]);
});

describe('e-mail addresses', () => {
  test('are unique in a workspace regardless of case, and independent in another workspace', async () => {
    const { owner, as } = fixture;
    const createMember = (email: string, send = owner) =>
      send('POST', '/workspace-members', { email, role: 'viewer' });
    expect((await createMember('jos\u00e9@example.com')).status).toBe(200);
    for (const same of ['JOSÉ@EXAMPLE.com', ' jose\u0301@example.com']) {
      const { status, body } = await createMember(same);
      expect([same, status, body.type]).toEqual([same, 409, 'AlreadyExists']);
    }
    const taken = await owner('PUT', path('me'), { email: 'VIEWER@example.com' });
    expect([taken.status, taken.body.type]).toEqual([409, 'AlreadyExists']);
    const other = (await owner('POST', '/workspaces', { name: 'Two', email: 'owner@two.example' })).body;
    expect((await createMember('josé@example.com', as(other.value, other.workspace.id))).status).toBe(200);
    const both = await Promise.all([createMember('race@example.com'), createMember('Race@example.com')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each(['a@', 'a b@c', 'a\0@b.c', 'a\n@b.c', 'a\u202e@b.c', '\ud800@b.c'])(
    '%j is refused',
    async (email) => {
      const { status, body } = await fixture.owner('POST', '/workspace-members', { email, role: 'viewer' });
      expect([status, body.type]).toEqual([400, 'InvalidPayload']);
    },
  );
});

test('an arbitrary body is either stored and returned unchanged, or refused without a change', async () => {
  const { owner, ids } = fixture;
  const all = async () => (await owner('GET', '/workspace-members?pageSize=1000')).body.members;
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      ...roles,
      'king',
      '',
      ' ',
      null,
      'new@example.com',
      'VIEWER@example.com',
      '\0',
      '\ud800',
    ),
    anyText(),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const body = fc.dictionary(fc.constantFrom('role', 'email', 'displayName', 'id', '__proto__', 'x'), value);
  await fc.assert(
    fc.asyncProperty(body, async (input) => {
      const before = await all();
      const { status, body } = await owner('PUT', path(ids.viewer), input);
      expect([200, 400, 409]).toContain(status);
      const after = await all();
      if (status !== 200) expect(after).toEqual(before);
      else expect(after.find(({ id }: { id: string }) => id === ids.viewer)).toEqual(body);
    }),
    { numRuns: 100 },
  );
});

test('a member of another workspace is not found', async () => {
  const { server, owner, by } = fixture;
  const other = await server.db.write((tx) =>
    createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 }),
  );
  for (const send of [owner, by.manager]) {
    expect((await send('PUT', path(other.owner.id), { role: 'viewer' })).status).toBe(404);
    expect((await send('DELETE', path(other.owner.id))).status).toBe(404);
  }
  expect((await owner('GET', '/workspace-members')).body.members).toHaveLength(roles.length + 1);
});
