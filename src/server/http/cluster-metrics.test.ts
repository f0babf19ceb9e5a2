// Tests of the figures of several processes, which are made to count what they are for; and of what the documentation says of
// all figures: the guide, the dashboard and the alerts.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProgram, provide } from '../../../scripts/browser.mjs';
import type { BotHandler } from '../../protocol/bot.ts';
import { fencedDatabase } from '../cluster/leases/shared-cluster.ts';
import { LeaseLost } from '../jobs/processes.ts';
import { gate } from '../testing/gate.testing.ts';
import { pollOptions, startTestCluster, type TestCluster, type TestServer } from '../testing.ts';
import { parse } from './prometheus.testing.ts';
import { createMetrics } from './prometheus.ts';

const metrics = createMetrics('1.2.3');
const scrape = async () => parse(await metrics.registry.metrics());
const value = async (name: string) => (await scrape()).samples.get(name);

let cluster: TestCluster;
let one: TestServer;
let other: TestServer;
/** Lets the handler of an event with this text go on. */
const held = new Map<string, () => void>();
const handler: BotHandler = async (event, bot) => {
  // Nothing follows the last one: a frame after it would show the gap first.
  if (event.type !== 'text' || event.preview === 'the last one') return;
  if (event.preview === 'wait') await new Promise<void>((resolve) => held.set(event.preview, resolve));
  await bot.reply({ type: 'text', text: 'an answer' });
};

beforeAll(async () => {
  cluster = await startTestCluster(2, (n) => ({
    handler,
    leaseTime: 1_000,
    botCode: `version ${n}`,
    realtimeIntervals: { tail: 50 },
    sharedEvents: { lease: 2_000 },
    ...(n === 0 ? { onHandled: metrics.onHandled, onClaimChange: metrics.onClaimChange } : {}),
  }));
  [one, other] = cluster.servers as [TestServer, TestServer];
  metrics.observe({ db: one.db, pubSub: one.composition.pubSub, processes: one.composition.processes });
});
afterAll(() => cluster.close());

test('metrics: signals that the relay loses are counted when the log has them, by what noticed it', async () => {
  const { key } = await one.user();
  const id = await one.conversation(key);
  const stream = await one.listen(key, id);
  const before = await scrape();
  const gaps = (source: string) => `webchat_relay_gaps_total{source="${source}"}`;
  const isFrame = (message: string) => message.startsWith('f');
  // The last one: nothing arrives after it.
  cluster.hub.fate = (_, message) => (isFrame(message) ? 'lost' : 'arrives');
  const last = await other.sendMessage(key, id, 'the last one');
  await stream.until(({ data }) => data.includes(last));
  await expect
    .poll(() => value(gaps('tail')), pollOptions)
    .toBeGreaterThan(before.samples.get(gaps('tail')) ?? 0);
  // All before the one that arrives. The regular check may be faster, so that it is repeated.
  await expect
    .poll(async () => {
      cluster.hub.fate = (_, message) => (isFrame(message) ? 'lost' : 'arrives');
      await Promise.all([other.sendMessage(key, id, 'lost'), other.sendMessage(key, id, 'lost')]);
      cluster.hub.fate = () => 'arrives';
      const arrived = await other.sendMessage(key, id, 'arrives');
      await stream.until(({ data }) => data.includes(arrived));
      return value(gaps('relay'));
    }, pollOptions)
    .toBeGreaterThan(before.samples.get(gaps('relay')) ?? 0);
  await stream.cancel();
});

test('metrics: the processes and the versions of their bots are counted', async () => {
  await expect.poll(() => value('webchat_processes'), pollOptions).toBe(2);
  await expect.poll(() => value('webchat_bot_code_versions'), pollOptions).toBe(2);
});

test('metrics: the time of messages between processes is measured', async () => {
  await expect.poll(() => value('webchat_relay_seconds_count'), pollOptions).toBeGreaterThan(1);
});

test('metrics: lost leases and refused writes of bots and of background work are counted', async () => {
  const before = (await scrape()).samples;
  const { key } = await one.user();
  const id = await one.conversation(key);
  await one.sendMessage(key, id, 'wait');
  await expect.poll(() => held.has('wait'), pollOptions).toBe(true);
  // As if the process had been frozen, and another one had taken over what it did.
  await one.db.write(async (tx) => {
    await tx.run("UPDATE deliveries SET owner = 'lease_of_another'");
    await tx.run("UPDATE leases SET process_id = 'another', fence = 'another'");
    await tx.run('DELETE FROM delivery_leases');
  });
  held.get('wait')?.();
  const lost = fencedDatabase(one.db, { name: 'none', processId: 'p', fence: 'f' }, () => {});
  await expect(lost.write((tx) => tx.run('UPDATE processes SET version = version'))).rejects.toThrow(
    LeaseLost,
  );
  for (const name of [
    'webchat_leases_lost_total{kind="bot_events"}',
    'webchat_leases_lost_total{kind="background"}',
    'webchat_writes_fenced_total{kind="bot_event"}',
    'webchat_writes_fenced_total{kind="background"}',
  ])
    await expect.poll(() => value(name), pollOptions).toBeGreaterThan(before.get(name) ?? 0);
  held.clear();
});

