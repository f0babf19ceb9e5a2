// The operation of the page of links in mails: it gives a key that is limited to one conversation.
import { randomUUID } from 'node:crypto';
import { returnLinks } from '../../../protocol/operations/chat/users.ts';
import { ApiError } from '../../api/errors.ts';
import { issuedClaims } from '../../auth/user-keys.ts';
import { openedBy } from '../../notifications/return-links.ts';
import { confirmContact, returnUrlOf } from '../../storage/notifications/return-links.ts';
import { handle } from './services.ts';

export const returnLinkHandlers = [
  handle(returnLinks.useReturnLink, async ({ tx, chat, input: { token }, services }) => {
    const now = services.now();
    const opened = await openedBy(tx, token, chat.bot, now);
    if (!opened) throw new ApiError('Unauthorized', 'This link does not work any more.');
    const { link, conversation, user } = opened;
    await services.transcript.handlings.changeVisitor(tx, user.id, () => confirmContact(tx, link, now));
    const returnUrl = user.foreignId === null ? null : await returnUrlOf(tx, chat.bot.id);
    if (returnUrl !== null) return { body: { returnUrl } };
    const foreignIds = conversation.foreignId === null ? [] : [conversation.foreignId];
    const lifetime = (link.expiresAt - now) / 1_000;
    const claims = {
      ...issuedClaims(randomUUID(), now, lifetime),
      conversation: [conversation.id, ...foreignIds],
    };
    return { body: { userKey: chat.keys.sign(user.id, claims), conversationId: conversation.id } };
  }),
];
