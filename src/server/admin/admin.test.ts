// Tests of the Admin API: authentication, validation of the configuration, and its delivery to visitors without secrets.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { schemas } from '../../protocol/schemas/chat.ts';
import { base, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let token: string;
let workspaceId: string;
let botId: string;
beforeAll(async () => {
  server = await startTestServer({
    configuration: { botName: 'File', color: '#111111', adminKey: 'hidden', adminSecret: 'hidden' },
  });
  workspaceId = server.admin.workspaceId;
  token = server.admin.token ?? '';
  botId = ((await request('GET', '/bots')).body.bots as { id: string }[])[0]?.id ?? '';
});
afterAll(() => server.close());

const credentials = () => ({ authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId });

async function request(
  method: string,
  path: string,
  body?: BodyInit,
  headers: Record<string, string> = credentials(),
  of: TestServer = server,
) {
  const response = await of.fetch(`/v1/admin${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
}

const webchat = (configuration: unknown) =>
  request('PUT', `/bots/${botId}/webchat`, JSON.stringify({ configuration }));
const stored = async () => (await request('GET', `/bots/${botId}/webchat`)).body;
const seen = async (of = server) => (await of.call('GET', '/webchat')).body.configuration;

describe('bots', () => {
  test('the list and a single bot have exactly the documented fields', async () => {
    const { status, headers, body } = await request('GET', '/bots');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      bots: [
        {
          id: expect.stringMatching(/^bot_/),
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
          name: 'demo',
          deployedAt: expect.stringMatching(/Z$/),
          answeredBy: 'server',
          tags: {},
          type: 'adk',
        },
      ],
      meta: {},
    });
    expect((await request('GET', `/bots/${botId}`)).body.bot).toMatchObject(body.bots[0]);
  });

  test.each(['/bots/none', '/bots/%00', '/bots/%', '/none', ''])(
    'the path %s is answered with 404',
    async (path) => {
      const { status, body } = await request('GET', path);
      expect([status, body.type]).toEqual([404, 'ResourceNotFound']);
      expect(v.is(schemas.error, body)).toBe(true);
    },
  );

  test('a PUT to an unknown bot is answered with 404; other methods with 405 and the allowed methods', async () => {
    expect((await request('PUT', '/bots/none/webchat', '{"configuration":{}}')).status).toBe(404);
    const { status, headers } = await request('DELETE', `/bots/${botId}/webchat`);
    expect([status, headers.get('allow')]).toEqual([405, 'GET, PUT, HEAD']);
  });

  test('the snippet contains the address by which the caller reached the server', async () => {
    const of = async (headers: Record<string, string> = {}) =>
      (await request('GET', `/bots/${botId}/snippet`, undefined, { ...credentials(), ...headers })).body
        .snippet;
    expect(await of()).toBe('<script src="http://localhost/chat/demo/webchat.js" async></script>');
    const proxy = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example' };
    expect(await of(proxy)).toContain('"https://chat.example/chat/demo/webchat.js"');
    expect(await of({ 'x-forwarded-host': 'x"><script>' })).toContain('"http://localhost/');
    const hostile = await server.composition.app.request(`http://a"onload=x/v1/admin/bots/${botId}/snippet`, {
      headers: credentials(),
    });
    expect(((await hostile.json()) as { snippet: string }).snippet).toContain('src="http://a&quot;onload=x/');
    const fixed = await startTestServer({ PUBLIC_URL: 'https://fixed.example/sub' });
    const mine = { authorization: `Bearer ${fixed.admin.token}`, 'x-workspace-id': fixed.admin.workspaceId };
    const [bot] = (await request('GET', '/bots', undefined, mine, fixed)).body.bots;
    const { body } = await request('GET', `/bots/${bot.id}/snippet`, undefined, { ...mine, ...proxy }, fixed);
    expect(body.snippet).toContain('"https://fixed.example/sub/chat/demo/webchat.js"');
    await fixed.close();
  });
});

