// Tells the team that something about a visitor has changed, which it sees with each of the visitor's conversations.
import type { WriteTx } from '../../storage/database.ts';
import { findHandling, openStates, touchHandling } from '../../storage/inbox/handlings.ts';
import { handledAmong, handledConversationsOf } from '../../storage/inbox/lists.ts';
import { indexWords } from '../../storage/inbox/search-index.ts';
import type { ChangesOptions } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';

/** The most conversations of one visitor that are told, the newest ones. Others have the change when they are read again. */
const mostTold = 50;

export function createVisitorChanges({
  now,
  onTeamChange,
}: Pick<ChangesOptions, 'now' | 'onTeamChange'>): Pick<
  Handlings,
  'changeVisitor' | 'tellVisitor' | 'tellTyping'
> {
  async function tell(tx: WriteTx, found: Awaited<ReturnType<typeof handledAmong>>): Promise<void> {
    for (const { conversationId, workspaceId } of found) {
      // The revision makes it another state of the row, also for pages that ask for the changes.
      await touchHandling(tx, conversationId, now());
      await indexWords(tx, conversationId);
      tx.afterCommit(() => onTeamChange(workspaceId, { kind: 'row', conversationId }));
    }
  }
  return {
    async changeVisitor(tx, userId, store) {
      const found = await handledConversationsOf(tx, userId, mostTold);
      await tx.lock(...found.map(({ conversationId }) => `conversation:${conversationId}` as const));
      const result = await store();
      await tell(tx, found);
      return result;
    },
    async tellTyping(tx, { id: conversationId, hasHandling }, timeout) {
      const handling = hasHandling === 1 ? await findHandling(tx, conversationId) : undefined;
      if (handling && openStates.includes(handling.state))
        onTeamChange(handling.workspaceId, { kind: 'typing', conversationId, timeout });
    },
    tellVisitor: async (tx, conversationIds) => tell(tx, await handledAmong(tx, conversationIds)),
  };
}
