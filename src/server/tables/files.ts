// The interface of files for tables: reads files to import, and writes exported files.
import type { Tx } from '../storage/database.ts';

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

export interface TableFiles {
  /** Returns whether the bot has a complete file with this id (or key). */
  known(tx: Tx, botId: string, fileId: string): Promise<boolean>;
  /** Returns a file of this bot that can be opened; undefined when it does not exist. */
  find(botId: string, fileId: string): Promise<ReadableTableFile | undefined>;
  /** Writes a file of this bot, and replaces one with the same key. Returns its id when it is completely on disk. */
  write(botId: string, key: string, contentType: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
}
