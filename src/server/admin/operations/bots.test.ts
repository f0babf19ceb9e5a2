// Tests of the operations on bots: creation, stable order of lists, deployment, and access to secrets.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPermitted, roles } from '../../../protocol/permissions.ts';
import { createUserKeys } from '../../auth/user-keys.ts';
import { allRows, pollOptions } from '../../testing.ts';
import { createBot, createWorkspace } from '../first-start.ts';
import { type AdminFixture, createAdminFixture, requesterFor } from '../testing.ts';

let fixture: AdminFixture;
let now = Date.parse('2030-01-01T00:00:00Z');
let folder: string;
beforeAll(async () => {
  const first = await createAdminFixture();
  folder = join(first.server.home, 'bots');
  await mkdir(folder);
  const codeReplying = (text: string) =>
    `export default async (_, bot) => void (await bot.reply({ type: 'text', text: '${text}' }));`;
  const modules = {
    'shop.mjs': codeReplying('shop'),
    'desk.mjs': codeReplying('desk'),
    'throws.mjs': "throw new Error('no such table in ' + import.meta.url);",
    'number.mjs': 'export default 7;',
    'hangs.mjs': 'await new Promise(() => {}); export default () => {};',
  };
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text);
  await mkdir(join(folder, 'folder.mjs'));
  await writeFile(join(first.server.home, 'outside.mjs'), codeReplying('outside'));
  const server = await first.server.restart({ BOTS: folder, now: () => now });
  const as = (token: string, workspace = first.workspaceId) => requesterFor(server, token, workspace);
  const by = Object.fromEntries(roles.map((role) => [role, as(first.tokens[role])])) as AdminFixture['by'];
  fixture = { ...first, server, as, by, owner: by.owner };
});
afterAll(() => fixture.server.close());

let made = 0;
/** The fields of a bot about which nothing was declared. */
const emptyDefinition = {
  tags: {},
  type: 'adk',
  dev: false,
  status: 'active',
  user: { tags: {} },
  conversation: { tags: {} },
  message: { tags: {} },
  states: {},
  events: {},
  actions: {},
  subscriptions: { events: null },
  configuration: { data: {}, schema: {} },
  medias: [],
  alwaysAlive: true,
  integrations: {},
  plugins: {},
  recurringEvents: {},
  secrets: [],
};

const create = async (fields: object = {}) => {
  made += 1;
  return fixture.owner('POST', '/bots', { name: `Bot ${made}`, ...fields });
};
const deploymentOf = async (id: string, send = fixture.owner) =>
  (await send('GET', `/bots/${id}/deployment`)).body.deployment;
/** Returns the first message that the bot at this address sends to a new visitor. */
const firstReplyOf = async (webhookId: string) => {
  const call = async (path: string, key?: string) => {
    const response = await fixture.server.fetch(`/chat/${webhookId}${path}`, {
      method: path.endsWith('messages') ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
      ...(path.endsWith('messages') ? {} : { body: '{}' }),
    });
    return (await response.json()) as Record<string, never>;
  };
  const { key } = (await call('/users')) as unknown as { key: string };
  const { conversation } = (await call('/conversations', key)) as unknown as { conversation: { id: string } };
  const texts = async () => {
    const { messages } = (await call(`/conversations/${conversation.id}/messages`, key)) as unknown as {
      messages: { payload: { text: string } }[];
    };
    return messages.map(({ payload }) => payload.text).join();
  };
  await expect.poll(texts, pollOptions).not.toBe('');
  return texts();
};

