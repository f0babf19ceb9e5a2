// Tests of backups with the files of an object store: of a running server, interrupted, and restored to a folder and to another
// object store.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run as runCommand } from '../../../cli/testing.ts';
import { bytesOf } from '../../files/bytes/store.contract.ts';
import type { S3Options } from '../../files/s3/requests.ts';
import { type S3Server, startS3rver, startSwift } from '../../files/s3/servers.testing.ts';
import { type StoreProxy, startStoreProxy } from '../../files/s3/store-proxy.testing.ts';
import { objectsOf } from '../../files/s3/testing.ts';
import { gate } from '../../testing/gate.testing.ts';
import { useServerProcess } from '../../testing/process.testing.ts';
import { enter } from '../../testing/visitor.testing.ts';
import { pollOptions } from '../../testing.ts';

const serverProcess = useServerProcess();
const { run, cli } = serverProcess;
const path = (name: string) => join(serverProcess.folder(), name);

const envOf = ({ url, region, accessKeyId, secretAccessKey }: S3Options) => ({
  S3_URL: url,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
});

async function assertServes(url: string, files: Map<string, Buffer>): Promise<void> {
  for (const [address, content] of files) {
    const response = await fetch(url + address);
    expect([address, response.status]).toEqual([address, 200]);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  }
}

const servers = { s3rver: startS3rver, swift: startSwift };

/** Runs a command in this process. */
const command = async (args: string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runCommand(args, { env });
  return { code, text: stdout + stderr };
};

