// SQL of how long the data of each bot is kept.
import type { RetentionDays } from '../../../protocol/types/visitors.ts';
import { columnOf } from '../columns/names.ts';
import type { Tx, WriteTx } from '../database.ts';

/** The periods of a bot; null: that of the server. */
export type OwnPeriods = { [Name in keyof RetentionDays]: number | null };

/** The columns of `bots`. */
export const periodColumns: Record<keyof RetentionDays, string> = {
  messagesDays: 'retention_messages',
  filesDays: 'retention_files',
  logsDays: 'retention_logs',
  contactsDays: 'retention_contacts',
};

export async function ownPeriods(tx: Tx, botId: string): Promise<OwnPeriods> {
  const columns = Object.entries(periodColumns).map(([name, column]) => `${column} AS ${columnOf(name)}`);
  const found = await tx.get<OwnPeriods>(`SELECT ${columns.join(', ')} FROM bots WHERE id = ?`, botId);
  return found ?? { messagesDays: null, filesDays: null, logsDays: null, contactsDays: null };
}

export async function setOwnPeriods(tx: WriteTx, botId: string, periods: OwnPeriods): Promise<void> {
  const { messagesDays, filesDays, logsDays, contactsDays } = periods;
  await tx.run(
    `UPDATE bots SET retention_messages = ?, retention_files = ?, retention_logs = ?, retention_contacts = ? WHERE id = ?`,
    messagesDays,
    filesDays,
    logsDays,
    contactsDays,
    botId,
  );
}

/** The shortest period that any bot has, in days, or `ofServer`; 0 when all data is kept. */
export async function shortestPeriod(tx: Tx, name: keyof RetentionDays, ofServer: number): Promise<number> {
  const column = periodColumns[name];
  const row = await tx.get<{ days: number | null }>(
    `SELECT MIN(${column}) AS days FROM bots WHERE ${column} > 0 AND deleted_at IS NULL`,
  );
  const all = [row?.days ?? 0, ofServer].filter((days) => days > 0);
  return all.length === 0 ? 0 : Math.min(...all);
}
