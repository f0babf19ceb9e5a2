// Kills a process at each step of an upload to an object store, before and after the step, and continues in another one: no
// acknowledged byte is lost or changed, and nothing remains but the object of the file.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bytesOf, chunksOf, digestOf } from '../bytes/store.contract.ts';
import type { FileStore } from '../bytes/store.ts';
import { type S3Server, startS3rver } from './servers.testing.ts';
import { type S3Fixture, smallPart, startS3Fixture, stepping } from './testing.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startS3rver();
});
afterAll(() => server.close());

let fixture: S3Fixture | undefined;
afterEach(() => fixture?.dispose());

const day = 24 * 60 * 60 * 1_000;

/** Runs steps up to the one with a number, and none after it. `isAfter`: this one runs, but nobody learns its result. */
function createKillSwitch(at: number, isAfter: boolean) {
  let count = 0;
  let isDead = false;
  return {
    isDead: () => isDead,
    /** Returns what happens to a step: it runs, is lost, or its result is lost. */
    next(): 'run' | 'lose' | 'loseResult' {
      if (isDead) return 'lose';
      count += 1;
      if (count < at) return 'run';
      isDead = true;
      return isAfter ? 'loseResult' : 'lose';
    },
  };
}

/** Sends the bytes as a client does: some, an interruption, the rest. Returns how many were acknowledged. */
async function upload(
  store: FileStore,
  id: string,
  bytes: Uint8Array,
  onAcknowledged: (size: number) => void,
) {
  for (const end of [100, Math.min(smallPart + 300, bytes.length - 10)]) {
    await store.hold(id, async (writer) => {
      const start = await writer.size();
      await writer.write(start, bytes.length, chunksOf(bytes.subarray(start, end)));
      await writer.sync();
      onAcknowledged(end);
    });
  }
  await finish(store, id, bytes);
  onAcknowledged(bytes.length);
}

const finish = (store: FileStore, id: string, bytes: Uint8Array) =>
  store.hold(id, async (writer) => {
    const start = await writer.size();
    await writer.write(start, bytes.length, chunksOf(bytes.subarray(start)));
    await writer.finish();
  });

test.each([
  ['of several parts', 2 * smallPart + 500],
  ['of less than a part', smallPart - 500],
])('an upload %s that is killed at any step continues', async (_, size) => {
  fixture = await startS3Fixture(server);
  const { db, proxy, announce, open, openDirectly, row, objects } = fixture;
  const bytes = bytesOf(size);
  const survivor = await openDirectly();
  let steps = 0;
  for (let isOver = false; !isOver; ) {
    steps += 1;
    for (const isAfter of [false, true]) {
      proxy.fault = () => undefined;
      let killSwitch = createKillSwitch(Number.POSITIVE_INFINITY, false);
      const killed = await open({
        db: stepping(db, async (run) => {
          const next = killSwitch.next();
          if (next === 'lose') throw new Error('killed');
          const result = await run();
          if (next === 'loseResult') throw new Error('killed');
          return result;
        }),
      });
      const id = await announce();
      killSwitch = createKillSwitch(steps, isAfter);
      proxy.fault = () =>
        (({ run: undefined, lose: 'lose', loseResult: 'loseResponse' }) as const)[killSwitch.next()];
      let acknowledged = 0;
      await upload(killed, id, bytes, (end) => {
        acknowledged = end;
      }).catch(() => {});
      isOver = !killSwitch.isDead();
      if (isOver) expect(acknowledged).toBe(size);

      const where = `step ${steps}, ${isAfter ? 'after' : 'before'}`;
      const stored = (await row(id))?.size ?? 0;
      expect.soft(stored, where).toBeGreaterThanOrEqual(acknowledged);
      await finish(survivor, id, bytes);
      const found = await digestOf(await survivor.read(id, 0, size - 1));
      expect.soft([where, found]).toEqual([where, await digestOf(chunksOf(bytes))]);
    }
  }
  expect(steps).toBeGreaterThan(8);

  // The objects that killed processes left are found by a search after two days, and nothing else.
  const later = await openDirectly({ now: () => Date.now() + 3 * day });
  await later.removeOrphans(
    async () => true,
    () => false,
  );
  const rows = await db.read((tx) =>
    tx.all<{ object: string; garbage: string }>('SELECT object, garbage FROM uploads'),
  );
  expect(rows.filter(({ garbage }) => garbage !== '[]')).toEqual([]);
  expect((await objects()).sort()).toEqual(rows.map(({ object }) => object).sort());
});
