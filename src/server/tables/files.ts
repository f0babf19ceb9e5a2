// The interface of files for tables: reads files to import, and writes exported files.
import type { Tx } from '../storage/database.ts';

export interface TableFiles {
  /** Returns whether the bot has a complete file with this id (or key). */
  known(tx: Tx, botId: string, fileId: string): Promise<boolean>;
  /**
   * Returns the bytes of a file of this bot, their number, and an id that changes when they are replaced; undefined when the file
   * does not exist.
   */
  read(
    botId: string,
    fileId: string,
  ): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number; contentId: string } | undefined>;
  /** Writes a file of this bot, and replaces one with the same key. Returns its id when it is completely on disk. */
  write(botId: string, key: string, contentType: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
}
