// SQL of the settings of the inbox of a workspace.
import type { OpeningHours } from '../../../protocol/opening-hours.ts';
import type { Tx, WriteTx } from '../database.ts';

/** When the members of a workspace answer; undefined: always. */
export async function openingHoursOf(tx: Tx, workspaceId: string): Promise<OpeningHours | undefined> {
  const row = await tx.get<{ hours: string | null }>(
    'SELECT opening_hours AS hours FROM inbox_settings WHERE workspace_id = ?',
    workspaceId,
  );
  return row?.hours == null ? undefined : (JSON.parse(row.hours) as OpeningHours);
}

export async function setOpeningHours(tx: WriteTx, workspaceId: string, hours: OpeningHours): Promise<void> {
  await tx.run(
    `INSERT INTO inbox_settings (workspace_id, opening_hours) VALUES (?, ?)
     ON CONFLICT (workspace_id) DO UPDATE SET opening_hours = excluded.opening_hours`,
    workspaceId,
    JSON.stringify(hours),
  );
}

export async function deleteInboxSettings(tx: WriteTx, workspaceId: string): Promise<void> {
  await tx.run('DELETE FROM inbox_settings WHERE workspace_id = ?', workspaceId);
}
