// SQL of the code, the webhook and the secrets of bots.
import type { WriteTx } from '../database.ts';
import type { BotRow } from './bots.ts';

/** Stores the code or webhook of a bot, or that it has an agent. `deployedAt`: 0 when it has none of them. */
export async function setDeployment(
  tx: WriteTx,
  {
    id,
    code,
    webhookUrl,
    hasAgent,
    signingSecret,
    deployedAt,
    updatedAt,
  }: Pick<BotRow, 'id' | 'code' | 'webhookUrl' | 'hasAgent' | 'signingSecret' | 'deployedAt' | 'updatedAt'>,
): Promise<void> {
  await tx.run(
    `UPDATE bots SET code = ?, webhook_url = ?, has_agent = ?, signing_secret = ?, deployed_at = ?, updated_at = ? WHERE id = ?`,
    code,
    webhookUrl,
    hasAgent,
    signingSecret,
    deployedAt,
    updatedAt,
    id,
  );
}

/** Replaces the secrets of a bot. */
export async function setSecrets(
  tx: WriteTx,
  { id, ownKeys, signingSecret, updatedAt }: Pick<BotRow, 'id' | 'ownKeys' | 'signingSecret' | 'updatedAt'>,
): Promise<void> {
  await tx.run(
    'UPDATE bots SET own_keys = ?, signing_secret = ?, updated_at = ? WHERE id = ?',
    ownKeys,
    signingSecret,
    updatedAt,
    id,
  );
}

/** Marks all bots without code, webhook and agent as not deployed, except the one with this address. */
export async function clearDeployed(tx: WriteTx, webhookId: string): Promise<void> {
  await tx.run(
    'UPDATE bots SET deployed_at = 0 WHERE code IS NULL AND webhook_url IS NULL AND has_agent = 0 AND webhook_id <> ? AND deployed_at > 0',
    webhookId,
  );
}
