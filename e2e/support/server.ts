// Starts the built server as a separate process on a free port, and stops, kills or restarts it on the same port and
// data.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { quotaSettings } from '../../src/server/limits/settings.ts';

/** Disables limits that a test could reach accidentally or because the disk of the machine is nearly full. */
const unlimited: Record<string, string> = {
  RATE_LIMIT: '0',
  ...Object.fromEntries(Object.keys(quotaSettings).map((name) => [name, '0'])),
};

export interface PlatformServer {
  /** `http://127.0.0.1:PORT`, without a slash. */
  url: string;
  /** The address of the demo bot's chat. */
  chatUrl: string;
  /** The origin in which apps run, with `sandbox` in the environment: another host name of this server. */
  sandboxOrigin: string;
  /** Credentials for `/v1/admin`. */
  admin: { workspaceId: string; token: string };
  /** The data folder. */
  folder: string;
  /** The id of the current process. */
  readonly pid: number;
  /** Kills the process at once (SIGKILL). */
  kill(): Promise<void>;
  /** Starts the server again on the same port and data. */
  start(): Promise<void>;
  /** Stops the server gracefully and removes its data. */
  dispose(): Promise<void>;
}

export interface PlatformOptions {
  /** The built server; by default the one in `dist`. */
  main?: string;
  /** Receives the output of the server on stderr (its log); by default it is printed. */
  onLog?: (text: string) => unknown;
}

export async function startPlatform(
  env: Record<string, string> = {},
  {
    main = 'dist/node/src/server/main.js',
    onLog = (text) => process.stderr.write(text),
  }: PlatformOptions = {},
): Promise<PlatformServer> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-e2e-'));
  const { sandbox, ...settings } = env;
  let port = env.PORT ?? (sandbox ? await freePort() : '0');
  const sandboxOrigin = `http://localhost:${port}`;
  let child: ChildProcess | undefined;
  let url = '';
  const admin = { workspaceId: '', token: env.ADMIN_TOKEN ?? '' };

  const start = async () => {
    const process_ = spawn(process.execPath, [main], {
      // A build in another test of this worker sets NODE_ENV.
      env: {
        ...process.env,
        NODE_ENV: '',
        LOG_LEVEL: 'error',
        ...unlimited,
        ...settings,
        ...(sandbox && { SANDBOX_ORIGIN: sandboxOrigin }),
        DATA_DIR: folder,
        PORT: port,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = process_;
    let errors = '';
    process_.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      onLog(text);
    });
    for await (const line of createInterface({ input: process_.stdout })) {
      const [, name, value = ''] = /^(Workspace|Token file) +(\S+)$/.exec(line) ?? [];
      if (name === 'Workspace') admin.workspaceId = value;
      if (name === 'Token file') admin.token = (await readFile(value, 'utf8')).trim();
      const ready = /^ready (http:\/\/127\.0\.0\.1:(\d+))\/$/.exec(line);
      if (!ready) continue;
      [, url = '', port = '0'] = ready;
      process_.stdout.resume();
      return;
    }
    throw new Error(`The server ended before it was ready. ${errors}`);
  };
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };

  await start();
  return {
    url,
    chatUrl: `${url}/chat/demo`,
    sandboxOrigin,
    admin,
    folder,
    get pid() {
      return child?.pid ?? 0;
    },
    kill: () => stop('SIGKILL'),
    start,
    async dispose() {
      await stop('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port that nothing uses now, for servers whose own address must be known before they start. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}
