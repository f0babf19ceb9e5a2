// Moves the data of a server between SQLite and PostgreSQL, and its files between a folder and an object store. The source
// is not changed.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openFileStore, S3Error, type S3Options } from '../../../files/index.ts';
import { asStartError, StartError } from '../../../startup/start-error.ts';
import { StorageFull } from '../../../storage/database.ts';
import { storedContents } from '../../../storage/files/files.ts';
import { hasUploads } from '../../../storage/files/uploads.ts';
import { endMove } from '../../../storage/move.ts';
import { isConnectionLost } from '../../../storage/postgres/failures.ts';
import { withStorageFull } from '../../../storage/sqlite.ts';
import { copyFolder, copyIfPresent } from '../folders.ts';
import { type DataLocation, openFrom, openTo, type Source, type Target } from './data-locations.ts';
import { copyToFolder, type MovedFiles, readFromStore, sendToStore } from './files.ts';
import { type MovedRows, moveRows } from './rows.ts';

export { readLocation } from './data-locations.ts';

export interface MoveOptions {
  from: DataLocation;
  to: DataLocation;
  /** The data folder of the server on PostgreSQL. It contains the files unless they are in an object store. */
  dataFolder: string;
  /**
   * The target of the files: an object store or a folder. Undefined: they stay, or move with the database to its
   * folder.
   */
  files: 'store' | 'folder' | undefined;
  /** The object store of the settings. */
  s3: S3Options | undefined;
  signal: AbortSignal;
  onProgress(line: string): void;
}

export interface Moved extends MovedRows {
  /** Undefined when files stay where they are. */
  files: MovedFiles | undefined;
  /** True when the target folder has the secret that signs user keys. */
  hasSecret: boolean;
}

/** Rejects with an error of one line. An interrupted move continues when it is repeated. */
export async function move(options: MoveOptions): Promise<Moved> {
  if (options.from.kind === options.to.kind) {
    throw new StartError(
      options.from.kind === 'folder'
        ? '--from and --to are data folders: copy one with `backup` and `restore`.'
        : '--from and --to are databases of PostgreSQL: copy one with `pg_dump`.',
    );
  }
  let source: Source | undefined;
  let target: Target | undefined;
  try {
    source = await openFrom(options.from);
    const plan = await planFiles(options, source);
    target = await openTo(options.to);
    const moved = await run(options, plan, source, target);
    await target.finish();
    target = undefined;
    return moved;
  } catch (error) {
    throw asMoveError(error);
  } finally {
    await target?.close().catch(() => {});
    await source?.close().catch(() => {});
  }
}

/** How files are moved, with their source folder and their target folder. */
interface FilePlan {
  how: 'stay' | 'copy' | 'send' | 'read';
  from: string;
  to: string;
}

async function planFiles(
  { from, to, dataFolder, files, s3 }: MoveOptions,
  { db }: Source,
): Promise<FilePlan> {
  const folders = {
    from: join(from.kind === 'folder' ? from.path : dataFolder, 'files'),
    to: join(to.kind === 'folder' ? to.path : dataFolder, 'files'),
  };
  if (files === 'store' && !s3) throw new StartError('S3_URL is missing.');
  if (await db.read(hasUploads)) {
    // They stay in the object store unless the folder was requested.
    if (files !== 'folder') return { ...folders, how: 'stay' };
    if (!s3) throw new StartError('S3_URL is missing: files of this database are in an object store.');
    return { ...folders, how: 'read' };
  }
  const how = files === 'store' ? 'send' : to.kind === 'folder' ? 'copy' : 'stay';
  const hasFolder = await stat(folders.from).catch(() => undefined);
  if (!hasFolder && (await db.read(storedContents)).length > 0) {
    throw new StartError(
      `The folder ${folders.from} with the files of this database does not exist: name the data folder with --data-dir.`,
    );
  }
  return { ...folders, how };
}

async function run(
  options: MoveOptions,
  plan: FilePlan,
  { db: from }: Source,
  { db: to }: Target,
): Promise<Moved> {
  const { signal, onProgress, dataFolder, s3 } = options;
  const isSent = plan.how === 'send';
  const rows = await moveRows({
    from,
    to,
    isNew: options.to.kind === 'folder',
    isSent,
    files: isSent ? `send to ${s3?.url}` : plan.how,
    signal,
    onProgress,
  });

  let files: MovedFiles | undefined;
  if (plan.how !== 'stay') onProgress('copying files');
  if (plan.how === 'copy') files = await copyToFolder({ db: to, signal }, plan.from, plan.to);
  if (isSent || plan.how === 'read') {
    // Files that are read from the store go to the target folder directly. For files that are sent, a temporary folder
    // buffers one part at a time.
    const folder = isSent ? await mkdtemp(join(tmpdir(), 'webchat-move-')) : plan.to;
    const logger = pino({ level: 'silent' });
    const store = await openFileStore({ db: to, folder, s3, logger, now: Date.now });
    try {
      files = isSent
        ? await sendToStore({ db: to, signal }, plan.from, store)
        : await readFromStore({ db: to, signal }, store, plan.to);
    } finally {
      await store.close();
      if (isSent) await rm(folder, { recursive: true, force: true });
    }
  }

  let hasSecret = false;
  if (options.to.kind === 'folder') {
    await copyFolder(join(dataFolder, 'webchat'), join(options.to.path, 'webchat'), signal);
    const secret = 'user-key-secret';
    hasSecret = (await copyIfPresent(join(dataFolder, secret), join(options.to.path, secret))) !== undefined;
  }
  signal.throwIfAborted();
  await endMove(to, plan.how === 'read');
  return { ...rows, files, hasSecret };
}

const again = 'Repeat the command, and it goes on.';

/** Converts errors with a cause outside of the program to one line with a remedy; other errors are returned unchanged. */
export function asMoveError(thrown: unknown): unknown {
  if (thrown instanceof StartError) return thrown;
  const error = withStorageFull(thrown);
  const options = { cause: error };
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof StorageFull || code === 'ENOSPC') {
    return new StartError(`The target has no space left: free some. ${again}`, 1, options);
  }
  if (error instanceof S3Error) {
    const { operation, status, reason } = error;
    const answer = status === 0 ? 'does not answer' : `answers ${operation} with ${status}`;
    return new StartError(`S3_URL: the store ${answer} (${reason}). ${again}`, 1, options);
  }
  if (isConnectionLost(error)) {
    return new StartError(`DATABASE_URL: the database cannot be reached any more. ${again}`, 1, options);
  }
  return asStartError(error);
}
