// Child processes that a browser needs. They are ended in the reverse order of their start.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Processes {
  /**
   * Starts a program and resolves with the first line of this output for which `find` returns a value.
   * @throws when the program ends before that.
   */
  startAndRead(
    path: string,
    args: string[],
    output: 'stdout' | 'stderr',
    find: (line: string) => string | undefined,
  ): Promise<string>;
  /** Ends all of them and waits for their exit. */
  end(): Promise<void>;
}

export function createProcesses(): Processes {
  const children: ChildProcess[] = [];
  return {
    async startAndRead(path, args, output, find) {
      const child = spawn(path, args, {
        stdio: ['ignore', output === 'stdout' ? 'pipe' : 'ignore', output === 'stderr' ? 'pipe' : 'ignore'],
      });
      children.push(child);
      const failed = once(child, 'error').then(([error]) => Promise.reject(error));
      failed.catch(() => {});
      const read = async () => {
        const stream = child[output];
        if (stream) {
          for await (const line of createInterface({ input: stream })) {
            const found = find(line);
            if (found === undefined) continue;
            // A full pipe would block the program.
            stream.resume();
            return found;
          }
        }
        throw new Error(`${path} ended before it was ready.`);
      };
      return Promise.race([read(), failed]);
    },
    async end() {
      for (const child of children.splice(0).reverse()) {
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue;
        const exit = once(child, 'exit');
        child.kill();
        await exit;
      }
    },
  };
}
