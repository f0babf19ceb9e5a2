// Tests of an object store that refuses, is silent, loses connections or says the wrong thing, and of two processes that
// write the same file.
import { readdir, utimes, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { heldLimit, holdLimits } from '../../testing/held-timers.testing.ts';
import { bytesOf, chunksOf, digestOf } from '../bytes/store.contract.ts';
import { type FileStore, MissingBytes, TooManyBytes, uploadSuperseded } from '../bytes/store.ts';
import { type S3Server, startS3rver } from './servers.testing.ts';
import type { SeenRequest } from './store-proxy.testing.ts';
import { type S3Fixture, smallPart, startS3Fixture, stepping } from './testing.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startS3rver();
});
afterAll(() => server.close());

let fixture: S3Fixture;
let store: FileStore;
let id: string;
beforeEach(async () => {
  fixture = await startS3Fixture(server);
  store = await fixture.open();
  id = await fixture.announce();
  fixture.proxy.seen.length = 0;
});
afterEach(() => fixture.dispose());

const append = (offset: number, bytes: Uint8Array, on = store) =>
  on.hold(id, async (writer) => {
    await writer.write(offset, Number.POSITIVE_INFINITY, chunksOf(bytes));
    await writer.sync();
  });
const finish = (on = store) => on.hold(id, (writer) => writer.finish());
const sizeOf = (on = store) => on.hold(id, (writer) => writer.size());
const digest = async (size: number, on = store) => digestOf(await on.read(id, 0, size - 1));
const same = (bytes: Uint8Array) => digestOf(chunksOf(bytes));

const isPart = ({ query }: SeenRequest) => query.has('partNumber');
const isCompletion = ({ method, query }: SeenRequest) => method === 'POST' && query.has('uploadId');
const isWhole = ({ method, name }: SeenRequest) => method === 'PUT' && name.includes('/whole-');

/** The error for clients: it says when to come back, and nothing of the store. */
async function expectUnavailable(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  const { code, type, headers } = error as ApiError;
  expect([code, type, headers]).toEqual([503, 'ServiceUnavailable', { 'retry-after': '5' }]);
  expectNoSecrets(JSON.stringify((error as ApiError).body()));
}

function expectNoSecrets(text: string): void {
  const { accessKeyId, secretAccessKey, url } = fixture.s3;
  const { host, pathname } = new URL(url);
  const own = new URL(fixture.proxy.options(fixture.s3).url).host;
  for (const secret of [
    accessKeyId,
    secretAccessKey,
    host,
    own,
    ...pathname.split('/').slice(1),
    '127.0.0.1',
  ]) {
    expect(text).not.toContain(secret);
  }
}

test('a file of up to a part is one object by one request, and a larger one an upload in parts of equal size', async () => {
  await append(0, bytesOf(0));
  await store.hold(id, async (writer) => {
    await writer.write(0, smallPart, chunksOf(bytesOf(smallPart)));
    await writer.finish();
  });
  expect(fixture.proxy.seen.map(({ method }) => method)).toEqual(['PUT', 'HEAD']);
  fixture.proxy.seen.length = 0;
  id = await fixture.announce();
  await store.hold(id, async (writer) => {
    await writer.write(0, Number.POSITIVE_INFINITY, chunksOf(bytesOf(2 * smallPart + 1)));
    await writer.finish();
  });
  expect(fixture.proxy.seen.map(({ method }) => method)).toEqual([
    'POST',
    'PUT',
    'PUT',
    'PUT',
    'POST',
    'HEAD',
  ]);
  expect(fixture.proxy.seen.filter(isPart).map(({ query }) => query.get('partNumber'))).toEqual([
    '1',
    '2',
    '3',
  ]);
  expect((await fixture.objects()).filter((name) => name.startsWith(id))).toHaveLength(1);
});

