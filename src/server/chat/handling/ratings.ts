// Ratings: the visitor is asked once for each handoff that a person has answered and closed, and answers once.
import type { Rating } from '../../../protocol/types/handling.ts';
import { ApiError } from '../../api/errors.ts';
import { timestamp } from '../../api/serializers.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { findHandling, setLastChange } from '../../storage/inbox/handlings.ts';
import type { HandoffRow } from '../../storage/inbox/handoffs.ts';
import {
  dismissRating,
  findRating,
  offerRating,
  type RatingRow,
  storeRating,
} from '../../storage/inbox/ratings.ts';
import { type ChangesOptions, eventOf } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';

export interface Ratings extends Pick<Handlings, 'rate'> {
  /** Asks the visitor about a handoff that has ended; does nothing if no person replied, or if the bot does not ask. */
  offer(tx: WriteTx, conversation: ConversationRow, handoff: HandoffRow): Promise<void>;
}

export function serializeRating(row: RatingRow): Rating {
  const { handoffId, rating, comment, ratedAt, dismissedAt } = row;
  return {
    handoffId,
    state: ratedAt !== null ? 'given' : dismissedAt !== null ? 'dismissed' : 'offered',
    offeredAt: timestamp(row.offeredAt),
    ...(rating === null ? {} : { rating: Number(rating) }),
    ...(comment === null ? {} : { comment }),
    ...(ratedAt === null ? {} : { ratedAt: timestamp(ratedAt) }),
  };
}

/** Returns the writes of ratings. All of them need the lock of the conversation. */
export function createRatings({
  log,
  now,
  onTeamChange,
}: Pick<ChangesOptions, 'log' | 'now' | 'onTeamChange'>): Ratings {
  async function publishRating(
    tx: WriteTx,
    conversation: ConversationRow,
    type: 'rating_requested' | 'rating_given',
    rating: Rating,
  ) {
    const place = await log.incrementSequence(tx, conversation);
    const data = { conversationId: publicId(conversation), rating };
    await log.appendSignal(tx, conversation, place.seq, { type, data }, null);
    return place;
  }

  async function existing(tx: WriteTx, { id }: ConversationRow, handoffId: string): Promise<RatingRow> {
    const row = await findRating(tx, id, handoffId);
    if (!row) throw new ApiError('ResourceNotFound', 'The visitor was not asked for this rating.');
    return row;
  }

  return {
    async offer(tx, conversation, handoff) {
      if (handoff.firstReplyAt === null || !(await offerRating(tx, handoff, now()))) return;
      const row = await existing(tx, conversation, handoff.id);
      await publishRating(tx, conversation, 'rating_requested', serializeRating(row));
    },

    async rate(tx, conversation, handoffId, { rating, comment = null }) {
      const before = await existing(tx, conversation, handoffId);
      const isStored =
        rating === null
          ? await dismissRating(tx, handoffId, now())
          : await storeRating(tx, handoffId, { at: now(), rating, comment });
      if (!isStored) {
        const isOther = rating !== null && (before.rating !== rating || before.comment !== comment);
        if (!isOther) return serializeRating(before);
        const metadata = { rating: serializeRating(before) };
        throw new ApiError('AlreadyExists', 'The visitor has rated already.', metadata);
      }
      const stored = serializeRating(await existing(tx, conversation, handoffId));
      const { seq, at } = await publishRating(tx, conversation, 'rating_given', stored);
      if (rating === null) return stored;
      const event = await eventOf(tx, 'conversation_rated', handoffId, { rating: stored });
      const cause = { conversationId: conversation.id, seq, userId: conversation.ownerId, createdAt: at };
      const delivery = { kind: event.kind, ref: handoffId, data: JSON.stringify(event.data) };
      await log.enqueueDelivery(tx, cause, delivery, undefined);
      await setLastChange(tx, conversation.id, seq, at);
      const workspaceId = (await findHandling(tx, conversation.id))?.workspaceId;
      if (workspaceId !== undefined)
        tx.afterCommit(() => onTeamChange(workspaceId, { kind: 'row', conversationId: conversation.id }));
      return stored;
    },
  };
}
