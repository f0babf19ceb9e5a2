// Tests of the order of indexing: bots take turns, regardless of the number of their files, also after a restart.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobRunner } from '../../jobs/runner.ts';
import type { Database } from '../../storage/database.ts';
import { nextFileToIndex } from '../../storage/files/indexing.ts';
import { releaseTestDatabase } from '../../storage/postgres/testing.ts';
import { gate } from '../../testing/gate.testing.ts';
import { plansOf } from '../../testing/query-plans.testing.ts';
import { testOnSqlite } from '../../testing/sqlite-only.testing.ts';
import { openTestDatabase } from '../../testing.ts';
import type { Extraction } from './extraction.ts';
import { createIndexer } from './indexer.ts';

let folder: string;
/** Without a server, which would look for files to index, too. */
let db: Database;
let indexer: JobRunner | undefined;
/** File ids in the order in which their text was read. */
let order: string[];
/** Called when the text of a file is read. */
let onRead: (id: string) => unknown;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-indexer-'));
  db = await openTestDatabase(folder);
  order = [];
  onRead = () => {};
});
afterEach(async () => {
  await indexer?.close();
  await db.close();
  await releaseTestDatabase(folder);
  await rm(folder, { recursive: true });
});

/** Announces files that are queued for indexing. */
const wait = (botId: string, ...ids: string[]) =>
  db.write(async (tx) => {
    for (const [index, id] of ids.entries()) {
      await tx.run(
        `INSERT INTO files (id, bot_id, owner_type, key, size, content_id, declared_type, content_type, status,
           is_indexed, announced_at, created_at, updated_at)
         VALUES (?, ?, 'bot', ?, 1, ?, 'text/plain', 'text/plain', 'indexing_pending', 1, ?, 0, 0)`,
        id,
        botId,
        id,
        id,
        index,
      );
    }
  });
const names = (bot: string, count: number) => Array.from({ length: count }, (_, n) => `${bot}${n}`);
const completed = async () =>
  (await db.read((tx) => tx.all<{ id: string }>("SELECT id FROM files WHERE status = 'indexing_completed'")))
    .length;

function start(): JobRunner {
  const extraction: Extraction = {
    async *passages(path, _type, signal) {
      order.push(path);
      await onRead(path);
      signal?.throwIfAborted();
      yield [{ content: path, subtype: 'paragraph', page: null, breadcrumb: '' }];
    },
  };
  indexer = createIndexer({
    db,
    store: { withLocalFile: (id: string, work: (path: string) => unknown) => work(id) } as never,
    index: { add: async () => {} } as never,
    extraction,
    logger: { error() {} } as never,
    now: () => 1,
  });
  indexer.wake();
  return indexer;
}

test.each([
  ['after', 'bot_a', 'bot_b'],
  ['before', 'bot_b', 'bot_a'],
])(
  'the only file of a bot whose id sorts %s waits for at most one of fifty files of another bot',
  async (_, many, one) => {
    await wait(many, ...names('many', 50));
    let isAdded = false;
    onRead = async () => {
      if (order.length !== 3 || isAdded) return;
      isAdded = true;
      await wait(one, 'single');
    };
    await start().idle();
    expect(order).toHaveLength(51);
    expect(order.indexOf('single')).toBe(3);
    expect(order.filter((id) => id !== 'single')).toEqual(names('many', 50));
  },
);

test('three bots with many files take turns, with the files of each in order', async () => {
  for (const bot of ['a', 'b', 'c']) await wait(`bot_${bot}`, ...names(bot, 4));
  await start().idle();
  expect(order.join(' ')).toBe('a0 b0 c0 a1 b1 c1 a2 b2 c2 a3 b3 c3');
});

test('a file that fails uses one turn', async () => {
  await wait('bot_a', ...names('a', 2));
  await wait('bot_b', 'b0');
  onRead = (id) => {
    if (id === 'a0') throw new Error('broken');
  };
  await start().idle();
  expect(order).toEqual(['a0', 'b0', 'a1']);
});

test('a disk that is full many times fails no file', async () => {
  await wait('bot_a', 'a0');
  onRead = () => {
    if (order.length <= 5) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const runner = start();
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await runner.idle();
    expect(await db.read((tx) => tx.all('SELECT status, index_attempts AS attempts FROM files'))).toEqual([
      { status: 'indexing_pending', attempts: 0 },
    ]);
    runner.wake();
  }
  await runner.idle();
  expect(await completed()).toBe(1);
});

test('after an interruption no file is lost and none is indexed twice', async () => {
  await wait('bot_a', ...names('a', 5));
  await wait('bot_b', ...names('b', 5));
  const { opened: middle, open: reached } = gate();
  onRead = async () => {
    if (order.length === 4) reached();
    // The remaining files wait until the stop.
    if (order.length === 4) await new Promise((resolve) => setImmediate(resolve));
  };
  const first = start();
  await middle;
  await first.close();
  const before = await completed();
  expect(before).toBeLessThan(10);
  await start().idle();
  expect(await completed()).toBe(10);
  expect(new Set(order).size).toBe(10);
  const passages = await db.read((tx) =>
    tx.all('SELECT f.id FROM files f JOIN passages p ON p.index_version = f.index_version'),
  );
  expect(passages).toHaveLength(10);
});

testOnSqlite('the next file is found by an index, without reading all files', async () => {
  await wait('bot_a', 'a0');
  const plans = await plansOf(db, (tx) => nextFileToIndex(tx, ''));
  const searches = plans.filter((plan) => /^\w+ files/.test(plan));
  expect(searches).toHaveLength(2);
  for (const plan of searches)
    expect(plan).toMatch(/^SEARCH files USING INDEX files_waiting \(status=\? AND bot_id/);
  expect(plans.join()).not.toContain('TEMP B-TREE');
});
