// Starts haproxy or nginx with the example of the documentation, in which only ports and paths are exchanged, as an
// unprivileged user.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, provide } from '../../scripts/browser.mjs';
import { accountOf, freePort } from '../../scripts/services/service.mjs';
import { pollUntil } from '../support/poll.ts';

export type ProxyName = 'haproxy' | 'nginx';

export interface ProxyProcess {
  /** `http://127.0.0.1:PORT`, without a slash. */
  url: string;
  /** Output of the process. */
  log(): string;
  stop(): Promise<void>;
}

const examples: Record<ProxyName, string> = { haproxy: 'haproxy.cfg', nginx: 'nginx.conf' };
const exampleFolder = join(import.meta.dirname, '../../docs/cluster');

/** The text of the example with these ports, instead of 3001 and the following ones. */
export function exchange(text: string, port: number, ports: readonly number[], folder: string): string {
  const servers = ports.map(String);
  return text
    .split('\n')
    .flatMap((line) => {
      const server = /^(\s*server (?:[a-z] )?127\.0\.0\.1:)300(\d)(.*)$/.exec(line);
      if (!server) return [line];
      const [, begin = '', number = '', end = ''] = server;
      const other = servers[Number(number) - 1];
      return other === undefined ? [] : [`${begin}${other}${end}`];
    })
    .join('\n')
    .replace(/(bind |listen )(?::)?8080/, `$1127.0.0.1:${port}`)
    .replace(/\/(?:run|var\/lib)\/nginx(?=[./])/g, join(folder, 'nginx'));
}

/** Starts a proxy before the processes with these ports. Installs it if it is missing. */
export async function startProxy(
  name: ProxyName,
  ports: readonly number[],
  /** Uses this port instead of a free one. */
  chosenPort?: number,
): Promise<ProxyProcess> {
  provide(name);
  const program = findProgram(name) ?? name;
  const port = chosenPort ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), `webchat-${name}-`));
  const file = join(folder, examples[name]);
  await writeFile(
    file,
    exchange(await readFile(join(exampleFolder, examples[name]), 'utf8'), port, ports, folder),
  );
  await mkdir(join(folder, 'nginx'));
  const account: { uid?: number; gid?: number } = accountOf('nobody');
  for (const path of [folder, join(folder, 'nginx')]) {
    await chmod(path, 0o755);
    if (account.uid !== undefined) await chown(path, account.uid, account.gid ?? account.uid);
  }
  const args =
    name === 'haproxy'
      ? ['-db', '-f', file]
      : ['-p', folder, '-e', 'stderr', '-c', file, '-g', 'daemon off;'];
  const test = name === 'haproxy' ? ['-c', '-f', file] : [...args.slice(0, -2), '-t'];
  execFileSync(program, test, { ...account, stdio: 'pipe' });
  const child: ChildProcess = spawn(program, args, {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  let log = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (log += text));
  const exit = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await pollUntil(
    `${name} answers: ${log}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`${name} did not start: ${log}`);
      return (await fetch(`${url}/healthz`).catch(() => undefined)) !== undefined;
    },
    { timeoutMs: 60_000 },
  );
  return {
    url,
    log: () => log,
    async stop() {
      process.off('exit', kill);
      child.kill('SIGTERM');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
