// Tells visitors who wait that their place in the queue has changed.
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { setTold } from '../../storage/inbox/routing.ts';
import type { ChangesOptions } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';
import { handlingOf } from './visible.ts';

/** `find`: the handling of a conversation, under its lock. */
export function createQueuePlaces(
  { log, now }: Pick<ChangesOptions, 'log' | 'now'>,
  find: Handlings['find'],
): Handlings['tellPlace'] {
  return async (tx: WriteTx, conversation: ConversationRow) => {
    const row = await find(tx, conversation);
    if (!row || row.queuedAt === null) return;
    const { seq, at } = await log.incrementSequence(tx, conversation);
    const handling = await handlingOf(tx, row, publicId(conversation), now());
    const data = { ...handling, activities: [] };
    await log.appendSignal(tx, conversation, seq, { type: 'handling_changed', data }, null);
    await setTold(tx, conversation.id, handling.queue?.position, at);
  };
}
