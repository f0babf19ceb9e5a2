// Runs the long form of a stress test and prints its figures, which are informative. Exits with 1 when an invariant was
// violated. Imported by run.mjs.
import { parseArgs } from 'node:util';
import { type BuiltServer, buildServer } from '../../src/server/testing.ts';
import { crash } from './crash/crash.ts';
import { fuzz } from './fuzz/fuzz.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' } },
});
const [name] = positionals;
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);

const stressTests: Record<string, (built: BuiltServer) => Promise<{ faults: string[]; figures: object }>> = {
  crash: ({ main }) => crash({ main, rounds: Number(values.rounds ?? 20), seed }),
  fuzz: (built) =>
    fuzz({ built, rounds: Number(values.rounds ?? 1_000), seed, path: values.path, hold: true }),
};
const stressTest = stressTests[name ?? ''];
if (!stressTest) {
  throw new Error(`Unknown stress test. Available: ${[...Object.keys(stressTests), 'soak'].join(', ')}.`);
}

const built = await buildServer();
try {
  console.log(`${name}, seed ${seed}`);
  const { faults, figures } = await stressTest(built);
  console.table(figures);
  for (const fault of faults) console.log(`VIOLATED ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await built.dispose();
}