describe('a bot', () => {
  test('is created, renamed and returned with its fields and an empty definition', async () => {
    const { status, body } = await create({ name: '  Shop  ' });
    const id = expect.stringMatching(/^bot_/);
    const at = new Date(now).toISOString();
    const own = { id, createdAt: at, updatedAt: at, name: 'Shop', answeredBy: 'people' };
    expect([status, body]).toEqual([200, { bot: { ...own, ...emptyDefinition, signingSecret: '' } }]);
    now += 1000;
    const renamed = await fixture.by.developer('PUT', `/bots/${body.bot.id}`, { name: 'Desk' });
    const updatedAt = new Date(now).toISOString();
    expect(renamed.body).toEqual({ bot: { ...body.bot, name: 'Desk', updatedAt } });
    now += 1000;
    expect((await fixture.owner('PUT', `/bots/${body.bot.id}`, {})).body).toEqual(renamed.body);
    expect((await fixture.owner('PUT', `/bots/${body.bot.id}`, { name: 'Desk' })).body).toEqual(renamed.body);
    const found = (await fixture.owner('GET', `/bots/${body.bot.id}`)).body;
    // Without a webhook, there is nothing to sign.
    expect(found).toEqual(renamed.body);
    const { signingSecret: _, ...open } = renamed.body.bot;
    expect((await fixture.by.viewer('GET', `/bots/${body.bot.id}`)).body).toEqual({ bot: open });
  });

  test('has a unique address that is never reused', async () => {
    const named = (await create({ webhookId: 'my-shop' })).body.bot;
    expect((await deploymentOf(named.id)).chatUrl).toBe('http://localhost/chat/my-shop');
    const ours = await deploymentOf((await create()).body.bot.id);
    expect(ours.webhookId).toMatch(/^[0-9a-f-]{36}$/);
    for (const webhookId of ['my-shop', 'demo']) {
      expect((await create({ webhookId })).body.type).toBe('AlreadyExists');
    }
    await fixture.owner('DELETE', `/bots/${named.id}`);
    expect((await create({ webhookId: 'my-shop' })).body.type).toBe('AlreadyExists');
    const race = await Promise.all([1, 2, 3].map(() => create({ webhookId: 'race' })));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('is created once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'a bot' };
    const [one, two] = await Promise.all(
      [1, 2].map(() => fixture.owner('POST', '/bots', { name: 'Once' }, headers)),
    );
    expect(two).toEqual(one);
  });

  test('cannot have code and a webhook', async () => {
    const { status, body } = await create({ code: 'shop.mjs', webhookUrl: 'https://example.com' });
    expect([status, body.type]).toEqual([400, 'InvalidPayload']);
  });
});

describe('the deployment', () => {
  test('changes between code and a webhook; deployedAt changes with every new value', async () => {
    const { bot } = (await create({ code: 'shop.mjs', webhookId: 'runs' })).body;
    expect(bot.deployedAt).toBe(new Date(now).toISOString());
    expect(await firstReplyOf('runs')).toBe('shop');
    const put = async (body: object) => {
      now += 1000;
      const { status, body: answer } = await fixture.owner('PUT', `/bots/${bot.id}/deployment`, body);
      expect(status).toBe(200);
      const { deployedAt } = (await fixture.owner('GET', `/bots/${bot.id}`)).body.bot;
      return { ...answer.deployment, isNew: deployedAt === new Date(now).toISOString(), deployedAt };
    };
    expect(await put({ code: 'shop.mjs' })).toMatchObject({ code: 'shop.mjs', isNew: false });
    expect(await put({})).toMatchObject({ code: 'shop.mjs', isNew: false });
    expect(await put({ code: 'desk.mjs' })).toMatchObject({ code: 'desk.mjs', isNew: true });
    expect(await firstReplyOf('runs')).toBe('desk');
    const webhook = await put({ webhookUrl: 'https://bot.example.com/hook?a=1' });
    expect(webhook).toMatchObject({ webhookUrl: 'https://bot.example.com/hook?a=1', isNew: true });
    expect(webhook.code).toBeUndefined();
    expect(webhook.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    // Another URL keeps the secret; removing the webhook deletes it.
    const moved = await put({ webhookUrl: 'http://127.0.0.1:9/x' });
    expect(moved.signingSecret).toBe(webhook.signingSecret);
    const none = await put({ webhookUrl: null });
    expect([none.webhookUrl, none.signingSecret, none.deployedAt]).toEqual([undefined, undefined, undefined]);
    const renewed = await put({ webhookUrl: 'https://bot.example.com/hook' });
    expect(renewed.signingSecret).not.toBe(webhook.signingSecret);
    const code = await put({ code: 'shop.mjs', webhookUrl: null });
    expect([code.webhookUrl, code.signingSecret]).toEqual([undefined, undefined]);
  });

  test('the default bot can run other code, and then the configured code again', async () => {
    const found = (await fixture.owner('GET', '/bots?sortDirection=asc')).body.bots[0];
    const path = `/bots/${found.id}/deployment`;
    expect(await deploymentOf(found.id)).toEqual({
      webhookId: 'demo',
      chatUrl: 'http://localhost/chat/demo',
    });
    await fixture.owner('PUT', path, { code: 'shop.mjs' });
    expect(await firstReplyOf('demo')).toBe('shop');
    await fixture.owner('PUT', path, { code: null });
    expect((await fixture.owner('GET', `/bots/${found.id}`)).body.bot.deployedAt).toBeDefined();
  });

  test.each([
    ['none.mjs', 'the file none.mjs does not exist'],
    ['throws.mjs', 'could not be loaded'],
    ['number.mjs', 'has no function as its default export'],
    ['folder.mjs', 'could not be loaded'],
    ['../outside.mjs', 'Expected the name of a module'],
    ['..\\outside.mjs', 'Expected the name of a module'],
    ['..', 'Expected the name of a module'],
    ['/etc/passwd', 'Expected the name of a module'],
    ['data:text/javascript,export default 1', 'Expected the name of a module'],
    ['shop.mjs?x', 'Expected the name of a module'],
    ['shop.mjs\0', 'Expected the name of a module'],
  ])('code %j is refused with the reason and without the path of the folder', async (code, reason) => {
    const answers = [await create({ code })];
    const { bot } = (await create({ code: 'desk.mjs' })).body;
    answers.push(await fixture.owner('PUT', `/bots/${bot.id}/deployment`, { code }));
    for (const { status, body } of answers) {
      expect([status, body.type]).toEqual([400, 'InvalidPayload']);
      expect(body.message).toContain('code: ');
      expect(body.message).toContain(reason);
      expect(JSON.stringify(body)).not.toContain(fixture.server.home);
    }
    expect((await deploymentOf(bot.id)).code).toBe('desk.mjs');
  });

  test('code that never finishes loading is refused, and other requests are not blocked', async () => {
    const bot = (await create()).body.bot;
    const hanging = fixture.owner('PUT', `/bots/${bot.id}/deployment`, { code: 'hangs.mjs' });
    // Other requests write at the same time.
    expect((await create()).status).toBe(200);
    const { status, body } = await hanging;
    expect([status, body.message]).toEqual([400, 'code: hangs.mjs takes too long to load.']);
  });

  test.each([
    'ftp://example.com',
    'javascript:alert(1)',
    'https:example.com',
    'example.com',
    'https://user:password@example.com',
    'https://user@example.com',
    'https://example.com\\@evil.example',
    'https://example.com/\0',
    '',
  ])('the webhook URL %j is refused', async (webhookUrl) => {
    const { status, body } = await create({ webhookUrl });
    expect([status, body.type]).toEqual([400, 'InvalidPayload']);
  });

  test('arbitrary text is accepted as a webhook URL only if it can be requested and has no password', async () => {
    const url = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string());
    await fc.assert(
      fc.asyncProperty(url, async (webhookUrl) => {
        const { status, body } = await create({ webhookUrl });
        expect([200, 400]).toContain(status);
        if (status === 400) return;
        const { protocol, password } = new URL((await deploymentOf(body.bot.id)).webhookUrl);
        expect([['http:', 'https:'].includes(protocol), password]).toEqual([true, '']);
      }),
      { numRuns: 50 },
    );
  });

  test('secrets are returned only to callers that can change them', async () => {
    const { bot } = (await create({ webhookUrl: 'https://bot.example.com' })).body;
    const whole = await deploymentOf(bot.id);
    expect(whole.signingSecret).toBeDefined();
    for (const role of roles) {
      const { status, body } = await fixture.by[role]('GET', `/bots/${bot.id}/deployment`);
      const { signingSecret: _, userKeySecret: __, ...open } = whole;
      if (!isPermitted(role, 'bots.read')) expect([role, status]).toEqual([role, 403]);
      else expect([role, body.deployment]).toEqual([role, isPermitted(role, 'bots.update') ? whole : open]);
    }
    const seen = JSON.stringify([
      (await fixture.owner('GET', '/bots')).body,
      (await fixture.owner('GET', `/bots/${bot.id}/webchat?type=configurable`)).body,
    ]);
    expect(seen).not.toContain(whole.signingSecret);
    expect(seen).not.toContain(whole.userKeySecret);
  });

  test('whoever creates or changes a bot gets the secret of its webhook, also again, and it is not stored', async () => {
    for (const role of roles.filter((one) => isPermitted(one, 'bots.create'))) {
      const send = (method: string, path: string, body: object) =>
        fixture.by[role](method, path, body, { 'idempotency-key': `secret-${role}-${method}` });
      const input = { name: `Hook of ${role}`, webhookUrl: 'https://bot.example.com' };
      const created = (await send('POST', '/bots', input)).body.bot;
      const { signingSecret } = await deploymentOf(created.id);
      expect(signingSecret).toMatch(/^whsec_/);
      expect(created.signingSecret).toBe(signingSecret);
      expect((await send('POST', '/bots', input)).body.bot).toEqual(created);
      const path = `/bots/${created.id}`;
      const changed = (await send('PUT', path, { tags: { a: 'b' } })).body.bot;
      expect(changed.signingSecret).toBe(signingSecret);
      expect((await fixture.by[role]('PUT', path, {})).body.bot.signingSecret).toBe(signingSecret);
      const { requests } = await allRows(fixture.server.db);
      expect(JSON.stringify(requests)).not.toContain(signingSecret);
    }
  });

  test('user keys of a bot are signed with its own secret', async () => {
    const { bot } = (await create({ webhookId: 'keys' })).body;
    const { userKeySecret } = await deploymentOf(bot.id);
    const enter = async (chat: string) =>
      (
        await fixture.server.fetch(`/chat/${chat}/users/get-or-create`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-user-key': createUserKeys(userKeySecret).sign('a'),
          },
          body: '{}',
        })
      ).status;
    expect([await enter('keys'), await enter('demo')]).toEqual([201, 401]);
  });
});

