// Operations of members on how they, and their chat tool, are told that visitors wait while nobody has the inbox open.
import { teamAlerts as declared, ownAlerts } from '../../../protocol/operations/inbox/alerts.ts';
import type { OwnAlerts } from '../../../protocol/types/inbox.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { endpointKind, isPushKey } from '../../notifications/push-message.ts';
import type { Tx } from '../../storage/database.ts';
import {
  alertSubscriptionId,
  alertSubscriptionsOf,
  deleteAlertSubscription,
  deleteAlertSubscriptionOf,
  findAlertSubscription,
  hasAlertSubscription,
  setAlertSubscription,
} from '../../storage/inbox/alert-subscriptions.ts';
import { memberAlerts, setMemberAlerts, setTeamAlerts, teamAlerts } from '../../storage/inbox/alerts.ts';
import { findInboxMember } from '../../storage/inbox/members.ts';
import type { AlertService } from '../alerts/alerts.ts';
import { answererOf } from './access.ts';
import { handle, handleDecorated } from './services.ts';

/** Browsers of a member: the oldest is forgotten. */
const maxSubscriptions = 20;

export const alertHandlers = [
  handle(ownAlerts.getAlerts, async ({ tx, caller, services: { alerts } }) => ({
    body: await ownBody(tx, caller, alerts),
  })),

  handle(ownAlerts.setAlerts, async ({ tx, caller, input: { mail, push }, services: { alerts, now } }) => {
    const { memberId } = await answererOf(tx, caller);
    const { credentialId } = caller;
    await tx.lock(`owner:${memberId}`);
    if (mail !== undefined)
      await setMemberAlerts(tx, memberId, { ...(await memberAlerts(tx, memberId)), alertMail: mail ? 1 : 0 });
    if (push === null) await deleteAlertSubscriptionOf(tx, credentialId);
    else if (push) {
      const { endpoint, keys, expirationTime = null } = push;
      if (!alerts.push)
        throw new ApiError('Forbidden', 'This server sends no pushes: it has no PUSH_CONTACT.');
      if (endpointKind(endpoint, alerts.push.ownHosts) === 'refused')
        throw new ApiError('Forbidden', 'This server does not send to the host of this push service.');
      if (!isPushKey(keys.p256dh))
        throw new ApiError('InvalidPayload', 'push.keys.p256dh: Expected a point of P-256.');
      const id = alertSubscriptionId(endpoint);
      const before = await findAlertSubscription(tx, id);
      // The same browser, after another member has signed in. Others may have learned the address, but not the keys.
      const isSame = before?.p256dh === keys.p256dh && before.auth === keys.auth;
      if (before && before.memberId !== memberId && !isSame)
        throw new ApiError('Forbidden', 'This subscription is another member’s.');
      const row = { id, memberId, credentialId, endpoint, ...keys, expiresAt: expirationTime };
      await setAlertSubscription(tx, row, now());
      const others = (await alertSubscriptionsOf(tx, [memberId])).filter((other) => other.id !== id);
      for (const oldest of others.slice(maxSubscriptions - 1)) await deleteAlertSubscription(tx, oldest.id);
    }
    return { body: await ownBody(tx, caller, alerts) };
  }),

  handle(
    declared.getTeamAlerts,
    async ({ tx, caller: { workspaceId } }) => ({ body: await teamBody(tx, workspaceId) }),
    // The response contains a secret.
    { audit: () => true },
  ),

  handle(declared.setTeamAlerts, async ({ tx, caller: { workspaceId }, input: { url }, services }) => {
    if (url !== null) services.alerts.assertUrl(workspaceId, url);
    await setTeamAlerts(tx, workspaceId, url);
    return { body: await teamBody(tx, workspaceId) };
  }),

  handleDecorated(
    declared.testTeamAlert,
    async ({ caller: { workspaceId } }) => ({ body: {}, about: workspaceId, resource: workspaceId }),
    {
      // Without a transaction: a chat tool may take its time.
      decorateResponse: (_, { resource: workspaceId, services }) => services.alerts.test(workspaceId),
    },
  ),
];

async function ownBody(
  tx: Tx,
  caller: Principal,
  { hasMail, push }: AlertService,
): Promise<{ alerts: OwnAlerts }> {
  const member = await findInboxMember(tx, caller.workspaceId, caller.memberId ?? '');
  if (!member) throw new ApiError('ResourceNotFound', 'The member does not exist.');
  const { alertMail } = await memberAlerts(tx, member.memberId);
  const isOn = push !== undefined && (await hasAlertSubscription(tx, caller.credentialId));
  return {
    alerts: {
      mail: { isOffered: hasMail, isOn: alertMail === 1 },
      push: { isOffered: push !== undefined, ...(push && { publicKey: push.publicKey }), isOn },
    },
  };
}

async function teamBody(tx: Tx, workspaceId: string) {
  const { url, problem } = await teamAlerts(tx, workspaceId);
  return { alerts: { ...(url !== null && { url }), ...(problem && { problem }) } };
}
