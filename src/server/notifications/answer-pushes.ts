// Pushes answers of persons to the browsers of visitors who have not read them. One process of a server does it.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { generateRequestDetails } from 'web-push';
import { readRetryAfter } from '../api/outgoing-requests.ts';
import type { Processes, Worker } from '../jobs/processes.ts';
import { createScheduledWorker } from '../jobs/scheduled-worker.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import {
  beginAttempt,
  deleteNotification,
  dueNotifications,
  insertNextNotification,
  type NotificationRow,
  nextNotification,
  postpone,
  setSent,
  unseenAnswers,
  waitingNotification,
} from '../storage/notifications/answers.ts';
import {
  deletePushSubscription,
  ensureVapidKeys,
  hasPushSubscription,
  type PushSubscriptionRow,
  pushSubscriptionsOf,
  setPushSent,
  type VapidKeys,
} from '../storage/notifications/push-subscriptions.ts';
import { answerOf } from './answer-text.ts';
import { type AnswerNotice, lockDue } from './due-answers.ts';
import { endpointKind, type PushRequest, pushLifetimeSeconds, pushRequest } from './push-message.ts';
import { createReturnLink } from './return-links.ts';

const minuteMs = 60_000;
/** The numbers of notifications that are read at once, and whose pushes are sent at once. */
const batchSize = 50;
const atOnce = 8;
/** Attempts for each notification. */
const maxAttempts = 6;
/** The time until a push whose result is unknown is sent again: longer than the push service may take. */
const sendTimeoutMs = minuteMs;
/** Milliseconds that a push service may take. */
const timeLimitMs = 10_000;
/** Milliseconds before each further attempt. */
const delays = [0.5, 2, 10, 60, 240].map((minutes) => minutes * minuteMs);
/** The longest wait that a push service can ask for (`Retry-After`): after it the push would be too old. */
const maxWaitMs = 6 * 60 * minuteMs;

/** Sends a push. Rejects if the push service cannot be reached, or its address is not allowed. */
export type PostPush = (
  request: PushRequest & { isPrivateAllowed: boolean; timeLimit: number; signal: AbortSignal },
) => Promise<{ status: number; retryAfter: string | undefined }>;

export interface AnswerPushOptions {
  db: Database;
  processes: Pick<Processes, 'assign'>;
  post: PostPush;
  /** Of `web-push`, which is loaded only if it is needed. */
  requestDetails: typeof generateRequestDetails;
  vapid: VapidKeys & { subject: string };
  /** Host names of push services that the operator has named. */
  ownHosts: readonly string[];
  /** Whether notifications show the text of an answer. */
  hasText: boolean;
  /** The address of the server, with which links begin. */
  address: string;
  /** Milliseconds after an answer until it is pushed. */
  delay: number;
  logger: Logger;
  now(): number;
}

/** Begins to push answers with the start of `processes`. Returns a function that looks for what is due. */
export function assignAnswerPushes({ processes, ...options }: AnswerPushOptions): () => void {
  const role = processes.assign('push answers', (db) => createPushWorker({ ...options, db }));
  return () => role.worker?.wake?.(false);
}

/** A notification whose attempt has begun, and a request for each browser that has not got it. */
interface Prepared {
  row: NotificationRow;
  /** The sequence number of the answer. */
  seq: number;
  pushes: { subscription: PushSubscriptionRow; request: PushRequest }[];
}

/** `sent`, `gone` for good, `refused` for a reason that another attempt does not change, or to be tried again. */
type Outcome = { state: 'sent' | 'gone' | 'refused' } | { state: 'failed'; wait: number };