describe('authentication', () => {
  test.each<[string, (token: string, workspace: string) => Record<string, string>]>([
    ['nobody', () => ({})],
    ['a token alone', (token) => ({ authorization: `Bearer ${token}` })],
    ['another scheme', (token, id) => ({ authorization: `Basic ${token}`, 'x-workspace-id': id })],
    ['no scheme', (token, id) => ({ authorization: token, 'x-workspace-id': id })],
    ['a part', (token, id) => ({ authorization: `Bearer ${token.slice(0, -1)}`, 'x-workspace-id': id })],
    ['two tokens', (token, id) => ({ authorization: `Bearer ${token} ${token}`, 'x-workspace-id': id })],
    ['a huge one', (_, id) => ({ authorization: `Bearer ${'x'.repeat(1_000_000)}`, 'x-workspace-id': id })],
    ['Latin 1', (_, id) => ({ authorization: 'Bearer \xe9\xff', 'x-workspace-id': id })],
    ['another workspace', (token) => ({ authorization: `Bearer ${token}`, 'x-workspace-id': 'ws_none' })],
    [
      'two workspaces',
      (token, id) => ({ authorization: `Bearer ${token}`, 'x-workspace-id': `${id}, ${id}` }),
    ],
  ])('%s is rejected without a reason and without reading the body', async (_, headers) => {
    const ownHeaders = headers(token, workspaceId);
    const answers = [
      await request('GET', '/bots', undefined, ownHeaders),
      await request('GET', '/bots/none', undefined, ownHeaders),
      await request('PUT', `/bots/${botId}/webchat`, '{', ownHeaders),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, body.type, body.code]).toEqual([401, 'Unauthorized', 401]);
      expect(body.message).toBe(
        'The headers authorization and x-workspace-id contain no valid token for a workspace.',
      );
      expect(body.metadata).toBeUndefined();
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('the stored hash and a user key are rejected', async () => {
    const rows = await server.db.read((tx) => tx.all<{ hash: string }>('SELECT hash FROM tokens'));
    expect(rows.map(({ hash }) => hash)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    for (const wrong of [rows[0]?.hash, (await server.user()).key]) {
      const headers = { ...credentials(), authorization: `Bearer ${wrong}` };
      expect((await request('GET', '/bots', undefined, headers)).status).toBe(401);
    }
    expect((await server.call('GET', '/users/me', { key: token })).status).toBe(401);
  });

  test('the scheme is case-insensitive, and the API is not served below a chat address', async () => {
    const headers = { ...credentials(), authorization: `bEARER  ${token}` };
    expect((await request('GET', '/bots', undefined, headers)).status).toBe(200);
    expect((await server.fetch(`${base}/bots`, { headers: credentials() })).status).toBe(404);
  });

  test('arbitrary headers are answered with 401', async () => {
    const text = fc.string({ unit: 'binary-ascii' }).map((generated) => generated.replace(/[\0\r\n]/g, ''));
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (first, second, scheme) => {
        const headers = { authorization: `${scheme ? 'Bearer ' : ''}${first}`, 'x-workspace-id': second };
        expect((await request('GET', '/bots', undefined, headers)).status).toBe(401);
        const own = { ...headers, 'x-workspace-id': workspaceId };
        expect((await request('GET', '/bots', undefined, own)).status).toBe(401);
      }),
      { numRuns: 200 },
    );
  });

  test('pages of other origins are rejected, even those that can use the Chat API', async () => {
    const origin = 'https://shop.example';
    const open = await startTestServer({ ALLOWED_ORIGINS: [origin] });
    for (const of of [server, open]) {
      for (const path of ['/bots', `/bots/${botId}/webchat`, '/none']) {
        for (const method of ['OPTIONS', 'GET', 'PUT']) {
          const preflight = {
            origin,
            'access-control-request-method': 'PUT',
            'access-control-request-headers': 'authorization, x-workspace-id',
          };
          const { status, headers } = await request(method, path, undefined, preflight, of);
          expect(status).toBeGreaterThanOrEqual(400);
          expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        }
      }
    }
    const { status, headers } = await request('GET', '/bots', undefined, { ...credentials(), origin });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
    await open.close();
  });
});

describe('the token', () => {
  test('is created once; a configured token replaces it permanently, and the previous one is rejected', async () => {
    const first = await startTestServer();
    const made = first.admin.token ?? '';
    expect(made).toMatch(/^pat_[\w-]{43}$/);
    const { workspaceId } = first.admin;
    const enter = async (of: TestServer, token: string) =>
      (
        await request(
          'GET',
          '/bots',
          undefined,
          { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId },
          of,
        )
      ).status;
    expect(await enter(first, made)).toBe(200);
    const second = await first.restart();
    expect([second.admin, await enter(second, made)]).toEqual([{ workspaceId, token: undefined }, 200]);
    const chosenToken = 'a token that I chose for myself!'.replaceAll(' ', '-');
    const third = await second.restart({ ADMIN_TOKEN: chosenToken });
    expect([third.admin.token, await enter(third, made), await enter(third, chosenToken)]).toEqual([
      undefined,
      401,
      200,
    ]);
    const fourth = await third.restart({ ADMIN_TOKEN: chosenToken });
    expect([fourth.admin.token, await enter(fourth, chosenToken)]).toEqual([undefined, 200]);
    const fifth = await fourth.restart({ ADMIN_TOKEN: undefined });
    expect([fifth.admin.token, await enter(fifth, made), await enter(fifth, chosenToken)]).toEqual([
      undefined,
      401,
      200,
    ]);
    await fifth.close();
  });

  test('is not created when one is configured at the first start; two servers never share one', async () => {
    const configured = await startTestServer({ ADMIN_TOKEN: 'x'.repeat(32) });
    const other = await startTestServer();
    expect(configured.admin.token).toBeUndefined();
    expect(other.admin.token).not.toBe(token);
    expect(other.admin.workspaceId).not.toBe(workspaceId);
    await configured.close();
    await other.close();
  });
});

