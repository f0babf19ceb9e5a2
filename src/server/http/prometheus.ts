// Metrics of the process for Prometheus. Loaded only if METRICS is set. No label contains an id.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ClaimChange } from '../bots/index.ts';
import { uploadPaths } from '../files/index.ts';
import type { Processes } from '../jobs/processes.ts';
import type { PubSub } from '../realtime/pub-sub.ts';
import { subscribe } from '../startup/events.ts';
import { queuedDeliveries } from '../storage/bots/deliveries.ts';
import type { Database } from '../storage/database.ts';

type Fetch<R extends unknown[]> = (request: Request, ...rest: R) => Response | Promise<Response>;

export interface Metrics {
  registry: Registry;
  /** Returns the same function, which counts posts, uploads and refusals by rate limits. */
  measure<R extends unknown[]>(fetch: Fetch<R>): Fetch<R>;
  /** A group of writes was committed. The first one has waited for `waitMs`. */
  onBatch(size: number, waitMs: number): void;
  /** The disk is full, or has space again. */
  onFull(isFull: boolean): void;
  /** A bot has handled an event, or failed. */
  onHandled(kind: 'code' | 'webhook' | 'agent', ms: number): void;
  /** The claims of bot events have changed after a process failed. */
  onClaimChange(change: ClaimChange, count: number): void;
  /** Reads the state of the server at each scrape. */
  observe(server: { db: Database; pubSub: PubSub; processes: Processes }): void;
}

const postPath = /^\/chat\/[^/]+\/messages$/;
/** Seconds: a post takes a few milliseconds, and at most some seconds on a busy machine. */
const postBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Seconds: bot code may take a minute. */
const botBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60];
const batchBuckets = [1, 2, 5, 10, 25, 50, 100, 250, 512];
const waitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** `version`: of the server. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'webchat_build_info',
    help: 'Always 1; the label is the version of the server.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const posts = new Counter({
    name: 'webchat_posts_total',
    help: 'Messages that visitors posted, by result: stored, refused (4xx), unavailable (503, 507) or failed (5xx).',
    labelNames: ['result'],
    registers,
  });
  const postSeconds = new Histogram({
    name: 'webchat_post_seconds',
    help: 'Time from the request of a visitor to post a message to its response.',
    buckets: postBuckets,
    registers,
  });
  const uploads = new Counter({
    name: 'webchat_uploads_total',
    help: 'Requests with bytes of files, by result: stored, refused (4xx), unavailable (503, 507) or failed (5xx).',
    labelNames: ['result'],
    registers,
  });
  const rateLimited = new Counter({
    name: 'webchat_rate_limited_total',
    help: 'Requests that were refused with 429.',
    registers,
  });
  const batchSize = new Histogram({
    name: 'webchat_write_batch_size',
    help: 'Writes that one commit contained; on PostgreSQL, messages that one transaction stored.',
    buckets: batchBuckets,
    registers,
  });
  const batchWait = new Histogram({
    name: 'webchat_write_wait_seconds',
    help: 'Time that the first write of a commit waited for it to begin.',
    buckets: waitBuckets,
    registers,
  });
  const diskFull = new Gauge({
    name: 'webchat_disk_full',
    help: '1 while writes are refused because the disk of the data folder is full.',
    registers,
  });
  const botSeconds = new Histogram({
    name: 'webchat_bot_seconds',
    help: 'Time that bots took for an event, by kind: code, webhook or agent.',
    labelNames: ['kind'],
    buckets: botBuckets,
    registers,
  });
  const claimChanges = new Counter({
    name: 'webchat_bot_claim_changes_total',
    help: 'Claims of bot events that changed: taken_over, or stranded, which must stay 0.',
    labelNames: ['kind'],
    registers,
  });
  for (const change of ['taken_over', 'stranded']) claimChanges.inc({ kind: change }, 0);
  // The series exist before the first event, so that a rate has a first value.
  for (const result of ['stored', 'refused', 'unavailable', 'failed']) {
    posts.inc({ result }, 0);
    uploads.inc({ result }, 0);
  }

  const onBatch = (size: number, waitMs: number): void => {
    batchSize.observe(size);
    batchWait.observe(waitMs / 1_000);
  };
  countEvents(registry, onBatch);

  return {
    registry,
    measure: (fetch) => {
      return async (request, ...rest) => {
        const begun = performance.now();
        const response = await fetch(request, ...rest);
        if (response.status === 429) rateLimited.inc();
        if (!isSending(request)) return response;
        const { pathname } = new URL(request.url);
        const result = resultOf(response.status);
        if (postPath.test(pathname)) {
          posts.inc({ result });
          postSeconds.observe((performance.now() - begun) / 1_000);
        } else if (uploadPaths.test(pathname)) uploads.inc({ result });
        return response;
      };
    },
    onBatch,
    onFull: (isFull) => diskFull.set(isFull ? 1 : 0),
    onHandled: (kind, ms) => botSeconds.observe({ kind }, ms / 1_000),
    onClaimChange(change, count) {
      // Lost leases are counted with those of other work (events.ts).
      if (change !== 'lease_lost') claimChanges.inc({ kind: change }, count);
    },
    observe({ db, pubSub, processes }) {
      new Gauge({
        name: 'webchat_processes',
        help: 'Processes of this server that are alive, as far as this one knows.',
        registers,
        collect() {
          this.set(processes.count());
        },
      });
      new Gauge({
        name: 'webchat_bot_code_versions',
        help: 'Different versions of the code of bots that these processes run; 1 except during a rolling restart.',
        registers,
        collect() {
          this.set(processes.botCodeVersions());
        },
      });
      new Gauge({
        name: 'webchat_streams',
        help: 'Open streams of visitors.',
        registers,
        collect() {
          this.set(pubSub.size);
        },
      });
      new Gauge({
        name: 'webchat_stream_backlog_bytes',
        help: 'Bytes that all streams have queued for clients that read slowly.',
        registers,
        collect() {
          this.set(pubSub.backlog.bytes);
        },
      });
      new Counter({
        name: 'webchat_frames_total',
        help: 'Frames that were given to open streams, pings included.',
        registers,
        collect() {
          this.reset();
          this.inc(pubSub.frames);
        },
      });
      new Gauge({
        name: 'webchat_database_waiting',
        help: 'Writes and statements that wait for a connection of the pool, or for the write before them.',
        registers,
        collect() {
          this.set(db.waiting());
        },
      });
      const queue = sharedLook(() => db.read((tx) => queuedDeliveries(tx, maxCounted)));
      new Gauge({
        name: 'webchat_bot_event_oldest_seconds',
        help: 'Age of the oldest event that waits for its bot; 0 without one.',
        registers,
        async collect() {
          const { oldest } = await queue();
          this.set(oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest) / 1_000));
        },
      });
      new Gauge({
        name: 'webchat_bot_events_waiting',
        help: `Events that wait for their bot, counted up to ${maxCounted}.`,
        registers,
        async collect() {
          this.set((await queue()).count);
        },
      });
    },
  };
}

