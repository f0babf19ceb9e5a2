// A trial: processes of the built server on one PostgreSQL, behind haproxy, under load, with faults at random times; then
// everything that clients received is compared with what is stored.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPgbouncer } from '../../../scripts/services/pgbouncer.mjs';
import { freePort } from '../../../scripts/services/service.mjs';
import { startS3rver } from '../../../src/server/files/s3/servers.testing.ts';
import { startStoreProxy } from '../../../src/server/files/s3/store-proxy.testing.ts';
import { quotaSettings } from '../../../src/server/limits/settings.ts';
import { createCounter } from '../../stress/crash/crash.ts';
import { eventsIn, totalsOf } from '../../stress/crash/writer.ts';
import { pollUntil } from '../../support/poll.ts';
import { createServerProcess, type ServerProcess } from '../../support/processes/server-process.ts';
import { createRandom } from '../../support/random.ts';
import { startProxy } from '../proxy.ts';
import { checkRecord, stallMs } from './check-record.ts';
import { startTrialDatabase } from './database.ts';
import { type FaultName, type Fixture, faults } from './faults.ts';
import { startLoad } from './load.ts';
import { startPlatformLoad } from './platform/platform-load.ts';
import { wrongClock } from './wrong-clock.ts';

export interface TrialOptions {
  /** The entry point of the built server. */
  main: string;
  /** That of another build, with which all processes begin, until the fault `upgrade`. */
  older?: string | undefined;
  processes: number;
  /** Steps, in this order; asked for one after the other. */
  faults: Iterable<FaultName>;
  conversations: number;
  writersPerConversation: number;
  /** How many messages of a writer may be without an answer. */
  window: number;
  /** Messages in a second that all writers send together at most; 0 for as many as they can. */
  rate: number;
  /** Conversations with a bot behind a webhook; 0 for a trial of the chat only, without tables and indexed files. */
  webhookConversations: number;
  listeners: number;
  seed: number;
  freezeMs: number;
  /** The relay of Redis instead of that of PostgreSQL. */
  redisUrl?: string | undefined;
  /** Statements go through a PgBouncer in transaction mode. */
  isPooled: boolean;
  /** The last process has a clock that is wrong by five minutes. */
  hasWrongClock: boolean;
  onProgress(line: string): void;
}

export interface TrialResult {
  /** Every broken invariant, one line each. */
  faults: string[];
  /** Log entries of the processes with level error or worse. */
  errors: string[];
  figures: Record<string, number>;
}

