// Files for tables: those of the bot and its members, not those of other bots or of visitors.
import { limits } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';
import {
  announced,
  charsetOf,
  type FilePrincipal,
  type FileStore,
  heldFileOfKey,
  mayUse,
  ownerOf,
  spaceOf,
} from '../files/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { deletePendingFile } from '../storage/files/deletions.ts';
import {
  completeWrittenFile,
  type FileRow,
  fileOfKey,
  findFile,
  insertFile,
  isComplete,
  replaceFile,
} from '../storage/files/files.ts';
import { createId } from '../storage/ids.ts';

export interface TableFilesOptions {
  db: Database;
  store: FileStore;
  /** Must be called after the commit that replaces or deletes bytes. */
  onRemoved(): void;
  now(): number;
}

export function createTableFiles({ db, store, onRemoved, now }: TableFilesOptions): TableFiles {
  async function findReadable(tx: Tx, botId: string, idOrKey: string): Promise<FileRow | undefined> {
    const principal = botOf(botId);
    const file = (await findFile(tx, idOrKey)) ?? (await fileOfKey(tx, botId, spaceOf(principal), idOrKey));
    return file && isComplete(file) && mayUse(principal, file, 'read') ? file : undefined;
  }

  return {
    exists: async (tx, botId, fileId) => (await findReadable(tx, botId, fileId)) !== undefined,
    async find(botId, fileId) {
      const file = await db.read((tx) => findReadable(tx, botId, fileId));
      if (!file) return undefined;
      const { contentId, size, declaredType } = file;
      const charset = charsetOf(declaredType);
      return { size, contentId, charset, open: () => store.read(contentId, 0, size - 1) };
    },
    async write(botId, key, contentType, bytes) {
      const principal = botOf(botId);
      const at = now();
      // The row is inserted before the bytes are written, because bytes without a row are removed as orphans.
      const pending = await db.write(async (tx) => {
        await tx.lock(`bot:${botId}`);
        const found = await heldFileOfKey(tx, botId, spaceOf(principal), key);
        const file: FileRow = {
          ...(found ?? { ...ownerOf(principal), id: createId('file', at), botId, key, createdAt: at }),
          size: 0,
          contentId: createId('file', at),
          declaredType: contentType,
          contentType,
          ...announced(at),
        };
        await (found ? replaceFile(tx, file) : insertFile(tx, file));
        if (found) tx.afterCommit(onRemoved);
        return file;
      });
      try {
        const size = await store.hold(pending.contentId, async (writer) => {
          const written = await writer.write(0, limits.maxFileBytes, bytes);
          await writer.finish();
          return written;
        });
        // In the meantime another caller may have deleted the file, or replaced it with other bytes.
        const isAwaited = await db.write((tx) =>
          completeWrittenFile(tx, { ...pending, size, updatedAt: now() }),
        );
        if (!isAwaited) throw gone();
      } catch (error) {
        const wasAwaited = await db.write((tx) => {
          tx.afterCommit(onRemoved);
          return deletePendingFile(tx, pending);
        });
        // The bytes of a file that was deleted or replaced are removed while they are written, which fails in many ways.
        throw wasAwaited ? error : gone();
      }
      return pending.id;
    },
  };
}

const gone = () => new ApiError('ResourceGone', 'The file was deleted or replaced while it was written.');

/** Jobs of a bot have the permissions of the bot. */
const botOf = (botId: string): FilePrincipal => ({ kind: 'bot', botId });

export interface ReadableTableFile {
  /** In bytes. */
  size: number;
  /** Changes when the bytes are replaced. */
  contentId: string;
  /** The charset that its owner has declared. */
  charset: string | undefined;
  /** Opens the file for reading. It is closed when the bytes are read to the end, or when their reader stops. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** The files of the jobs of tables: reads files to import, and writes exported files. */
export interface TableFiles {
  /** Returns whether the bot has a complete file with this id (or key). */
  exists(tx: Tx, botId: string, fileId: string): Promise<boolean>;
  /** Returns a file of this bot that can be opened; undefined when it does not exist. */
  find(botId: string, fileId: string): Promise<ReadableTableFile | undefined>;
  /** Writes a file of this bot, and replaces one with the same key. Returns its id when it is completely on disk. */
  write(botId: string, key: string, contentType: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
}
