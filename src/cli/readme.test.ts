// What the README says of the platform runs as it stands there: its program in one piece, and its command lines.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Client } from '../client/index.ts';
import { startWiredServer, type WiredServer } from '../client/testing.ts';
import { run } from './testing.ts';

const root = join(import.meta.dirname, '../..');
const readme = await readFile(join(root, 'README.md'), 'utf8');
const section = /^## The platform behind it\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';
const blocks = (language: string) =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

let wired: WiredServer;
let env: Record<string, string>;
beforeAll(async () => {
  wired = await startWiredServer();
  const { token = '', workspaceId } = wired.server.admin;
  env = { PLATFORM_API_URL: wired.directUrl, PLATFORM_TOKEN: token, PLATFORM_WORKSPACE_ID: workspaceId };
});
afterAll(() => wired.close());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('the program', async () => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...words) => {
    lines.push(words.join(' '));
  });
  // Below the repository, so that it finds the sources, and vitest strips their types.
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'readme-'));
  const code = blocks('js')
    .join('\n')
    .replace("'platform-webchat/client'", JSON.stringify(join(root, 'src/client/index.ts')));
  await writeFile(join(folder, 'example.ts'), code);
  await import(join(folder, 'example.ts')).finally(() => rm(folder, { recursive: true }));
  expect(lines).toEqual(['Support', 'demo', 'help/returns.md 30', '# Returns\n\nWithin thirty days.', 'A-2']);
});

test('the command lines', async () => {
  const lines = blocks('sh').flatMap((text) => text.trim().split('\n'));
  const said: string[] = [];
  for (const line of lines) {
    const [npx, program, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    );
    expect([npx, program]).toEqual(['npx', 'platform-webchat']);
    const { code, stdout, stderr } = await run(args, { env });
    expect([line, code, stderr]).toEqual([line, 0, expect.not.stringContaining('Error')]);
    said.push(stdout);
    const [, botId] = /^Bot +(\S+)$/m.exec(stdout) ?? [];
    if (botId) env.PLATFORM_BOT_ID = botId;
  }
  expect(said).toEqual([
    expect.stringMatching(/^Bot +bot_\w+\nName +Help desk\nChat +http/),
    expect.stringMatching(/^<script src="http[^"]+webchat\.js" async><\/script>\n$/),
    expect.stringMatching(/^\S{32,}\n$/),
    expect.stringMatching(/^[1-9]\d* sent \(.*\), 0 unchanged\n$/),
  ]);
  const client = new Client({
    apiUrl: wired.directUrl,
    token: env.PLATFORM_TOKEN,
    botId: env.PLATFORM_BOT_ID,
  });
  const keys = (await client.list.files().collect()).map(({ key }) => key);
  expect(keys).toContain('handbook/cli.md');
});

test('every page that it points to is there', async () => {
  const pages = [...readme.matchAll(/\]\((?!http)([^)#]+)/g)].map(([, path = '']) => path);
  expect(pages.length).toBeGreaterThan(10);
  for (const path of pages) await expect(readFile(join(root, path)), path).resolves.toBeDefined();
});