test('metrics: an upload that another request takes over is counted', async () => {
  const { key } = await one.user();
  const { body } = await one.call('POST', '/files', { key, body: { key: 'a.txt', size: 4 } });
  const path = new URL((body.file as { uploadUrl: string }).uploadUrl).pathname;
  let send: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isRead = false;
  const slow = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        send = controller;
      },
      pull() {
        isRead = true;
      },
    },
    { highWaterMark: 0 },
  );
  const first = one.fetch(path, { method: 'PUT', body: slow, duplex: 'half' } as RequestInit);
  send?.enqueue(new Uint8Array(1));
  await expect.poll(() => isRead, pollOptions).toBe(true);
  const second = await one.fetch(path, { method: 'PUT', body: 'four' });
  expect([(await first).status, second.status]).toEqual([409, 204]);
  expect(await value('webchat_uploads_taken_over_total')).toBeGreaterThanOrEqual(1);
});

test('metrics: repeated writes, waiting ones and groups of messages are counted', async () => {
  const before = (await scrape()).samples;
  const name = 'webchat_database_retries_total{code="23505"}';
  // Runs of the same transaction (repeated-writes.testing.ts) are the same attempt.
  let first: string | undefined;
  await one.db.write(async (tx) => {
    const transaction = await tx.get<{ id: string }>('SELECT txid_current()::text AS id');
    first ??= transaction?.id;
    const ids = transaction?.id === first ? ['twice', 'twice'] : ['once', 'another one'];
    for (const id of ids) {
      await tx.run("INSERT INTO processes (id, started_at, seen_at, version) VALUES (?, 1, 1, '')", id);
    }
  });
  expect(await value(name)).toBeGreaterThan(before.get(name) ?? 0);
  const { opened: released, open: release } = gate();
  const writes = Array.from({ length: 30 }, () =>
    one.db.write(async (tx) => {
      await released;
      return tx.get('SELECT 1');
    }),
  );
  // The scrape needs a connection, too: two of them are for reads.
  await expect.poll(() => value('webchat_database_waiting'), pollOptions).toBeGreaterThan(10);
  release();
  await Promise.all(writes);
  expect(await value('webchat_database_waiting')).toBeLessThan(10);
  const { key } = await one.user();
  const id = await one.conversation(key);
  await Promise.all(Array.from({ length: 20 }, () => one.sendMessage(key, id, 'many')));
  const { samples } = await scrape();
  const sum = 'webchat_write_batch_size_sum';
  expect(samples.get(sum)).toBeGreaterThanOrEqual((before.get(sum) ?? 0) + 20);
  expect(samples.get('webchat_write_wait_seconds_count')).toBe(samples.get('webchat_write_batch_size_count'));
});

/** The names of all metrics that a server exposes, with the suffixes of histograms. */
async function metricNames(): Promise<Set<string>> {
  const { types } = await scrape();
  const names = [...types].flatMap(([name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}

const docs = join(import.meta.dirname, '../../../docs');
const baseOf = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
const namesIn = (expr: string) =>
  [...expr.matchAll(/\b(?:webchat|nodejs|process|pg)_\w+/g)].map(([name]) => name);

test('metrics: every query of the dashboard names an existing metric, and every metric has a query', async () => {
  const names = await metricNames();
  const dashboard = JSON.parse(readFileSync(join(docs, 'reference/grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const used = queries.map(namesIn);
  expect(queries.length).toBeGreaterThan(10);
  for (const [index, found] of used.entries()) {
    expect(found.length, queries[index]).toBeGreaterThan(0);
    for (const name of found) expect(names, queries[index]).toContain(name);
  }
  const all = new Set(used.flat().map(baseOf));
  for (const name of names) if (name.startsWith('webchat_')) expect(all).toContain(baseOf(name));
  const titles = dashboard.panels.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('metrics: the guide describes every metric of this server, and no other', async () => {
  const names = await metricNames();
  const guide = readFileSync(join(docs, 'guides/self-hosting.md'), 'utf8');
  const described = [...guide.matchAll(/^\| `(webchat_\w+)/gm)].map(([, name = '']) => name);
  expect(new Set(described)).toEqual(
    new Set([...names].map(baseOf).filter((name) => name.startsWith('webchat_'))),
  );
});

const alerts = join(docs, 'reference/alerts.yml');

test('metrics: every alert names existing metrics and labels, and the guide lists it', async () => {
  const { samples } = await scrape();
  const names = await metricNames();
  const text = readFileSync(alerts, 'utf8');
  const rules = [...text.matchAll(/- alert: (\w+)\n\s+expr: (.+)$/gm)].map(([, name = '', expr = '']) => ({
    name,
    expr,
  }));
  expect(rules).toHaveLength(11);
  const guide = readFileSync(join(docs, 'guides/scaling.md'), 'utf8');
  for (const { name, expr } of rules) {
    const found = namesIn(expr);
    expect(found).toHaveLength(1);
    // The replicas are those of the database, which has its own exporter.
    if (found[0] !== 'pg_replication_lag_seconds') expect(names, expr).toContain(found[0]);
    const [, selector] = /(webchat_\w+\{[^}]+\})/.exec(expr) ?? [];
    if (selector) expect([...samples.keys()]).toContain(selector);
    expect(guide).toContain(`\`${name}\``);
  }
  expect([...guide.matchAll(/^\| `(Webchat\w+)`/gm)].map(([, name]) => name)).toEqual(
    rules.map(({ name }) => name),
  );
});

test('metrics: Prometheus accepts the alerts', () => {
  provide('promtool');
  const output = execFileSync(findProgram('promtool') ?? '', ['check', 'rules', alerts], {
    encoding: 'utf8',
  });
  expect(output).toContain('SUCCESS: 11 rules found');
});
