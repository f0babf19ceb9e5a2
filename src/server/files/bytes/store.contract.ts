// The conformance suite of the store of files, which the folder and object stores must pass.
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
import { gate } from '../../testing/gate.testing.ts';
import { type FileStore, MissingBytes, TooManyBytes, uploadSuperseded, type Writer } from './store.ts';

/** An empty store and the database with the rows of its files. */
export interface OpenedStore {
  db: Database;
  store: FileStore;
  /** Opens the same files as another process would. `isKilled`: the earlier store is not closed, and ends without a step. */
  reopen(isKilled?: boolean): Promise<FileStore>;
  dispose(): Promise<void>;
}

/** Bytes that differ at each position, so that no piece can be in the place of another one. */
export const bytesOf = (size: number): Buffer => randomBytes(size);

/** Chunks of the size that a connection delivers, a few of them odd. */
export async function* chunksOf(bytes: Uint8Array, chunkSize = 65_521): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}

/** Reads a range and returns its digest and size: a comparison of millions of bytes must not print them. */
export async function digestOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of source) {
    hash.update(bytes);
    size += bytes.length;
  }
  return `${size} bytes ${hash.digest('hex')}`;
}

const same = (bytes: Uint8Array): Promise<string> => digestOf(chunksOf(bytes));

/** `partBytes`: the size at which a store begins another part. */
export function testFileStore(name: string, partBytes: number, open: () => Promise<OpenedStore>): void {
  describe(`${name} as a store of files`, () => {
    let opened: OpenedStore;
    let store: FileStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    /** An id with a row, before its first byte. */
    async function announce(): Promise<string> {
      const id = createId('file', Date.now());
      await opened.db.write((tx) => tx.run('INSERT INTO configuration_files (content_id) VALUES (?)', id));
      return id;
    }
    const put = async (id: string, bytes: Uint8Array) =>
      store.hold(id, async (writer) => {
        await writer.write(0, bytes.length, chunksOf(bytes));
        await writer.finish();
      });
    const append = (id: string, offset: number, bytes: Uint8Array, limit = Number.POSITIVE_INFINITY) =>
      store.hold(id, async (writer) => {
        const size = await writer.write(offset, limit, chunksOf(bytes));
        await writer.sync();
        return size;
      });
    const sizeOf = (id: string) => store.hold(id, (writer) => writer.size());
    const finish = (id: string) => store.hold(id, (writer) => writer.finish());
    const digest = async (id: string, first: number, last: number) =>
      digestOf(await store.read(id, first, last));

    test.each([
      ['no byte', 0],
      ['one byte', 1],
      ['one byte less than a part', partBytes - 1],
      ['exactly one part', partBytes],
      ['one byte more than a part', partBytes + 1],
      ['several parts', 2 * partBytes + 12_345],
    ])('%s is stored and read', async (_, size) => {
      const id = await announce();
      const bytes = bytesOf(size);
      await put(id, bytes);
      expect(await digest(id, 0, size - 1)).toBe(await same(bytes));
      expect(await sizeOf(id)).toBe(size);
      const head = await store.hold(id, (writer) => writer.head(1_000));
      expect(Buffer.from(head).equals(bytes.subarray(0, 1_000))).toBe(true);
    });

    test('ranges are read: the first byte, the last one, across the end of a part, and all', async () => {
      const id = await announce();
      const bytes = bytesOf(partBytes + 1_000);
      await put(id, bytes);
      const end = bytes.length - 1;
      for (const [first, last] of [
        [0, 0],
        [end, end],
        [1, 1],
        [partBytes - 10, partBytes + 10],
        [partBytes, end],
        [0, end],
      ] as const) {
        const expected = await same(bytes.subarray(first, last + 1));
        expect([first, last, await digest(id, first, last)]).toEqual([first, last, expected]);
      }
    });

    test('a reader that stops early frees the file, and others read on', async () => {
      const id = await announce();
      const bytes = bytesOf(partBytes);
      await put(id, bytes);
      const other = (await store.read(id, 0, bytes.length - 1)).getReader();
      const reader = (await store.read(id, 0, bytes.length - 1)).getReader();
      expect((await reader.read()).value?.length).toBeGreaterThan(0);
      await reader.cancel();
      const hash = createHash('sha256');
      for (let piece = await other.read(); !piece.done; piece = await other.read()) hash.update(piece.value);
      expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    });

    test('bytes that are written in steps continue at each offset, also in another process', async () => {
      const id = await announce();
      const bytes = bytesOf(2 * partBytes + 777);
      const offsets = [0, 1, 3, 1_000, partBytes - 1, partBytes + 5, 2 * partBytes, bytes.length];
      for (const [index, start] of offsets.slice(0, -1).entries()) {
        expect(await sizeOf(id)).toBe(start);
        const end = offsets[index + 1] ?? 0;
        expect(await append(id, start, bytes.subarray(start, end))).toBe(end);
        if (index % 2 === 0) store = await opened.reopen(index % 4 === 0);
      }
      await finish(id);
      expect(await digest(id, 0, bytes.length - 1)).toBe(await same(bytes));
    });

    test('bytes that were received before a source failed are kept, also those after a part', async () => {
      const id = await announce();
      const bytes = bytesOf(partBytes + 5_000);
      const cut = new Error('cut');
      async function* source() {
        yield* chunksOf(bytes.subarray(0, partBytes + 100));
        throw cut;
      }
      await expect(store.hold(id, (writer) => writer.write(0, bytes.length, source()))).rejects.toBe(cut);
      expect(await sizeOf(id)).toBe(partBytes + 100);
      store = await opened.reopen();
      expect(await append(id, partBytes + 100, bytes.subarray(partBytes + 100))).toBe(bytes.length);
      await finish(id);
      expect(await digest(id, 0, bytes.length - 1)).toBe(await same(bytes));
    });

    test('more bytes than the limit are refused, and none of them is kept, however many came', async () => {
      const id = await announce();
      const bytes = bytesOf(1_000);
      await append(id, 0, bytes.subarray(0, 600));
      for (const size of [401, partBytes + 401, 2 * partBytes]) {
        const write = append(id, 600, bytesOf(size), size === 401 ? 1_000 : 600 + size - 1);
        await expect(write).rejects.toBeInstanceOf(TooManyBytes);
        expect(await sizeOf(id)).toBe(600);
      }
      expect(await append(id, 600, bytes.subarray(600), 1_000)).toBe(1_000);
      await finish(id);
      expect(await digest(id, 0, 999)).toBe(await same(bytes));
    });

    test('a write at 0 discards what was received, also of a finished file', async () => {
      const id = await announce();
      await append(id, 0, bytesOf(partBytes + 10));
      await append(id, 0, bytesOf(20));
      expect(await sizeOf(id)).toBe(20);
      const bytes = bytesOf(30);
      await put(id, bytes);
      expect(await digest(id, 0, 29)).toBe(await same(bytes));
      const others = bytesOf(partBytes + 1);
      await put(id, others);
      expect(await digest(id, 0, partBytes)).toBe(await same(others));
    });

    test('a second writer aborts the first one and continues with its bytes', async () => {
      const id = await announce();
      const { opened: beginning, open: begun } = gate();
      const first = store.hold(id, async (writer) => {
        async function* source() {
          yield Buffer.from('01234');
          begun();
          await new Promise((_, reject) => {
            writer.signal.addEventListener('abort', () => reject(writer.signal.reason), { once: true });
          });
        }
        return writer.write(0, 10, source());
      });
      const ended = expect(first).rejects.toBe(uploadSuperseded);
      await beginning;
      expect(await sizeOf(id)).toBe(5);
      await ended;
      expect(await append(id, 5, Buffer.from('56789'))).toBe(10);
      await finish(id);
      expect(await digest(id, 0, 9)).toBe(await same(Buffer.from('0123456789')));
    });

    test('of many writers at once exactly one stores its bytes', async () => {
      const id = await announce();
      const contents = [...'abcdefgh'].map((letter) => Buffer.from(letter.repeat(50_000)));
      const results = await Promise.allSettled(contents.map((bytes) => put(id, bytes)));
      expect(results.at(-1)?.status).toBe('fulfilled');
      const expected = await Promise.all(contents.map(same));
      expect(expected).toContain(await digest(id, 0, 49_999));
    });

    test('removed bytes are missing; a removal may be repeated, and also when there are none', async () => {
      const id = await announce();
      const remove = () => store.hold(id, (writer) => writer.remove());
      await remove();
      await put(id, bytesOf(100));
      await remove();
      await remove();
      await expect(store.read(id, 0, 99)).rejects.toBeInstanceOf(MissingBytes);
      expect(await sizeOf(id)).toBe(0);
      await expect(store.read(await announce(), 0, 9)).rejects.toBeInstanceOf(MissingBytes);
      await append(id, 0, bytesOf(partBytes + 1));
      await remove();
      expect(await sizeOf(id)).toBe(0);
    });

    test('an id that is a path is refused', async () => {
      for (const id of [
        '../file_01JD0000000000000000000000',
        'file_01JD0000000000000000000000/..',
        '',
        'x',
      ]) {
        await expect(store.read(id, 0, 0)).rejects.toThrow('not the id');
        await expect(store.hold(id, async () => {})).rejects.toThrow('not the id');
      }
    });

    test('a thread reads the bytes in a file of this machine', async () => {
      const id = await announce();
      const bytes = bytesOf(partBytes + 3);
      await put(id, bytes);
      const read = await store.withLocalFile(id, async (path) => same(await readFile(path)));
      expect(read).toBe(await same(bytes));
    });

    test('orphaned bytes are removed, and those with a row are kept', async () => {
      const [complete, unfinished, orphan] = [await announce(), await announce(), await announce()];
      await put(complete, bytesOf(10));
      await append(unfinished, 0, bytesOf(10));
      await put(orphan, bytesOf(10));
      store = await opened.reopen();
      await store.removeOrphans(
        async (id) => id !== orphan,
        () => false,
      );
      expect([await sizeOf(complete), await sizeOf(unfinished), await sizeOf(orphan)]).toEqual([10, 10, 0]);
      await expect(store.read(orphan, 0, 9)).rejects.toBeInstanceOf(MissingBytes);
    });

    test('closing ends the writers and keeps what they received', async () => {
      const id = await announce();
      const { opened: beginning, open: begun } = gate();
      const work = async (writer: Writer) => {
        async function* source() {
          yield Buffer.from('01234');
          begun();
          await new Promise((_, reject) => {
            writer.signal.addEventListener('abort', () => reject(writer.signal.reason), { once: true });
          });
        }
        return writer.write(0, 10, source());
      };
      const ended = expect(store.hold(id, work)).rejects.toBe(uploadSuperseded);
      await beginning;
      await store.close();
      await ended;
      await expect(store.hold(id, (writer) => writer.size())).rejects.toBe(uploadSuperseded);
      store = await opened.reopen();
      expect(await sizeOf(id)).toBe(5);
    });
  });
}