test('many small pieces become few objects, each of which is read a few times only', async () => {
  const bytes = bytesOf(60);
  for (let offset = 0; offset < bytes.length; offset += 1)
    await append(offset, bytes.subarray(offset, offset + 1));
  expect((await fixture.row(id))?.pieces.length).toBeLessThan(7);
  // Each byte is sent again when the piece with it doubles: log2(60) times.
  const sent = fixture.proxy.seen.filter(({ method }) => method === 'GET').length;
  expect(sent).toBeLessThan(60);
  await finish();
  expect(await digest(60)).toBe(await same(bytes));
  expect(await fixture.objects()).toEqual([(await fixture.row(id))?.object]);
});

test('no object and no number of a part is sent twice', async () => {
  const bytes = bytesOf(3 * smallPart);
  const ends = [10, 5_000, smallPart + 10, 2 * smallPart, 3 * smallPart];
  for (const [index, end] of ends.entries())
    await append(ends[index - 1] ?? 0, bytes.subarray(ends[index - 1] ?? 0, end));
  await finish();
  const sent = fixture.proxy.seen
    .filter(({ method }) => method === 'PUT')
    .map(({ name, query }) => `${name} ${query.get('partNumber')}`);
  expect(new Set(sent).size).toBe(sent.length);
  expect(await digest(bytes.length)).toBe(await same(bytes));
});

test('an upload continues after the database failed to store a part, also if it fails again at once', async () => {
  let fails = false;
  const failing = await fixture.open({
    db: stepping(fixture.db, (run) => (fails ? Promise.reject(new Error('The disk is full.')) : run())),
  });
  const bytes = bytesOf(smallPart + 1_000);
  await append(0, bytes.subarray(0, 600), failing);
  // The piece with these bytes is a part of the next object, which the row does not say.
  fixture.proxy.fault = (request) => {
    fails ||= isPart(request);
    return undefined;
  };
  await expect(append(600, bytes.subarray(600), failing)).rejects.toThrow('The disk is full.');
  fixture.proxy.fault = () => undefined;
  fails = false;
  const size = await sizeOf();
  expect(size).toBeGreaterThanOrEqual(600);
  await append(size, bytes.subarray(size));
  await finish();
  expect(await digest(bytes.length)).toBe(await same(bytes));
});

test('a store that answers 503 fails uploads and downloads with 503; afterwards they continue where they were', async () => {
  const bytes = bytesOf(smallPart + 1_000);
  await append(0, bytes.subarray(0, 600));
  fixture.proxy.fault = () => 'refuse';
  await expectUnavailable(append(600, bytes.subarray(600)));
  // The offset is in the database.
  expect(await sizeOf()).toBe(600);
  fixture.proxy.fault = () => undefined;
  await append(600, bytes.subarray(600));
  fixture.proxy.fault = () => 'refuse';
  await expectUnavailable(finish());
  await expectUnavailable(append(bytes.length, bytesOf(1)));
  fixture.proxy.fault = () => undefined;
  await finish();
  fixture.proxy.fault = () => 'refuse';
  await expectUnavailable(store.read(id, 0, 9));
  await expectUnavailable(store.withLocalFile(id, async () => {}));
  fixture.proxy.fault = () => undefined;
  expect(await digest(bytes.length)).toBe(await same(bytes));
  fixture.proxy.fault = () => 'refuse';
  await expectUnavailable(store.hold(id, (writer) => writer.remove()));
  await expect(store.read(id, 0, 9)).rejects.toBeInstanceOf(MissingBytes);
  fixture.proxy.fault = () => undefined;
  await store.hold(id, (writer) => writer.remove());
  expect(await fixture.objects()).toEqual([]);
});

test.each(['silent', 'lose', 'loseResponse'] as const)(
  'a store that is %s to all requests fails them with 503; once, it is not noticed',
  async (fault) => {
    const silence = holdLimits();
    store = await fixture.open({ timing: { delayMs: 1, silenceMs: heldLimit } });
    const cause = () => {
      if (fault === 'silent') silence.latest().elapse();
      return fault;
    };
    const bytes = bytesOf(1_000);
    let count = 0;
    fixture.proxy.fault = () => (count++ === 0 ? cause() : undefined);
    await append(0, bytes);
    fixture.proxy.fault = cause;
    await expectUnavailable(finish());
    await expectUnavailable(append(1_000, bytesOf(1)));
    expect(await sizeOf()).toBe(1_000);
    fixture.proxy.fault = () => undefined;
    await finish();
    expect(await digest(1_000)).toBe(await same(bytes));
  },
);

