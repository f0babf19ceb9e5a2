// `platform-webchat serve` with an agent, from an empty folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface ServedAgent {
  /** Starts the server with these flags, and returns the address of the demo page. `log` receives what it prints. */
  serve(flags: string[], log: string[], env?: Record<string, string>): Promise<string>;
  /** Ends the server and removes the folder. */
  close(): Promise<void>;
}

export async function createServedAgent(): Promise<ServedAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-e2e-'));
  let server: ChildProcess | undefined;
  return {
    async serve(flags, log, env = {}) {
      const program = resolve('dist/node/src/cli/main.js');
      const started = spawn(process.execPath, [program, 'serve', '--port', '0', ...flags], {
        cwd: folder,
        env: { ...process.env, NODE_ENV: '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      server = started;
      started.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
      for await (const line of createInterface({ input: started.stdout })) {
        log.push(line);
        const [, url] = /^ready (http:\S+)$/.exec(line) ?? [];
        if (url === undefined) continue;
        started.stdout.resume();
        return url;
      }
      throw new Error(`The server ended before it was ready. ${log.join('')}`);
    },
    async close() {
      if (server && server.exitCode === null) {
        const exit = once(server, 'exit');
        server.kill('SIGTERM');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
