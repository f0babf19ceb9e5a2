// Runs the unchanged examples of docs/guides/tables.md in order: requests over HTTP, and the program.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';
import { type RelayedServer, startRelayedServer } from './testing.ts';

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
    else await run(text);
  }
});

async function run(code: string): Promise<void> {
  const folder = await createCacheFolder('tables-docs-');
  vi.stubEnv('PLATFORM_API_URL', relayed.directUrl);
  vi.stubEnv('PLATFORM_TOKEN', relayed.server.admin.token ?? '');
  vi.stubEnv('PLATFORM_BOT_ID', botId);
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...words) => {
    lines.push(words.join(' '));
  });
  const client = JSON.stringify(join(import.meta.dirname, 'index.ts'));
  await writeFile(join(folder, 'example.ts'), code.replace("'platform-webchat/client'", client));
  await import(join(folder, 'example.ts')).finally(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  await rm(folder, { recursive: true });
  expect(lines).toEqual(printed);
}