test('the log reports a failure and the recovery, once each, without the address and the keys', async () => {
  fixture.proxy.fault = () => 'refuse';
  await expectUnavailable(append(0, bytesOf(10)));
  await expectUnavailable(append(0, bytesOf(10)));
  fixture.proxy.fault = () => 'lose';
  await expectUnavailable(append(0, bytesOf(10)));
  fixture.proxy.fault = () => undefined;
  await append(0, bytesOf(10));
  const lines = fixture.log.map((line) => JSON.parse(line));
  expect(lines.map(({ err, msg }) => [err?.message, msg])).toEqual([
    ['PutObject: 503 SlowDown', 'S3 requests fail: files cannot be read or written'],
    [undefined, 'S3 responds again'],
  ]);
  expectNoSecrets(fixture.log.join(''));
});

test.each([
  ['once, the file is complete', 1, true],
  ['always, the file is not complete, and can be completed later', 10, false],
])('when a completion answers 200 with an error %s', async (_, times, isComplete) => {
  const bytes = bytesOf(smallPart + 10);
  await append(0, bytes);
  let count = 0;
  const text =
    '<?xml version="1.0"?>\n\n<Error><Code>InternalError</Code><Message>Try again.</Message></Error>';
  fixture.proxy.fault = async (seen) => {
    if (!isCompletion(seen) || count++ >= times) return undefined;
    // The server does not assemble the parts.
    seen.query.set('uploadId', 'none');
    return { status: 200, text, headers: { 'content-type': 'application/xml' } };
  };
  if (isComplete) await finish();
  else {
    const { object } = (await fixture.row(id)) ?? {};
    fixture.proxy.fault = (
      (before) => (seen) =>
        seen.method === 'HEAD' ? { status: 404 } : before(seen)
    )(fixture.proxy.fault);
    await expectUnavailable(finish());
    expect(await fixture.row(id)).toMatchObject({ isWhole: false, object, size: bytes.length });
    await expect(store.read(id, 0, 9)).rejects.toBeInstanceOf(MissingBytes);
    fixture.proxy.fault = () => undefined;
    await finish();
  }
  expect(await digest(bytes.length)).toBe(await same(bytes));
});

test('an object with another size than its bytes is not taken for the file', async () => {
  fixture.proxy.fault = ({ method }) =>
    method === 'HEAD' ? { headers: { 'content-length': '9' } } : undefined;
  const bytes = bytesOf(10);
  await append(0, bytes);
  await expectUnavailable(finish());
  expect((await fixture.row(id))?.isWhole).toBe(false);
  fixture.proxy.fault = () => undefined;
  await finish();
  expect(await digest(10)).toBe(await same(bytes));
});

test('an upload whose parts the store has removed begins again', async () => {
  const bytes = bytesOf(3 * smallPart);
  await append(0, bytes.subarray(0, smallPart + 10));
  const text = '<Error><Code>NoSuchUpload</Code></Error>';
  fixture.proxy.fault = (seen) => (isPart(seen) ? { status: 404, text } : undefined);
  await expectUnavailable(append(smallPart + 10, bytes.subarray(smallPart + 10)));
  expect(await sizeOf()).toBe(0);
  fixture.proxy.fault = () => undefined;
  await append(0, bytes);
  await finish();
  expect(await digest(bytes.length)).toBe(await same(bytes));
});

test('a download whose connection to the store ends early continues from there, and fails when no byte comes', async () => {
  const silence = holdLimits();
  store = await fixture.open({ timing: { delayMs: 1, silenceMs: heldLimit } });
  const bytes = bytesOf(smallPart);
  await append(0, bytes);
  await finish();
  let count = 0;
  fixture.proxy.fault = () => (count++ < 3 ? { cutAfter: 7_000 } : undefined);
  expect(await digest(smallPart)).toBe(await same(bytes));
  expect(count).toBe(4);
  fixture.proxy.fault = () => {
    if (count++ === 4) return { cutAfter: 7_000 };
    silence.latest().elapse();
    return { cutAfter: 0 };
  };
  const stream = await store.read(id, 0, smallPart - 1);
  await expect(digestOf(stream)).rejects.toThrow();
});

