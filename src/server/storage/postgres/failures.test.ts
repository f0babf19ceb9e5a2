// Tests of lost connections: a write happens once or fails, whenever the connection is cut.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { passAll, startTcpProxy, type TcpProxy } from '../../../../e2e/support/faults/tcp-proxy.ts';
import { gate } from '../../testing/gate.testing.ts';
import type { Database, Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';
import { usePostgres } from './databases.testing.ts';
import { openPostgres } from './postgres.ts';
import { lockDatabase } from './process-lock.ts';

const postgres = usePostgres();
let url: string;
let proxy: TcpProxy;
let db: Database;
beforeEach(async () => {
  // Between the server and the database.
  proxy = await startTcpProxy(await postgres.url());
  ({ url } = proxy);
  db = await postgres.open({ pool: 3, writers: 3 }, url);
});
afterEach(async () => {
  proxy.filter = passAll;
  await db.close();
  await proxy.close();
});

const ids = async () =>
  (await db.read((tx: Tx) => tx.all<{ id: string }>('SELECT id FROM deletions ORDER BY id'))).map(
    ({ id }) => id,
  );
const put = (tx: WriteTx, id: string) => enqueueDeletion(tx, 'user', id);

test.each([
  ['INSERT INTO deletions', 'before'],
  ['INSERT INTO deletions', 'after'],
  ['COMMIT', 'before'],
  ['COMMIT', 'after'],
] as const)(
  'a write whose connection is cut at %s, %s the database receives it, is stored once',
  async (text, when) => {
    const effects: string[] = [];
    let runs = 0;
    const cuts = proxy.cutAt(text, when);
    await db.write(async (tx) => {
      runs += 1;
      tx.afterCommit(() => effects.push('committed'));
      await put(tx, `run ${runs}`);
      await tx.run(
        "INSERT INTO usage (id, bytes) VALUES ('count', 1) ON CONFLICT (id) DO UPDATE SET bytes = usage.bytes + 1",
      );
    });
    expect(cuts.count()).toBe(1);
    expect(effects).toEqual(['committed']);
    // A commit that the database received is not repeated.
    expect(runs).toBe(text === 'COMMIT' && when === 'after' ? 1 : 2);
    expect(await ids()).toEqual([`run ${runs}`]);
    expect(await db.read((tx) => tx.get("SELECT bytes FROM usage WHERE id = 'count'"))).toEqual({ bytes: 1 });
  },
);

test('a read whose connection is cut is repeated', async () => {
  await db.write((tx) => put(tx, 'a'));
  const cuts = proxy.cutAt('SELECT id FROM deletions', 'after');
  expect(await ids()).toEqual(['a']);
  expect(cuts.count()).toBe(1);
});

test('connections that the database closes while they are idle are opened again', async () => {
  await Promise.all(['a', 'b', 'c'].map((id) => db.write((tx) => put(tx, id))));
  proxy.cutAll();
  await db.write((tx) => put(tx, 'd'));
  expect(await ids()).toEqual(['a', 'b', 'c', 'd']);
});

test('a work that ignores a failed statement is rejected, because PostgreSQL has rolled it back', async () => {
  const effects: string[] = [];
  const write = db.write(async (tx) => {
    tx.afterCommit(() => effects.push('committed'));
    await put(tx, 'a');
    await tx.run('INSERT INTO deletions (kind, id) VALUES (NULL, ?)', 'b').catch(() => {});
  });
  await expect(write).rejects.toThrow('rolled back');
  expect([await ids(), effects]).toEqual([[], []]);
});

test('two works that wait for each other both succeed, because one of them runs again', async () => {
  for (const id of ['1', '2'])
    await db.write((tx) => tx.run('INSERT INTO usage (id, bytes) VALUES (?, 0)', id));
  const add = (tx: WriteTx, id: string) => tx.run('UPDATE usage SET bytes = bytes + 1 WHERE id = ?', id);
  let first: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    let count = 0;
    first = () => {
      count += 1;
      if (count >= 2) resolve();
    };
  });
  const work = (one: string, other: string) => async (tx: WriteTx) => {
    await add(tx, one);
    first();
    await both;
    await add(tx, other);
  };
  await Promise.all([db.write(work('1', '2')), db.write(work('2', '1'))]);
  expect(await db.read((tx) => tx.all('SELECT bytes FROM usage ORDER BY id'))).toEqual([
    { bytes: 2 },
    { bytes: 2 },
  ]);
});

test('a process that is frozen in a transaction loses its locks to others, and runs the write again', async () => {
  const other = await postgres.open();
  let runs = 0;
  const { opened: frozen, open: thaw } = gate();
  const { opened: locked, open: isLocked } = gate();
  const write = db.write(async (tx) => {
    runs += 1;
    await tx.lock('owner:a');
    await enqueueDeletion(tx, 'bot', `run ${runs}`);
    isLocked();
    if (runs === 1) await frozen;
  });
  await locked;
  await other.write(async (tx) => {
    await tx.lock('owner:a');
    await enqueueDeletion(tx, 'bot', 'other');
  });
  thaw();
  await write;
  expect(await other.read((tx) => tx.all('SELECT id FROM deletions ORDER BY id'))).toEqual([
    { id: 'other' },
    { id: 'run 2' },
  ]);
});

test('the lock of a process is taken again, also while the database believes that its lost session is alive', async () => {
  await db.close();
  const taken: string[] = [];
  const lock = await lockDatabase(url, {
    isShared: false,
    onTaken: () => void taken.push('by another process'),
  });
  const holders = async () => {
    const direct = await openPostgres(await postgres.url());
    const rows = await direct.read((tx) =>
      tx.all<{ pid: number }>(
        `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()`,
      ),
    );
    await direct.close();
    return rows.map(({ pid }) => pid);
  };
  const [first] = await holders();
  proxy.isUnnoticed = true;
  proxy.cutClients();
  await expect.poll(holders, { timeout: 60_000 }).not.toContain(first);
  await expect.poll(async () => (await holders()).length, { timeout: 60_000 }).toBe(1);
  await expect(lockDatabase(url, { isShared: false, onTaken() {} })).rejects.toThrow(
    'in use by another process',
  );
  proxy.isUnnoticed = false;
  await lock.release();
  await expect.poll(holders, { timeout: 60_000 }).toEqual([]);
  expect(taken).toEqual([]);
});

test('processes with an object store share a database, and exclude one with files in its folder', async () => {
  const options = (isShared: boolean) => ({ isShared, onTaken() {} });
  const refusal = 'in use by another process. Several processes need S3_URL';
  const [one, other] = [await lockDatabase(url, options(true)), await lockDatabase(url, options(true))];
  await expect(lockDatabase(url, options(false))).rejects.toThrow(refusal);
  await one.release();
  await expect(lockDatabase(url, options(false))).rejects.toThrow(refusal);
  await other.release();
  const alone = await lockDatabase(url, options(false));
  await expect(lockDatabase(url, options(true))).rejects.toThrow(refusal);
  await alone.release();
});

test('an address without a database is refused in one line without the password', async () => {
  const { port } = new URL(url);
  const wrong = `postgres://webchat:secret-password@127.0.0.1:${port}/nowhere`;
  const error = await openPostgres(wrong).catch((failure: Error) => failure);
  expect(String(error)).toMatch(/^StartError: DATABASE_URL: the database cannot be opened: .*nowhere.*$/);
  expect(String(error)).not.toContain('secret-password');
});