describe.each(Object.keys(servers) as (keyof typeof servers)[])('files in %s', (name) => {
  let server: S3Server;
  let proxy: StoreProxy;
  let s3: S3Options;
  beforeAll(async () => {
    server = await servers[name]();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    s3 = await server.bucket();
    proxy = await startStoreProxy(server.origin);
  });
  afterEach(() => proxy.close());

  const backUp = (to: string) => ['backup', path(to), '--data-dir', path('data'), '--files'];
  const restore = (to: string, target?: S3Options) => [
    ...['restore', path('copy'), '--data-dir', path(to)],
    ...(target ? ['--files', target.url] : []),
  ];

  test('backup: has every file of a running server, and a folder or another object store has them after it is restored', async () => {
    const running = await run(envOf(s3));
    let url = running.url;
    const visitor = await enter(() => url);
    const files = new Map<string, Buffer>();
    // One of several parts, and small ones.
    for (const [index, size] of [9_000_000, 1, 70_000].entries()) {
      const content = bytesOf(size);
      files.set(await visitor.upload(`file ${index}`, content), content);
    }
    // An upload under way.
    const half = await visitor.announce('half', 20);
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const part = { method: 'PATCH', headers, body: new Uint8Array(10) };
    expect((await fetch(half.uploadUrl, part)).status).toBe(204);
    // The objects that stay: one for each file, and one with the bytes of the upload under way.
    const objects = await objectsOf(s3);
    expect(objects).toHaveLength(files.size + 1);
    // Others appear and are deleted meanwhile.
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        const other = await enter(() => url);
        await other.upload('deleted', bytesOf(20_000));
        await other.leave();
      }
    })();
    // In another process than the server and its load.
    const backup = await cli(backUp('copy'), envOf(s3)).done;
    expect(backup).toMatchObject({ code: 0, text: expect.stringMatching(/copy: \d+ files, and a database/) });
    expect(backup.text).not.toMatch(/Warning|are in the object store/);
    isOver = true;
    await load;
    expect(await readdir(path('copy'))).not.toContain('unfinished');

    expect(await command(restore('folder'))).toMatchObject({
      code: 0,
      text: expect.stringContaining('start the server without S3_URL'),
    });
    const second = await server.bucket();
    expect(await command(restore('other', second), envOf(second))).toMatchObject({
      code: 0,
      text: expect.stringContaining('Start the server with this object store as its S3_URL.'),
    });
    // The files of the server were only read.
    expect(await objectsOf(s3)).toEqual(expect.arrayContaining(objects));
    for (const env of [{ DATA_DIR: path('folder') }, { DATA_DIR: path('other'), ...envOf(second) }]) {
      const again = await run(env);
      url = again.url;
      await assertServes(url, files);
      // The upload under way begins again.
      const address = new URL(half.uploadUrl);
      const head = await fetch(url + address.pathname + address.search, { method: 'HEAD' });
      expect([head.status, head.headers.get('upload-offset')]).toEqual([204, '0']);
      const content = bytesOf(30_000);
      await assertServes(url, new Map([[await visitor.upload(`after ${again.url}`, content), content]]));
      again.child.kill('SIGTERM');
      expect([await again.exit, again.stderr()]).toEqual([0, expect.not.stringContaining('"level":50')]);
    }
    url = running.url;
    await assertServes(url, files);
  });

  // The following steps do not depend on the kind of the store.
  if (name === 'swift') return;

  test('backup and restore: ones that are killed go on, and send and receive no file a second time', async () => {
    const running = await run(envOf(s3));
    const visitor = await enter(() => running.url);
    const files = new Map<string, Buffer>();
    for (let index = 0; index < 5; index += 1) {
      const content = bytesOf(40_000 + index);
      files.set(await visitor.upload(`file ${index}`, content), content);
    }
    /** Kills a command at its third file. */
    const killAtThird = async (method: string, args: string[], at: S3Options) => {
      let count = 0;
      const { opened: reached, open: isReached } = gate();
      proxy.seen.length = 0;
      proxy.fault = (request) => {
        if (request.method !== method || !request.name.includes('/file_')) return undefined;
        count += 1;
        if (count < 3) return undefined;
        isReached();
        return 'silent';
      };
      const { child, done } = cli(args, envOf(proxy.options(at)));
      await reached;
      child.kill('SIGKILL');
      await done;
      proxy.fault = () => undefined;
      expect(await command(args, envOf(proxy.options(at)))).toMatchObject({ code: 0 });
      const names = proxy.seen
        .filter((request) => request.method === method && request.name.includes('/file_'))
        .map((request) => request.name);
      expect(names.length).toBe(5);
      expect(new Set(names).size).toBe(5);
    };
    await killAtThird('GET', backUp('copy'), s3);
    const target = await server.bucket();
    await killAtThird('PUT', restore('other', proxy.options(target)), target);
    expect((await objectsOf(target)).length).toBe(5);
    const again = await run({ DATA_DIR: path('other'), ...envOf(target) });
    await assertServes(again.url, files);
  });

  test('backup and restore: an impossible request is refused in one line, and a lost file is counted', async () => {
    const running = await run(envOf(s3));
    const visitor = await enter(() => running.url);
    await visitor.upload('a', bytesOf(10_000));
    await visitor.upload('b', bytesOf(10_000));
    const inProcess = (command: string, to: string, args: string[], env = {}) =>
      runCommand([command, path(to), '--data-dir', path(command === 'backup' ? 'data' : 'new'), ...args], {
        env,
      });
    const refused = (line: string) => ({ code: 1, stdout: '', stderr: `Error: ${line}\n` });

    expect(await inProcess('backup', 'copy', ['--files'])).toMatchObject({
      stderr: expect.stringContaining('--files needs S3_URL, the address of the object store.'),
    });
    const other = await server.bucket();
    expect(await inProcess('backup', 'copy', ['--files'], envOf(other))).toEqual(
      refused('S3_URL: these files are not those of this database. Check the bucket and the prefix.'),
    );
    // One that was interrupted is used again with its option only.
    expect(await inProcess('backup', 'copy', [])).toEqual(
      refused(`The folder ${path('copy')} is not empty: name another one.`),
    );
    expect(await inProcess('backup', 'copy', ['--files'], envOf(s3))).toMatchObject({ code: 0, stderr: '' });
    expect(await inProcess('backup', 'copy', ['--files'], envOf(s3))).toEqual(
      refused(`The folder ${path('copy')} is not empty: name another one.`),
    );
    expect(await inProcess('backup', 'rows', [])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('2 files are in the object store, and not in this backup'),
    });
    expect(await inProcess('restore', 'rows', ['--files', other.url], envOf(other))).toEqual(
      refused(
        `The backup ${path('rows')} does not have the files of the object store: only \`backup --files\` copies them.`,
      ),
    );
    // The files of the running server are not touched.
    const objects = await objectsOf(s3);
    expect(await inProcess('restore', 'copy', ['--files', s3.url], envOf(s3))).toEqual(
      refused(
        'S3_URL: these files belong to a server with another database. Add a new prefix to the address.',
      ),
    );
    expect(await objectsOf(s3)).toEqual(objects);

    const lost = objects[0];
    proxy.fault = ({ method, name: requested }) =>
      method === 'GET' && requested.endsWith(`/${lost}`)
        ? { status: 404, text: '<Error><Code>NoSuchKey</Code></Error>' }
        : undefined;
    expect(await inProcess('backup', 'lost', ['--files'], envOf(proxy.options(s3)))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('lost: 1 files'),
      stderr: 'Warning: the bytes of 1 files were already missing.\n',
    });
    expect((await readdir(path('lost/files'))).length).toBe(1);
    await expect.poll(() => readdir(path('lost')), pollOptions).toContain('backup.json');
  });
});
