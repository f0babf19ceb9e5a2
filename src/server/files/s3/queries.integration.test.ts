// Tests that the statements of the object store use indexes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Tx } from '../../storage/database.ts';
import * as storage from '../../storage/files/uploads.ts';
import { openTestDatabase, recordStatements } from '../../testing.ts';
import { newUpload } from './upload-row.ts';

test('every query of uploads uses an index', async () => {
  const home = await mkdtemp(join(tmpdir(), 'webchat-s3-'));
  const db = await openTestDatabase(home);
  const statements = recordStatements(db);
  const row = newUpload('file_a', 'fence');
  await db.write(async (tx) => {
    await storage.findUpload(tx, 'a');
    await storage.fenceUpload(tx, 'a', 'b');
    await storage.saveUpload(tx, row);
    await storage.deleteUpload(tx, row);
    await storage.listUploads(tx, '', 10);
    await storage.ensureStoreId(tx, 'id');
    await storage.claimOrphanSearch(tx, 2, 1);
    await storage.releaseOrphanSearch(tx);
  });
  const explain = (tx: Tx, sql: string) => tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  expect(statements.length).toBeGreaterThan(8);
  const plans: string[] = [];
  for (const sql of [...statements]) {
    const rows = await db.read((tx) => explain(tx, sql));
    plans.push(...rows.map(({ detail }) => `${detail}: ${sql}`));
  }
  expect(plans.filter((plan) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(plan))).toEqual([]);
  await db.close();
  await rm(home, { recursive: true, force: true });
});
