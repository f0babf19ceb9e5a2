// Measures the processor time of a message in each process: the server by thread, PostgreSQL, and the load. Unlike messages
// per second, it hardly depends on what else the machine does: `node --import ./scripts/strip-types.mjs bench/costs.ts`.
// Options: `--bot=silent|reply`, `--setups=sqlite,one,two`, `--rounds=3`, `--seconds=4`; `--visitors=32`, or `--visitors-each=32`
// for each process; `--cores=0.3` is how much of a core each server may use (as root); `--statements` also lists the statements
// of PostgreSQL for a message (which costs time itself); `--profile=FOLDER` writes profiles of the servers.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { ChatClient } from '../src/client/index.ts';
import { limitProcessorTime } from './processor-limit.ts';
import { createSetups, type Setup } from './setups.ts';

const option = (name: string, otherwise: string): string =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const has = (name: string): boolean => process.argv.includes(`--${name}`);
const chosen = option('setups', 'sqlite,one,two').split(',');
const rounds = Number(option('rounds', '3'));
const measureMs = Number(option('seconds', '4')) * 1_000;
const warmUpMs = 2_500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const visitors = Number(option('visitors', '32'));
const visitorsEach = Number(option('visitors-each', '0'));
const cores = Number(option('cores', '0'));
const profile = option('profile', '');
const bots: Record<string, string> = {
  silent: 'export default () => {};',
  reply:
    "export default async (event, bot) => { if (event.type === 'text') await bot.reply({ type: 'text', text: 'A reply of usual length, as bots write it.' }); };",
};