test('a store that ignores ranges, or sends larger ones, is read correctly', async () => {
  const bytes = bytesOf(1_000);
  await append(0, bytes);
  await finish();
  const read = async (first: number, last: number) => digestOf(await store.read(id, first, last));
  // s3rver sends all bytes for the first one.
  expect(await read(0, 0)).toBe(await same(bytes.subarray(0, 1)));
  fixture.proxy.fault = (seen) => {
    seen.query.set('x', 'y');
    return undefined;
  };
  expect(await read(10, 19)).toBe(await same(bytes.subarray(10, 20)));
});

test('bytes that are missing in the store are missing, and not a failure of the store', async () => {
  await append(0, bytesOf(10));
  await finish();
  fixture.proxy.fault = () => ({ status: 404, text: '<Error><Code>NoSuchKey</Code></Error>' });
  await expect(store.read(id, 0, 9)).rejects.toBeInstanceOf(MissingBytes);
  fixture.proxy.fault = () => ({ status: 404, text: '<Error><Code>NoSuchBucket</Code></Error>' });
  await expectUnavailable(store.read(id, 0, 9));
});

test('a writer in another process takes over: the earlier one changes nothing any more, also with a late request', async () => {
  const other = await fixture.openDirectly();
  const bytes = bytesOf(2_000);
  await append(0, bytesOf(100));
  let release = (): void => {};
  let arrived = (): void => {};
  const isThere = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  fixture.proxy.fault = async (seen) => {
    if (!isWhole(seen)) return undefined;
    arrived();
    await held;
    return undefined;
  };
  const late = expect(finish()).rejects.toBe(uploadSuperseded);
  await isThere;
  await append(0, bytes, other);
  await finish(other);
  const { object } = (await fixture.row(id)) ?? {};
  release();
  await late;
  expect(await digest(2_000, other)).toBe(await same(bytes));
  expect(await fixture.row(id)).toMatchObject({ object, isWhole: true, size: 2_000 });
  expect(await fixture.objects()).toEqual([object]);
});

test('of two processes that write at once each fails or continues, and the bytes never mix', async () => {
  const other = await fixture.openDirectly();
  const contents = ['a', 'b'].map((letter) => Buffer.from(letter.repeat(2 * smallPart + 50)));
  for (let round = 0; round < 5; round += 1) {
    id = await fixture.announce();
    const put = (on: FileStore, bytes: Buffer) =>
      on.hold(id, async (writer) => {
        await writer.write(0, bytes.length, chunksOf(bytes, 10_000));
        await writer.finish();
      });
    const results = await Promise.allSettled([
      put(store, contents[0] as Buffer),
      put(other, contents[1] as Buffer),
    ]);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBe(uploadSuperseded);
    if (results.every(({ status }) => status === 'rejected')) await put(store, contents[0] as Buffer);
    expect(await Promise.all(contents.map(same))).toContain(await digest(2 * smallPart + 50));
  }
});

test('bytes of a deleted file get no row any more', async () => {
  await expect(
    store.hold(id, async (writer) => {
      await writer.write(0, 10, chunksOf(bytesOf(10)));
      await fixture.db.write((tx) => tx.run('DELETE FROM configuration_files WHERE content_id = ?', id));
      await writer.finish();
    }),
  ).rejects.toBe(uploadSuperseded);
  expect(await fixture.row(id)).toBeUndefined();
  expect(await fixture.objects()).toEqual([]);
});

