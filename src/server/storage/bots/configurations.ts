// SQL of the dashboard configurations that administrators stored. The version changes with each write, so that a change
// is detected without reading the configuration.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';

/** The version of the configuration of a bot; 0 when none was stored. */
export async function configurationVersion(tx: Tx, botId: string): Promise<number> {
  const row = await tx.get<{ version: number }>(
    'SELECT version FROM bot_configurations WHERE bot_id = ?',
    botId,
  );
  return row?.version ?? 0;
}

/** The stored configuration of a bot as JSON, unless a file has it. */
export async function readConfiguration(tx: Tx, botId: string): Promise<string> {
  const row = await tx.get<{ configuration: string }>(
    'SELECT configuration FROM bot_configurations WHERE bot_id = ?',
    botId,
  );
  return row?.configuration ?? '{}';
}

/** Replaces the configuration (JSON) and increments its version. */
export async function storeConfiguration(tx: WriteTx, botId: string, configuration: string): Promise<void> {
  await dropConfigurationFile(tx, botId);
  await tx.run(
    `INSERT INTO bot_configurations (bot_id, version, configuration) VALUES (?, 1, ?)
     ON CONFLICT (bot_id) DO UPDATE SET version = bot_configurations.version + 1, configuration = excluded.configuration`,
    botId,
    configuration,
  );
}

export async function deleteConfiguration(tx: WriteTx, botId: string): Promise<number> {
  await dropConfigurationFile(tx, botId);
  return tx.run('DELETE FROM bot_configurations WHERE bot_id = ?', botId);
}

/**
 * The file with the configuration of a bot; undefined when it is stored in the database. Only earlier versions have stored
 * files, for configurations of more than 1 MB.
 */
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
