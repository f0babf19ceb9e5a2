// Tests every operation on files with every principal, owner and policy. The expected results repeat the rules of
// docs/guides/files.md.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../protocol/operations/apis.ts';
import { permissionTable, principalKinds } from '../../protocol/permissions.ts';
import type { AccessPolicy, PlatformFile } from '../../protocol/types/files.ts';
import { listFiles } from '../storage/files/file-lists.ts';
import { mayUse, visibleFiles } from './access.ts';
import { type CallerName, type FilesFixture, startFilesFixture } from './testing.ts';

/** The principal that created a file. `developer`: a member, on behalf of the bot. */
const makers = ['bot', 'developer', 'crm', 'sibling', 'foreign'] as const;
type Maker = (typeof makers)[number];
const policySets: AccessPolicy[][] = [
  [],
  ['public_content'],
  ['integrations'],
  ['public_content', 'integrations'],
];
const callerNames = [
  undefined,
  'bot',
  'crm',
  'erp',
  'viewer',
  'billing',
  'developer',
  'manager',
  'administrator',
  'owner',
];

/** The requests to a file. */
const requestsOf = {
  get: (id: string) => ['GET', `/${id}`],
  passages: (id: string) => ['GET', `/${id}/passages`],
  copy: (id: string) => ['POST', `/${id}/copy-of-${id}`, { overwrite: true }],
  update: (id: string) => ['PUT', `/${id}`, { metadata: { seen: 1 } }],
  setPassages: (id: string) => ['PUT', `/${id}/passages`, { passages: [{ content: 'mine zebra' }] }],
  delete: (id: string) => ['DELETE', `/${id}`],
} satisfies Record<string, (id: string) => [method: string, path: string, body?: object]>;
type RequestName = keyof typeof requestsOf;
const changing: RequestName[] = ['update', 'setPassages', 'delete'];

/** Returns the status that the two tables expect for a file of the requested bot. */
function expected(
  caller: CallerName,
  maker: Maker,
  policies: AccessPolicy[],
  requestName: RequestName,
): number {
  if (caller === undefined) return 401;
  if (caller === 'billing') return 403;
  if (caller === 'viewer' && (changing.includes(requestName) || requestName === 'copy')) return 403;
  if (maker === 'sibling' || maker === 'foreign') return 404;
  const isOfBot = maker === 'bot' || maker === 'developer';
  if (caller === 'crm' || caller === 'erp') {
    if (caller === maker) return 200;
    if (!policies.includes('integrations')) return 404;
    return changing.includes(requestName) ? 403 : 200;
  }
  return isOfBot ? 200 : 404;
}
const maySee = (caller: CallerName, maker: Maker, policies: AccessPolicy[]) =>
  expected(caller, maker, policies, 'get') === 200;

let fixture: FilesFixture;
const made: { maker: Maker; policies: AccessPolicy[]; file: PlatformFile }[] = [];

/** Returns all files with their passages. Deletions by other tests may be processed in the meantime. */
const state = () =>
  fixture.server.db.read(async (tx) => [
    await tx.all('SELECT * FROM files ORDER BY id'),
    await tx.all('SELECT * FROM file_tags ORDER BY file_id, name'),
    await tx.all(
      'SELECT p.* FROM passages p JOIN files f ON f.index_version = p.index_version ORDER BY p.seq',
    ),
  ]);

async function make(maker: Maker, policies: AccessPolicy[], key: string) {
  const fields = { accessPolicies: policies, tags: { [`of-${maker}`]: policies.join() || 'none' } };
  const file = await fixture.put(maker, key, 'zebra words', { ...fields, contentType: 'text/plain' });
  // Written by the caller, so that the test does not wait for indexing.
  const { status } = await fixture.call(maker, 'PUT', `/${file.id}/passages`, {
    passages: [{ content: `zebra ${key}` }],
  });
  expect(status).toBe(200);
  return file;
}

beforeAll(async () => {
  fixture = await startFilesFixture();
  for (const maker of makers) {
    for (const policies of policySets) {
      made.push({ maker, policies, file: await make(maker, policies, `${maker}-${policies.join()}`) });
    }
  }
  const { key } = await fixture.server.user();
  await fixture.server.call('POST', '/files', { key, body: { key: 'visitors.txt', size: 5 } });
});
afterAll(() => fixture.server.close());

