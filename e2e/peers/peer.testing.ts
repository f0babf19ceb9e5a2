// Servers of agents that are not ours, for tests: installs the packages of a peer once and starts its server on the loopback address.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';
import { freePort, startService, untilReady } from '../../scripts/services/service.mjs';

const run = promisify(execFile);

export interface Peer {
  name: 'langgraph' | 'mastra' | 'copilotkit';
  /** The paths at which its agent answers. */
  paths: string[];
  /** The Node version that its packages need, if it is not ours. */
  node?: string;
}

export interface RunningPeer {
  /** The address without a path. */
  url: string;
  end(): Promise<void>;
}

/** Milliseconds of an installation, which loads up to 300 MB from the npm registry. */
const installTimeMs = 200_000;

/** The packages of a peer in `.cache`, under the digest of its versions: installed once for all runs. */
async function install(name: string): Promise<string> {
  const source = join(import.meta.dirname, name);
  const lock = await readFile(join(source, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const parent = join(import.meta.dirname, '../../.cache/peers');
  const folder = join(parent, `${name}-${digest}`);
  await mkdir(parent, { recursive: true });
  const isInstalled = await stat(folder).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    const begun = await createCacheFolder(`peer-${name}-`);
    try {
      await cp(source, begun, { recursive: true });
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: begun,
        timeout: installTimeMs,
      });
      await rename(begun, folder);
    } finally {
      await rm(begun, { recursive: true, force: true });
    }
  }
  // The programs may be newer than the packages.
  await cp(source, folder, { recursive: true });
  return folder;
}

/** Returns the program that runs a peer: this Node, or the version that it needs, from the npm registry. */
async function nodeFor(version: string | undefined): Promise<string> {
  if (version === undefined) return process.execPath;
  const print = ['-p', 'process.execPath'];
  const { stdout } = await run('npm', ['exec', '--yes', `--package=node@${version}`, '--', 'node', ...print]);
  return stdout.trim();
}

/** Resolves when something listens on a port of this machine. */
async function connected(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

/** Starts the server of a peer. Rejects with the end of its output if it does not listen. */
export async function startPeer({ name, node }: Peer): Promise<RunningPeer> {
  const folder = await install(name);
  const program = await nodeFor(node);
  const [port, other] = [await freePort(), await freePort()];
  const { child, end } = startService(program, ['server.mjs', String(port), String(other)], {
    signal: 'KILL',
    cwd: folder,
    env: {
      ...process.env,
      COPILOTKIT_TELEMETRY_DISABLED: 'true',
      DO_NOT_TRACK: '1',
      LANGSMITH_TRACING: 'false',
    },
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000);
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(child, () => connected(port));
  } catch (error) {
    await end();
    throw new Error(`The server of ${name} does not listen.\n${output}`, { cause: error });
  }
  return { url, end };
}
