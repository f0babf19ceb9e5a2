// Starts a Redis for tests: on this machine only, as an unprivileged user, and it stores nothing.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, provide } from './browser.mjs';

/** Milliseconds in which the server starts, also on a busy machine. */
const startTime = 60_000;

/**
 * Starts a server, after installing it if it is missing.
 * @param port by default a free one
 * @returns the address and the port; a function that stops the server
 * @throws when it is missing and cannot be installed, or does not start
 */
export async function startRedis(port) {
  provide('redis');
  const folder = mkdtempSync(join(tmpdir(), 'webchat-redis-'));
  const account = unprivilegedAccount();
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const used = port ?? (await freePort());
  // The shell stops the server when this process ends, however it ends: its input is closed then.
  const child = spawn(
    'sh',
    [
      '-c',
      '"$@" </dev/null & server=$!; cat >/dev/null; kill -TERM $server; wait $server',
      'sh',
      findProgram('redis'),
      ...['--port', used, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    ],
    { ...account, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await isReady(used, child);
  } catch (cause) {
    await stop();
    throw new Error('Redis did not start.', { cause });
  }
  return { url: `redis://127.0.0.1:${used}`, port: used, stop };
}

function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isReady(port, child) {
  const end = Date.now() + startTime;
  for (;;) {
    try {
      await new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        socket.once('error', reject);
        socket.once('connect', () => socket.write('PING\r\n'));
        socket.once('data', (data) => {
          socket.destroy();
          if (data.toString().startsWith('+PONG')) resolve();
          else reject(new Error(`An answer to PING: ${data}`));
        });
      });
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
