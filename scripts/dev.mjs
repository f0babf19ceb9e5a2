// Builds and starts the platform in development, and repeats both when a source changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';

/** Milliseconds in which all changes of one save are collected. */
const settleMs = 150;
let build;
let server;
let timer;
let turn = Promise.resolve();

async function rebuild() {
  build = spawn(process.execPath, ['scripts/build.mjs', '--start'], { stdio: 'inherit' });
  const [status] = await once(build, 'exit');
  // When a build fails, the running server continues.
  if (status !== 0) return;
  if (server && server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  // A restart does not wait for bot code that was changed.
  const env = { DRAIN_TIMEOUT: '0', ...process.env };
  server = spawn(process.execPath, ['dist/node/src/server/main.js', '--dev'], { stdio: 'inherit', env });
}

const schedule = () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    turn = turn.then(rebuild);
  }, settleMs);
};

const folders = ['src', 'demo', 'public'];
for (const folder of folders) watch(folder, { recursive: true }, schedule);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    build?.kill('SIGTERM');
    server?.kill('SIGTERM');
    process.exit(0);
  });
}
schedule();
