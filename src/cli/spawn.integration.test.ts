// Tests of the built program in a separate process: `serve` with flags, other commands against it, signals, closed pipes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, buildServer } from '../server/testing.ts';

let built: BuiltServer;
let folder = '';
const children = new Set<ChildProcess>();
beforeAll(async () => {
  built = await buildServer();
  folder = await mkdtemp(join(tmpdir(), 'webchat-cli-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await built.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the program in an empty folder, and waits until stdout matches `until` or the program ends. */
async function start(args: string[], env: Record<string, string> = {}, until = /$^/) {
  const main = join(dirname(built.main), '..', 'cli', 'main.js');
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const seen = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk) => {
    seen.stderr += chunk;
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      seen.stdout += chunk;
      if (until.test(seen.stdout)) resolve();
    });
  });
  await Promise.race([ready, exit]);
  return { child, seen, exit };
}

async function ran(args: string[], env: Record<string, string> = {}) {
  const { seen, exit } = await start(args, env);
  return { code: await exit, ...seen };
}

test('serve accepts settings as flags; other commands can use it; SIGINT stops it cleanly', async () => {
  const { child, seen, exit } = await start(
    ['serve', '--port', '0', '--data-dir', 'chats', '--webhook-id=support'],
    { PORT: '1', WEBHOOK_ID: 'other' },
    /^ready .*\n/m,
  );
  const url = /^ready (http:\S+)\/$/m.exec(seen.stdout)?.[1] ?? '';
  const env = {
    PLATFORM_API_URL: url,
    PLATFORM_WORKSPACE_ID: /^Workspace +(\S+)$/m.exec(seen.stdout)?.[1] ?? '',
    PLATFORM_TOKEN: (await readFile(join(folder, 'chats', 'admin-token'), 'utf8')).trim(),
  };
  expect(await readdir(folder)).toEqual(['chats']);
  const listed = await ran(['bots', 'list', '--json'], env);
  const { bots } = JSON.parse(listed.stdout) as { bots: { id: string }[] };
  expect(await ran(['snippet', bots[0]?.id ?? ''], env)).toEqual({
    code: 0,
    stdout: `<script src="${url}/chat/support/webchat.js" async></script>\n`,
    stderr: '',
  });
  child.kill('SIGINT');
  expect(await exit).toBe(0);
  expect(await ran(['bots', 'list'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Error: No answer from [^\n]*\n$/),
  });
});

test('serve stops cleanly when npx, which started it, has been ended by a signal', async () => {
  const main = join(dirname(built.main), '..', 'cli', 'main.js');
  const command = [main, 'serve', '--port', '0', '--data-dir', 'npx'];
  // As npx does: the program is its child, and a signal is not passed on.
  const code = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(command)}, { stdio: 'inherit' })`;
  const npx = spawn(process.execPath, ['-e', code], {
    cwd: folder,
    env: { PATH: process.env.PATH, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(npx);
  let output = '';
  let log = '';
  npx.stderr.on('data', (chunk) => {
    log += chunk;
  });
  await new Promise<void>((resolve) => {
    npx.stdout.on('data', (chunk) => {
      output += chunk;
      if (/^ready /m.test(output)) resolve();
    });
  });
  // Both processes write into the pipe.
  const ended = once(npx, 'close');
  npx.kill('SIGTERM');
  await ended;
  expect(log).toContain('"msg":"stopped"');
});

test.each([
  [['serve', '--port', 'x'], '--port must be a whole number from 0 to 65535.\n'],
  [['serve', '--port'], '--port needs a value. --help lists the flags.\n'],
  [['serve', '--nothing', '1'], 'Unknown flag --nothing. --help lists the flags.\n'],
  [['serve', '--prot=1'], 'Unknown flag --prot. Did you mean --port? --help lists the flags.\n'],
  [['serve', 'now'], 'Only flags are allowed. --help lists the flags.\n'],
  [
    ['serve', '--admin-token', 'x'.repeat(40)],
    '--admin-token would be visible to every user of this machine: set ADMIN_TOKEN in the environment instead.\n',
  ],
])('%j is refused in one line with exit code 2', async (args, stderr) => {
  expect(await ran(args)).toEqual({ code: 2, stdout: '', stderr });
});

test('a wrong setting in the environment ends it with exit code 1, as npm start does', async () => {
  expect(await ran(['serve'], { PORT: 'x' })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'PORT must be a whole number from 0 to 65535.\n',
  });
});

test('serve --help prints the help of the server', async () => {
  const { code, stdout } = await ran(['serve', '--help']);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^Usage: platform-webchat serve [\s\S]*\n {2}PORT /),
  ]);
});

test('Ctrl-C during a request exits with code 130 and prints one line', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const connected = once(silent, 'connection');
  const { port } = silent.address() as AddressInfo;
  const main = join(dirname(built.main), '..', 'cli', 'main.js');
  const child = spawn(process.execPath, [main, 'bots', 'list'], {
    env: {
      PATH: process.env.PATH,
      PLATFORM_API_URL: `http://127.0.0.1:${port}`,
      PLATFORM_TOKEN: 'x',
      PLATFORM_WORKSPACE_ID: 'x',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [socket] = (await connected) as [Socket];
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([130, 'Stopped.\n']);
  socket.destroy();
  silent.close();
});

test('a reader that closes the pipe early causes no error', async () => {
  const main = join(dirname(built.main), '..', 'cli', 'main.js');
  const child = spawn('sh', ['-c', '"$0" "$1" --help | true', process.execPath, main], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await once(child, 'close');
  expect(stderr).toBe('');
});
