// SQL of the earlier dashboard configurations of bots: the newest of each, to which administrators can go back.
import type { Tx, WriteTx } from '../database.ts';
import { defineTable, insert, integer, orNull, type RowOf, text } from '../table.ts';

/** Versions that are kept for each bot. */
const maxVersions = 50;

const versions = defineTable('webchat_versions', {
  id: text,
  botId: text,
  /** The member who stored it; null if no member did. */
  memberId: orNull(text),
  /** JSON. */
  configuration: text,
  createdAt: integer,
});
export type WebchatVersionRow = RowOf<typeof versions>;

/** Adds a version, and removes the oldest ones. */
export async function addWebchatVersion(tx: WriteTx, row: WebchatVersionRow): Promise<void> {
  await insert(tx, versions, row);
  await tx.run(
    `DELETE FROM webchat_versions WHERE bot_id = ? AND id <=
       (SELECT id FROM webchat_versions WHERE bot_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    row.botId,
    row.botId,
    maxVersions,
  );
}

export async function hasWebchatVersion(tx: Tx, botId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM webchat_versions WHERE bot_id = ? LIMIT 1', botId)) !== undefined;
}

/** The versions of a bot before the id `before`, newest first. */
export async function listWebchatVersions(
  tx: Tx,
  botId: string,
  before: string | undefined,
  limit: number,
): Promise<WebchatVersionRow[]> {
  return tx.all(
    `SELECT ${versions.columns()} FROM webchat_versions WHERE bot_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    botId,
    // '~' sorts after every character of an id.
    before ?? '~',
    limit,
  );
}
