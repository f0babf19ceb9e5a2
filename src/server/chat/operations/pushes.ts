// Operations on the browsers in which the caller has switched on Web Push.
import { pushes } from '../../../protocol/operations/chat/users.ts';
import { ApiError } from '../../api/errors.ts';
import { endpointKind, isPushKey } from '../../notifications/push-message.ts';
import {
  deletePushSubscription,
  findPushSubscription,
  pushSubscriptionId,
  pushSubscriptionsOf,
  setPushSubscription,
} from '../../storage/notifications/push-subscriptions.ts';
import { handle } from './services.ts';

/** Browsers of a user: the oldest is forgotten. */
const maxSubscriptions = 5;

export const pushHandlers = [
  handle(pushes.getPush, async ({ caller: { key }, services }) => {
    const { pushService } = services;
    // The holder of such a key may not be the visitor.
    if (key.conversationIds || !pushService) return { body: { isOffered: false } };
    return { body: { isOffered: true, publicKey: pushService.publicKey } };
  }),

  handle(pushes.setPush, async ({ tx, caller: { user }, quota, input, services }) => {
    const { endpoint, keys, locale = 'en', pageUrl = null, expirationTime = null } = input;
    const { id: userId, botId } = user;
    const id = pushSubscriptionId(botId, endpoint);
    if (!keys) {
      await deletePushSubscription(tx, { id, userId });
      return { body: {} };
    }
    const { pushService } = services;
    if (!pushService) throw new ApiError('Forbidden', 'This server sends no pushes: it has no PUSH_CONTACT.');
    if (endpointKind(endpoint, pushService.ownHosts) === 'refused')
      throw new ApiError('Forbidden', 'This server does not send to the host of this push service.');
    if (!isPushKey(keys.p256dh))
      throw new ApiError('InvalidPayload', 'keys.p256dh: Expected a point of P-256.');
    await tx.lock(`owner:${userId}`);
    const before = await findPushSubscription(tx, id);
    // The same browser, after another user has signed in. Others may have learned the address, but not the keys.
    const isSame = before?.p256dh === keys.p256dh && before.auth === keys.auth;
    if (before && before.userId !== userId && !isSame)
      throw new ApiError('Forbidden', 'This subscription is another user’s.');
    await quota.send(tx, 'profile', { userId, botId }, Buffer.byteLength(endpoint));
    const row = { id, botId, userId, endpoint, ...keys, locale, pageUrl, expiresAt: expirationTime };
    await setPushSubscription(tx, row, services.now());
    const others = (await pushSubscriptionsOf(tx, userId)).filter((other) => other.id !== id);
    for (const oldest of others.slice(maxSubscriptions - 1)) await deletePushSubscription(tx, oldest);
    return { body: {} };
  }),
];
