// Creates what pushes answers of persons to visitors who have gone, in a server that sends pushes.
import { hasPushSubscription } from '../../storage/notifications/push-subscriptions.ts';
import { ensureVapidKeys } from '../../storage/notifications/vapid-keys.ts';
import type { AnswerNotice } from '../answer-mails/remember-answer.ts';
import { type AnswerPushOptions, assignAnswerPushes } from './send-pushes.ts';

export interface PushOptions {
  /** An address of the operator, `mailto:` or `https:`, which push services get. */
  subject: string;
  /** The address of the server, with which links begin. */
  address: string;
  /** Host names of other push services, with a port if it is not the default one. */
  ownHosts: readonly string[];
  /** Whether notifications show the text of an answer. */
  hasText: boolean;
  /** Milliseconds after an answer until it is pushed. */
  delay: number;
}

/** What operations tell clients of Web Push. */
export interface PushService {
  /** In base64url: browsers accept pushes only of the server that has the private key. */
  publicKey: string;
  ownHosts: readonly string[];
}

export interface AnswerPushes {
  /** For the transcript: what follows from an answer. */
  notice: AnswerNotice;
  service: PushService;
}

/** Creates the keys at the first start. Returns undefined if the server sends no pushes. */
export async function createAnswerPushes(
  push: PushOptions | undefined,
  options: Omit<AnswerPushOptions, 'requestDetails' | 'vapid' | 'ownHosts' | 'hasText' | 'address' | 'delay'>,
): Promise<AnswerPushes | undefined> {
  if (!push) return undefined;
  const { subject, address, ownHosts, hasText, delay } = push;
  // Servers without pushes do not load it.
  const { default: webPush } = await import('web-push');
  const created = webPush.generateVAPIDKeys();
  const keys = await options.db.write((tx) => ensureVapidKeys(tx, created, options.now()));
  const vapid = { ...keys, subject };
  const requestDetails = webPush.generateRequestDetails;
  const onNotice = assignAnswerPushes({
    ...options,
    ...{ requestDetails, vapid, ownHosts, hasText, address, delay },
  });
  return {
    notice: { channel: 'push', delay, isReachable: hasPushSubscription, onNotice },
    service: { publicKey: keys.publicKey, ownHosts },
  };
}
