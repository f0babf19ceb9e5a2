// Tests of requests that come at the same time: bot and user of each are read together with those of others.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let keys: string[];

beforeAll(async () => {
  server = await startTestServer();
  const issued = await server.user();
  const named = await server.user({ id: 'of-the-page' });
  const deleted = await server.user();
  const revoked = await server.user();
  await server.call('DELETE', '/users/me', { key: deleted.key });
  await server.call('DELETE', '/users/me/key', { key: revoked.key });
  const users = [issued, named, deleted, revoked].map(({ key }) => key);
  const [header, , signature] = issued.key.split('.');
  const forged = (claims: object) =>
    [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
  keys = [
    ...users,
    '',
    'no key',
    forged({ id: issued.id }),
    forged({ id: 'a\0b' }),
    forged({ id: '\ud800' }),
    forged({ id: '{"NULL",\\' }),
  ];
});
afterAll(() => server.close());

const ask = async (key: string) => {
  const { status, body } = await server.call('GET', '/users/me', key === '' ? {} : { key });
  const { id: _, ...shown } = body as { id?: string };
  return [status, shown];
};

test('requests at the same time get the answers of one after the other, whatever their keys', async () => {
  const alone: unknown[] = [];
  for (const key of keys) alone.push(await ask(key));
  expect(alone.slice(0, 4).map((answer) => (answer as unknown[])[0])).toEqual([200, 200, 401, 401]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(keys.length - 1), { minLength: 1, maxLength: 40 }), async (chosen) => {
      const together = await Promise.all(chosen.map((n) => ask(keys[n] ?? '')));
      expect(together).toEqual(chosen.map((n) => alone[n]));
    }),
    { numRuns: 20 },
  );
});