export async function runTrial(options: TrialOptions): Promise<TrialResult> {
  const random = createRandom(options.seed);
  const folder = await mkdtemp(join(tmpdir(), 'webchat-trial-'));
  const record = join(folder, 'events.jsonl');
  const disposals: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const broken: string[] = [];
  try {
    const database = await startTrialDatabase();
    disposals.push(database.stop);
    let databaseUrl = database.url;
    if (options.isPooled) {
      const pooler = await startPgbouncer(database.url, 'transaction');
      disposals.push(pooler.stop);
      databaseUrl = pooler.url;
    }
    const s3rver = await startS3rver();
    disposals.push(s3rver.close);
    const storeProxy = await startStoreProxy(s3rver.origin);
    disposals.push(storeProxy.close);
    const store = storeProxy.options(await s3rver.bucket());

    const port = await freePort();
    const adminToken = randomBytes(32).toString('hex');
    const env = {
      DATABASE_URL: databaseUrl,
      // Also with Redis: a pooler loses the lock of a process.
      RELAY_DATABASE_URL: database.relayUrl,
      ...(options.redisUrl ? { RELAY_URL: options.redisUrl } : {}),
      S3_URL: store.url,
      S3_REGION: store.region,
      S3_ACCESS_KEY_ID: store.accessKeyId,
      S3_SECRET_ACCESS_KEY: store.secretAccessKey,
      USER_KEY_SECRET: '1d1f0c0b5a3e4d7c9b2a6f8e7d5c4b3a1d1f0c0b5a3e4d7c',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ADMIN_TOKEN: adminToken,
      WEBHOOK_PRIVATE: 'first',
      TRUST_PROXY: '1',
      DRAIN_DELAY: '5',
      EMBEDDINGS: 'off',
      RATE_LIMIT: '0',
      MAX_STREAMS_PER_ADDRESS: '100000',
      ...Object.fromEntries(Object.keys(quotaSettings).map((name) => [name, '0'])),
      BOT: join(import.meta.dirname, '../../support/bots/recording-bot.mjs'),
      EVENT_RECORD: record,
    };
    const processes: ServerProcess[] = [];
    for (let n = 0; n < options.processes; n += 1) {
      const isWrong = options.hasWrongClock && n === options.processes - 1;
      const process = await createServerProcess({
        name: String.fromCharCode(97 + n),
        main: options.older ?? options.main,
        env: {
          ...env,
          DATA_DIR: join(folder, `data-${n}`),
          ...(isWrong ? wrongClock() : {}),
        },
      });
      processes.push(process);
      disposals.push(process.kill);
    }
    const proxy = await startProxy(
      'haproxy',
      processes.map((process) => process.port),
      port,
    );
    disposals.push(proxy.stop);
    for (const process of processes) await process.start();

    const counter = createCounter();
    const began = performance.now();
    let lastAcknowledged = began;
    let longestGap = 0;
    const load = await startLoad({
      ...options,
      chatUrl: `${proxy.url}/chat/demo`,
      onAcknowledged() {
        const now = performance.now();
        longestGap = Math.max(longestGap, now - lastAcknowledged);
        lastAcknowledged = now;
        counter.add();
      },
    });
    disposals.push(async () => load.close());
    let isReplaced = false;
    const platform =
      options.webhookConversations > 0
        ? await startPlatformLoad({
            url: proxy.url,
            workspaceId: processes.map((process) => process.workspaceId()).find(Boolean) ?? '',
            token: adminToken,
            // Another sequence than that of the faults, which the load must not change.
            random: createRandom(options.seed + 1),
            conversations: options.webhookConversations,
            mayLoseStreams: () => isReplaced,
          })
        : undefined;
    if (platform) disposals.push(platform.close);
    const disturbed = new Set<number>();
    const fixture: Fixture = {
      processes,
      database,
      random,
      freezeMs: options.freezeMs,
      main: options.main,
      exits: [],
      setStoreRefusing(isRefusing) {
        storeProxy.fault = () => (isRefusing ? 'refuse' : undefined);
      },
      disturbed: ({ pid }) => void disturbed.add(pid()),
      setDatabaseReplaced() {
        isReplaced = true;
      },
      async progress() {
        const wanted = counter.value + random.between(20, 60);
        const asked = performance.now();
        const isReached = () => {
          // A busy machine is slow; nothing at all for so long is a fault.
          if (performance.now() - Math.max(asked, lastAcknowledged) > stallMs)
            throw new Error('Visitors make no progress.');
          return counter.value >= wanted;
        };
        await pollUntil('visitors make progress', isReached, { timeoutMs: Number.POSITIVE_INFINITY });
      },
    };
    await fixture.progress();
    let faultCount = 0;
    for (const name of options.faults) {
      faultCount += 1;
      options.onProgress(`${name}, after ${counter.value} messages`);
      await pause(random.between(0, 200));
      try {
        await faults[name](fixture);
        await fixture.progress();
      } catch (error) {
        broken.push(`${name}: ${error instanceof Error ? error.message : error}`);
        options.onProgress(`FAILED ${broken.at(-1)}`);
        break;
      }
    }
    const seconds = (performance.now() - began) / 1_000;
    options.onProgress(`finishing, after ${counter.value} messages`);
    const finishing = Promise.all([load.finish(), platform?.finish()]).then(
      () => true,
      (error: unknown) => {
        broken.push(`The load failed: ${error instanceof Error ? error.stack : error}`);
        return true;
      },
    );
    if (!(await Promise.race([finishing, pause(stallMs * 5, false)]))) {
      broken.push('The load does not finish.');
    }

    const { writers } = load;
    const {
      faults: found,
      count,
      delivered,
    } = await checkRecord({ load, record, database, disturbed, url: proxy.url });
    broken.push(...found, ...(platform?.faults() ?? []));
    broken.push(
      ...fixture.exits.filter((code) => code !== 0).map((code) => `A drained process ended with ${code}`),
    );
    const { acknowledged, ...totals } = totalsOf(writers);
    const errors = processes.flatMap((process) => process.errors);
    return {
      faults: broken,
      errors,
      figures: {
        faults: faultCount,
        seconds: Math.round(seconds),
        acknowledged,
        messagesPerSecond: Number((acknowledged / seconds).toFixed(1)),
        longestGapMs: Math.round(longestGap),
        ...totals,
        ...count,
        streams: writers.length,
        ...eventsIn(delivered),
        guestsRemoved: load.guests.length,
        files: load.files.length,
        ...platform?.figures(),
        loggedErrors: errors.length,
      },
    };
  } finally {
    for (const dispose of disposals.reverse()) await dispose();
  }
}
