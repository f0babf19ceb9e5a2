// Runs the unchanged examples of docs/guides/tables.md in order: requests over HTTP, and the program.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RelayedServer, runExample, startRelayedServer } from './testing.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/guides/tables.md'), 'utf8');
const blocks = [...page.matchAll(/^```(http|json|js)\n([\s\S]*?)^```/gm)].map(([, kind, text = '']) => ({
  kind,
  text,
}));
/** The output of the program. */
const printed = ['ticketsTable', 'ordersTable', 'A-1 B-1'];

let relayed: RelayedServer;
let botId = '';
beforeAll(async () => {
  relayed = await startRelayedServer();
  const { token, workspaceId } = relayed.server.admin;
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId };
  const bots = await (await fetch(`${relayed.directUrl}/v1/admin/bots`, { headers })).json();
  botId = (bots as { bots: { id: string }[] }).bots[0]?.id ?? '';
});
afterAll(() => relayed.close());

/** `…` in the page matches any text or number. */
function expected(value: unknown): unknown {
  if (value === '…') return expect.anything();
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, expected(part)]));
}

async function send(text: string): Promise<unknown> {
  const [head = '', body = ''] = text.split('\n\n');
  const [method = '', path = ''] = head.split(/\s/);
  const response = await fetch(relayed.directUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${relayed.server.admin.token}`,
      'x-bot-id': botId,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body } : {}),
  });
  expect(response.status).toBe(200);
  return response.json();
}

test('every example has the documented result', async () => {
  expect(blocks.length).toBeGreaterThan(20);
  let answer: unknown;
  for (const { kind, text } of blocks) {
    if (kind === 'http') answer = await send(text);
    else if (kind === 'json') expect(answer).toMatchObject(expected(JSON.parse(text)) as object);
    else {
      const { token = '' } = relayed.server.admin;
      const env = { PLATFORM_API_URL: relayed.directUrl, PLATFORM_TOKEN: token, PLATFORM_BOT_ID: botId };
      expect(await runExample(text, env)).toEqual(printed);
    }
  }
});
