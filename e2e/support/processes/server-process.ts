// A process of the server in a trial, which can be killed, frozen, drained and started again on its port and data.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../../scripts/services/service.mjs';

export interface ServerProcess {
  name: string;
  port: number;
  /** The id of the current process. */
  pid(): number;
  start(): Promise<void>;
  /** From the next start on, it is a process of this built server. */
  replace(main: string): void;
  /** Ends it at once (SIGKILL). */
  kill(): Promise<void>;
  /** Drains it (SIGTERM), and resolves with its exit code. */
  drain(): Promise<number | null>;
  freeze(): void;
  thaw(): void;
  /** The workspace that the first start has printed. */
  workspaceId(): string;
  /** Lines of its log with level error or worse. */
  errors: string[];
}

export interface ServerProcessOptions {
  name: string;
  /** The entry point of the first built server. */
  main: string;
  env: Record<string, string>;
}

export async function createServerProcess({ name, main, env }: ServerProcessOptions): Promise<ServerProcess> {
  const port = await freePort();
  let currentMain = main;
  const errors: string[] = [];
  let child: ChildProcess | undefined;
  let workspaceId = '';

  // An interrupted trial leaves nothing that runs.
  process.once('exit', () => child?.kill('SIGKILL'));

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = await exit;
    return code as number | null;
  }

  return {
    name,
    port,
    errors,
    pid: () => child?.pid ?? 0,
    replace(next) {
      currentMain = next;
    },
    workspaceId: () => workspaceId,
    async start() {
      const started = spawn(process.execPath, [currentMain], {
        env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...env, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      let text = '';
      createInterface({ input: started.stderr }).on('line', (line) => {
        text += `${line}\n`;
        errors.push(`${name}: ${line}`);
      });
      for await (const line of createInterface({ input: started.stdout })) {
        workspaceId = /^Workspace +(\S+)$/.exec(line)?.[1] ?? workspaceId;
        if (!line.startsWith('ready ')) continue;
        started.stdout.resume();
        return;
      }
      throw new Error(`The process ${name} ended before it was ready. ${text}`);
    },
    kill: async () => void (await end('SIGKILL')),
    drain: () => end('SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}
