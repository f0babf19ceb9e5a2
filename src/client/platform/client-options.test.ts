// Tests the options of a client from its caller, Node's environment and the page, and the errors for invalid ones.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, readOptions } from './client-options.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const whole: ClientOptions = { token: 't', apiUrl: 'https://api.test' };
const read = (options: ClientOptions) => readOptions({ ...whole, ...options });

describe('in Node', () => {
  test('missing options are read from the environment; passed options have precedence', () => {
    vi.stubEnv('PLATFORM_TOKEN', 'env-token');
    vi.stubEnv('PLATFORM_WORKSPACE_ID', 'env-workspace');
    vi.stubEnv('PLATFORM_BOT_ID', 'env-bot');
    vi.stubEnv('PLATFORM_INTEGRATION_ID', 'env-integration');
    vi.stubEnv('PLATFORM_API_URL', 'http://127.0.0.1:3000/');
    expect(readOptions({})).toMatchObject({
      apiUrl: 'http://127.0.0.1:3000',
      headers: {
        authorization: 'Bearer env-token',
        'x-workspace-id': 'env-workspace',
        'x-bot-id': 'env-bot',
        'x-integration-id': 'env-integration',
      },
    });
    expect(
      readOptions({ botId: 'mine', integrationAlias: 'alias', headers: { Authorization: 'Own' } }).headers,
    ).toMatchObject({
      authorization: 'Own',
      'x-bot-id': 'mine',
      'x-integration-alias': 'alias',
    });
  });

  test('an empty variable counts as missing', () => {
    vi.stubEnv('PLATFORM_BOT_ID', '');
    vi.stubEnv('PLATFORM_TOKEN', '');
    expect(read({}).headers).toEqual({ authorization: 'Bearer t' });
    expect(() => readOptions({ apiUrl: 'https://api.test' })).toThrow(
      new TypeError('token is missing: give it, or set PLATFORM_TOKEN.'),
    );
  });

  test('without an address it throws', () => {
    vi.stubEnv('PLATFORM_API_URL', '');
    expect(() => readOptions({ token: 't' })).toThrow(
      new TypeError('apiUrl is missing: give it, or set PLATFORM_API_URL.'),
    );
  });
});

describe('in a page', () => {
  test('the address is the origin of the page, and the environment is not read', () => {
    vi.stubEnv('PLATFORM_API_URL', 'https://env.test');
    const { process } = globalThis;
    for (const shim of [undefined, {}, { env: process.env, versions: {} }]) {
      vi.stubGlobal('process', shim);
      vi.stubGlobal('location', new URL('https://page.test/admin/?a#b'));
      const { apiUrl } = readOptions({ token: 't' });
      vi.stubGlobal('location', { origin: 'null' });
      expect(() => readOptions({ token: 't' })).toThrow(TypeError);
      vi.unstubAllGlobals();
      expect(apiUrl).toBe('https://page.test');
    }
  });
});

test.each<[ClientOptions, RegExp]>([
  [{ token: '' }, /^token must not be empty/],
  [{ botId: '' }, /^botId must not be empty/],
  [{ token: 't\nx-bot-id: b' }, /^token must be printable ASCII/],
  [{ workspaceId: 'ü' }, /^workspaceId must be printable ASCII/],
  [{ headers: { 'x-a': 'a\r\nb: c' } }, /^headers: x-a must be printable ASCII/],
  [{ apiUrl: '' }, /^apiUrl must not be empty/],
  [{ apiUrl: 'api.test' }, /^apiUrl must be a whole address/],
  [{ apiUrl: 'ftp://api.test' }, /^apiUrl must be http or https/],
  [{ apiUrl: 'javascript:alert(1)' }, /^apiUrl must be http or https/],
  [{ apiUrl: 'https://name:word@api.test' }, /without a password/],
  [{ apiUrl: 'https://api.test/?a' }, /a query/],
  [{ apiUrl: 'https://api.test/#a' }, /a fragment/],
  [{ timeout: 0 }, /^timeout must be/],
  [{ timeout: -1 }, /^timeout must be/],
  [{ timeout: Number.NaN }, /^timeout must be/],
  [{ retry: -1 }, /^retry: attempts must be/],
  [{ retry: 1.5 }, /^retry: attempts must be/],
  [{ retry: { attempts: Number.POSITIVE_INFINITY } }, /^retry: attempts must be/],
])('%j is refused', (options, message) => {
  expect(() => read(options)).toThrow(message);
});

test.each([
  ['https://api.test', 'https://api.test'],
  ['https://api.test///', 'https://api.test'],
  ['HTTPS://API.test:443/behind/a/proxy/', 'https://api.test/behind/a/proxy'],
])('the address %s becomes %s', (apiUrl, expected) => {
  expect(read({ apiUrl }).apiUrl).toBe(expected);
});

test('a fetch that the page replaces later is not used', async () => {
  const first = vi.fn(async () => new Response('first'));
  vi.stubGlobal('fetch', first);
  const { fetch } = read({});
  vi.stubGlobal('fetch', () => expect.unreachable());
  expect(await (await fetch('https://api.test', {})).text()).toBe('first');
});
