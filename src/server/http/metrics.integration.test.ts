// Tests of the figures for Prometheus: scraped from a process with traffic.
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { queuedDeliveries } from '../storage/bots/deliveries.ts';
import { gate } from '../testing/gate.testing.ts';
import { useServerProcess } from '../testing/process.testing.ts';
import { plansOf } from '../testing/query-plans.testing.ts';
import { enter } from '../testing/visitor.testing.ts';
import { pollOptions, readStream, recordStatements, startTestServer, type TestServer } from '../testing.ts';
import { parse } from './prometheus.testing.ts';
import { createMetrics } from './prometheus.ts';

const serverProcess = useServerProcess();
const { run, bot } = serverProcess;
const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** The address in the log line of the start, which comes through another pipe than the line `ready`. */
async function metricsUrl(stderr: () => string): Promise<string> {
  const url = () => /"metrics":"(http:[^"]+)"/.exec(stderr())?.[1];
  await expect.poll(url, pollOptions).toBeDefined();
  return url() ?? '';
}

test('metrics: a scrape during traffic has every figure, and no id of anybody', async () => {
  const release = join(serverProcess.folder(), 'release');
  const server = await run({
    METRICS: '127.0.0.1:0',
    RATE_LIMIT: '200',
    BOT: await bot(`import { access } from 'node:fs/promises';
      export default async (event, bot) => {
        if (event.preview === 'block')
          while (!(await access(${JSON.stringify(release)}).then(() => true, () => false)))
            await new Promise((next) => setTimeout(next, 10));
        if (event.type === 'text') await bot.reply({ type: 'text', text: 'answer' });
      }`),
  });
  const address = await metricsUrl(server.stderr);
  const scrape = async () => {
    const response = await fetch(address);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return parse(await response.text());
  };
  const value = async (name: string) => (await scrape()).samples.get(name);
  const first = await scrape();
  expect(first.samples.get('webchat_posts_total{result="stored"}')).toBe(0);
  expect(first.samples.get('webchat_bot_event_oldest_seconds')).toBe(0);

  const visitor = await enter(server.url);
  const stream = readStream(await visitor.listen());
  const scrapes = Promise.all(Array.from({ length: 5 }, scrape));
  for (let n = 0; n < 20; n += 1) expect((await visitor.send(`hello ${n}`)).status).toBe(201);
  await scrapes;
  const empty = { conversationId: visitor.id, payload: { type: 'text' } };
  expect((await visitor.call('POST', '/messages', empty)).status).toBe(400);
  await expect
    .poll(() => stream.frames.filter(({ data }) => data.includes('answer')).length, pollOptions)
    .toBe(20);
  await expect
    .poll(() => value('webchat_bot_seconds_count{kind="code"}'), pollOptions)
    .toBeGreaterThanOrEqual(20);

  expect(await visitor.upload('a.txt', Buffer.from('hi'))).not.toBe('');
  expect((await fetch(`${server.url}/chat/demo/uploads/none`, { method: 'PUT', body: 'hi' })).status).toBe(
    404,
  );

  await visitor.send('block');
  await visitor.send('waits');
  await expect.poll(() => value('webchat_bot_events_waiting'), pollOptions).toBe(2);
  await expect.poll(() => value('webchat_bot_event_oldest_seconds'), pollOptions).toBeGreaterThan(0);
  await writeFile(release, '');
  await expect.poll(() => value('webchat_bot_events_waiting'), pollOptions).toBe(0);
  expect(await value('webchat_bot_event_oldest_seconds')).toBe(0);

  let refused = 0;
  while (refused === 0) if ((await visitor.send('many')).status === 429) refused += 1;
  const { samples, types, text } = await scrape();
  expect(samples.get('webchat_rate_limited_total')).toBe(1);
  // The post that was refused by the limit is one of the two.
  expect(samples.get('webchat_posts_total{result="refused"}')).toBe(2);
  expect(samples.get('webchat_posts_total{result="failed"}')).toBe(0);
  expect(samples.get('webchat_post_seconds_count')).toBe(
    (samples.get('webchat_posts_total{result="stored"}') ?? 0) + 2,
  );
  expect(samples.get('webchat_uploads_total{result="stored"}')).toBe(1);
  expect(samples.get('webchat_uploads_total{result="refused"}')).toBe(1);
  expect(samples.get('webchat_streams')).toBe(1);
  expect(samples.get('webchat_frames_total')).toBeGreaterThanOrEqual(44);
  expect(samples.get('webchat_write_batch_size_sum')).toBeGreaterThan(40);
  expect(samples.get('webchat_write_wait_seconds_count')).toBe(samples.get('webchat_write_batch_size_count'));
  expect(samples.get('webchat_disk_full')).toBe(0);
  expect([...samples.keys()].filter((name) => name.startsWith('webchat_build_info'))).toEqual([
    `webchat_build_info{version="${JSON.parse(await readFile('package.json', 'utf8')).version}"}`,
  ]);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes']) {
    expect(types.get(name)).toBe('gauge');
    expect(samples.get(name)).toBeGreaterThan(0);
  }
  expect(text).not.toMatch(/[0-9A-HJKMNP-TV-Z]{26}/);
  const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, name]) => name));
  const ours = [...samples.keys()].filter((name) => name.startsWith('webchat_')).join('\n');
  expect(new Set([...ours.matchAll(/[{,]([a-z_]+)="/g)].map(([, name]) => name))).toEqual(
    new Set(['version', 'result', 'kind', 'le', 'code', 'source']),
  );
  expect(labels.has('id')).toBe(false);

  // Neither the public port nor another path or method has the figures.
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404);
  expect((await fetch(address, { method: 'POST' })).status).toBe(404);
  await stream.cancel();
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
});

test('metrics: the library is loaded only with the setting', async () => {
  const hook = join(serverProcess.folder(), 'hook.cjs');
  await writeFile(
    hook,
    `process.on('exit', () => {
      const loaded = Object.keys(require.cache).some((file) => file.includes('prom-client'));
      process.stderr.write('prom-client loaded: ' + loaded + '\\n');
    });`,
  );
  for (const [METRICS, loaded] of [
    ['off', false],
    ['127.0.0.1:0', true],
  ] as const) {
    const server = await run({ METRICS, NODE_OPTIONS: `--require ${hook}` });
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    expect(server.stderr()).toContain(`prom-client loaded: ${loaded}\n`);
  }
});

test('metrics: a start with a taken port prints one line', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const server = await run({ METRICS: `127.0.0.1:${port}` });
  expect(await server.exit).toBe(1);
  expect(server.stderr()).toBe(`METRICS: cannot listen on 127.0.0.1:${port} (EADDRINUSE).\n`);
  taken.close();
});

