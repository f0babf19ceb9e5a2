// Operations of bots and of programs that connect another desk on handoffs.
import { handoffs } from '../../../protocol/operations/runtime/conversations.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { alreadyTaken, handlingOf, personIn, serializeHandoff } from '../../chat/index.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { findHandling, type HandlingRow } from '../../storage/inbox/handlings.ts';
import { findHandoff } from '../../storage/inbox/handoffs.ts';
import { ownConversation } from './find.ts';
import { handle } from './services.ts';

export const handoffHandlers = [
  handle(handoffs.requestHandoff, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    const { handlings } = services.transcript;
    const request = await handlings.request(tx, conversation, 'bot', input);
    const body = await bodyOf(tx, conversation, request.row);
    const answered = await handlings.answer(tx, conversation, request);
    return { body: { ...body, ...answered }, about: conversation.id };
  }),

  handle(handoffs.acceptHandoff, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    const row = await services.transcript.handlings.accept(tx, conversation, input.person);
    return { body: await bodyOf(tx, conversation, row), about: conversation.id };
  }),

  handle(handoffs.closeHandoff, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    const { handlings } = services.transcript;
    const before = await handlings.find(tx, conversation);
    if (before && before.assigneeId !== null) throw alreadyTaken(before);
    const isOpen = before !== undefined && before.state !== 'bot' && before.state !== 'closed';
    const person = before && personIn(before);
    const end = input.to === 'closed' ? handlings.close : handlings.returnToBot;
    const row = isOpen
      ? await end(tx, conversation, person ? 'person' : 'bot', { name: person?.name })
      : before;
    return { body: await bodyOf(tx, conversation, row), about: conversation.id };
  }),

  handle(handoffs.getHandling, async ({ tx, caller, params: { id } }) => {
    const conversation = await ownConversation(tx, caller, id);
    return { body: await bodyOf(tx, conversation, await findHandling(tx, conversation.id)) };
  }),
];

async function heldConversation(tx: WriteTx, caller: BotPrincipal, id: string): Promise<ConversationRow> {
  await tx.lock(`conversation:${id}`);
  return ownConversation(tx, caller, id);
}

async function bodyOf(tx: Tx, conversation: ConversationRow, row: HandlingRow | undefined) {
  const handoff = row && (await findHandoff(tx, row.handoffId));
  return {
    handling: await handlingOf(tx, row, conversation.id),
    ...(handoff ? { handoff: serializeHandoff(handoff) } : {}),
  };
}
