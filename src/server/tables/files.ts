// What tables need of files: to read one that is imported and to write one that is exported. Whose files, others decide.
import type { Tx } from '../storage/database.ts';

export interface TableFiles {
  /** Whether the bot has a file of this id (or key) whose content is there. */
  known(tx: Tx, botId: string, fileId: string): Promise<boolean>;
  /** The bytes of a file of this bot, and how many; undefined when there is none. */
  read(
    botId: string,
    fileId: string,
  ): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number } | undefined>;
  /** Writes a file of this bot, in place of the one of the same key; gives its id when all of it is safe. */
  write(botId: string, key: string, contentType: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
}