test('metrics: each scrape has the age of the oldest event of its own time, read once', async () => {
  const { opened: held, open: release } = gate();
  // The events are a minute old.
  const server = await startTestServer({ handler: () => held, now: () => Date.now() - 60_000 });
  servers.push(server);
  const metrics = createMetrics('1.2.3');
  const { pubSub, processes } = server.composition;
  metrics.observe({ db: server.db, pubSub, processes });
  const scrape = async () => {
    const { samples } = parse(await metrics.registry.metrics());
    return {
      count: samples.get('webchat_bot_events_waiting'),
      oldest: samples.get('webchat_bot_event_oldest_seconds'),
    };
  };
  const queue = () => server.db.read((tx) => queuedDeliveries(tx, 10));
  expect(await scrape()).toEqual({ count: 0, oldest: 0 });

  const { key } = await server.user();
  await server.sendMessage(key, await server.conversation(key), 'waits');
  await expect.poll(async () => (await queue()).count, pollOptions).toBeGreaterThan(0);
  const { count } = await queue();
  const statements = recordStatements(server.db);
  for (const found of [await scrape(), ...(await Promise.all([scrape(), scrape()]))]) {
    expect(found.count).toBe(count);
    expect(found.oldest).toBeGreaterThanOrEqual(60);
  }
  // The two scrapes at once share a look.
  expect(statements.filter((sql) => sql.includes('created_at FROM deliveries'))).toHaveLength(2);

  release();
  await expect.poll(async () => (await queue()).count, pollOptions).toBe(0);
  expect(await scrape()).toEqual({ count: 0, oldest: 0 });
});

test('metrics: the queue of bots is counted by an index, without a sort', async () => {
  const server = await startTestServer();
  servers.push(server);
  expect(await server.db.read((tx) => queuedDeliveries(tx, 10))).toEqual({ count: 0, oldest: undefined });
  const details = (await plansOf(server.db, (tx) => queuedDeliveries(tx, 10))).join('\n');
  expect(details).toMatch(/SEARCH deliveries USING INDEX deliveries_due \(state=\?\)/);
  expect(details).not.toMatch(/TEMP B-TREE|SCAN deliveries/);
});
