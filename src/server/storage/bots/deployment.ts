// SQL of the deployment of bots: code, webhook, secrets, and options of their events.
import type { Tx, WriteTx } from '../database.ts';
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

/** The events that a bot receives beyond those of its users, their format, and the offers to its visitors. */
export interface EventOptions {
  /** 1: also events about what it sends itself. */
  outgoingEvents: number;
  /** 1 if all visitors can ask for a person. */
  visitorHandoff: number;
  /** 1 if visitors are asked for a rating when a conversation with a person is closed. */
  ratings: number;
  /** 1 if visitors and persons are told what the other one has read. */
  readReceipts: number;
  /** The number of passages of its knowledge bases with each message of a user. */
  knowledgeResults: number;
  /** The format of requests to its webhook. */
  webhookFormat: 'standard' | 'hosted';
}

export async function findEventOptions(tx: Tx, id: string): Promise<EventOptions> {
  const found = await tx.get<EventOptions>(
    `SELECT outgoing_events, visitor_handoff, ratings, read_receipts,
       knowledge_results,
       webhook_format FROM bots WHERE id = ?`,
    id,
  );
  return (
    found ?? {
      outgoingEvents: 0,
      visitorHandoff: 0,
      ratings: 1,
      readReceipts: 0,
      knowledgeResults: 0,
      webhookFormat: 'standard',
    }
  );
}

export async function setEventOptions(tx: WriteTx, id: string, options: EventOptions): Promise<void> {
  const { outgoingEvents, visitorHandoff, ratings, readReceipts, knowledgeResults, webhookFormat } = options;
  await tx.run(
    'UPDATE bots SET outgoing_events = ?, visitor_handoff = ?, ratings = ?, read_receipts = ?, knowledge_results = ?, webhook_format = ? WHERE id = ?',
    outgoingEvents,
    visitorHandoff,
    ratings,
    readReceipts,
    knowledgeResults,
    webhookFormat,
    id,
  );
}

/** Whether all visitors of a bot can ask for a person. */
export async function hasVisitorHandoff(tx: Tx, botId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM bots WHERE id = ? AND visitor_handoff = 1', botId)) !== undefined;
}
