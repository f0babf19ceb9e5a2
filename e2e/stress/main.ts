// Runs one trial in its long form and prints its figures. The process ends with 1 when a law was broken; figures are
// shown and never judged. Imported by run.mjs, which knows how to read TypeScript.
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

const trials: Record<string, (built: BuiltServer) => Promise<{ faults: string[]; figures: object }>> = {
  crash: ({ main }) => crash({ main, rounds: Number(values.rounds ?? 20), seed }),
  fuzz: (built) =>
    fuzz({ built, rounds: Number(values.rounds ?? 1_000), seed, path: values.path, hold: true }),
};
const trial = trials[name ?? ''];
if (!trial) throw new Error(`There are: ${Object.keys(trials).join(', ')}.`);

const built = await buildServer();
try {
  console.log(`${name}, seed ${seed}`);
  const { faults, figures } = await trial(built);
  console.table(figures);
  for (const fault of faults) console.log(`BROKEN ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await built.dispose();
}
