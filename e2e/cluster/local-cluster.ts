// Starts `npm run cluster` for its tests, in a separate folder with a copy of the build.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pollUntil } from '../support/poll.ts';
import requireBuild from '../support/require-build.ts';
import { usualProcesses } from './usual-processes.ts';

const root = join(import.meta.dirname, '../..');

export interface LocalCluster {
  /** The address that the command prints: of the demo page. */
  demoUrl: string;
  /** The ids of all processes that were started so far, the oldest first. */
  pids(): number[];
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
}

export interface ClusterFolder {
  /** Starts the command and resolves when it has printed the address. The data of the start before are there. */
  start(): Promise<LocalCluster>;
  /** Ends what still runs and removes the folder. */
  dispose(): Promise<void>;
}

/** Whether a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A folder as that of the repository after `npm run build`, because other tests may be replacing its build. */
export async function createClusterFolder(): Promise<ClusterFolder> {
  requireBuild();
  const folder = await mkdtemp(join(tmpdir(), 'webchat-cluster-'));
  // PostgreSQL runs as another user when this is root.
  await chmod(folder, 0o711);
  for (const name of ['scripts', 'docs', 'package.json', 'dist']) {
    const filter = (path: string) => path !== join(root, 'dist/packages');
    await cp(join(root, name), join(folder, name), { recursive: true, filter });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  let child: ChildProcess | undefined;

  return {
    async start() {
      const args = [
        'scripts/cluster.mjs',
        '--processes',
        String(usualProcesses),
        '--port',
        '0',
        '--folder',
        'home',
      ];
      const started = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      let text = '';
      for (const output of [started.stdout, started.stderr]) output.on('data', (part) => (text += part));
      const address = /^Open (http\S+) /m;
      const demoUrl = await pollUntil(
        'npm run cluster is ready',
        () => {
          if (started.exitCode !== null) throw new Error(`It ended: ${text}`);
          return address.exec(text)?.[1];
        },
        { timeoutMs: 120_000 },
      );
      return {
        demoUrl,
        pids: () => [...text.matchAll(/^process \w: pid (\d+)/gm)].map(([, pid]) => Number(pid)),
        async stop() {
          const exit = once(started, 'exit');
          started.kill('SIGINT');
          const [code, signal] = await exit;
          if (code !== 0) throw new Error(`It ended with ${code ?? signal}: ${text}`);
        },
      };
    },

    async dispose() {
      if (child && child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