describe.each(callerNames as CallerName[])('%s', (caller) => {
  const name = caller ?? 'nobody';

  describe.each(Object.keys(requestsOf) as RequestName[])(`${name}: %s`, (requestName) => {
    test.each(makers.flatMap((maker) => policySets.map((policies) => [maker, policies] as const)))(
      'a file of %s with %j',
      async (maker, policies) => {
        const status = expected(caller, maker, policies, requestName);
        // A separate file if the request changes it, so that tests do not affect each other.
        const file =
          status === 200 && requestName !== 'get' && requestName !== 'passages'
            ? await make(maker, policies, `${name}-${requestName}-${maker}-${policies.join()}`)
            : made.find((one) => one.maker === maker && one.policies === policies)?.file;
        const before = await state();
        const [method, path, body] = requestsOf[requestName](file?.id ?? '');
        const response = await fixture.call(caller, method, path, body);
        expect(response.status, JSON.stringify(response.body)).toBe(status);
        if (status !== 200) {
          expect(JSON.stringify(response.body)).not.toMatch(/zebra/);
          expect(await state()).toEqual(before);
        } else if (requestName === 'delete' || requestName === 'copy') {
          const id = requestName === 'copy' ? response.body.file?.id : file?.id;
          await fixture.call(maker, 'DELETE', `/${id}`);
          if (caller !== maker) await fixture.call(caller, 'DELETE', `/${id}`);
          await fixture.call(maker, 'DELETE', `/${file?.id}`);
        } else if (requestName !== 'get' && requestName !== 'passages')
          await fixture.call(maker, 'DELETE', `/${file?.id}`);
      },
    );
  });

  test('the bytes can be read by address only, permanently if the file is public', async () => {
    for (const { policies, file } of made) {
      const isPublic = policies.includes('public_content');
      const address = file.url.replace(/-\d+~/, `-${isPublic ? '' : '9999999999999~'}`);
      const headers = caller
        ? { authorization: `Bearer ${fixture.tokens[caller]}`, 'x-bot-id': fixture.bots.own }
        : {};
      expect(await fixture.read(address, { headers })).toBe(isPublic ? 'zebra words' : 404);
      // An id alone never gives access to the bytes.
      expect(await fixture.read(`http://x/v1/files/content/${file.id}/a`, { headers })).toBe(404);
    }
  });

  const seen = () => made.filter(({ maker, policies }) => maySee(caller, maker, policies));

  test('lists exactly the files that it can see', async () => {
    const response = await fixture.call(caller, 'GET', '?pageSize=1000');
    const refused = caller === undefined ? 401 : caller === 'billing' ? 403 : 200;
    expect(response.status).toBe(refused);
    if (refused !== 200) return;
    expect(response.body.files?.map(({ id }) => id).sort()).toEqual(
      seen()
        .map(({ file }) => file.id)
        .sort(),
    );
    const ids = made.map(({ file }) => `ids=${file.id}`).join('&');
    const byIds = await fixture.call(caller, 'GET', `?${ids}&pageSize=1000`);
    expect(byIds.body.files?.length).toBe(seen().length);
  });

  test('searches, and lists the tags of, exactly the files that it can see', async () => {
    if (caller === undefined || caller === 'billing') {
      const status = caller ? 403 : 401;
      for (const path of ['/search?query=zebra', '/tags', '/tags/of-bot/values', '/storage']) {
        expect((await fixture.call(caller, 'GET', path)).status).toBe(status);
      }
      return;
    }
    const found = await fixture.call(caller, 'GET', '/search?query=zebra&limit=50');
    expect(found.body.passages?.map(({ file }) => file.id).sort()).toEqual(
      seen()
        .map(({ file }) => file.id)
        .sort(),
    );
    const tags = await fixture.call(caller, 'GET', '/tags');
    expect(tags.body.tags).toEqual([...new Set(seen().map(({ maker }) => `of-${maker}`))].sort());
    for (const maker of makers) {
      const values = await fixture.call(caller, 'GET', `/tags/of-${maker}/values`);
      const own = seen().filter((one) => one.maker === maker);
      expect(values.body.values).toEqual(
        [...new Set(own.map(({ policies }) => policies.join() || 'none'))].sort(),
      );
    }
    const { body } = await fixture.call(caller, 'GET', '/storage');
    expect(body.storage).toEqual({
      files: { count: seen().length, bytes: seen().length * 'zebra words'.length },
      vectorDb: {
        count: seen().length,
        bytes: seen().reduce(
          (sum, { maker, policies }) => sum + `zebra ${maker}-${policies.join()}`.length,
          0,
        ),
      },
    });
  });
});

test('a token of one bot does not give access to files of another bot, at any address', async () => {
  for (const [caller, bot] of [
    ['bot', 'sibling'],
    ['bot', 'foreign'],
    // An owner of the first workspace is an operator, who has access.
    ['administrator', 'foreign'],
  ] as const) {
    const response = await fixture.call(caller, 'GET', '', undefined, { 'x-bot-id': fixture.bots[bot] });
    expect(response.status).toBe(403);
  }
  const theirs = made.find(({ maker }) => maker === 'sibling')?.file;
  // A member of the workspace has access when the request names that bot.
  const path = `/${theirs?.id}`;
  expect(
    (await fixture.call('viewer', 'GET', path, undefined, { 'x-bot-id': fixture.bots.sibling })).status,
  ).toBe(200);
  expect((await fixture.call('viewer', 'GET', path)).status).toBe(404);
});

