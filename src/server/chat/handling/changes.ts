// Stores one change of a handling in the transaction of its conversation: the row, the visible changes, and the event
// of the bot.
import type { Activity } from '../../../protocol/handling.ts';
import { ApiError } from '../../api/errors.ts';
import { timestamp } from '../../api/serializers.ts';
import type { TeamBus, TeamChange } from '../../realtime/team-bus.ts';
import { deleteQueuedMessages, type HandoffEventKind } from '../../storage/bots/deliveries.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { changeHandling, type HandlingRow, insertHandling } from '../../storage/inbox/handlings.ts';
import { type ActivityItem, findHandoff, insertActivities } from '../../storage/inbox/handoffs.ts';
import { setNotifiedPlace } from '../../storage/inbox/routing.ts';
import { indexWords } from '../../storage/inbox/search-index.ts';
import type { ConversationLog } from '../conversation-log.ts';
import { handlingOf, serializeHandoff, visibleState } from './visible.ts';

/** The data of a change in addition to the new row. */
export interface ChangeOptions {
  /** The lines of the transcript, at least one if visitors see the change. */
  activities?: readonly ActivityItem[];
  event?: { kind: HandoffEventKind; data: object };
}

export interface ChangesOptions {
  log: Pick<ConversationLog, 'incrementSequence' | 'appendSignal' | 'enqueueDelivery'>;
  now(): number;
  /** Called after the commit. */
  onTeamChange(workspaceId: string, change: TeamChange): void;
  /** Whether a member looks at the conversations of the bots, in this workspace or, without one, in any. */
  isWatched: TeamBus['isWatched'];
  /** Called after the commit in which a conversation was taken from its bot. */
  onTakenFromBot(conversationId: string): void;
}

/** The fields that a transition sets. */
export type NextHandling = Omit<HandlingRow, 'revision' | 'sortAt' | 'changedAt' | 'lastSeq'>;

export type ApplyChange = (
  tx: WriteTx,
  conversation: ConversationRow,
  before: HandlingRow | undefined,
  next: NextHandling,
  options?: ChangeOptions,
) => Promise<HandlingRow>;

/** The error for a conversation in another state, or with another revision, than the caller knows. */
export const stale = ({ state, revision }: Pick<HandlingRow, 'state' | 'revision'>): ApiError =>
  new ApiError('StaleRevision', `The conversation is ${state} now, and has the revision ${revision}.`, {
    state,
    revision,
  });

/** Returns the function that stores a change. The lock of the conversation is held, and `before` was read under it. */
export function createChanges({ log, now, onTeamChange, onTakenFromBot }: ChangesOptions): ApplyChange {
  return async (tx, conversation, before, next, { activities = [], event } = {}) => {
    const isShown =
      activities.length > 0 ||
      (before !== undefined &&
        (visibleState(before) !== visibleState(next) || before.person !== next.person));
    // Changes that visitors do not see take no sequence number, because a gap would reveal them.
    const place = isShown || event ? await log.incrementSequence(tx, conversation) : undefined;
    const at = place?.at ?? now();
    const row: HandlingRow = {
      ...next,
      revision: (before?.revision ?? 0) + 1,
      sortAt: at,
      changedAt: at,
      lastSeq: place?.seq ?? before?.lastSeq ?? conversation.seq,
    };
    if (!before) await insertHandling(tx, row);
    else if (!(await changeHandling(tx, row))) throw stale(before);
    // Its reason is searched.
    if (before?.handoffId !== row.handoffId) await indexWords(tx, conversation.id);
    if (place) {
      if (activities.length > 0) await insertActivities(tx, conversation.id, { ...place, items: activities });
      const times = { seq: place.seq, createdAt: timestamp(at) };
      const shown: Activity[] = activities.map(({ type, actor }) => ({ ...times, type, actor }));
      const handling = await handlingOf(tx, row, publicId(conversation), at);
      const data = { ...handling, activities: shown };
      if (handling.queue) await setNotifiedPlace(tx, conversation.id, handling.queue.position, at);
      await log.appendSignal(tx, conversation, place.seq, { type: 'handling_changed', data }, null);
    }
    const wasOfBot = before === undefined || before.state === 'bot';
    if (wasOfBot && row.state !== 'bot') {
      await deleteQueuedMessages(tx, conversation.id);
      tx.afterCommit(() => onTakenFromBot(conversation.id));
    }
    if (place && event) {
      const cause = {
        conversationId: conversation.id,
        seq: place.seq,
        userId: conversation.ownerId,
        createdAt: at,
      };
      const delivery = { kind: event.kind, ref: row.handoffId, data: JSON.stringify(event.data) };
      await log.enqueueDelivery(tx, cause, delivery, undefined);
    }
    const isMoved = before && (before.teamId !== row.teamId || before.assigneeId !== row.assigneeId);
    const from = isMoved && { from: { teamId: before.teamId, assigneeId: before.assigneeId } };
    tx.afterCommit(() =>
      onTeamChange(row.workspaceId, { kind: 'row', conversationId: conversation.id, ...from }),
    );
    return row;
  };
}

type HandoffEvent = NonNullable<ChangeOptions['event']>;

/** The event of a bot about one of its handoffs. `more`: what the event contains besides the handoff, as it is now. */
export async function eventOf(
  tx: WriteTx,
  kind: HandoffEvent['kind'],
  handoffId: string,
  more: object,
): Promise<HandoffEvent> {
  const handoff = await findHandoff(tx, handoffId);
  return { kind, data: { ...(handoff ? { handoff: serializeHandoff(handoff) } : {}), ...more } };
}