function createPushWorker(options: Omit<AnswerPushOptions, 'processes'>): Worker {
  const { db, post, requestDetails, vapid, ownHosts, hasText, address, delay, logger, now } = options;
  const closing = new AbortController();
  // Each push that is being sent listens.
  setMaxListeners(0, closing.signal);

  /** Begins the attempt to push a notification; undefined if none is pushed now. */
  async function prepare(tx: WriteTx, due: NotificationRow): Promise<Prepared | undefined> {
    const { row, conversation, bot } = (await lockDue(tx, due, now())) ?? {};
    if (!row) return undefined;
    const [answer] = await unseenAnswers(tx, row, 1);
    const subscriptions = answer ? await usableSubscriptions(tx, row, answer.seq) : [];
    // Deleted, switched off, or read.
    if (!bot || !answer || conversation?.ownerId !== row.target || subscriptions.length === 0) {
      await deleteNotification(tx, row);
      return undefined;
    }
    const attempts = await beginAttempt(tx, row, now(), now() + sendTimeoutMs);
    const pushes: Prepared['pushes'] = [];
    for (const subscription of subscriptions) {
      const { conversationId } = row;
      const contact = { userId: row.target, addressHash: '' };
      const url =
        subscription.pageUrl ??
        (await createReturnLink(tx, { bot, conversationId, contact }, { address, now: now() }));
      const message = { subscription, conversationId, answer: answerOf(answer), hasText, url, vapid };
      pushes.push({ subscription, request: pushRequest(message, requestDetails) });
    }
    return { row: { ...row, attempts, firstAt: row.firstAt ?? now() }, seq: answer.seq, pushes };
  }

  /** The subscriptions of the user that have not got the push of an answer. Those that have expired are deleted. */
  async function usableSubscriptions(
    tx: WriteTx,
    row: NotificationRow,
    seq: number,
  ): Promise<PushSubscriptionRow[]> {
    const usable: PushSubscriptionRow[] = [];
    for (const subscription of await pushSubscriptionsOf(tx, row.target)) {
      const { expiresAt, lastSent } = subscription;
      if (expiresAt !== null && expiresAt <= now()) await deletePushSubscription(tx, subscription);
      else if (lastSent !== markOf(row, seq)) usable.push(subscription);
    }
    return usable;
  }

  async function send({ request }: Prepared['pushes'][number]): Promise<Outcome> {
    const kind = endpointKind(request.url, ownHosts);
    // The settings have changed since.
    if (kind === 'refused') return { state: 'gone' };
    const { signal } = closing;
    const isPrivateAllowed = kind === 'own';
    const { hostname } = new URL(request.url);
    const answer = await post({ ...request, isPrivateAllowed, timeLimit: timeLimitMs, signal }).catch(
      (error: unknown) => {
        if (signal.aborted) throw signal.reason;
        logger.warn({ host: hostname, reason: (error as Error).message }, 'a push service was not reached');
        return undefined;
      },
    );
    if (!answer) return { state: 'failed', wait: 0 };
    const { status, retryAfter } = answer;
    if (status >= 200 && status < 300) return { state: 'sent' };
    if (status === 404 || status === 410) return { state: 'gone' };
    logger.warn({ host: hostname, status }, 'a push service has refused a push');
    if (status === 429 || status >= 500)
      return { state: 'failed', wait: Math.min(readRetryAfter(retryAfter, now()) ?? 0, maxWaitMs) };
    return { state: 'refused' };
  }

  async function pushOne({ row, seq, pushes }: Prepared): Promise<void> {
    const sent = await Promise.all(
      pushes.map(async (push) => ({ ...push, outcome: await send(push) })),
    ).catch((error: unknown) => {
      if (closing.signal.aborted) return undefined;
      throw error;
    });
    // The server ends: nobody knows what has arrived, so the attempt is repeated.
    if (!sent) return;
    await db.write(async (tx) => {
      await tx.lock(`conversation:${row.conversationId}`);
      const present = await waitingNotification(tx, row);
      for (const { subscription, outcome } of sent) {
        if (outcome.state === 'gone') await deletePushSubscription(tx, subscription);
        if (outcome.state === 'sent') await setPushSent(tx, subscription, markOf(row, seq));
      }
      // Another process has begun another attempt, or the conversation was deleted.
      if (present?.attempts !== row.attempts) return;
      const waits = sent.flatMap(({ outcome }) => (outcome.state === 'failed' ? [outcome.wait] : []));
      const next = now() + Math.max(...waits, delays[row.attempts - 1] ?? 0);
      const isOver =
        row.attempts >= maxAttempts || next > (row.firstAt ?? now()) + pushLifetimeSeconds * 1_000;
      if (waits.length > 0 && !isOver) return postpone(tx, row, next);
      await setSent(tx, row, now());
      await insertNextNotification(tx, row, { seq, delay });
    });
  }

  const worker = createScheduledWorker({
    async run(isClosed) {
      const rows = await db.read((tx) => dueNotifications(tx, ['push'], now(), batchSize));
      for (let at = 0; at < rows.length && !isClosed(); at += atOnce) {
        const prepared: Prepared[] = [];
        for (const due of rows.slice(at, at + atOnce)) {
          const one = await db.write((tx) => prepare(tx, due));
          if (one) prepared.push(one);
        }
        await Promise.all(prepared.map(pushOne));
      }
      return true;
    },
    nextTime: () => db.read((tx) => nextNotification(tx, ['push'])),
    leastWaitMs: Math.min(1_000, delay),
    failure: 'pushing answers failed',
    logger,
    now,
  });
  return {
    ...worker,
    async close() {
      closing.abort();
      await worker.close();
    },
  };
}

/** The mark of a subscription that has got the push of an answer. */
const markOf = ({ conversationId }: NotificationRow, seq: number): string => `${conversationId} ${seq}`;

// The service that pushes answers of persons to visitors who have gone, in a server that sends pushes.

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

/** The values of Web Push that operations return to clients. */
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
