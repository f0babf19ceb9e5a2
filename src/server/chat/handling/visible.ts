// The fields of a handling that visitors, bots and other help desks see.
import type {
  Activity,
  Handling,
  Handoff,
  HandoffAnswer,
  Person,
  VisibleState,
} from '../../../protocol/handling.ts';
import { hoursStatus } from '../../../protocol/opening-hours.ts';
import { timestamp } from '../../api/serializers.ts';
import type { MemberRow } from '../../storage/admin/workspaces.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import type { Tx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { findHandling, type HandlingRow, queuePosition } from '../../storage/inbox/handlings.ts';
import type { ActivityItem, ActivityRow, HandoffRow } from '../../storage/inbox/handoffs.ts';
import { openingHoursOf } from '../../storage/inbox/teams.ts';
import type { HandoffRequest } from './handlings-interface.ts';

/** The person who answers; undefined if nobody does. */
export const personIn = ({ person }: Pick<HandlingRow, 'person'>): Person | undefined =>
  person === null ? undefined : (JSON.parse(person) as Person);

/** Visitors do not see that a conversation is snoozed. */
export function visibleState({ state, personId }: Pick<HandlingRow, 'state' | 'personId'>): VisibleState {
  if (state !== 'snoozed') return state;
  return personId === null ? 'waiting' : 'assigned';
}

/**
 * `id`: of the conversation, as the caller spells it. `now`: of who waits outside of the opening hours it is also said when
 * they begin; left out, it is not.
 */
export async function handlingOf(
  tx: Tx,
  row: HandlingRow | undefined,
  id: string,
  now?: number,
): Promise<Handling> {
  if (!row) return { conversationId: id, revision: 0, state: 'bot' };
  const state = visibleState(row);
  const person = state === 'assigned' ? personIn(row) : undefined;
  return {
    conversationId: id,
    revision: row.revision,
    state,
    ...(person ? { person } : {}),
    ...(row.queuedAt !== null ? { queue: { position: await queuePosition(tx, row) } } : {}),
    ...(state === 'waiting' && now !== undefined ? await openingOf(tx, row, now) : {}),
  };
}

/** When somebody answers again, if nobody does now. */
async function openingOf(
  tx: Tx,
  { workspaceId }: Pick<HandlingRow, 'workspaceId'>,
  now: number,
): Promise<{ opensAt?: string }> {
  const { opensAt } = hoursStatus(await openingHoursOf(tx, workspaceId), now);
  return opensAt === undefined ? {} : { opensAt: timestamp(opensAt) };
}

/** The response to a request for a person. */
export async function serializeRequest(
  tx: Tx,
  { accepted, row, opensAt }: HandoffRequest,
  id: string,
  now: number,
): Promise<HandoffAnswer & { handling: Handling }> {
  const handling = await handlingOf(tx, row, id, now);
  const opening = opensAt === undefined ? {} : { opensAt: timestamp(opensAt) };
  const position = accepted && handling.queue ? { position: handling.queue.position } : {};
  return { accepted, ...position, ...opening, handling: { ...handling, ...opening } };
}

/** The current handling of a conversation. */
export async function readHandling(
  tx: Tx,
  conversation: ConversationRow,
  id = publicId(conversation),
  now?: number,
): Promise<Handling> {
  return handlingOf(tx, await findHandling(tx, conversation.id), id, now);
}

/** The current handling of the conversation with this server id; undefined if it was deleted. */
export async function readHandlingById(tx: Tx, conversationId: string): Promise<Handling | undefined> {
  const conversation = await conversationById(tx, conversationId);
  return conversation && readHandling(tx, conversation, conversationId);
}

const itemsOf = ({ items }: ActivityRow) => JSON.parse(items) as ActivityItem[];

/** The members in lines of the transcript who have no name. */
export const membersIn = (row: ActivityRow): string[] =>
  itemsOf(row).flatMap(({ actor, memberId }) => (isPublicName(actor.name) && memberId ? [memberId] : []));

/** `names`: of members who have no name, by their ids; left out for visitors. */
export const activitiesOf = (row: ActivityRow, names?: ReadonlyMap<string, string>): Activity[] =>
  itemsOf(row).map(({ type, actor, memberId = '' }) => {
    const name = names?.get(memberId);
    return {
      seq: row.seq,
      createdAt: timestamp(row.createdAt),
      type,
      actor: name === undefined ? actor : { ...actor, name },
    };
  });

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

/** The name that visitors read of a member without one. */
const publicName = 'Support';

/** Whether a name of a person is that of members without one. */
export const isPublicName = (name: string | undefined): boolean => name === publicName;

/** The name of a member that visitors see. It is never the e-mail address. */
export const personOfMember = ({ displayName, profilePicture }: MemberRow): Person => ({
  name: displayName || publicName,
  ...(profilePicture === null ? {} : { pictureUrl: profilePicture }),
});
