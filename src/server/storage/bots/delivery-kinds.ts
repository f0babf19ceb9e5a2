// What events of bots are about, and which of them ask the bot for an answer.
import type { WriteTx } from '../database.ts';
import { deliveryStates } from './delivery-states.ts';

const handoffKinds = [
  'handoff_requested',
  'conversation_assigned',
  'handoff_ended',
  'conversation_closed',
  'conversation_rated',
] as const;

/** The kinds of events about a handoff. */
export type HandoffEventKind = (typeof handoffKinds)[number];

export type DeliveryKind =
  | 'message'
  | 'custom'
  | 'conversation_started'
  | 'feedback'
  | 'user_merged'
  | 'resume'
  | 'message_for_person'
  | HandoffEventKind;

export const isHandoffEvent = (kind: DeliveryKind): kind is HandoffEventKind =>
  handoffKinds.some((one) => one === kind);

/** Whether an event asks the bot for an answer, so that the bot gets none of them while a person answers. */
export const asksForAnswer = ({ kind }: { kind: DeliveryKind }): boolean =>
  ['message', 'resume', 'conversation_started'].includes(kind);

/** Deletes the events of a conversation that ask the bot for an answer, except for one that it handles now. */
export async function deleteQueuedMessages(tx: WriteTx, conversationId: string): Promise<void> {
  await tx.run(
    `DELETE FROM deliveries WHERE conversation_id = ? AND kind IN ('message', 'resume', 'conversation_started')
       AND owner IS NULL AND state <> '${deliveryStates.deadLetter}' AND (attempts = 0 OR state = '${deliveryStates.deferred}')`,
    conversationId,
  );
}
