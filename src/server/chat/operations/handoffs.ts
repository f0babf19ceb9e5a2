// Operations of visitors on handoffs: they ask for a person, return to the bot, and end the conversation with a person.
import { limits } from '../../../protocol/limits.ts';
import { handoffs } from '../../../protocol/operations/chat/handoffs.ts';
import type { Payload } from '../../../protocol/payloads.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isWhole } from '../../api/pages.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import { hasVisitorHandoff } from '../../storage/bots/deployment.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { findMessage } from '../../storage/chat/messages.ts';
import type { Tx } from '../../storage/database.ts';
import { findHandling } from '../../storage/inbox/handlings.ts';
import { listActivities } from '../../storage/inbox/handoffs.ts';
import { findRating } from '../../storage/inbox/ratings.ts';
import { hasReadReceipts, readBy } from '../../storage/inbox/reads.ts';
import { findContact } from '../../storage/notifications/contacts.ts';
import { serializeRating } from '../handling/ratings.ts';
import { serializeRead } from '../handling/reads.ts';
import { activitiesOf, handlingOf, readHandling, serializeRequest } from '../handling/visible.ts';
import { held, participating } from './access.ts';
import { handle } from './services.ts';

export const handoffHandlers = [
  handle(handoffs.requestHandoff, async ({ tx, chat, caller, params: { id }, input, services }) => {
    const conversation = await held(tx, () => participating(tx, id, caller));
    const before = await services.transcript.handlings.find(tx, conversation);
    const isOpen = before !== undefined && before.state !== 'bot' && before.state !== 'closed';
    if (!isOpen && !(await isOffered(tx, chat.bot, conversation, input.messageId)))
      throw new ApiError('Forbidden', 'This bot does not offer to ask for a person.');
    if (input.leavesMessage && !(await findContact(tx, caller.user.id)))
      throw new ApiError('InvalidPayload', 'Who leaves a message needs an address: call setContact first.');
    const request = await services.transcript.handlings.request(tx, conversation, 'visitor', input);
    return { body: await serializeRequest(tx, request, id, services.now()), about: conversation.id };
  }),

  handle(handoffs.cancelHandoff, async ({ tx, caller, params: { id }, services }) => {
    const conversation = await held(tx, () => participating(tx, id, caller));
    const { handlings } = services.transcript;
    const before = await handlings.find(tx, conversation);
    if (before && before.personId !== null)
      throw new ApiError('HandledByPerson', 'A person answers already. End the conversation instead.');
    const isWaiting = before?.state === 'waiting' || before?.state === 'snoozed';
    const row = isWaiting ? await handlings.returnToBot(tx, conversation, 'visitor') : before;
    return { body: { handling: await handlingOf(tx, row, id) }, about: conversation.id };
  }),

  handle(handoffs.closeConversation, async ({ tx, caller, params: { id }, services }) => {
    const conversation = await held(tx, () => participating(tx, id, caller));
    const row = await services.transcript.handlings.close(tx, conversation, 'visitor');
    return { body: { handling: await handlingOf(tx, row, id) }, about: conversation.id };
  }),

  handle(handoffs.rateConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const { handoffId, rating, comment } = input;
    const conversation = await held(tx, () => participating(tx, id, caller));
    const { rate } = services.transcript.handlings;
    const rated = await rate(tx, conversation, handoffId, { rating, comment });
    return { body: { rating: rated }, about: conversation.id };
  }),

  handle(handoffs.listActivities, async ({ tx, chat, caller, params: { id }, input, services }) => {
    const conversation = await participating(tx, id, caller);
    const before = decodeCursor('activities', input.nextToken, isWhole);
    const size = limits.inbox.activitiesPage;
    const found = await listActivities(tx, conversation.id, { before, limit: size + 1 });
    const { rows, meta } = cutPage('activities', found, size, (row) => row.seq);
    const handling = await readHandling(tx, conversation, id, services.now());
    const current = await findHandling(tx, conversation.id);
    const asked = current?.state === 'closed' && (await findRating(tx, conversation.id, current.handoffId));
    const canRequest = await hasVisitorHandoff(tx, chat.bot.id);
    const activities = rows.flatMap((row) => activitiesOf(row).reverse());
    const hasReceipts = await hasReadReceipts(tx, chat.bot.id);
    const read = hasReceipts ? await readBy(tx, conversation.id, 'person') : undefined;
    const reads = {
      ...(hasReceipts ? { hasReadReceipts: true as const } : {}),
      ...(read ? { personRead: serializeRead(read) } : {}),
    };
    const rating = asked ? { rating: serializeRating(asked) } : {};
    return { body: { handling, canRequest, ...rating, ...reads, activities, meta } };
  }),
];

/** Whether the bot offers it to all of its visitors, or by a button of this message. */
async function isOffered(
  tx: Tx,
  bot: BotRow,
  conversation: ConversationRow,
  messageId: string | undefined,
): Promise<boolean> {
  if (await hasVisitorHandoff(tx, bot.id)) return true;
  const message = messageId === undefined ? undefined : await findMessage(tx, messageId);
  if (message?.conversationId !== conversation.id || message.isBot !== 1) return false;
  return hasHandoffButton(JSON.parse(message.payload) as Payload);
}

function hasHandoffButton(payload: Payload): boolean {
  if (payload.type === 'card') return payload.actions.some(({ action }) => action === 'handoff');
  return payload.type === 'carousel' && payload.items.some(hasHandoffButton);
}
