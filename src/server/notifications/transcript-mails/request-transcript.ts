// Takes the request of a visitor to mail a conversation to them. It is sent in the background, as mails about answers are.
import type { MailedTranscript } from '../../../protocol/visitors.ts';
import { ApiError } from '../../api/errors.ts';
import type { RequestQuota } from '../../api/quota-interface.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import {
  deleteNotification,
  insertNotification,
  lastSentAt,
  waitingNotification,
} from '../../storage/notifications/answers.ts';
import { contactStateOf, findContact } from '../../storage/notifications/contacts.ts';
import { hasReturnLink, mailedAddress } from '../../storage/notifications/return-links.ts';
import { newestMessage } from '../../storage/notifications/transcripts.ts';
import { mailLimits } from '../answer-mails/mail-limits.ts';

export interface TranscriptMails {
  /**
   * Queues the mail of a conversation, whose lock is held, to its owner. Throws ResourceNotFound without an address or
   * without messages, Forbidden for an address that gets no mails, and RateLimited. `quota`: of the network address that asks.
   */
  request(
    tx: WriteTx,
    conversation: ConversationRow,
    quota: Pick<RequestQuota, 'create'>,
  ): Promise<MailedTranscript>;
}

/** `onRequest`: called after the commit. */
export function createTranscriptMails(now: () => number, onRequest: () => void): TranscriptMails {
  return {
    async request(tx, { id, botId, ownerId }, quota) {
      const contact = await findContact(tx, ownerId);
      if (!contact) throw new ApiError('ResourceNotFound', 'The user has left no e-mail address.');
      const newest = await newestMessage(tx, id);
      if (newest === undefined) throw new ApiError('ResourceNotFound', 'The conversation has no messages.');
      const isConfirmed = contact.confirmedAt !== null;
      const result: MailedTranscript = {
        email: contact.email,
        sends: isConfirmed ? 'transcript' : 'link',
      };
      const isReachable = ['new', 'confirmed'].includes(contactStateOf(contact));
      if (isConfirmed && !isReachable)
        throw new ApiError(
          'Forbidden',
          'This address gets no mails: they cannot be delivered, or were ended.',
        );
      const day = Math.floor(now() / mailLimits.dayMs);
      const mailed = await mailedAddress(tx, { addressHash: contact.addressHash, botId, day });
      const isUsedUp = !isConfirmed && mailed.unconfirmed >= mailLimits.mostUnconfirmed;
      const isLimited = isUsedUp || mailed.sent >= mailLimits.mostRequested;
      const isKnown = isConfirmed || (await hasReturnLink(tx, ownerId, contact.addressHash));
      if (isLimited && isKnown) throw tooMany(now());
      // Anyone can enter any number of addresses, and begin another conversation, or be another visitor, for each.
      if (!isConfirmed) quota.create('mails');
      // What other visitors have asked for at an address is not told to somebody who has only entered it.
      if (!isReachable || isLimited) return result;
      const row = { conversationId: id, target: ownerId, channel: 'transcript', fromSeq: newest } as const;
      const waits = { ...row, dueAt: now(), attempts: 0, firstAt: null };
      // The same messages again, later: the first mail may be lost. A mail that waits is not sent twice.
      const waiting = await waitingNotification(tx, waits);
      const isRecent = now() - (await lastSentAt(tx, waits)) < mailLimits.betweenMailsMs;
      if (!waiting && !isRecent) await deleteNotification(tx, waits);
      // A mail that is being sent lacks what was written since; a link leads to all messages.
      await insertNotification(tx, waits, { evenIfAttempted: isConfirmed });
      tx.afterCommit(onRequest);
      return result;
    },
  };
}

function tooMany(now: number): ApiError {
  const retryAfter = Math.ceil((mailLimits.dayMs - (now % mailLimits.dayMs)) / 1_000);
  return new ApiError(
    'RateLimited',
    `Too many mails were sent to this address. Try again in ${retryAfter} s.`,
    { retryAfter },
    { 'retry-after': String(retryAfter) },
  );
}
