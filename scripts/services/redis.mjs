// Starts a Redis for tests and `npm run cluster`. It stores nothing.
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, provide } from '../browser.mjs';
import { accountOf, freePort, startService, untilReady } from './service.mjs';

/**
 * Starts a server, after installing it if it is missing.
 * @param port by default a free one
 * @returns the address and the port; a function that stops the server
 * @throws when it is missing and cannot be installed, or does not start
 */
export async function startRedis(port) {
  provide('redis');
  const folder = mkdtempSync(join(tmpdir(), 'webchat-redis-'));
  const account = accountOf('nobody');
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const used = port ?? (await freePort());
  const { child, end } = startService(
    findProgram('redis'),
    ['--port', used, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { ...account, cwd: folder, signal: 'TERM' },
  );
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(child, () => ping(used));
  } catch (cause) {
    await stop();
    throw new Error('Redis did not start.', { cause });
  }
  return { url: `redis://127.0.0.1:${used}`, port: used, stop };
}

const ping = (port) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      if (data.toString().startsWith('+PONG')) resolve();
      else reject(new Error(`An answer to PING: ${data}`));
    });
  });
