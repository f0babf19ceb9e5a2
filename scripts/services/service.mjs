// Services for tests and `npm run cluster`: on this machine only, as an unprivileged user, and they end with this process.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** Milliseconds in which a service starts, also on a busy machine. */
const startTimeMs = 60_000;

/** Returns a port of this machine on which nothing listens. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Returns the ids of a user for `spawn`, if this process is root, as which tests run in containers: most services refuse to run
 * as root. Otherwise an empty object.
 */
export function accountOf(user) {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * Starts a program that ends with this process, however that ends, and not by Ctrl-C of a terminal, which reaches a group of
 * processes: those who use the service end before.
 * @param signal what ends it, such as `INT`
 * @returns the child process, whose standard error can be read, and a function that ends it
 */
export function startService(program, args, { signal, ...options }) {
  const child = spawn(
    'sh',
    // Its input is closed when this process ends.
    [
      '-c',
      `"$@" </dev/null & server=$!; cat >/dev/null; kill -${signal} $server; wait $server`,
      'sh',
      program,
      ...args,
    ],
    { ...options, stdio: ['pipe', 'ignore', 'pipe'], detached: true },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    child,
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Calls `ask` until it resolves. Rejects with its error when the process has ended, or after a minute. */
export async function untilReady(child, ask) {
  const end = Date.now() + startTimeMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (child.exitCode !== null || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
