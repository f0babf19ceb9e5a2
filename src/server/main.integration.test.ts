// Tests of the built server process: ready line, failed starts, kill -9, a second process, graceful shutdown.
import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { type Process, useServerProcess } from './testing/process.testing.ts';
import { enter } from './testing/visitor.testing.ts';
import { pollOptions, readStream } from './testing.ts';

const serverProcess = useServerProcess();
const { run, bot } = serverProcess;

describe('server start: prints one line and exits with 1 for', () => {
  test.each([
    [{ PORT: 'x' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ BOT: '/nowhere/bot.js' }, 'BOT: the file /nowhere/bot.js does not exist.'],
    [{ DATA_DIR: '/dev/null/data' }, 'DATA_DIR: the folder /dev/null/data cannot be created (ENOTDIR).'],
    [
      { ADMIN_TOKEN: 'changeme-changeme-changeme-changeme' },
      'ADMIN_TOKEN must be 32 to 1000 random ASCII characters without spaces: use the output of `openssl rand -hex 32`.',
    ],
    [
      { USER_KEY_SECRET: 'passwordpassword' },
      'USER_KEY_SECRET must be at least 16 random characters: use the output of `openssl rand -hex 32`.',
    ],
    [{ CONFIGURATION: '/nowhere.json' }, 'CONFIGURATION: the file /nowhere.json cannot be read as JSON.'],
  ])('%j', async (env, line) => {
    const started = await run(env as Record<string, string>);
    expect(await started.exit).toBe(1);
    expect([started.stdout(), started.stderr()]).toEqual(['', `${line}\n`]);
  });

  test.each([
    ['export default 7;', /^BOT: \S+ has no function as its default export\.\n$/],
    [
      '\n  throw new Error("broken");',
      /^BOT: \S+ could not be loaded: Error: broken \(\/\S+\/bot\.mjs:2:9\)\n$/,
    ],
    [
      'export default () => {\n  const a = ;\n};',
      /^BOT: \S+ could not be loaded: SyntaxError: [^\n]* \(\/\S+\/bot\.mjs:2: const a = ;\)\n$/,
    ],
    ['export default {', /^BOT: \S+ could not be loaded: SyntaxError[^\n]*\(\/\S+\/bot\.mjs:1: [^\n]*\)\n$/],
    ['import "./none.mjs";', /^BOT: \S+ could not be loaded: Error: [^\n]*none\.mjs[^\n]*\n$/],
    [
      'import { nope } from "node:fs";',
      /^BOT: \S+ could not be loaded: SyntaxError: [^\n]*nope[^\n]*\(\/\S+\/bot\.mjs:1\)\n$/,
    ],
    ['await Promise.reject("words");', /^BOT: \S+ could not be loaded: string words\n$/],
  ])('a bot module with the content %j is refused', async (code, line) => {
    const started = await run({ BOT: await bot(code) });
    expect(await started.exit).toBe(1);
    expect(started.stderr()).toMatch(line);
  });

  test('a module of the bot with a syntax error is named with its line, and no code of the bot runs', async () => {
    const file = await bot('import "./prompts.mjs";\nconsole.log("ran");\nexport default () => {};');
    await writeFile(join(serverProcess.folder(), 'prompts.mjs'), '// texts\nexport const hello = "Hello;\n');
    const started = await run({ BOT: file });
    expect(await started.exit).toBe(1);
    expect(started.stdout()).toBe('');
    expect(started.stderr()).toMatch(
      /^BOT: \S+ could not be loaded: SyntaxError: [^\n]* \(\/\S+\/prompts\.mjs:2: [^\n]*"Hello;\)\n$/,
    );
  });

  test('development in production is refused', async () => {
    const started = await run({ NODE_ENV: 'production' }, ['--dev']);
    expect(await started.exit).toBe(1);
    expect(started.stderr()).toMatch(/^DEV_ERRORS shows errors of bots to visitors: [^\n]*\n$/);
  });

  test('a configuration file with an invalid value is refused', async () => {
    const file = join(serverProcess.folder(), 'configuration.json');
    await writeFile(file, '{"color": "blue"}');
    const started = await run({ CONFIGURATION: file });
    expect(await started.exit).toBe(1);
    expect(started.stderr()).toMatch(/^CONFIGURATION: [^\n]*'color'[^\n]*\n$/);
  });

  test('a file that is not a database', async () => {
    await mkdir(join(serverProcess.folder(), 'data'));
    await writeFile(join(serverProcess.folder(), 'data', 'platform.db'), 'nonsense '.repeat(1_000));
    const started = await run();
    expect(await started.exit).toBe(1);
    expect(started.stderr()).toMatch(/^DATA_DIR: the database cannot be opened: [^\n]+\n$/);
  });

  /** The data folder that `usedFolder` has made at its first call. */
  let made: string | undefined;
  afterAll(async () => {
    if (made) await rm(made, { recursive: true });
  });

  /** The data folder of a server that has stored a file, and was stopped. Each test has a copy of it. */
  async function usedFolder(): Promise<string> {
    const data = join(serverProcess.folder(), 'data');
    if (made) {
      await cp(made, data, { recursive: true });
      return data;
    }
    const server = await run();
    await (await enter(server.url)).upload('a', Buffer.from('hi'));
    server.child.kill('SIGTERM');
    await server.exit;
    made = await mkdtemp(join(tmpdir(), 'webchat-used-'));
    await cp(data, made, { recursive: true });
    return data;
  }

  test.each([
    ['empty', (file: string) => truncate(file, 0)],
    ['missing', (file: string) => rm(file)],
  ])('a database that is %s in a folder with files, which a new server would delete', async (what, spoil) => {
    const data = await usedFolder();
    const files = await readdir(join(data, 'files'));
    expect(files).toHaveLength(1);
    await spoil(join(data, 'platform.db'));
    const started = await run();
    expect(started.stdout()).toBe('');
    expect(await started.exit).toBe(1);
    expect(started.stderr()).toBe(
      `DATA_DIR: the database ${data}/platform.db is ${what}, but the folder has data of an earlier start: restore a backup, or move the folder away to begin with a new one.\n`,
    );
    expect(await readdir(join(data, 'files'))).toEqual(files);
  });

  test('a database that was cut off', async () => {
    const data = await usedFolder();
    await truncate(join(data, 'platform.db'), 40_960);
    const started = await run();
    expect(await started.exit).toBe(1);
    expect(started.stderr()).toMatch(
      /^DATA_DIR: the database (?:is damaged|cannot be opened: [^\n]*malformed)[^\n]*\n$/,
    );
  });

  test('a data folder that cannot be written, whether it is new or was used', async () => {
    const readOnly = (folder: string) => {
      const commands = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
      return ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm', 'sh', '-c', commands, folder];
    };
    const data = join(serverProcess.folder(), 'data');
    await mkdir(data);
    const line = new RegExp(`^The data folder ${data}(?:/files)? cannot be written[^\n]*\n$`);
    const fresh = await run({}, [], readOnly(data));
    expect([await fresh.exit, fresh.stdout()]).toEqual([1, '']);
    expect(fresh.stderr()).toMatch(line);
    await usedFolder();
    const used = await run({}, [], readOnly(data));
    expect([await used.exit, used.stdout()]).toEqual([1, '']);
    expect(used.stderr()).toMatch(line);
    const partly = await run({}, [], readOnly(join(data, 'files')));
    expect([await partly.exit, partly.stdout()]).toEqual([1, '']);
    expect(partly.stderr()).toMatch(line);
  });

  test('a second process on the same folder or port is refused', async () => {
    const first = await run();
    const second = await run();
    expect(await second.exit).toBe(1);
    expect(second.stderr()).toBe(
      `The data folder ${join(serverProcess.folder(), 'data')} is in use by another process.\n`,
    );
    const port = new URL(first.url).port;
    const third = await run({ PORT: port, DATA_DIR: join(serverProcess.folder(), 'other') });
    expect(await third.exit).toBe(1);
    expect(third.stderr()).toBe(`Cannot listen on 127.0.0.1:${port} (EADDRINUSE).\n`);
  });
});

test('server start: a start that was killed before it wrote anything is repeated', async () => {
  const data = join(serverProcess.folder(), 'data');
  await mkdir(data);
  await writeFile(join(data, 'user-key-secret'), `${randomBytes(32).toString('hex')}\n`);
  await writeFile(join(data, 'platform.db'), '');
  expect((await run()).url).toMatch(/^http:/);
});

test('server start: --help lists the settings', async () => {
  const started = await run({}, ['--help']);
  expect(await started.exit).toBe(0);
  expect(started.stdout()).toMatch(/USER_KEY_SECRET/);
});

test('server start: a weak secret in the data folder is rejected, and a new first line fixes it', async () => {
  const path = join(serverProcess.folder(), 'data', 'user-key-secret');
  await mkdir(join(serverProcess.folder(), 'data'));
  await writeFile(path, 'changeme-changeme\n');
  const weak = await run();
  expect([await weak.exit, weak.stdout()]).toEqual([1, '']);
  expect(weak.stderr()).toMatch(/^The file \S+user-key-secret: [^\n]*openssl rand -hex 32[^\n]*\n$/);
  await writeFile(path, `${randomBytes(32).toString('hex')}\nchangeme-changeme\n`);
  expect((await run()).url).toMatch(/^http:/);
});

describe('administrator token', () => {
  const textMessage = (text: string) => ({
    workspace: /^Workspace {3}(ws_\w{26})$/m.exec(text)?.[1] ?? '',
    file: /^Token file {2}(\S+)$/m.exec(text)?.[1] ?? '',
  });
  const signIn = async ({ url }: Process, workspace: string, token: string) =>
    (
      await fetch(`${url}/v1/admin/bots`, {
        headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspace },
      })
    ).status;
  const stop = async ({ child, exit }: Process) => {
    child.kill('SIGTERM');
    await exit;
  };
  const files = async () => {
    const names = await readdir(join(serverProcess.folder(), 'data'), { recursive: true });
    // Folders cannot be read, and a file may be deleted in between.
    return Promise.all(
      names.map((name) => readFile(join(serverProcess.folder(), 'data', name), 'latin1').catch(() => '')),
    );
  };

  test('is written to one file at the first start only, and neither printed nor logged', async () => {
    const first = await run({ LOG_LEVEL: 'trace' });
    expect(first.stdout()).toContain(
      `Demo page   ${first.url}/\nPlayground  ${first.url}/playground/\nAPI         ${first.url}/v1/docs/\nConsole     ${first.url}/console/\nDocs        ${first.url}/docs/\n`,
    );
    const { workspace, file } = textMessage(first.stdout());
    expect(file).toBe(join(serverProcess.folder(), 'data', 'admin-token'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const token = (await readFile(file, 'utf8')).trim();
    expect(first.stdout()).not.toContain(token);
    await rm(file);
    expect([await signIn(first, workspace, token), await signIn(first, workspace, `${token}x`)]).toEqual([
      200, 401,
    ]);
    let found: string[] = [];
    // The database may move pages from one file to another while they are read.
    await expect
      .poll(async () => {
        found = await files();
        return found.join('');
      })
      .toContain(workspace);
    await stop(first);
    expect([...found, ...(await files()), first.stderr()].filter((text) => text.includes(token))).toEqual([]);

    const second = await run();
    expect(textMessage(second.stdout())).toEqual({ workspace, file: '' });
    expect(second.stdout()).not.toContain('Token');
    expect(await signIn(second, workspace, token)).toBe(200);
    await stop(second);

    const chosenToken = randomBytes(32).toString('hex');
    const third = await run({ ADMIN_TOKEN: chosenToken });
    expect(third.stdout() + third.stderr()).not.toContain(chosenToken);
    expect([await signIn(third, workspace, token), await signIn(third, workspace, chosenToken)]).toEqual([
      401, 200,
    ]);
    expect((await files()).filter((text) => text.includes(chosenToken))).toEqual([]);
  });

  test('is not lost when the first start fails', async () => {
    const blocker = await run({ DATA_DIR: join(serverProcess.folder(), 'blocker') });
    const failed = await run({ PORT: new URL(blocker.url).port });
    expect([await failed.exit, failed.stdout()]).toEqual([1, '']);
    const { workspace, file } = textMessage((await run()).stdout());
    expect([workspace, await readFile(file, 'utf8')]).toEqual([
      expect.stringMatching(/^ws_/),
      expect.stringMatching(/^pat_\S+\n$/),
    ]);
  });
});

test('server process: the demo bot answers, stderr has the log without keys and texts, and the secret is private', async () => {
  const server = await run({ LOG_LEVEL: 'trace' });
  const visitor = await enter(server.url);
  const stream = readStream(await visitor.listen({ 'last-event-id': '0' }));
  await stream.until(({ data }) => data.includes('I am the demo bot'));
  await visitor.send('private words');
  await stream.until(({ data }) => data.includes('You said'));
  await visitor.send('image');
  await stream.until(({ data }) => data.includes(`${server.url}/demo/media/photo.svg`));
  expect((await fetch(`${server.url}/chat/demo/users/me`)).status).toBe(401);
  server.child.kill('SIGTERM');
  await stream.ended;
  expect(await server.exit).toBe(0);
  expect(server.stdout()).toMatch(new RegExp(`\nready ${server.url}/\n$`));
  expect(server.stderr()).not.toContain(visitor.key);
  expect(server.stderr()).not.toContain('private words');
  expect((await stat(join(serverProcess.folder(), 'data', 'user-key-secret'))).mode & 0o777).toBe(0o600);
});

test('server process: SIGTERM finishes requests and cancels the bot; its event is delivered again, and keys stay valid', async () => {
  const env = {
    BOT: await bot(`export default async (event, bot) => {
      if (event.type !== 'text') return;
      await bot.reply({ type: 'text', text: 'begun ' + event.id });
      if (process.env.HANG) await new Promise((_, no) => bot.signal.addEventListener('abort', no));
      await bot.reply({ type: 'text', text: 'done ' + event.id });
    }`),
  };
  const server = await run({ ...env, HANG: '1', DRAIN_TIMEOUT: '0' });
  let { url } = server;
  const visitor = await enter(() => url);
  await visitor.send('go');
  await expect.poll(async () => (await visitor.texts()).length, pollOptions).toBe(2);
  const pending = Array.from({ length: 20 }, (_, n) => visitor.send(`late ${n}`));
  await pending[0];
  server.child.kill('SIGTERM');
  const answered = (await Promise.allSettled(pending)).filter(({ status }) => status === 'fulfilled');
  expect(await server.exit).toBe(0);
  ({ url } = await run(env));
  const texts = async (first: string) => (await visitor.texts()).filter((text) => text.startsWith(first));
  await expect
    .poll(async () => (await texts('done')).length, pollOptions)
    .toBeGreaterThanOrEqual(answered.length + 1);
  const begun = await texts('begun');
  expect(new Set(begun).size).toBe(begun.length);
});

test('server process: MAX_STREAMS_PER_ADDRESS limits the streams of one address', async () => {
  const { url } = await run({ MAX_STREAMS_PER_ADDRESS: '2' });
  const streams: Response[] = [];
  for (let n = 0; n < 3; n += 1) streams.push(await (await enter(url)).listen());
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 429]);
  for (const { body } of streams) await body?.cancel();
});