let removeLimits = async () => {};
const { admin, start, close } = await createSetups({
  bot: bots[option('bot', 'silent')] ?? '',
  main: option('main', 'dist/node/src/server/main.js'),
  postgres: has('statements')
    ? { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' }
    : {},
  envOf: (name): Record<string, string> =>
    profile === ''
      ? {}
      : {
          NODE_OPTIONS: `--import ${resolve('bench/profiler.mjs')}`,
          PROFILE_FOLDER: resolve(profile, name),
        },
});
try {
  if (has('statements')) await admin.query('CREATE EXTENSION pg_stat_statements');

  const setups: Setup[] = [];
  if (chosen.includes('sqlite')) setups.push(await start('sqlite', 1, false));
  if (chosen.includes('one')) setups.push(await start('one', 1, true));
  if (chosen.includes('two')) setups.push(await start('two', 2, true));

  if (cores > 0)
    removeLimits = await limitProcessorTime(
      setups.flatMap(({ pids }) => pids),
      cores,
    );

  const results = new Map<string, Record<string, number>[]>(setups.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const setup of [...setups.slice(round % setups.length), ...setups.slice(0, round % setups.length)]) {
      results.get(setup.name)?.push(await measure(setup));
    }
  }
  const names = [...new Set([...results.values()].flatMap((all) => all.flatMap((one) => Object.keys(one))))];
  for (const name of names) {
    const cells = setups.map((setup) => {
      const values = (results.get(setup.name) ?? []).map((one) => one[name] ?? 0).sort((a, b) => a - b);
      return (values[Math.floor(values.length / 2)] ?? 0).toFixed(name === 'per second' ? 0 : 3).padStart(10);
    });
    console.log(name.padEnd(34) + cells.join(''));
  }
  const ratio = (a: string, b: string) => {
    const [one, other] = [results.get(a), results.get(b)];
    if (!one || !other) return;
    const all = one
      .map((v, n) => (v['per second'] ?? 0) / (other[n]?.['per second'] ?? 1))
      .sort((x, y) => x - y);
    console.log(`${a} / ${b}: ${all.map((v) => v.toFixed(2)).join(' ')}`);
  };
  ratio('one', 'sqlite');
  ratio('two', 'one');
  ratio('two', 'sqlite');

  async function measure({
    name,
    chatUrls,
    pids,
    database,
    used: usedBy,
  }: Setup): Promise<Record<string, number>> {
    const senders = await Promise.all(
      Array.from({ length: visitorsEach * pids.length || visitors }, async (_, n) => {
        const client = new ChatClient({ chatUrl: chatUrls[n % chatUrls.length] as string });
        const { key } = await client.createUser({});
        client.userKey = key;
        const { conversation } = await client.createConversation({});
        return { client, conversationId: conversation.id };
      }),
    );
    const counts = async () =>
      database === undefined
        ? { xact: 0, wal: 0, sync: 0 }
        : ((
            await admin.query(
              `SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = '${database}')::int AS xact,
               (SELECT wal_bytes FROM pg_stat_wal)::float8 AS wal, (SELECT wal_sync FROM pg_stat_wal)::int AS sync`,
            )
          ).rows[0] as { xact: number; wal: number; sync: number });
    const snapshot = () => ({
      load: process.cpuUsage(),
      ...usedBy(),
    });
    let durations: number[] = [];
    let isOver = false;
    const sending = Promise.all(
      senders.map(async ({ client, conversationId }) => {
        while (!isOver) {
          const sent = performance.now();
          const payload = { type: 'text' as const, text: 'A message of usual length, as visitors write it.' };
          await client.createMessage({ conversationId, payload }, { idempotencyKey: randomUUID() });
          durations.push(performance.now() - sent);
        }
      }),
    );
    // Connections are opened, statements are prepared, and PostgreSQL has counted what came before.
    await pause(warmUpMs);
    if (database && has('statements')) await admin.query('SELECT pg_stat_statements_reset()');
    if (profile !== '') for (const pid of pids) process.kill(pid, 'SIGUSR2');
    const countsBefore = await counts();
    const before = snapshot();
    durations = [];
    const begin = performance.now();
    await pause(measureMs);
    const posts = durations.length;
    const seconds = (performance.now() - begin) / 1_000;
    const after = snapshot();
    if (profile !== '') for (const pid of pids) process.kill(pid, 'SIGUSR2');
    const countsAfter = await counts();
    isOver = true;
    await sending;
    durations.sort((a, b) => a - b);
    const used: Record<string, number> = { 'per second': posts / seconds };
    used['p50 ms'] = durations[Math.floor(posts / 2)] ?? 0;
    used['p99 ms'] = durations[Math.floor(posts * 0.99)] ?? 0;
    const perPost = (of: (snapshot: typeof before) => number) => ((of(after) - of(before)) * 1_000) / posts;
    const sumOf = (kind: 'main' | 'others') => (snapshot: typeof before) =>
      snapshot.threads.reduce((sum, thread) => sum + thread[kind], 0);
    used['server, main thread (ms/post)'] = perPost(sumOf('main'));
    used['server, other threads (ms/post)'] = perPost(sumOf('others'));
    used['PostgreSQL (ms/post)'] = perPost(({ postgres: seconds }) => seconds);
    const load = after.load.user + after.load.system - before.load.user - before.load.system;
    used['load (ms/post)'] = load / 1_000 / posts;
    used['all (ms/post)'] = Object.entries(used).reduce(
      (sum, [key, v]) => sum + (key.includes('ms/post') ? v : 0),
      0,
    );
    used['transactions/post'] = (countsAfter.xact - countsBefore.xact) / posts;
    used['WAL KB/post'] = (countsAfter.wal - countsBefore.wal) / 1024 / posts;
    used['WAL syncs/post'] = (countsAfter.sync - countsBefore.sync) / posts;
    if (database && has('statements')) {
      const { rows } = await admin.query(
        `SELECT calls::int, rows::int, (total_exec_time / calls)::float8 AS ms, (total_plan_time / calls)::float8 AS plan,
           plans::int, total_exec_time::float8 AS total, regexp_replace(query, '\\s+', ' ', 'g') AS query
         FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = $1
         ORDER BY total_exec_time + total_plan_time DESC LIMIT 22`,
        [database],
      );
      console.log(`--- ${name}: ${posts} posts`);
      for (const { calls, ms, plan, plans, query, total } of rows)
        console.log(
          `${(calls / posts).toFixed(3).padStart(7)}/post ${ms.toFixed(3).padStart(7)} ms plan ${((plan * calls) / posts).toFixed(4)}/post (${plans}) total ${(total / posts).toFixed(4)} ms/post  ${query.slice(0, 110)}`,
        );
    }
    return used;
  }
} finally {
  await close();
  await removeLimits();
}
process.exit(0);
