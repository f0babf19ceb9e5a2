// Operations on interrupts: a visitor answers a question of the bot.
import { limits } from '../../../protocol/limits.ts';
import { interrupts } from '../../../protocol/operations/chat/messages.ts';
import type { Caller } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { assertConversation } from '../../auth/user-keys.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import { claimInterrupt, findInterrupt } from '../../storage/chat/interrupts.ts';
import { findMessage } from '../../storage/chat/messages.ts';
import { isParticipant } from '../../storage/chat/participants.ts';
import type { WriteTx } from '../../storage/database.ts';
import { interruptOf, isNewClaim, settlementOf } from '../interrupts/answer.ts';
import { assertClientSize } from '../new-message.ts';
import { quotaSubjectsOf } from './access.ts';
import { handle } from './services.ts';

export const interruptHandlers = [
  handle(interrupts.claimInterrupt, async ({ tx, caller, params, input: { claim }, services }) => {
    const { row, message, part } = await heldInterrupt(tx, params.id, caller);
    const now = services.now();
    if (isNewClaim(row, part, claim, now)) {
      await claimInterrupt(tx, { id: row.id, claim, expiresAt: now + limits.client.claimTime });
    }
    return { body: { interrupt: part, messageId: message.id } };
  }),
  handle(interrupts.respondToInterrupt, async (call) => {
    const { tx, caller, quota, headers, params, input, services } = call;
    const { conversation, row, message, part } = await heldInterrupt(tx, params.id, caller);
    const { client, ...answer } = input;
    assertClientSize(client);
    const settlement = settlementOf(row, part, answer, services.now());
    if (!settlement) return { body: { interrupt: part, messageId: message.id } };
    const bytes = Buffer.byteLength(JSON.stringify(answer));
    await quota.send(tx, 'answer', quotaSubjectsOf(caller, conversation), bytes);
    const locale = services.localeOf(headers);
    const settled = [[row, settlement]] as const;
    const changed = await services.transcript.settleInterrupts(tx, conversation, settled, locale, client);
    const interrupt = changed && interruptOf(changed, row.id);
    if (!interrupt) throw notFound();
    return { body: { interrupt, messageId: message.id } };
  }),
];

const notFound = () => new ApiError('ResourceNotFound', 'There is no such interrupt.');

/**
 * Returns an interrupt that was put to the caller, who is still a participant, and holds the lock of its conversation. Throws the
 * same ResourceNotFound for all others.
 */
async function heldInterrupt(tx: WriteTx, id: string, { user, key }: Caller) {
  const found = await findInterrupt(tx, id);
  if (found?.userId !== user.id) throw notFound();
  assertConversation(key, found.conversationId);
  await tx.lock(`conversation:${found.conversationId}`);
  const row = await findInterrupt(tx, id);
  const conversation = row && (await conversationById(tx, row.conversationId));
  const message = row && (await findMessage(tx, row.messageId));
  const part = message && interruptOf(message, id);
  const isOwn = row?.userId === user.id && (await isParticipant(tx, row.conversationId, user.id));
  if (!conversation || !row || !message || !part || !isOwn) throw notFound();
  return { conversation, row, message, part };
}
