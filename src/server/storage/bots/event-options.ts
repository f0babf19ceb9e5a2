// SQL of what a bot receives beyond the events of its users, in which format, and what its visitors are offered.
import type { Tx, WriteTx } from '../database.ts';

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
