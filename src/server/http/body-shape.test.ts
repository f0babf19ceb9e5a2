// Tests of bodies that are valid JSON but not objects: every operation rejects them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apis } from '../../protocol/operations/apis.ts';
import { hasBody } from '../../protocol/operations/operation.ts';
import { addMember, openBrowser } from '../session/testing.ts';
import { allRows, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('every operation with a body rejects a list, a text, a number and null, and changes nothing', async () => {
  const { key } = await server.user();
  const { token = '', workspaceId } = server.admin;
  const bot = await server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
  const headers = {
    'content-type': 'application/json',
    'x-user-key': key,
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': bot?.id ?? '',
    'sec-fetch-site': 'same-origin',
  };
  const browser = openBrowser(server);
  await browser.signIn(await addMember(server));
  const [cookie] = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
  const ofSession = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    cookie: cookie ?? '',
  };
  const before = await allRows(server.db, ['audit_log']);
  let count = 0;
  for (const { base, operations } of apis) {
    for (const { id, method, path, auth } of operations.filter(hasBody)) {
      const target = base.replace('{webhookId}', 'demo') + path.replace(/\{\w+\}/g, 'x');
      for (const body of ['[]', '[{}]', '"x"', '7', 'null']) {
        const sent = auth === 'session' ? ofSession : headers;
        const response = await server.fetch(target, { method, headers: sent, body });
        const { type } = (await response.json()) as { type: string };
        expect([id, body, response.status, type]).toEqual([id, body, 400, 'InvalidPayload']);
      }
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(40);
  expect(await allRows(server.db, ['audit_log'])).toEqual(before);
});
