// Removes what is left of files that are deleted, expired, replaced or never came: rows, passages, bytes. In small steps.
import type { Database, WriteTx } from '../storage/database.ts';
import {
  buriedContents,
  buryFiles,
  contentKnown,
  contentUnused,
  expireFiles,
  expireUploads,
  forgetContent,
  nextCompaction,
  setCompaction,
} from '../storage/files/deletions.ts';
import { buriedEdition, deletePassage, forgetEdition, passageNumbers } from '../storage/files/passages.ts';
import type { FileStore } from './bytes/store.ts';
import type { PassageIndex } from './search/full-text.ts';

/** Files in one step. */
const step = 100;
/** Passages in one step: to take the words of one out of the index costs half a millisecond. */
const passageStep = 25;

/** One step: gives how much there was to do. Bytes go before the note that they must: killed in between, it stays. */
export async function sweepFiles(
  db: Database,
  store: FileStore,
  passages: PassageIndex,
  now: number,
): Promise<number> {
  const expired = await db.write(
    async (tx) => (await expireUploads(tx, now, step)) + (await expireFiles(tx, now, step)),
  );
  const buried = await db.write((tx) => buryFiles(tx, step));
  const contents = await db.read((tx) => buriedContents(tx, step));
  for (const id of contents) {
    if (await db.read((tx) => contentUnused(tx, id))) await store.hold(id, (writer) => writer.remove());
    await db.write((tx) => forgetContent(tx, id));
  }
  return expired + buried + contents.length + (await sweepPassages(db, passages));
}

async function sweepPassages(db: Database, passages: PassageIndex): Promise<number> {
  return db.write(async (tx) => {
    const edition = await buriedEdition(tx);
    if (edition === undefined) return compactIndex(tx, passages);
    const seqs = await passageNumbers(tx, edition, passageStep);
    for (const seq of seqs) {
      await passages.remove(tx, seq);
      await deletePassage(tx, seq);
    }
    if (seqs.length > 0) await setCompaction(tx, 'wanted');
    if (seqs.length < passageStep) await forgetEdition(tx, edition);
    return 1;
  });
}

/** One step of taking the words of removed passages out of the index; gives 0 when there is nothing to do. */
async function compactIndex(tx: WriteTx, passages: PassageIndex): Promise<number> {
  const state = await nextCompaction(tx);
  if (state === undefined) return 0;
  const isDone = await passages.compact(tx, state === 'wanted');
  await setCompaction(tx, isDone ? undefined : 'begun');
  return 1;
}

/** Removes bytes without a row: rows are made before their first byte, so nobody will miss them. */
export async function sweepOrphans(db: Database, store: FileStore, isClosed: () => boolean): Promise<void> {
  for await (const id of store.ids()) {
    if (isClosed()) return;
    if (!(await db.read((tx) => contentKnown(tx, id)))) await store.hold(id, (writer) => writer.remove());
  }
}
