// Stores replies of bots: in a remote database together with those that are sent at the same time, if several processes
// share it.
import type { Reply, Transcript } from '../../chat/index.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { Database } from '../../storage/database.ts';
import { createGroups, withoutFaultOfOthers } from '../../storage/groups.ts';

/** Stores a reply. Resolves with undefined if it has to be stored alone. */
export type AddReply = (reply: Reply) => Promise<MessageRow | undefined>;

export function createReplyGroups(db: Database, transcript: Pick<Transcript, 'storeReplies'>): AddReply {
  if (!db.isRemote) return async () => undefined;
  return createGroups(
    (replies: Reply[]) =>
      withoutFaultOfOthers(replies, () => db.write((tx) => transcript.storeReplies(tx, replies))),
    // One group at a time, so that replies to a conversation keep their order.
    { weigh: ({ content }) => JSON.stringify(content.payload).length, maxRunning: 1 },
  );
}