test('server process: 200 MB are uploaded and downloaded with a smaller heap', async () => {
  const size = 200_000_000;
  const server = await run({ MAX_FILE_BYTES: String(size) });
  const { uploadUrl, url } = await (await enter(server.url)).announce('large.bin', size);
  const before = await residentBytes(server.child);
  let most = 0;
  const look = async () => {
    most = Math.max(most, (await residentBytes(server.child)) - before);
  };
  const piece = new Uint8Array(1_000_000);
  let remaining = size;
  const source = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(piece);
        remaining -= piece.length;
        if (remaining % 10_000_000 === 0) await look();
        if (remaining === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const sent = await fetch(uploadUrl, { method: 'PUT', body: source, duplex: 'half' } as RequestInit);
  expect(sent.status).toBe(204);
  // Ten slow readers: unread bytes stay on disk.
  const readers = await Promise.all(
    Array.from({ length: 10 }, async () => (await fetch(url)).body?.getReader()),
  );
  for (const reader of readers) await reader?.read();
  await look();
  const [reader] = readers;
  let got = 0;
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) break;
    got += chunk.value.length;
  }
  await look();
  await Promise.all(readers.slice(1).map((one) => one?.cancel()));
  expect(got).toBeGreaterThan(size - 1_000_000);
  // Disconnecting readers are not logged.
  expect(server.stdout() + server.stderr()).toMatch(/ready [^\n]*\n[^\n]*"started"\}\n$/);
  expect(most).toBeLessThan(120_000_000);
});

/** The resident memory of a process in bytes. */
async function residentBytes(child: ChildProcess): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(child.pid)]);
  return Number(stdout) * 1_024;
}

test('server process: invalid HTTP and too large bodies are answered with the error format of the API', async () => {
  const { url } = await run();
  const { hostname, port } = new URL(url);
  const send = async (text: string) => {
    const socket = connect(Number(port), hostname);
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.write(text);
    await once(socket, 'close').catch(() => {});
    return got;
  };
  expect(await send('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"type":"InvalidDataFormat"/);
  expect(await send('GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')).toMatch(
    /"type":"InvalidDataFormat"/,
  );
  // Node rejects these itself, without a body.
  expect(await send('GET /chat/demo/hello HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [\s\S]*"code":400,"type":"InvalidDataFormat"/,
  );
  expect(
    await send('GET /chat/demo/hello HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n'),
  ).toMatch(/^HTTP\/1.1 200 /);
  const large = await fetch(`${url}/chat/demo/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: 'x'.repeat(5_000_000),
  });
  expect([large.status, await large.json()]).toMatchObject([413, { type: 'PayloadTooLarge' }]);
});