describe('the configuration', () => {
  beforeEach(() => webchat({}));

  test('is replaced without blank fields; visitors get it at once, and each field overrides the file', async () => {
    expect([await stored(), await seen()]).toEqual([
      { configuration: {} },
      { botName: 'File', color: '#111111' },
    ]);
    const first = await webchat({
      botName: 'Ada',
      radius: 99,
      botAvatar: '',
      phone: {},
      footer: '',
      color: null,
    });
    expect([first.status, first.body]).toEqual([
      200,
      { configuration: { botName: 'Ada', radius: 4, footer: '' } },
    ]);
    expect(await stored()).toEqual(first.body);
    expect(await seen()).toEqual({ botName: 'Ada', color: '#111111', radius: 4, footer: '' });
    await webchat({ themeMode: 'dark' });
    expect(await seen()).toEqual({ botName: 'File', color: '#111111', themeMode: 'dark' });
  });

  test('deprecated fields are left out with a warning, and other unknown fields are refused', async () => {
    const { status, body } = await webchat({ botName: 'Ada', showPoweredBy: false });
    expect([status, body]).toEqual([
      200,
      {
        configuration: { botName: 'Ada' },
        warnings: ["Configuration: 'showPoweredBy' must be left out: use 'footer' instead."],
      },
    ]);
    expect(await stored()).toEqual({ configuration: { botName: 'Ada' } });
    const wrong = await webchat({ showPoweredBy: true, showPoweredByMe: true });
    expect([wrong.status, wrong.body.metadata.issues]).toMatchObject([
      400,
      [{ path: 'configuration.showPoweredByMe' }],
    ]);
    expect(await stored()).toEqual({ configuration: { botName: 'Ada' } });
    for (const name of ['constructor', '__proto__x', 'toString']) {
      expect((await webchat({ [name]: 1 })).status).toBe(400);
    }
  });

  test('changes updatedAt of the bot when it is written, and not when it is read', async () => {
    let now = Date.now() + 1_000;
    const timed = await startTestServer({ now: () => now });
    const mine = { authorization: `Bearer ${timed.admin.token}`, 'x-workspace-id': timed.admin.workspaceId };
    const [first] = (await request('GET', '/bots', undefined, mine, timed)).body.bots;
    now += 60_000;
    await request('PUT', `/bots/${first.id}/webchat`, '{"configuration":{}}', mine, timed);
    const [second] = (await request('GET', '/bots', undefined, mine, timed)).body.bots;
    expect(second).toEqual({ ...first, updatedAt: new Date(now).toISOString() });
    now += 60_000;
    const again = await timed.restart();
    const [third] = (await request('GET', '/bots', undefined, mine, again)).body.bots;
    expect(third).toEqual({ ...second, deployedAt: new Date(now).toISOString() });
    await again.close();
  });

  test('survives a restart and a change of the file', async () => {
    const first = await startTestServer({ configuration: { botName: 'One', color: '#111111' } });
    const mine = { authorization: `Bearer ${first.admin.token}`, 'x-workspace-id': first.admin.workspaceId };
    const [{ id }] = (await request('GET', '/bots', undefined, mine, first)).body.bots;
    await request('PUT', `/bots/${id}/webchat`, '{"configuration":{"botName":"Stored"}}', mine, first);
    const second = await first.restart({ configuration: { botName: 'Two', color: '#222222' } });
    expect(await seen(second)).toEqual({ botName: 'Stored', color: '#222222' });
    const third = await second.restart({ configuration: undefined });
    expect(await seen(third)).toEqual({ botName: 'Stored' });
    await third.close();
  });

  test('a copy of the file stored by an earlier version is ignored when a file exists, and used otherwise', async () => {
    for (const [configuration, expected] of [
      [{ color: '#222222' }, { color: '#222222' }],
      [undefined, { botName: 'Old' }],
    ] as const) {
      const first = await startTestServer();
      await first.db.write(async (tx) => {
        await tx.run('DELETE FROM workspaces');
        await tx.run('DELETE FROM tokens');
        await tx.run('UPDATE bots SET workspace_id = NULL');
        await tx.run(
          `INSERT INTO bot_configurations SELECT id, 1, '{"botName":"Old","adminKey":"k"}' FROM bots`,
        );
      });
      const second = await first.restart({ configuration });
      expect(await seen(second)).toEqual(expected);
      const mine = {
        authorization: `Bearer ${second.admin.token}`,
        'x-workspace-id': second.admin.workspaceId,
      };
      const [{ id }] = (await request('GET', '/bots', undefined, mine, second)).body.bots;
      const { body } = await request('GET', `/bots/${id}/webchat`, undefined, mine, second);
      expect(JSON.stringify(body)).not.toContain('adminKey');
      await second.close();
    }
  });

  test.each<[string, unknown]>([
    ['color', { color: 'blue' }],
    ['botName', { botName: { toString: 'x' } }],
    ['botAvatar', { botAvatar: 'javascript:alert(1)' }],
    ['adminKey', { adminKey: 'secret' }],
    ['adminSecret', { adminSecret: 'secret' }],
    ['nothing', { nothing: true }],
    ['toString', { toString: 'x' }],
  ])('a wrong %s is refused with its message, and nothing is stored', async (field, wrong) => {
    await webchat({ botName: 'Before' });
    const { status, body } = await webchat({ themeMode: 'dark', ...(wrong as object) });
    expect([status, body.type]).toEqual([400, 'InvalidPayload']);
    expect(body.message).toContain(`'${field}'`);
    expect(body.metadata.issues).toEqual([{ path: `configuration.${field}`, message: body.message }]);
    expect(await stored()).toEqual({ configuration: { botName: 'Before' } });
    expect(v.is(schemas.error, body)).toBe(true);
  });

  test.each([
    '{"configuration":{"__proto__":{"botName":"x"}}}',
    '{"configuration":[]}',
    '{"botName":"x"}',
    '{"__proto__":{"configuration":{}}}',
    '[]',
    '{',
    '',
  ])('%s is refused', async (body) => {
    await webchat({ botName: 'Before' });
    const { status, body: refusal } = await request('PUT', `/bots/${botId}/webchat`, body);
    expect([status, refusal.type]).toEqual([400, 'InvalidPayload']);
    expect(await stored()).toEqual({ configuration: { botName: 'Before' } });
  });

  test('many wrong fields with long names are reported as ten shortened issues', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}${'x'.repeat(10_000)}`, n]));
    const { status, body } = await webchat(wrong);
    expect([status, body.metadata.issues.length]).toEqual([400, 10]);
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  test('arbitrary JSON is either stored and returned unchanged, or refused without a change', async () => {
    const names = ['botName', 'color', 'radius', 'phone', 'footer', '__proto__', 'adminKey', 'x'];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom('', '#fff', 2, '\0', '\ud800', {}, null),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), value, { noNullPrototype: true })),
        async (input) => {
          const before = await stored();
          const { status, body } = await webchat(input);
          expect([200, 400]).toContain(status);
          expect(await stored()).toEqual(status === 200 ? body : before);
          const visible = JSON.stringify(await seen());
          expect(visible).not.toMatch(/adminKey|adminSecret|hidden/);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('the script contains it at once, under a new ETag and without secrets', async () => {
    await mkdir(join(server.home, 'dist', 'webchat'), { recursive: true });
    await writeFile(join(server.home, 'dist', 'webchat', 'webchat.js'), 'start(`%WEBCHAT_BOOT%`)');
    const get = async (headers: Record<string, string> = {}) => {
      const response = await server.fetch(`${base}/webchat.js`, { headers });
      return {
        status: response.status,
        text: await response.text(),
        etag: response.headers.get('etag') ?? '',
      };
    };
    const first = await get();
    expect((await get({ 'if-none-match': first.etag })).status).toBe(304);
    await webchat({ botName: 'Just now' });
    const second = await get({ 'if-none-match': first.etag });
    expect([second.status, second.etag === first.etag]).toEqual([200, false]);
    expect(second.text).toContain('"botName":"Just now","color":"#111111"');
    expect(first.text + second.text).not.toMatch(/adminKey|hidden/);
    await webchat({});
    expect(await get()).toEqual(first);
  });
});
