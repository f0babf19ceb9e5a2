// Checks at the start that the object store can be used, and that its objects belong to this database.
import { randomUUID } from 'node:crypto';
import { StartError } from '../../startup/start-error.ts';
import type { Database } from '../../storage/database.ts';
import { ensureStoreId, hasUploads } from '../../storage/files/uploads.ts';
import type { S3Client } from './client.ts';
import { contentOf, S3Error } from './requests.ts';

/** The name of the object with the id of the server that owns the files. */
const ownerName = 'owner';

/** Throws StartError, without the address and the keys. */
export async function assertUsable(s3: S3Client, db: Database): Promise<void> {
  await explained(async () => {
    // Reads the bucket, and finds a missing one, before anything is written.
    for await (const _ of s3.list(ownerName)) break;
    await assertWritable(s3);
    await assertOwner(s3, db);
  });
}

async function explained(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    throw new StartError(`S3_URL: ${explain(error)}.`, 1, { cause: error });
  }
}

/** Throws StartError, without the address and the keys, if the objects belong to a server with another id. */
export async function assertOwnedBy(s3: S3Client, id: string): Promise<void> {
  await explained(async () => {
    if ((await textOf(s3, ownerName, 0, id.length - 1)) === id) return;
    throw new StartError(
      'S3_URL: these files are not those of this database. Check the bucket and the prefix.',
    );
  });
}

async function assertWritable(s3: S3Client): Promise<void> {
  const name = `check-${randomUUID()}`;
  await s3.put(name, contentOf('webchat'));
  const text = await textOf(s3, name, 3, 6);
  await s3.remove(name);
  if (text !== 'chat') throw new StartError('S3_URL: the store does not return the bytes that it was sent.');
}

async function assertOwner(s3: S3Client, db: Database): Promise<void> {
  const id = await db.write((tx) => ensureStoreId(tx, randomUUID()));
  const owner = await textOf(s3, ownerName, 0, id.length - 1);
  if (owner === id) return;
  if (owner !== undefined) {
    throw new StartError(
      'S3_URL: these files belong to a server with another database. Add a new prefix to the address.',
    );
  }
  if (await db.read(hasUploads)) {
    throw new StartError(
      'S3_URL: the files of this database are not there. Check the bucket and the prefix.',
    );
  }
  await s3.put(ownerName, contentOf(id));
}

async function textOf(s3: S3Client, name: string, first: number, last: number): Promise<string | undefined> {
  const stream = await s3.get(name, first, last);
  if (!stream) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const bytes of stream) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}

const keys = 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION';

function explain({ operation, status, reason }: S3Error): string {
  if (status === 0) return `the store does not answer (${reason})`;
  if (status === 404) return `the bucket does not exist (${reason})`;
  if (reason === 'RequestTimeTooSkewed') return 'the clock of this machine is wrong (RequestTimeTooSkewed)';
  if (status === 403 || status === 401) return `the store refuses ${operation} (${reason}). Check ${keys}`;
  if (status < 400)
    return `the store answers ${operation} with a redirect (${status}). Check the address and S3_REGION`;
  return `the store answers ${operation} with ${status} (${reason}). Check the address and S3_REGION`;
}
