// Files as the rest of the server sees them: what is taken, where it lies, how it is swept. It reads no request.
import type { Database } from '../db/database.ts';
import { deletedFiles, deleteFile, expireUploads, fileKnown } from '../db/files.ts';
import { encodeName, fileName } from './name.ts';
import type { FileStore } from './store.ts';
import type { FileTokens } from './tokens.ts';

export interface FileService {
  /** Bytes of one file. */
  readonly maxBytes: number;
  /** Patterns of media types; empty for all. */
  readonly types: readonly string[];
  /** The addresses of a file below that of the chat; whoever has one may use it. */
  addresses(chat: string, id: string, key: string): { url: string; uploadUrl: string };
}

export interface FileLimits {
  maxBytes: number;
  types: readonly string[];
}

export function createFileService(limits: FileLimits, tokens: FileTokens): FileService {
  return {
    ...limits,
    addresses: (chat, id, key) => ({
      url: `${chat}/files/${tokens.sign('download', id)}/${encodeName(fileName(key))}`,
      uploadUrl: `${chat}/uploads/${tokens.sign('upload', id)}`,
    }),
  };
}

/** Files in one step of sweeping. */
const step = 100;

/**
 * Removes the bytes and rows of files that are deleted, and of uploads that were not completed in time. Bytes go
 * first: killed in between, the row is still there to try again by. Gives how many there were in this step.
 */
export async function sweepFiles(db: Database, store: FileStore, now: number): Promise<number> {
  const expired = await db.write((tx) => expireUploads(tx, now, step));
  const ids = await db.read((tx) => deletedFiles(tx, step));
  for (const id of ids) {
    await store.hold(id, (writer) => writer.remove());
    await db.write((tx) => deleteFile(tx, id));
  }
  return expired + ids.length;
}

/** Removes bytes without a row: rows are made before their first byte, so nobody will miss them. */
export async function sweepOrphans(db: Database, store: FileStore, isClosed: () => boolean): Promise<void> {
  for await (const id of store.ids()) {
    if (isClosed()) return;
    if (!(await db.read((tx) => fileKnown(tx, id)))) await store.hold(id, (writer) => writer.remove());
  }
}
