// Runs the compiler and the steps of the build, of which several run at the same time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs the compiler of TypeScript. Its messages are printed; rejects if it reports an error. */
export async function compile(...args) {
  // A compiler that outlives the build could write into the results of the next one. It is the child of a script, so both are a
  // group that is ended.
  const child = spawn('node_modules/.bin/tsc', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  await once(child, 'spawn');
  process.once('exit', kill);
  const [code] = await once(child, 'exit');
  process.off('exit', kill);
  if (code !== 0) throw new Error(`tsc ${args.join(' ')} ended with ${code}.`);
}

/** Runs a step of the build, and prints its name and seconds when it has ended. Returns its result. */
export async function step(name, work) {
  const begin = performance.now();
  const result = await work();
  console.log(`  ${name}: ${secondsSince(begin)} s`);
  return result;
}

export const secondsSince = (begin) => ((performance.now() - begin) / 1_000).toFixed(1);