test('code is refused when no BOTS folder is configured', async () => {
  const bare = await createAdminFixture();
  const { status, body } = await bare.owner('POST', '/bots', { name: 'x', code: 'shop.mjs' });
  expect([status, body.message]).toEqual([400, expect.stringContaining('BOTS')]);
  await bare.server.close();
});

describe('lists', () => {
  test.each([
    ['createdAt', 'asc'],
    ['createdAt', 'desc'],
    ['updatedAt', 'asc'],
    ['updatedAt', 'desc'],
  ] as const)(
    'sorted by %s %s contain each bot once while bots are created and deleted',
    async (field, direction) => {
      const many = await createAdminFixture();
      const { owner, server, workspaceId } = many;
      await server.db.write(async (tx) => {
        for (let n = 0; n < 40; n += 1) {
          // Times repeat and do not follow the order of the ids.
          const [createdAt, updatedAt] = [1000 + (n % 7), 2000 + ((n * 5) % 11)];
          await createBot(tx, {
            workspaceId,
            webhookId: `b${n}`,
            name: `b${n}`,
            createdAt,
            updatedAt,
            now: n + 1,
          });
        }
      });
      const query = `sortField=${field}&sortDirection=${direction}&pageSize=7`;
      const all = (await owner('GET', `/bots?${query.replace('=7', '=1000')}`)).body.bots as {
        id: string;
        createdAt: string;
        updatedAt: string;
      }[];
      const order = direction === 'asc' ? 1 : -1;
      const sorted = [...all].sort(
        (a, b) => order * (a[field].localeCompare(b[field]) || (a.id < b.id ? -1 : 1)),
      );
      expect(all).toEqual(sorted);
      const seen: string[] = [];
      const gone: string[] = [];
      let next = '';
      do {
        const { body } = await owner('GET', `/bots?${query}${next}`);
        seen.push(...body.bots.map(({ id }: { id: string }) => id));
        // Deletes one listed and one unlisted bot, and creates another one.
        const unseen = all.find(({ id }) => !seen.includes(id) && !gone.includes(id));
        for (const id of [seen.at(-1), unseen?.id]) {
          if (id && (await owner('DELETE', `/bots/${id}`)).status === 200) gone.push(id);
        }
        await owner('POST', '/bots', { name: 'late' });
        next = body.meta.nextToken ? `&nextToken=${body.meta.nextToken}` : '';
      } while (next);
      expect(new Set(seen).size).toBe(seen.length);
      const stayed = all.map(({ id }) => id).filter((id) => !gone.includes(id));
      expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
      await server.close();
    },
  );

  test.each([
    ['', true],
    ['dev=false', true],
    ['integrationNames=[]&pluginNames=[]', true],
    ['dev=true', false],
    ['tags.kind=a', false],
    ['integrationNames=slack', false],
    ['pluginNames[]=hitl', false],
  ])('filtered by %j contain the bots, which have no tags or integrations: %j', async (query, isFound) => {
    const { status, body } = await fixture.owner('GET', `/bots?${query}`);
    expect([status, body.bots.length > 0]).toEqual([200, isFound]);
    if (!isFound) expect(body.meta).toEqual({});
  });

  test('a nextToken is refused with another order, and so is an invented one', async () => {
    await create();
    const { meta } = (await fixture.owner('GET', '/bots?pageSize=1')).body;
    for (const query of [
      `sortDirection=asc&nextToken=${meta.nextToken}`,
      `nextToken=${meta.nextToken}x`,
      `nextToken=${Buffer.from('["bots:createdAt:desc",["a","b"]]').toString('base64url')}`,
      `nextToken=${Buffer.from('["bots:createdAt:desc",[1,"b\\u0000"]]').toString('base64url')}`,
      'nextToken=x',
    ]) {
      const { status, body } = await fixture.owner('GET', `/bots?${query}`);
      expect([query, status, body.type]).toEqual([query, 400, 'InvalidQuery']);
    }
  });
});

