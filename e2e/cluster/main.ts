// Runs the stress tests with real processes, prints their figures, and exits with 1 when an invariant was broken. Without options: the
// short form, each fault once. Imported by run.mjs.
//
//   npm run test:cluster -- --minutes 15 --processes 3 --faults kill --seed 7 --listeners 400
//
// --webhooks 0 leaves out webhooks, tables and indexed files. --window is the number of messages of a writer without an answer
// after which it waits, --rate what all writers together send in a second at most. --pgbouncer leads statements through a PgBouncer in transaction mode.
// --redis ADDRESS uses the relay of Redis. --older MAIN is the entry point of another build (dist/node/src/server/main.js of
// an earlier version): all processes begin with it, until the fault `upgrade` replaces them one after the other. Without it,
// `upgrade` is left out.
import { parseArgs } from 'node:util';
import { buildServer } from '../../src/server/testing.ts';
import { createRandom } from '../support/random.ts';
import { type FaultName, faults } from './trial/faults.ts';
import { runTrial } from './trial/trial.ts';
import { usualProcesses } from './usual-processes.ts';

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: String(usualProcesses) },
    minutes: { type: 'string' },
    faults: { type: 'string' },
    conversations: { type: 'string', default: '6' },
    writers: { type: 'string', default: '2' },
    window: { type: 'string', default: '5' },
    rate: { type: 'string', default: '0' },
    webhooks: { type: 'string', default: '3' },
    listeners: { type: 'string', default: '60' },
    freeze: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    redis: { type: 'string' },
    older: { type: 'string' },
    pgbouncer: { type: 'boolean', default: false },
    clock: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const names = Object.keys(faults) as [FaultName, ...FaultName[]];
const usual = names.filter((name) => name !== 'upgrade' || values.older !== undefined);
const chosen = (values.faults?.split(',') ?? usual) as [FaultName, ...FaultName[]];
const unknown = chosen.find((name) => !names.includes(name));
if (unknown) throw new Error(`Unknown fault ${unknown}. Available: ${names.join(', ')}.`);

/** Without minutes each fault once; otherwise at random, until the time is over. A failover happens once, at the end. */
function* plan(): Generator<FaultName> {
  if (values.minutes === undefined) return yield* chosen;
  const random = createRandom(seed);
  const repeated = chosen.filter((name) => name !== 'failover' && name !== 'upgrade') as [
    FaultName,
    ...FaultName[],
  ];
  const end = performance.now() + Number(values.minutes) * 60_000;
  while (performance.now() < end) yield random.pick(repeated);
  if (chosen.includes('failover')) yield 'failover';
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const built = await buildServer();
try {
  console.log(`cluster: ${values.processes} processes, seed ${seed}`);
  const {
    faults: broken,
    errors,
    figures,
  } = await runTrial({
    main: built.main,
    older: values.older,
    processes: Number(values.processes),
    faults: plan(),
    conversations: Number(values.conversations),
    writersPerConversation: Number(values.writers),
    window: Number(values.window),
    rate: Number(values.rate),
    webhookConversations: Number(values.webhooks),
    listeners: Number(values.listeners),
    freezeMs: Number(values.freeze),
    seed,
    redisUrl: values.redis,
    hasWrongClock: values.clock,
    isPooled: values.pgbouncer,
    onProgress: (line) => console.log(line),
  });
  console.table(figures);
  for (const error of errors.slice(0, 50)) console.log(`LOGGED ${error.slice(0, 500)}`);
  for (const fault of broken.slice(0, 100)) console.log(`VIOLATED ${fault}`);
  if (broken.length > 100) console.log(`VIOLATED ${broken.length - 100} more`);
  process.exitCode = broken.length > 0 ? 1 : 0;
} finally {
  await built.dispose();
}
// A load that could not finish would repeat its requests for ever.
process.exit();
