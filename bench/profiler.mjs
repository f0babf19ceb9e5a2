// Profiles a server from one SIGUSR2 to the next: `NODE_OPTIONS='--import ./bench/profiler.mjs' PROFILE_FOLDER=…` writes a
// file for Chrome DevTools.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const folder = process.env.PROFILE_FOLDER ?? '.';
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  let isRunning = false;
  process.on('SIGUSR2', () => {
    isRunning = !isRunning;
    if (isRunning) return session.post('Profiler.start');
    session.post('Profiler.stop', (_, { profile }) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${process.pid}-${Date.now()}.cpuprofile`), JSON.stringify(profile));
    });
  });
}
