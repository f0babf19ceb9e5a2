// Tests that a backup has the files of notes: those of a note, those that wait for one, and those whose upload is under way.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../cli/testing.ts';
import type { S3Options } from '../files/s3/requests.ts';
import { type S3Server, startS3rver } from '../files/s3/servers.testing.ts';
import { seedNoteFiles } from '../testing/note-files.testing.ts';
import { startTestServer, type TestOptions, type TestServer } from '../testing.ts';

let folder: string;
let servers: TestServer[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-note-files-'));
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true, force: true });
});

const path = (name: string) => join(folder, name);

async function start(options: TestOptions = {}, home?: string): Promise<TestServer> {
  const server = await startTestServer(options, home);
  servers.push(server);
  return server;
}

const envOf = ({ url, region, accessKeyId, secretAccessKey }: S3Options) => ({
  S3_URL: url,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
});

const command = async (args: string[], env: Record<string, string> = {}) => {
  const ran = await run(args, { env });
  expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Warning') });
  return ran.stdout;
};

test('backup: files of notes in the data folder are restored, and an upload under way goes on', async () => {
  const running = await start();
  const files = await seedNoteFiles(running);
  expect(await command(['backup', path('copy'), '--data-dir', running.home])).toContain('copy: 2 files');
  await command(['restore', path('copy'), '--data-dir', path('restored')]);
  await files.assertGoesOn(await start({}, path('restored')));
});

describe('files in an object store', () => {
  let store: S3Server;
  beforeAll(async () => {
    store = await startS3rver();
  });
  afterAll(() => store.close());

  test('backup: files of notes are restored to another object store', async () => {
    const [s3, second] = [await store.bucket(), await store.bucket()];
    const running = await start({ s3 });
    const files = await seedNoteFiles(running);
    const backup = ['backup', path('copy'), '--data-dir', running.home, '--files'];
    expect(await command(backup, envOf(s3))).toContain('copy: 2 files');
    await command(
      ['restore', path('copy'), '--data-dir', path('other'), '--files', second.url],
      envOf(second),
    );
    expect(await readdir(path('other/files'))).toEqual([]);
    const restored = await start({ s3: second }, path('other'));
    // The parts of an unfinished object cannot be read, so the upload begins again.
    await files.assertGoesOn(restored, 0);
  });

  test('backup: files of notes of an object store are restored to a folder', async () => {
    const s3 = await store.bucket();
    const running = await start({ s3 });
    const files = await seedNoteFiles(running);
    await command(['backup', path('copy'), '--data-dir', running.home, '--files'], envOf(s3));
    await command(['restore', path('copy'), '--data-dir', path('folder')]);
    await files.assertGoesOn(await start({}, path('folder')), 0);
  });
});
