// The fields of a handling that visitors, bots and other help desks see.
import type {
  Activity,
  Handling,
  Handoff,
  Person,
  VisibleState,
} from '../../../protocol/handling/handling.ts';
import { timestamp } from '../../api/serializers.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import type { Tx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { findHandling, type HandlingRow, queuePosition } from '../../storage/inbox/handlings.ts';
import type { ActivityRow, HandoffRow } from '../../storage/inbox/handoffs.ts';

/** The person who answers; undefined if nobody does. */
export const personIn = ({ person }: Pick<HandlingRow, 'person'>): Person | undefined =>
  person === null ? undefined : (JSON.parse(person) as Person);

/** Visitors do not see that a conversation is snoozed. */
export function visibleState({ state, personId }: Pick<HandlingRow, 'state' | 'personId'>): VisibleState {
  if (state !== 'snoozed') return state;
  return personId === null ? 'waiting' : 'assigned';
}

/** `id`: of the conversation, as the caller spells it. */
export async function handlingOf(tx: Tx, row: HandlingRow | undefined, id: string): Promise<Handling> {
  if (!row) return { conversationId: id, revision: 0, state: 'bot' };
  const state = visibleState(row);
  const person = state === 'assigned' ? personIn(row) : undefined;
  return {
    conversationId: id,
    revision: row.revision,
    state,
    ...(person ? { person } : {}),
    ...(row.queuedAt !== null ? { queue: { position: await queuePosition(tx, row) } } : {}),
  };
}

/** Who answers a conversation now. */
export async function readHandling(
  tx: Tx,
  conversation: ConversationRow,
  id = publicId(conversation),
): Promise<Handling> {
  return handlingOf(tx, await findHandling(tx, conversation.id), id);
}

/** Who answers a conversation of this server id now; undefined if it was deleted. */
export async function readHandlingById(tx: Tx, conversationId: string): Promise<Handling | undefined> {
  const conversation = await conversationById(tx, conversationId);
  return conversation && readHandling(tx, conversation, conversationId);
}

export const activitiesOf = ({ seq, items, createdAt }: ActivityRow): Activity[] =>
  (JSON.parse(items) as Pick<Activity, 'type' | 'actor'>[]).map(({ type, actor }) => ({
    seq,
    createdAt: timestamp(createdAt),
    type,
    actor,
  }));

export const serializeHandoff = (
  row: Pick<HandoffRow, 'id' | 'requestedAt' | 'requestedBy' | 'reason' | 'closedAt' | 'outcome'>,
): Handoff => ({
  id: row.id,
  requestedAt: timestamp(row.requestedAt),
  requestedBy: row.requestedBy,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.closedAt === null ? {} : { closedAt: timestamp(row.closedAt) }),
  ...(row.outcome === null ? {} : { outcome: row.outcome }),
});
