// SQL of the files with configurations of more than 1 MB, which earlier versions have stored: which bot uses which.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';

/** The file with the configuration of a bot; undefined when it is stored in the database. */
export async function configurationFileOf(tx: Tx, botId: string): Promise<string | undefined> {
  const row = await tx.get<{ contentId: string }>(
    'SELECT content_id FROM configuration_files WHERE used_by = ?',
    botId,
  );
  return row?.contentId;
}

/** Queues the removal of the file of a bot. */
export async function dropConfigurationFile(tx: WriteTx, botId: string): Promise<void> {
  const contentId = await configurationFileOf(tx, botId);
  if (contentId === undefined) return;
  await tx.run('DELETE FROM configuration_files WHERE content_id = ?', contentId);
  await enqueueDeletion(tx, 'file_content', contentId);
}
