// Metrics of the events of the server (diagnostics/events.ts): database, other processes, leases, uploads.
import { Counter, Histogram, type Registry } from 'prom-client';
import { subscribe } from '../../startup/events.ts';

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

/** Counts events from now on. `onGroup`: requests were stored in one transaction. */
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
