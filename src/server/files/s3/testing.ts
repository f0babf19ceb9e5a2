// The fixture for tests of the object store: a database, a bucket of s3rver behind a proxy, and stores that share both as
// several processes do.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createLogger } from '../../startup/log.ts';
import type { Database } from '../../storage/database.ts';
import { findUpload, type UploadRow } from '../../storage/files/uploads.ts';
import { createId } from '../../storage/ids.ts';
import { openTestDatabase } from '../../testing.ts';
import { createS3Client } from './client.ts';
import type { S3Options } from './requests.ts';
import type { S3Server } from './servers.testing.ts';
import { openS3Store, type S3StoreOptions } from './store.ts';
import { startStoreProxy } from './store-proxy.testing.ts';

/** Bytes of a part, so that tests need little data. s3rver accepts parts of any size. */
export const smallPart = 50_000;

/** The settings of a server with this object store. */
export const s3SettingsOf = (s3: S3Options) => ({
  S3_URL: s3.url,
  S3_REGION: s3.region,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
});

export async function startS3Fixture(server: S3Server) {
  const s3 = await server.bucket();
  const home = await mkdtemp(join(tmpdir(), 'webchat-s3-'));
  const db = await openTestDatabase(home);
  const proxy = await startStoreProxy(server.origin);
  const log: string[] = [];
  const closing: (() => Promise<void>)[] = [];
  const folder = join(home, 'temporary');

  async function open(options: Partial<S3StoreOptions> = {}) {
    const store = await openS3Store({
      db,
      s3: proxy.options(s3),
      folder,
      logger: createLogger('trace', { write: (line) => log.push(line) }),
      now: Date.now,
      partBytes: smallPart,
      timing: { delayMs: 1 },
      ...options,
    });
    closing.push(store.close);
    return store;
  }

  return {
    db,
    s3,
    proxy,
    folder,
    log,
    open,
    /** Opens a store that does not pass the proxy. */
    openDirectly: (options: Partial<S3StoreOptions> = {}) => open({ s3, ...options }),
    async announce(): Promise<string> {
      const id = createId('file', Date.now());
      await db.write((tx) => tx.run('INSERT INTO configuration_files (content_id) VALUES (?)', id));
      return id;
    },
    row: (id: string): Promise<UploadRow | undefined> => db.read((tx) => findUpload(tx, id)),
    /** The names of all objects of files. */
    objects: () => objectsOf(s3),
    async dispose() {
      proxy.fault = () => undefined;
      await Promise.all(closing.map((close) => close()));
      await proxy.close();
      await db.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export type S3Fixture = Awaited<ReturnType<typeof startS3Fixture>>;

/** The names of all objects of files in a bucket. */
export async function objectsOf(s3: S3Options): Promise<string[]> {
  const client = createS3Client(s3, pino({ level: 'silent' }));
  const names: string[] = [];
  for await (const page of client.list('file_')) names.push(...page.map(({ name }) => name));
  return names;
}

/** A database whose transactions `step` runs. */
export function stepping(db: Database, step: <T>(run: () => Promise<T>) => Promise<T>): Database {
  return { ...db, read: (work) => step(() => db.read(work)), write: (work) => step(() => db.write(work)) };
}
