// Stores replies of bots: on PostgreSQL together with those that are sent at the same time, if several processes share it.
import type { Reply, Transcript } from '../../chat/index.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import { type Database, isOfDatabase } from '../../storage/database.ts';
import { createGroups } from '../../storage/groups/groups.ts';

/** Stores a reply. Resolves with undefined if it has to be stored alone. */
export type AddReply = (reply: Reply) => Promise<MessageRow | undefined>;

export function createReplyGroups(db: Database, transcript: Pick<Transcript, 'replyTogether'>): AddReply {
  if (db.dialect !== 'postgres') return async () => undefined;
  return createGroups(
    async (replies: Reply[]) => {
      try {
        return await db.write((tx) => transcript.replyTogether(tx, replies));
      } catch (error) {
        // The fault of one reply must not be that of the others.
        if (isOfDatabase(error)) throw error;
        return replies.map(() => undefined);
      }
    },
    // One group at a time, so that replies to a conversation keep their order.
    { weigh: ({ content }) => JSON.stringify(content.payload).length, maxRunning: 1 },
  );
}
