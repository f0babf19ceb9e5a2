// SQL of the files with large configurations: which bot uses which; a file without a bot is being written.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';

export async function announceConfigurationFile(tx: WriteTx, contentId: string, now: number): Promise<void> {
  await tx.run('INSERT INTO configuration_files (content_id, created_at) VALUES (?, ?)', contentId, now);
}

/** Lets a bot use a file. The removal of the previous one is queued. */
export async function useConfigurationFile(tx: WriteTx, botId: string, contentId: string): Promise<void> {
  await dropConfigurationFile(tx, botId);
  await tx.run('UPDATE configuration_files SET used_by = ? WHERE content_id = ?', botId, contentId);
}

/** The file with the configuration of a bot; undefined when it is stored in the database. */
export async function configurationFileOf(tx: Tx, botId: string): Promise<string | undefined> {
  const row = await tx.get<{ contentId: string }>(
    'SELECT content_id AS "contentId" FROM configuration_files WHERE used_by = ?',
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

/** Queues the removal of a file that no bot uses. Returns whether there was one. */
export async function forgetConfigurationFile(tx: WriteTx, contentId: string): Promise<boolean> {
  const changes = await tx.run(
    'DELETE FROM configuration_files WHERE content_id = ? AND used_by IS NULL',
    contentId,
  );
  if (changes > 0) await enqueueDeletion(tx, 'file_content', contentId);
  return changes > 0;
}

/**
 * Forgets the files that were being written before `before` by a process that was killed. Their bytes are then orphaned.
 */
export async function forgetUnusedConfigurationFiles(tx: WriteTx, before: number): Promise<void> {
  await tx.run('DELETE FROM configuration_files WHERE used_by IS NULL AND created_at < ?', before);
}