describe('the embed code', () => {
  test('is returned by type, together with the configuration', async () => {
    const { bot } = (await create({ webhookId: 'embedded' })).body;
    const path = `/bots/${bot.id}/webchat`;
    const hostile = '</script><script>alert(1)</script><!--';
    await fixture.owner('PUT', path, { configuration: { botName: hostile } });
    const of = async (type: string) => (await fixture.owner('GET', `${path}?type=${type}`)).body;
    const chat = 'http://localhost/chat/embedded';
    expect(await of('preconfigured')).toEqual({
      configuration: { botName: hostile },
      code: `<script src="${chat}/webchat.js" async></script>`,
    });
    expect((await of('fullscreen')).code).toContain(' data-target="body"');
    expect((await of('sharableUrl')).code).toBe(`${chat}/page`);
    const { code } = await of('configurable');
    expect(code.match(/<\/?script/g)).toHaveLength(4);
    const call = /platform\.init\((.*)\);/s.exec(code)?.[1] ?? '';
    expect(JSON.parse(call)).toEqual({ chatUrl: chat, configuration: { botName: hostile } });
    expect((await fixture.owner('GET', path)).body.code).toBeUndefined();
    expect((await fixture.owner('GET', `${path}?type=other`)).body.type).toBe('InvalidQuery');

    const page = await fixture.server.fetch('/chat/embedded/page');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    expect(html).toContain('<script src="webchat.js" data-target="body" async></script>');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect((await fixture.server.fetch('/chat/none/page')).status).toBe(404);
    expect((await fixture.server.fetch('/chat/embedded/page', { method: 'POST' })).status).toBe(405);
  });
});

