// Makes the usage of bots that several processes have counted that of one process.
import { type UsageRow, usageColumns, withSums } from '../cluster/usage-parts.ts';
import type { WriteTx } from '../database.ts';
import { deleteUsage } from '../usage.ts';

/** Makes one row of all parts of each bot. */
export async function mergeParts(tx: WriteTx): Promise<void> {
  const found = await tx.all<{ id: string }>("SELECT id FROM usage WHERE id LIKE '% %'");
  const botIds = found.flatMap(({ id }) => /^([\w-]+) \d+$/.exec(id)?.slice(1) ?? []);
  for (const botId of new Set(botIds)) {
    const rows = await tx.all<UsageRow>(
      `SELECT ${usageColumns} FROM usage WHERE id >= ? AND id < ? || '!'`,
      botId,
      botId,
    );
    await deleteUsage(tx, botId);
    for (const { id, messages, bytes, files, hour, hourMessages, hourBytes } of withSums(rows))
      await tx.run(
        `INSERT INTO usage (id, messages, bytes, files, hour, hour_messages, hour_bytes) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        id,
        messages,
        bytes,
        files,
        hour,
        hourMessages,
        hourBytes,
      );
  }
}
