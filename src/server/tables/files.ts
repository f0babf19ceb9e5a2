// The interface of files for tables: to read one that is imported, and to write one that is exported.
import type { Tx } from '../storage/database.ts';

export interface TableFiles {
  /** Whether the bot has a complete file of this id (or key). */
  known(tx: Tx, botId: string, fileId: string): Promise<boolean>;
  /** The bytes of a file of this bot, and their number; undefined when there is none. */
  read(
    botId: string,
    fileId: string,
  ): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number } | undefined>;
  /** Writes a file of this bot, and replaces one with the same key; returns its id when all of it is on disk. */
  write(botId: string, key: string, contentType: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
}