test('bots of another workspace are not found', async () => {
  const id = await fixture.server.db.write(async (tx) => {
    const { id } = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
    return (await createBot(tx, { workspaceId: id, webhookId: 'foreign', name: 'Foreign', now: 1 })).id;
  });
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['GET', '/deployment', undefined],
    ['PUT', '/deployment', { code: 'shop.mjs' }],
    ['GET', '/webchat?type=sharableUrl', undefined],
    ['GET', '/snippet', undefined],
  ] as const) {
    expect((await fixture.owner(method, `/bots/${id}${path}`, body)).status).toBe(404);
  }
  expect(JSON.stringify((await fixture.owner('GET', '/bots?pageSize=1000')).body)).not.toContain('Foreign');
});

describe('bodies', () => {
  /** Returns an endless body and the number of bytes that were read of it. */
  const endless = () => {
    const sent = { bytes: 0 };
    const stream = new ReadableStream(
      {
        pull(controller) {
          sent.bytes += 10_000;
          controller.enqueue(new Uint8Array(10_000).fill(0x20));
        },
      },
      { highWaterMark: 0 },
    );
    return { sent, stream };
  };
  const send = async (token: string, method: string, path: string, body: ReadableStream) => {
    const response = await fixture.server.fetch(`/v1/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': fixture.workspaceId,
        'content-type': 'application/json',
      },
      body,
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as { message: string } };
  };

  test('of refused callers are not read', async () => {
    for (const [token, status] of [
      [fixture.tokens.viewer, 403],
      ['garbage', 401],
    ] as const) {
      const { sent, stream } = endless();
      expect((await send(token, 'POST', '/bots', stream)).status).toBe(status);
      expect(sent.bytes).toBe(0);
    }
  });

  test('of a million values are refused before they are parsed', async () => {
    const { bot } = (await create()).body;
    const path = `/bots/${bot.id}/webchat`;
    const many = Array.from({ length: 100_001 }, (_, n) => `"k${n}":0`).join(',');
    for (const [body, reason] of [
      [`{"configuration":{${many}}}`, 'more than 100000 values'],
      [`{"configuration":[${'[],'.repeat(100_000)}[]`, 'more than 100000 values'],
      // Few values, whatever their text contains.
      [`{"configuration":{"nothing":"${',"'.replace('"', '\\"').repeat(200_000)}"}}`, "no field 'nothing'"],
    ] as const) {
      const { status, body: answer } = await fixture.owner('PUT', path, body);
      expect([status, answer.type]).toEqual([400, 'InvalidPayload']);
      expect(answer.message).toContain(reason);
    }
  });

  test('of every operation are limited to 50 MB, which the message states', async () => {
    for (const [method, path] of [
      ['POST', '/bots'],
      ['PUT', '/bots/none'],
      ['PUT', '/bots/none/deployment'],
      ['POST', '/tokens'],
      ['POST', '/workspaces'],
      ['POST', '/workspace-members'],
    ] as const) {
      const { sent, stream } = endless();
      const answer = await send(fixture.tokens.owner, method, path, stream);
      expect([path, answer.status]).toEqual([path, 413]);
      expect(answer.body.message).toContain('52428800 bytes');
      expect(sent.bytes).toBeLessThanOrEqual(52_700_000);
    }
    const { bot } = (await create()).body;
    const configuration = { additionalStylesheet: 'x'.repeat(1_000_000) };
    expect((await fixture.owner('PUT', `/bots/${bot.id}/webchat`, { configuration })).status).toBe(200);
  });
});
