// Runs the built server as a separate process for tests: compiled once per test file, started on a free port.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { isPostgresTest, releaseTestDatabase, testDatabaseOf } from '../storage/postgres/testing.ts';
import { type BuiltServer, buildServer } from '../testing.ts';

export interface Process {
  child: ChildProcess;
  url: string;
  stdout(): string;
  stderr(): string;
  exit: Promise<number | null>;
}

/** The same for all processes of a test file, because a restarted one accepts the keys of the one before. */
const userKeySecret = randomBytes(32).toString('hex');

/** The settings of a server on PostgreSQL with the database of a data folder. Its address is known before it listens. */
async function postgresSettings(dataFolder: string): Promise<Record<string, string>> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return {
    DATABASE_URL: await testDatabaseOf(dataFolder),
    USER_KEY_SECRET: userKeySecret,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
}

/** Compiles the server before the tests of this file; each test has its own folder. */
export function useServerProcess() {
  let built: BuiltServer;
  const processes = new Set<ChildProcess>();
  let folder = '';

  beforeAll(async () => {
    built = await buildServer();
  });
  afterAll(() => built.dispose());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webchat-main-'));
  });
  afterEach(async () => {
    for (const child of processes) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined;
      child.kill('SIGKILL');
      await ended;
    }
    processes.clear();
    await releaseTestDatabase(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true });
  });

  return {
    folder: () => folder,

    /**
     * Starts the server; resolves when it has printed `ready` or has exited. `wrapper`: a program that runs the one that
     * is named by its further arguments.
     */
    async run(
      env: Record<string, string> = {},
      args: string[] = [],
      wrapper: string[] = [],
      options: SpawnOptions = {},
    ): Promise<Process> {
      const postgres = isPostgresTest() ? await postgresSettings(join(folder, 'data')) : {};
      const [program = '', ...rest] = [...wrapper, process.execPath, built.main, ...args];
      const child = spawn(program, rest, {
        env: {
          PATH: process.env.PATH,
          PORT: '0',
          RATE_LIMIT: '0',
          DATA_DIR: join(folder, 'data'),
          ...postgres,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...options,
      });
      processes.add(child);
      let stdout = '';
      let stderr = '';
      child.stderr?.on('data', (chunk) => {
        stderr += chunk;
      });
      const exit = once(child, 'close').then(([code]) => code as number | null);
      const ready = new Promise<void>((resolve) => {
        child.stdout?.on('data', (chunk) => {
          stdout += chunk;
          if (/^ready .*\n/m.test(stdout)) resolve();
        });
      });
      await Promise.race([ready, exit]);
      const url = /^ready (http:\S+)\/\n$/m.exec(stdout)?.[1] ?? '';
      return { child, url, stdout: () => stdout, stderr: () => stderr, exit };
    },

    /** Starts the program `platform-webchat`, by `wrapper` as in `run`. */
    cli(
      args: string[],
      env: Record<string, string> = {},
      wrapper: string[] = [],
    ): { child: ChildProcess; done: Promise<{ code: number | null; text: string }> } {
      const main = join(dirname(built.main), '..', 'cli', 'main.js');
      const [program = '', ...rest] = [...wrapper, process.execPath, main, ...args];
      const child = spawn(program, rest, {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      processes.add(child);
      let text = '';
      for (const output of [child.stdout, child.stderr]) {
        output.on('data', (chunk) => {
          text += chunk;
        });
      }
      return { child, done: once(child, 'close').then(([code]) => ({ code: code as number | null, text })) };
    },

    /** Writes a file with the code of a bot. */
    async bot(code: string): Promise<string> {
      const file = join(folder, 'bot.mjs');
      await writeFile(file, code);
      return file;
    },
  };
}
