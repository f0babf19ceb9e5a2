// Tests that the statements of the object store use indexes.
import { expect, test } from 'vitest';
import * as storage from '../../storage/files/uploads.ts';
import { useFolder } from '../../testing/folder.testing.ts';
import { plansOf } from '../../testing/query-plans.testing.ts';
import { openTestDatabase } from '../../testing.ts';
import { newUpload } from './upload-row.ts';

const folder = useFolder();

test('every query of uploads uses an index', async () => {
  const db = await openTestDatabase(folder());
  const row = newUpload('file_a', 'fence');
  const plans = await plansOf(db, async (tx) => {
    await storage.findUpload(tx, 'a');
    await storage.fenceUpload(tx, 'a', 'b');
    await storage.saveUpload(tx, row);
    await storage.deleteUpload(tx, row);
    await storage.listUploads(tx, '', 10);
    await storage.ensureStoreId(tx, 'id');
    await storage.claimOrphanSearch(tx, 2, 1);
    await storage.releaseOrphanSearch(tx);
  });
  expect(plans.length).toBeGreaterThan(8);
  expect(plans.filter((plan) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(plan))).toEqual([]);
  await db.close();
});
