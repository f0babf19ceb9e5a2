// Runs the program and the command lines of docs/guides/apis.md exactly as they are printed there.
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';
import { ChatClient, Client } from '../client/index.ts';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import { run } from './testing.ts';

const root = join(import.meta.dirname, '../..');
const readme = await readFile(join(root, 'README.md'), 'utf8');
const guide = await readFile(join(root, 'docs/guides/apis.md'), 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

let relayed: RelayedServer;
let env: Record<string, string>;
/** The external bot of the example. */
let away: Server | undefined;
beforeAll(async () => {
  relayed = await startRelayedServer({ WEBHOOK_PRIVATE: 'first' });
  const { token = '', workspaceId } = relayed.server.admin;
  env = { PLATFORM_API_URL: relayed.directUrl, PLATFORM_TOKEN: token, PLATFORM_WORKSPACE_ID: workspaceId };
});
afterAll(async () => {
  away?.closeAllConnections();
  await new Promise((resolve) => (away ? away.close(resolve) : resolve(undefined)));
  await relayed.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the program of the guide runs', async () => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  // Until the program listens on its port, nothing else can.
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  vi.stubGlobal('releasePort', () => new Promise((resolve) => holder.close(resolve)));
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...words) => {
    lines.push(words.join(' '));
  });
  // In the repository, so that it resolves the sources and vitest strips their types.
  const folder = await createCacheFolder('apis-');
  const code = blocks('js')
    .join('\n')
    .replaceAll("'platform-webchat/client'", JSON.stringify(join(root, 'src/client/index.ts')))
    .replace(/^program\.listen\(/m, 'await releasePort();\n$&')
    .replaceAll('8080', String(port));
  expect(code).toContain('releasePort');
  // Exported, so that the test can close it.
  await writeFile(join(folder, 'example.ts'), `${code}\nexport { program };\n`);
  const { program } = await import(join(folder, 'example.ts')).finally(() => rm(folder, { recursive: true }));
  away = program;
  expect(lines).toEqual(['Support', 'demo', 'help/returns.md 30', '# Returns\n\nWithin thirty days.', 'A-2']);

  // A visitor of the external bot, and a request that does not come from the server.
  const visitor = new ChatClient({ chatUrl: `${relayed.directUrl}/chat/support` });
  visitor.userKey = (await visitor.createUser({})).key;
  const { conversation } = await visitor.createConversation({});
  const conversationId = conversation.id;
  await visitor.createMessage({ conversationId, payload: { type: 'text', text: 'Grüße' } });
  const receivedMessages = async () =>
    (await visitor.list.messages({ conversationId }).collect()).map(({ payload }) => payload);
  await expect
    .poll(receivedMessages, { timeout: 20_000 })
    .toContainEqual({ type: 'text', text: 'You said: Grüße' });
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(400);
});

test('the command lines of the guide run', async () => {
  const lines = blocks('sh').flatMap((text) => text.trim().split('\n'));
  const outputs: string[] = [];
  for (const line of lines) {
    const [npx, program, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    );
    expect([npx, program]).toEqual(['npx', 'platform-webchat']);
    const { code, stdout, stderr } = await run(args, { env });
    expect([line, code, stderr]).toEqual([line, 0, expect.not.stringContaining('Error')]);
    outputs.push(stdout);
    const [, botId] = /^Bot +(\S+)$/m.exec(stdout) ?? [];
    if (botId) env.PLATFORM_BOT_ID = botId;
  }
  expect(outputs).toEqual([
    expect.stringMatching(/^Bot +bot_\w+\nName +Help desk\nChat +http/),
    expect.stringMatching(/^<script src="http[^"]+webchat\.js" async><\/script>\n$/),
    expect.stringMatching(/^\S{32,}\n$/),
    expect.stringMatching(/^[1-9]\d* sent \(.*\), 0 unchanged\n$/),
  ]);
  const client = new Client({
    apiUrl: relayed.directUrl,
    token: env.PLATFORM_TOKEN,
    botId: env.PLATFORM_BOT_ID,
  });
  const keys = (await client.list.files().collect()).map(({ key }) => key);
  expect(keys).toContain('handbook/reference/cli.md');
});

test('every page that the README links to exists', async () => {
  const pages = [...readme.matchAll(/\]\((?!http)([^)#]+)/g)].map(([, path = '']) => path);
  expect(pages.length).toBeGreaterThan(10);
  for (const path of pages) await expect(readFile(join(root, path)), path).resolves.toBeDefined();
});