/**
 * One look for all figures of a scrape, which ask at the same time. Each waits for it in its own `collect`: a figure that
 * another one sets is sent with its previous value.
 */
function sharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let looking: Promise<T> | undefined;
  return () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}

/** The queue is read at each scrape, so a long one is not read to its end: 10,000 rows take 10 ms. */
const maxCounted = 10_000;

const isSending = ({ method }: Request): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH';

function resultOf(status: number): string {
  if (status === 503 || status === 507) return 'unavailable';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'stored';
}

/**
 * Counters with one label, which is a field of the event. All series exist before the first event, so that a rate has a
 * first value.
 */
const counters = {
  databaseRetry: {
    name: 'webchat_database_retries_total',
    help: 'Statements and writes that ran again, by code: connection (lost), 40001, 40P01 or 23505 (conflicts).',
    label: 'code',
    values: ['connection', '40001', '40P01', '23505'],
  },
  gap: {
    name: 'webchat_relay_gaps_total',
    help: 'Signals of other processes that the relay lost and the log had, by source: relay or tail.',
    label: 'source',
    values: ['relay', 'tail'],
  },
  leaseLost: {
    name: 'webchat_leases_lost_total',
    help: 'Leases that this process lost because it was frozen or cut off, by kind: bot_events or background.',
    label: 'kind',
    values: ['bot_events', 'background'],
  },
  fenced: {
    name: 'webchat_writes_fenced_total',
    help: 'Writes that were refused because another process does the work, by kind: bot_event, background or upload.',
    label: 'kind',
    values: ['bot_event', 'background', 'upload'],
  },
} as const;

/** Seconds: a message between processes takes a few milliseconds. */
const relayBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/**
 * Counts the events of the server from now on (../startup/events.ts): database, other processes, leases, uploads. `onGroup`:
 * requests were stored in one transaction.
 */
export function countEvents(registry: Registry, onGroup: (size: number, waitMs: number) => void): void {
  const registers = [registry];
  for (const [event, { name, help, label, values }] of Object.entries(counters)) {
    const counter = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) counter.inc({ [label]: value }, 0);
    subscribe(event as keyof typeof counters, (found) => {
      counter.inc({ [label]: (found as Record<string, string>)[label] ?? '' });
    });
  }
  const relaySeconds = new Histogram({
    name: 'webchat_relay_seconds',
    help: 'Time of a message from another process, which each process sends every 5 seconds.',
    buckets: relayBuckets,
    registers,
  });
  subscribe('relayed', ({ ms }) => relaySeconds.observe(ms / 1_000));
  const superseded = new Counter({
    name: 'webchat_uploads_taken_over_total',
    help: 'Requests with bytes of a file that another request has superseded.',
    registers,
  });
  subscribe('uploadTakenOver', () => superseded.inc());
  subscribe('group', ({ size, waitMs }) => onGroup(size, waitMs));
}
