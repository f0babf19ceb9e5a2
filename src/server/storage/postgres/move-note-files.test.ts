// Tests that `platform-webchat move` takes the files of notes along: to PostgreSQL and back, in a folder and in an object store.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from '../../../cli/testing.ts';
import { type S3Server, startS3rver } from '../../files/s3/servers.testing.ts';
import { seedNoteFiles } from '../../testing/note-files.testing.ts';
import { useServerProcess } from '../../testing/process.testing.ts';
import { startTestServer, type TestOptions, type TestServer } from '../../testing.ts';
import { openDatabase } from '../open.ts';
import { testDatabaseOf } from './testing.ts';

const { folder } = useServerProcess();
const path = (name: string) => join(folder(), name);

let url: string;
let env: Record<string, string>;
let server: TestServer | undefined;
let store: S3Server;
beforeAll(async () => {
  store = await startS3rver();
});
afterAll(() => store.close());
beforeEach(async () => {
  // `useServerProcess` releases the database of this folder.
  url = await testDatabaseOf(path('data'));
  env = { DATABASE_URL: url };
});
afterEach(stop);

async function start(location: string, home: string, options: TestOptions = {}): Promise<TestServer> {
  server = await startTestServer({ ...options, db: await openDatabase(location) }, path(home));
  return server;
}

async function stop(): Promise<void> {
  await server?.composition.close();
  await server?.db.close();
  server = undefined;
}

const move = async (from: string, to: string, ...more: string[]): Promise<void> => {
  const { code, stdout, stderr } = await run(['move', '--from', from, '--to', to, ...more], { env });
  expect([code, stderr.match(/Warning.*/g), stdout]).toEqual([0, null, expect.stringMatching(/^Moved/)]);
};

async function seedFolder() {
  await mkdir(path('data'), { recursive: true });
  const files = await seedNoteFiles(await start(path('data/platform.db'), 'data'));
  await stop();
  return files;
}

test('move: files of notes are the same with PostgreSQL and back in a folder, and an upload under way goes on', async () => {
  const files = await seedFolder();
  await move(path('data'), 'DATABASE_URL');
  // Its files stay in the folder.
  await files.assertServed(await start(url, 'data'));
  await stop();
  await move('DATABASE_URL', path('back'), '--data-dir', path('data'));
  await files.assertGoesOn(await start(path('back/platform.db'), 'back'));
});

test('move: files of notes are sent to an object store, where an upload under way goes on, and come back', async () => {
  const files = await seedFolder();
  const { url: address, ...keys } = await store.bucket();
  Object.assign(env, {
    S3_REGION: keys.region,
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
  });
  await move(path('data'), 'DATABASE_URL', '--files', address);
  await files.assertGoesOn(await start(url, 'elsewhere', { s3: { url: address, ...keys } }));
  await stop();
  env.S3_URL = address;
  await move('DATABASE_URL', path('back'), '--files', 'folder');
  await files.assertServed(await start(path('back/platform.db'), 'back'));
});
