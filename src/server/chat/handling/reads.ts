// Read marks: up to where the visitor and the person who answers have read. They only rise, and are told where the bot wants it.
import type { ReadMark } from '../../../protocol/handling.ts';
import type { Signal } from '../../../protocol/signal.ts';
import { timestamp } from '../../api/serializers.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { publicId } from '../../storage/ids.ts';
import { findHandling } from '../../storage/inbox/handlings.ts';
import {
  hasReadReceipts,
  messageUpTo,
  type ReadMark as ReadRow,
  raiseRead,
} from '../../storage/inbox/reads.ts';
import type { ChangesOptions } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';

export interface ReadsOptions extends Pick<ChangesOptions, 'onTeamChange'> {
  /** Sends a signal that is not in the log to the listeners of a conversation, at all processes. */
  publish(conversationId: string, signal: Signal): void;
}

export const serializeRead = ({ seq, createdAt }: ReadRow): ReadMark => ({
  seq: Number(seq),
  until: timestamp(createdAt),
});

export function createReads({ publish, onTeamChange }: ReadsOptions): Pick<Handlings, 'markRead'> {
  return {
    async markRead(tx, conversation: ConversationRow, reader, seq) {
      const { id } = conversation;
      await tx.lock(`conversation:${id}`);
      const found = await messageUpTo(tx, id, seq);
      if (!found) return undefined;
      const read = serializeRead(found);
      const isNew = await raiseRead(tx, {
        conversationId: id,
        reader: reader.id,
        kind: reader.kind,
        seq: read.seq,
      });
      if (!isNew || !(await hasReadReceipts(tx, conversation.botId))) return read;
      const data = { conversationId: publicId(conversation), reader: reader.kind, ...read };
      tx.afterCommit(() => publish(id, { type: 'conversation_read', data }));
      const workspaceId = reader.kind === 'visitor' && (await findHandling(tx, id))?.workspaceId;
      if (workspaceId)
        tx.afterCommit(() => onTeamChange(workspaceId, { kind: 'read', conversationId: id, ...read }));
      return read;
    },
  };
}