test('keys of an integration are separate; another integration can use the same key', async () => {
  const [bot, crm, erp] = await Promise.all(
    (['bot', 'crm', 'erp'] as const).map((caller) => fixture.put(caller, 'same key', `of ${caller}`)),
  );
  expect(new Set([bot?.id, crm?.id, erp?.id]).size).toBe(3);
  for (const [caller, file] of [
    ['bot', bot],
    ['crm', crm],
    ['erp', erp],
  ] as const) {
    expect((await fixture.call(caller, 'GET', '/same%20key')).body.file?.id).toBe(file?.id);
  }
  expect(crm?.owner).toEqual({ type: 'integration', name: 'crm', alias: 'crm' });
  for (const caller of ['bot', 'crm', 'erp'] as const) await fixture.call(caller, 'DELETE', '/same%20key');
});

test('the token alone determines the caller; headers cannot change it', async () => {
  const file = await fixture.put('erp', 'of erp alone', 'x');
  const claims = {
    'x-integration-id': 'erp',
    'x-integration-alias': 'erp',
    'x-integration-name': 'erp',
    'x-user-id': 'somebody',
    'x-user-role': 'owner',
  };
  for (const caller of ['crm', 'bot', 'owner', 'billing'] as const) {
    for (const method of ['GET', 'DELETE']) {
      const plain = await fixture.call(caller, method, `/${file.id}`);
      const claimed = await fixture.call(caller, method, `/${file.id}`, undefined, claims);
      expect([caller, method, claimed.status]).toEqual([caller, method, plain.status]);
      expect([403, 404]).toContain(claimed.status);
    }
  }
  const body = { key: 'of crm', size: 1 };
  const made = (await fixture.call('crm', 'PUT', '', body, claims)).body.file;
  expect(made?.owner).toEqual({ type: 'integration', name: 'crm', alias: 'crm' });
  await fixture.call('crm', 'DELETE', `/${made?.id}`);
  await fixture.call('erp', 'DELETE', `/${file.id}`);
});

test('a file that a member creates belongs to the bot, under one key', async () => {
  const file = await fixture.put('developer', 'shared', 'x');
  expect(file.owner).toEqual({ type: 'user', id: expect.stringMatching(/^member_/) });
  const again = await fixture.put('bot', 'shared', 'y');
  expect([again.id, again.owner]).toEqual([file.id, file.owner]);
  await fixture.call('bot', 'DELETE', '/shared');
});

test('a file of a visitor is not accessible through the Files API', async () => {
  const [file] = await fixture.server.db.read((tx) =>
    tx.all<{ id: string }>("SELECT id FROM files WHERE owner_type = 'visitor'"),
  );
  for (const caller of ['bot', 'crm', 'owner'] as const) {
    for (const [method, path, body] of Object.values(requestsOf).map((request) => request(file?.id ?? ''))) {
      expect((await fixture.call(caller, method as string, path as string, body)).status).toBe(404);
    }
    expect((await fixture.call(caller, 'GET', '/visitors.txt')).status).toBe(404);
  }
});

test('the rule for lists is equal to the rule for one file', async () => {
  const rows = await fixture.server.db.read((tx) =>
    tx.all<{ id: string; botId: string; ownerType: 'bot'; space: string; isPublic: 0; forIntegrations: 0 }>(
      `SELECT id, bot_id, owner_type, space, is_public,
         for_integrations FROM files WHERE status <> 'deleted'`,
    ),
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const kind of principalKinds) {
    if (kind === 'public') continue;
    for (const botId of Object.values(fixture.bots)) {
      const caller = { kind, botId, ...(kind === 'integration' ? { integration: 'crm' } : {}) };
      const filter = { visibleTo: visibleFiles(caller) };
      const listed = await fixture.server.db.read((tx) =>
        listFiles(tx, { filter, sort: 'key', direction: 'asc', after: undefined, limit: 1_000 }),
      );
      const allowed = rows.filter((row) => mayUse(caller, row, 'list'));
      expect(listed.map(({ id }) => id).sort()).toEqual(allowed.map(({ id }) => id).sort());
      // The permissions to read, search and list are equal; without the permission to read there is no permission to
      // change.
      for (const row of rows) {
        const [list, read, find, update, remove] = (
          ['list', 'read', 'search', 'update', 'delete'] as const
        ).map((action) => mayUse(caller, row, action));
        expect([read, find]).toEqual([list, list]);
        expect(update).toBe(remove);
        if (update) expect(read).toBe(true);
        if (update) expect(permissionTable[kind]).toContain('files.update');
      }
    }
  }
});

test('these tests request every operation', () => {
  const elsewhere = [
    'upsertFile',
    'listKnowledgeBases',
    'createKnowledgeBase',
    'updateKnowledgeBase',
    'deleteKnowledgeBase',
  ];
  const here = [
    'getFile',
    'listFilePassages',
    'copyFile',
    'updateFileMetadata',
    'setFilePassages',
    'deleteFile',
  ];
  const lists = ['listFiles', 'searchFiles', 'listFileTags', 'listFileTagValues', 'getFileStorage'];
  expect(
    operationsOf('files')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...elsewhere, ...here, ...lists].sort());
});
