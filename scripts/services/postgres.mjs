// Starts a PostgreSQL for tests: on this machine only, with its data in a temporary folder, which is removed at the end.
// Its data does not survive a crash, because nothing waits for the disk. With a folder of its own, as `npm run cluster` starts
// it, the data stays there and is written as PostgreSQL does by default.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { findProgram, provide } from '../browser.mjs';
import { accountOf, freePort, startService, untilReady } from './service.mjs';

/**
 * Starts a server, after installing it if it is missing.
 * @param settings further settings of the server, such as `{ max_connections: 50 }`
 * @param options.home a folder that keeps the data; a temporary one by default
 * @param options.port the port; a free one by default
 * @returns the address of its database `postgres`; a function for the address of another one; one that stops the server, and
 *   one that starts it again after a signal: `SIGINT`, or `SIGQUIT` as if it crashed; the port, the folder of the data, the
 *   account that it belongs to, and the folder of the programs
 * @throws when it is missing and cannot be installed, or does not start
 */
export async function startPostgres(settings = {}, { home, port: fixedPort } = {}) {
  provide('postgres');
  // Not the folder of a link to it, because the other programs may have none.
  const programs = dirname(realpathSync(findProgram('postgres')));
  const account = accountOf('postgres');
  const folder = home === undefined ? mkdtempSync(join(tmpdir(), 'webchat-postgres-')) : resolve(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = join(folder, 'data');
  const remove = () => home === undefined && rmSync(folder, { recursive: true, force: true });
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const options = { ...account, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' } };
  try {
    if (!existsSync(join(data, 'PG_VERSION'))) {
      execFileSync(
        join(programs, 'initdb'),
        ['-D', data, '-U', 'webchat', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...localeOptions(programs)],
        { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
      );
    }
    const port = fixedPort ?? (await freePort());
    const withoutDisk = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    const all = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      ...(home === undefined ? withoutDisk : {}),
      // Every server of a test has a pool, and several tests start up to four at a time.
      max_connections: 500,
      ...settings,
    };
    const flags = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
    let errors = '';
    const launch = () => {
      const service = startService(join(programs, 'postgres'), ['-D', data, ...flags], {
        ...options,
        signal: 'INT',
      });
      service.child.stderr.on('data', (part) => {
        errors = (errors + part).slice(-10_000);
      });
      return service;
    };
    let running = launch();
    const urlOf = (database) => `postgres://webchat@127.0.0.1:${port}/${database}`;
    const stop = async () => {
      await running.end();
      remove();
    };
    try {
      await untilReady(running.child, () => connectTo(urlOf('postgres')));
    } catch (cause) {
      await stop();
      throw new Error(`PostgreSQL did not start: ${errors}`, { cause });
    }
    const restart = async (signal) => {
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), signal);
      await running.end();
      running = launch();
      await untilReady(running.child, () => connectTo(urlOf('postgres')));
    };
    return { url: urlOf('postgres'), urlOf, port, data, account, programs, stop, restart };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A locale that sorts by rules of a language, so that a column without its own collation is noticed. */
function localeOptions(programs) {
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  const major = Number(/(\d+)/.exec(version)?.[1]);
  return major >= 15
    ? ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C.UTF-8']
    : ['--locale=C.UTF-8'];
}

async function connectTo(url) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.end();
}