test('a search for orphans runs once a week for all processes, and removes nothing younger than two days', async () => {
  const day = 24 * 60 * 60 * 1_000;
  let now = Date.now();
  const [one, two] = [
    await fixture.openDirectly({ now: () => now }),
    await fixture.openDirectly({ now: () => now }),
  ];
  await append(0, bytesOf(10), one);
  await finish(one);
  // An object without a name in its row, as a late request of a writer that was superseded leaves it.
  const { object } = (await fixture.row(id)) ?? {};
  await fixture.db.write((tx) => tx.run("UPDATE uploads SET object = 'none' WHERE content_id = ?", id));
  const search = (on: FileStore) =>
    on.removeOrphans(
      async () => true,
      () => false,
    );
  await search(one);
  now += 3 * day;
  await search(two);
  expect(await fixture.objects()).toEqual([object]);
  now += 5 * day;
  // One that fails is repeated by the next caller.
  const failing = await fixture.open({ now: () => now });
  fixture.proxy.fault = () => 'refuse';
  await expectUnavailable(search(failing));
  await search(two);
  expect(await fixture.objects()).toEqual([]);
});

test('files on their way leave nothing on this machine, and those of a killed process are removed', async () => {
  const bytes = bytesOf(smallPart + 10);
  await store.hold(id, async (writer) => {
    async function* source() {
      yield* chunksOf(bytes);
      // It has no name, so a crash leaves nothing.
      expect(await readdir(fixture.folder)).toEqual([]);
    }
    await writer.write(0, bytes.length, source());
    await writer.finish();
  });
  await expect(
    store.withLocalFile(id, async () => {
      expect(await readdir(fixture.folder)).toHaveLength(1);
      throw new Error('unreadable');
    }),
  ).rejects.toThrow('unreadable');
  expect(await readdir(fixture.folder)).toEqual([]);
  for (const [name, age] of [
    ['old', 2 * 3_600],
    ['young', 60],
  ] as const) {
    await writeFile(`${fixture.folder}/${name}`, 'x');
    const time = Date.now() / 1_000 - age;
    await utimes(`${fixture.folder}/${name}`, time, time);
  }
  await fixture.open();
  expect(await readdir(fixture.folder)).toEqual(['young']);
});

test('uploads with any interruptions, faults and restarts have the bytes that were sent', async () => {
  const step = fc.record({
    bytes: fc.integer({ min: 0, max: 2 * smallPart }),
    chunk: fc.constantFrom(1_000, 65_536, smallPart),
    end: fc.constantFrom('sync', 'cut', 'many', 'again'),
    fault: fc.constantFrom(undefined, undefined, 'refuse', 'loseResponse'),
    isOther: fc.boolean(),
  });
  const other = await fixture.open();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      fixture.proxy.fault = () => undefined;
      id = await fixture.announce();
      let expected = Buffer.alloc(0);
      for (const { bytes, chunk, end, fault, isOther } of steps) {
        const added = bytesOf(bytes);
        async function* source() {
          yield* chunksOf(added, chunk);
          if (end === 'cut') throw new Error('cut');
        }
        const start = end === 'again' ? 0 : expected.length;
        let count = 0;
        fixture.proxy.fault = () => (count++ > 1 ? fault : undefined);
        const outcome = await (isOther ? other : store)
          .hold(id, async (writer) => {
            const limit = end === 'many' ? start + bytes - 1 : Number.POSITIVE_INFINITY;
            await writer.write(start, limit, source());
            await writer.sync();
          })
          .catch((error: unknown) => error);
        fixture.proxy.fault = () => undefined;
        const all = Buffer.concat([end === 'again' ? Buffer.alloc(0) : expected, added]);
        const size = await sizeOf(isOther ? store : other);
        if (outcome === undefined) expect(size).toBe(all.length);
        else if (outcome instanceof TooManyBytes) expect(size).toBe(start);
        else if (fault === undefined) expect(size).toBe(all.length);
        if (end !== 'again') expect(size).toBeGreaterThanOrEqual(expected.length);
        // After a fault, any number of the bytes can be there.
        expected = all.subarray(0, size);
      }
      await finish();
      expect(await digest(expected.length)).toBe(await same(expected));
      expect(await fixture.row(id)).toMatchObject({ isWhole: true, size: expected.length });
    }),
    { numRuns: 15 },
  );
});
