// Starts a PgBouncer before a PostgreSQL of tests. It checks no passwords.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findProgram, provide } from '../browser.mjs';
import { accountOf, freePort, startService, untilReady } from './service.mjs';

/**
 * Starts it, after installing it if it is missing.
 * @param target the address of a database of PostgreSQL
 * @param mode `transaction` or `session`
 * @param settings further settings, such as `{ default_pool_size: 2 }`
 * @returns the address of the same database through it, and a function that stops it
 * @throws when it is missing and cannot be installed, or does not start
 */
export async function startPgbouncer(target, mode, settings = {}) {
  provide('pgbouncer');
  const { hostname, port, username } = new URL(target);
  const folder = mkdtempSync(join(tmpdir(), 'webchat-pgbouncer-'));
  const account = accountOf('nobody');
  const own = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    max_client_conn: 1_000,
    ...settings,
  };
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]\n* = host=${hostname} port=${port} user=${username}\n[pgbouncer]\n${Object.entries(all)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`,
  );
  chmodSync(folder, 0o755);
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const { child, end } = startService(findProgram('pgbouncer'), [file], {
    ...account,
    cwd: folder,
    signal: 'TERM',
  });
  let errors = '';
  child.stderr.on('data', (part) => {
    errors = (errors + part).slice(-10_000);
  });
  const url = new URL(target);
  url.port = String(own);
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(child, async () => {
      const client = new pg.Client({ connectionString: url.href });
      client.on('error', () => {});
      await client.connect();
      await client.end();
    });
  } catch (cause) {
    await stop();
    throw new Error(`PgBouncer did not start: ${errors}`, { cause });
  }
  return { url: url.href, stop };
}
