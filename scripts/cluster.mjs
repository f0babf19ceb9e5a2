// `npm run cluster`: starts a small cluster on this machine, to try it out: PostgreSQL, an object store (s3rver), processes of
// the built server, and haproxy before them with the example of the documentation. Prints the address of the demo, and the
// ids of the processes to kill. Ctrl-C stops everything; the data stays in its folder. A process that is killed is started
// again, as a service manager does it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { findProgram, provide } from './browser.mjs';
import { startPostgres } from './services/postgres.mjs';
import { startRedis } from './services/redis.mjs';
import { freePort } from './services/service.mjs';

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '3' },
    port: { type: 'string', default: '8080' },
    folder: { type: 'string', default: './data/cluster' },
    redis: { type: 'boolean', default: false },
  },
});
const count = Number(values.processes);
if (!(count >= 1 && count <= 20)) throw new Error('--processes must be a number from 1 to 20.');
if (!existsSync('dist/node/src/server/main.js')) throw new Error('Build the server first: npm run build.');

const folder = resolve(values.folder);
mkdirSync(folder, { recursive: true, mode: 0o711 });
// PostgreSQL runs as another user when this is root.
chmodSync(folder, 0o711);
/** Stops what was started, the last one first. */
const stops = [];
let isStopping = false;

async function startDatabase() {
  const postgres = await startPostgres({}, { home: join(folder, 'postgres') });
  stops.push(postgres.stop);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'webchat'");
  if (!rowCount) await client.query('CREATE DATABASE webchat');
  await client.end();
  return postgres.urlOf('webchat');
}

/** Several processes must not share a folder of files: each one is the only writer of a folder. */
async function startStore() {
  const { default: S3rver } = await import('s3rver');
  const directory = join(folder, 'files');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const options = { address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'webchat' }] };
  const server = new S3rver({ ...options, port: 0 });
  const { port } = await server.run();
  stops.push(() => server.close());
  return {
    S3_URL: `http://127.0.0.1:${port}/webchat`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
}

async function startRelay() {
  const redis = await startRedis();
  stops.push(redis.stop);
  return { RELAY_URL: redis.url };
}

function secret() {
  const file = join(folder, 'user-key-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Starts a process of the server, again when it ends. Resolves when it is ready the first time. */
function startProcess(n, port, env) {
  const name = String.fromCharCode(97 + n);
  let child;
  const ready = new Promise((done, failed) => {
    const start = () => {
      // In a group of its own, so that Ctrl-C does not reach it before the proxy knows.
      child = spawn(process.execPath, ['dist/node/src/server/main.js'], {
        env: { ...process.env, LOG_LEVEL: 'warn', ...env, PORT: String(port), DATA_DIR: join(folder, name) },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      let errors = '';
      child.stderr.on('data', (text) => {
        errors = (errors + text).slice(-2_000);
        process.stderr.write(`${name}: ${text}`);
      });
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (/^Token file /.test(line)) console.log(line);
        if (!line.startsWith('ready ')) return;
        console.log(`process ${name}: pid ${child.pid}, port ${port}`);
        done();
      });
      child.once('exit', (code) => {
        if (isStopping) return;
        failed(new Error(`Process ${name} did not start (${code}). ${errors}`));
        console.log(`process ${name}: ended, starts again`);
        setTimeout(start, 1_000);
      });
    };
    start();
  });
  stops.push(() => end(child));
  return ready;
}

async function startProxy(port, ports) {
  provide('haproxy');
  const example = readFileSync('docs/cluster/haproxy.cfg', 'utf8');
  const servers = ports.map((one, n) => `    server ${String.fromCharCode(97 + n)} 127.0.0.1:${one}`);
  const lines = example.split('\n').filter((line) => !/^\s*server \w/.test(line));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `${lines.join('\n').replace('bind :8080', `bind 127.0.0.1:${port}`)}${servers.join('\n')}\n`,
  );
  const child = spawn(findProgram('haproxy'), ['-db', '-f', file], { stdio: 'ignore', detached: true });
  child.once('exit', (code) => {
    if (!isStopping) void stop(`haproxy ended (${code}): is port ${port} in use?`);
  });
  stops.push(() => end(child));
  while (!isStopping) {
    if (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Ends a process that this program has started. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exit;
}

async function stop(problem) {
  if (isStopping) return;
  isStopping = true;
  if (problem) console.error(`cluster: ${problem}`);
  // Processes drain side by side; the database and the store end after them.
  const [processes, others] = [stops.slice(2), stops.slice(0, 2)];
  await Promise.all(processes.map((one) => one()));
  for (const one of others.reverse()) await one();
  process.exit(problem ? 1 : 0);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop());

try {
  const port = Number(values.port) || (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: await startDatabase(),
    ...(await startStore()),
    ...(values.redis ? await startRelay() : {}),
    USER_KEY_SECRET: secret(),
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    DRAIN_DELAY: '5',
  };
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  // One after the other: the first one creates the tables and the first bot.
  for (const [n, one] of ports.entries()) await startProcess(n, one, env);
  await startProxy(port, ports);
  console.log(`\nOpen ${url}/ and kill processes at random: kill -9 PID. Ctrl-C stops everything.`);
} catch (error) {
  await stop(error instanceof Error ? error.message : String(error));
}
